// SPDX-License-Identifier: Apache-2.0

#include "tests/emulate/corpus/run_case.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <mutex>
#include <sstream>

#include "evolution/emulate/lanes/families.h"
#include "evolution/emulate/machine/launch.h"
#include "evolution/emulate/ptx/parser.h"
#include "tests/emulate/corpus/number.h"
#include "tests/emulate/corpus/references.h"

namespace cupilot::corpus {
using namespace cupilot::emulate::machine;
namespace {

using emulate::machine::Finding;

/// The entry itself, or the one instance of a function of that name: "_Z" length name.
Result<std::uint32_t> entry_of(const emulate::program::Program &program, const std::string &name) {
  if (const auto exact = program.entries.find(name); exact != program.entries.end()) return exact->second;
  const std::string mangled = "_Z" + std::to_string(name.size()) + name;
  for (const auto &[entry, index] : program.entries)
    if (entry.starts_with(mangled)) return index;
  return fail("no kernel '" + name + "'");
}

struct Device {
  std::unique_ptr<emulate::memory::Memory> memory;
  std::vector<std::uint64_t> addresses;  ///< of buffers, by argument
  std::vector<std::byte> parameters;
};

Result<> place_arguments(const Case &one, const emulate::program::FunctionCode &code, Device &device) {
  if (code.parameters.size() != one.arguments.size())
    return fail("the kernel has " + std::to_string(code.parameters.size()) + " parameters");
  device.parameters.resize(code.parameter_bytes);
  device.addresses.resize(one.arguments.size());
  for (std::size_t i = 0; i < one.arguments.size(); ++i) {
    const Argument &argument = one.arguments[i];
    const auto &place = code.parameters[i];
    if (place.bytes != (argument.buffer ? 8 : argument.bytes.size()))
      return fail("parameter " + std::to_string(i) + " has " + std::to_string(place.bytes) + " bytes");
    std::byte *to = device.parameters.data() + place.offset;
    if (!argument.buffer) {
      std::memcpy(to, argument.bytes.data(), argument.bytes.size());
      continue;
    }
    const std::string label = (argument.scratch ? "scratch " : "argument ") + std::to_string(i);
    CUPILOT_TRY(address, device.memory->allocate(argument.bytes.size(), label, true));
    if (argument.written) {
      std::memcpy(reinterpret_cast<void *>(address), argument.bytes.data(), argument.bytes.size());
      device.memory->mark_written(address, argument.bytes.size());
    }
    device.addresses[i] = address;
    std::memcpy(to, &address, sizeof address);
  }
  return {};
}

std::string shown(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

std::string compare(const Case &one, const Device &device) {
  const Reference expected = reference(one.reference);
  if (expected == nullptr) return "no reference '" + one.reference + "'";
  std::vector<Argument> arguments = one.arguments;
  for (unsigned i = 0; i < one.launches; ++i) expected(one, arguments);
  for (std::size_t a = 0; a < arguments.size(); ++a) {
    if (!arguments[a].buffer || !arguments[a].compared) continue;
    const std::size_t size = size_of(arguments[a].type);
    for (std::uint64_t i = 0; i < arguments[a].count; ++i) {
      const double want = load(arguments[a].type, arguments[a].bytes.data() + i * size);
      const double got =
          load(arguments[a].type, reinterpret_cast<const std::byte *>(device.addresses[a]) + i * size);
      if (want == got || std::abs(want - got) <= one.tolerance * (1 + std::abs(want)) ||
          (std::isnan(want) && std::isnan(got)))
        continue;
      return "argument " + std::to_string(a) + "[" + std::to_string(i) + "] is " + shown(got) + ", not " +
             shown(want);
    }
  }
  return {};
}

bool is_at(const emulate::program::SourcePlace &place, const Case &one, std::uint32_t line) {
  return place.line == line && std::filesystem::path(place.file).filename() == one.file.filename();
}
bool names_line(const Finding &finding, const Case &one, const Mark &mark) {
  if (mark.kind != to_string(finding.kind)) return false;
  return is_at(finding.place, one, mark.line) ||
         (finding.other_place && is_at(*finding.other_place, one, mark.line));
}

/// Every mark is found, and everything found is marked.
std::string compare_findings(const Case &one, const std::vector<Finding> &findings) {
  std::string wrong;
  for (const Finding &finding : findings) {
    bool marked = false;
    for (const Mark &mark : one.marks) marked |= names_line(finding, one, mark);
    if (!marked) wrong += "not expected: " + describe(finding) + "\n";
  }
  bool any = false, any_found = false;
  for (const Mark &mark : one.marks) {
    bool found = mark.need == Mark::Need::may;
    for (const Finding &finding : findings) found |= names_line(finding, one, mark);
    any |= mark.need == Mark::Need::one_of;
    any_found |= mark.need == Mark::Need::one_of && found;
    if (!found && mark.need == Mark::Need::must)
      wrong += "not found: line " + std::to_string(mark.line) + ": " + mark.kind + "\n";
  }
  if (any && !any_found) wrong += "not found at any of its lines\n";
  if (!wrong.empty())
    for (const Finding &finding : findings) wrong += "found: " + describe(finding) + "\n";
  return wrong;
}

std::string unsupported(const emulate::program::Program &program,
                        const emulate::program::FunctionCode &code) {
  std::string text;
  for (const std::uint32_t index : code.unsupported) {
    const emulate::program::Unsupported &one = program.unsupported[index];
    text += one.place.file + ":" + std::to_string(one.place.line) + ": not supported: " + one.what + "\n";
  }
  return text;
}

}  // namespace

Result<std::shared_ptr<const emulate::program::Program>> load_ptx(const std::filesystem::path &file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  CUPILOT_TRY(module, emulate::ptx::parse(text.str(), file.filename().string()));
  return emulate::program::decode(std::make_shared<const emulate::ptx::Module>(std::move(module)),
                                  emulate::lanes::families());
}

std::string run_case(const Case &one, const std::shared_ptr<const emulate::program::Program> &program) {
  const auto entry = entry_of(*program, one.kernel);
  if (!entry) return entry.error().message;
  const emulate::program::FunctionCode &code = program->functions[*entry];
  if (!code.unsupported.empty()) return unsupported(*program, code);
  auto memory = emulate::memory::Memory::make(std::uint64_t{256} << 20);
  if (!memory) return memory.error().message;
  Device device{std::move(*memory), {}, {}};
  auto loaded = emulate::machine::LoadedProgram::load(program, *device.memory);
  if (!loaded) return loaded.error().message;
  if (const auto placed = place_arguments(one, code, device); !placed) return placed.error().message;

  std::string printed;
  emulate::machine::LaunchRequest request;
  request.function = *entry;
  request.grid = one.grid;
  request.block = one.block;
  request.dynamic_shared_bytes = one.shared;
  request.parameters = device.parameters;
  emulate::machine::LaunchOptions options;
  options.checks = {true, true};
  options.threads = 1;
  options.resident_blocks = one.resident;
  options.instruction_budget = 2'000'000;
  options.deadline = std::chrono::steady_clock::now() + std::chrono::minutes(10);
  options.print = [&](std::string_view text) { printed += text; };
  std::vector<Finding> findings;
  bool completed = true;
  for (unsigned i = 0; i < one.launches; ++i) {
    auto result = launch(**loaded, *device.memory, request, options);
    findings.insert(findings.end(), result.findings.begin(), result.findings.end());
    completed &= result.completed;
  }
  std::string wrong = compare_findings(one, findings);
  if (!wrong.empty() || !one.marks.empty()) return wrong;
  if (!completed) return "the launch did not complete";
  const auto lines = std::count(printed.begin(), printed.end(), '\n');
  if (one.lines >= 0 && lines != one.lines) return "printed " + std::to_string(lines) + " lines:\n" + printed;
  return compare(one, device);
}

}  // namespace cupilot::corpus
