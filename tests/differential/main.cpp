// SPDX-License-Identifier: Apache-2.0
//
// differential ANNOTATE FOLDER [--nvcc NVCC] [--broken] [--least SHARE] [--verbose]: for every kernel of
// FOLDER/batch_*.cu (kernels.py draws them) that lifts, the lifted form is executed by a plain interpreter
// and the kernel, compiled to PTX by nvcc, by the CPU executor, at all of its launches for which the form's
// needs hold. What is in the buffers afterwards has to be the same. Prints what differs, and how many were
// compared; exit code 1 if anything differs, or if fewer than SHARE of the kernels lift.
//
// --broken changes one operator or number of each form first. Exit code 1 then if more than a few of the
// changed forms pass: a test of this test.

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <thread>

#include "annotate/directive/expression.h"
#include "annotate/spec/kernel_spec_json.h"
#include "annotate/spec/lifted_text.h"
#include "annotate/support/files.h"
#include "annotate/support/process.h"
#include "annotate/support/text.h"
#include "evolution/emulate/lanes/families.h"
#include "evolution/emulate/machine/launch.h"
#include "evolution/emulate/ptx/parser.h"
#include "tests/differential/interpreter.h"

namespace {

using namespace cupilot;
using namespace cupilot::differential;
namespace fs = std::filesystem;
using emulate::machine::LoadedProgram;
using nlohmann::json;

Result<json> parsed_file(const fs::path &path) {
  CUPILOT_TRY(text, read_file(path));
  json parsed = json::parse(text, nullptr, false);
  if (parsed.is_discarded()) return fail(path.string() + " is not JSON");
  return parsed;
}

Result<std::string> run_program(std::vector<std::string> argv) {
  ProcessRequest request;
  request.argv = std::move(argv);
  request.time_limit = std::chrono::minutes(10);
  CUPILOT_TRY(result, run_process(request));
  if (!result.ok()) return fail(request.argv[0] + ": " + result.err + result.out);
  return result.out;
}

Result<std::vector<spec::KernelSpec>> scan(const std::string &annotate, const fs::path &source) {
  CUPILOT_TRY(out, run_program({annotate, "scan", "--root", source.parent_path().string(), source.string(),
                                "--", "nvcc", "-std=c++17", "-arch=sm_90", "-c", source.string()}));
  std::vector<spec::KernelSpec> specs;
  for (const std::string &line : split_lines(out)) {
    const auto parsed = json::parse(line, nullptr, false);
    if (parsed.contains("diagnostic")) return fail(line);
    if (!parsed.contains("spec")) continue;
    CUPILOT_TRY(spec, spec::kernel_spec_from_json(parsed["spec"].dump()));
    specs.push_back(std::move(spec));
  }
  return specs;
}

using Program = std::shared_ptr<const emulate::program::Program>;

Result<Program> compile(const std::string &nvcc, const fs::path &source) {
  const fs::path ptx = fs::path(source).replace_extension(".ptx");
  // Without contraction: the interpreter rounds after each operator.
  CUPILOT_TRY(out, run_program({nvcc, "-arch=sm_90", "-std=c++17", "-fmad=false", "-w", "-ptx",
                                source.string(), "-o", ptx.string()}));
  CUPILOT_TRY(text, read_file(ptx));
  CUPILOT_TRY(module, emulate::ptx::parse(text, ptx.filename().string()));
  return emulate::program::decode(std::make_shared<const emulate::ptx::Module>(std::move(module)),
                                  emulate::lanes::families());
}

/// Small whole numbers, so that sums come out the same in any order.
void fill(Buffer &buffer, const json &rule, const directive::Scope &scope, std::mt19937_64 &random) {
  const std::size_t size = size_of(buffer.type), count = buffer.bytes.size() / size;
  std::int64_t below = 0, steps = 0, at = 0;
  if (!rule.is_null() && rule[0] == "below")
    below = std::get<std::int64_t>(scope.at(rule[1].get<std::string>()));
  if (!rule.is_null() && rule[0] == "steps") steps = rule[1].get<std::int64_t>();
  for (std::size_t i = 0; i < count; ++i) {
    auto value = static_cast<std::int64_t>(random() % 9) - 4;
    if (below > 0) value = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(below));
    if (steps > 0) {
      value = at;
      at += static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(steps + 1));
    }
    write(integer_value(Type::i64, value), buffer.type, buffer.bytes.data() + i * size);
  }
}

Result<Arguments> arguments_for(const spec::KernelSpec &spec, const json &launch, const json &fills,
                                std::uint64_t seed) {
  Arguments arguments;
  std::mt19937_64 random(seed);
  directive::Scope scope;
  for (const auto &[name, value] : launch["set"].items()) scope[name] = value.get<std::int64_t>();
  for (const spec::Parameter &parameter : spec.parameters) {
    const Type type = parameter.element;
    if (!parameter.pointer) {
      const std::int64_t value =
          scope.contains(parameter.name) ? std::get<std::int64_t>(scope[parameter.name]) : 3;
      arguments.scalars[parameter.name] = convert(integer_value(Type::i64, value), type);
      continue;
    }
    const auto use =
        std::ranges::find(spec.workloads[0].buffers, parameter.name, &spec::BufferUse::parameter);
    CUPILOT_TRY(count, directive::evaluate_integer(use->extent, scope));
    Buffer &buffer = arguments.buffers[parameter.name];
    buffer = {type, std::vector<std::byte>(static_cast<std::size_t>(count) * size_of(type))};
    fill(buffer, fills.contains(parameter.name) ? fills[parameter.name] : json(), scope, random);
  }
  for (std::size_t d = 0; d < 3; ++d) {
    const std::string dimension(1, "xyz"[d]);
    for (const char *of : {"grid", "block"})
      arguments.scalars[std::string(of) + "." + dimension] =
          integer_value(Type::u32, launch[of][d].get<std::int64_t>());
  }
  return arguments;
}

/// What the kernel itself does to the buffers; an error if it does anything that C++ or CUDA does not define.
Result<> execute(const Program &program, const spec::KernelSpec &spec, const json &launch,
                 Arguments &arguments) {
  const auto entry = program->entries.find(spec.symbol);
  if (entry == program->entries.end()) return fail("no entry " + spec.symbol);
  const emulate::program::FunctionCode &code = program->functions[entry->second];
  if (!code.unsupported.empty())
    return fail("not supported: " + program->unsupported[code.unsupported[0]].what);
  CUPILOT_TRY(memory, emulate::memory::Memory::make(std::uint64_t{64} << 20));
  CUPILOT_TRY(loaded, LoadedProgram::load(program, *memory));
  std::vector<std::byte> bytes(code.parameter_bytes);
  std::map<std::string, std::uint64_t> addresses;
  for (std::size_t i = 0; i < spec.parameters.size(); ++i) {
    const spec::Parameter &parameter = spec.parameters[i];
    std::byte *to = bytes.data() + code.parameters[i].offset;
    if (!parameter.pointer) {
      const Value &value = arguments.scalars.at(parameter.name);
      write(value, value.type, to);
      continue;
    }
    const Buffer &buffer = arguments.buffers.at(parameter.name);
    CUPILOT_TRY(address, memory->allocate(buffer.bytes.size(), parameter.name));
    std::memcpy(reinterpret_cast<void *>(address), buffer.bytes.data(), buffer.bytes.size());
    std::memcpy(to, &address, sizeof address);
    addresses[parameter.name] = address;
  }
  emulate::machine::LaunchRequest request;
  request.function = entry->second;
  for (std::size_t d = 0; d < 3; ++d) {
    request.grid[d] = launch["grid"][d].get<std::uint32_t>();
    request.block[d] = launch["block"][d].get<std::uint32_t>();
  }
  request.parameters = bytes;
  emulate::machine::LaunchOptions options;
  options.checks = {true, true};
  options.threads = 1;
  const auto result = emulate::machine::launch(*loaded, *memory, request, options);
  if (!result.findings.empty()) return fail(to_string(result.findings[0].kind));
  if (!result.completed) return fail("the launch did not complete");
  for (auto &[name, address] : addresses) {
    auto &buffer = arguments.buffers.at(name).bytes;
    std::memcpy(buffer.data(), reinterpret_cast<const void *>(address), buffer.size());
  }
  return {};
}

/// The first element that differs, as text; empty if none does.
std::string difference(const Arguments &kernel, const Arguments &form) {
  for (const auto &[name, buffer] : kernel.buffers) {
    const Buffer &other = form.buffers.at(name);
    const std::size_t size = size_of(buffer.type);
    const double tolerance = buffer.type == Type::f32 ? 2e-5 : 1e-12;
    for (std::size_t i = 0; i * size < buffer.bytes.size(); ++i) {
      const Value want = read(buffer.type, buffer.bytes.data() + i * size);
      const Value got = read(buffer.type, other.bytes.data() + i * size);
      const double a = want.as_real(), b = got.as_real();
      const bool same =
          is_floating(buffer.type)
              ? a == b || (std::isnan(a) && std::isnan(b)) ||
                    std::fabs(a - b) <= tolerance * std::max(1.0, std::max(std::fabs(a), std::fabs(b)))
              : want.integer == got.integer;
      if (same) continue;
      char text[160];
      std::snprintf(text, sizeof text, "%s[%zu] is %.9g, the form says %.9g", name.c_str(), i, a, b);
      return text;
    }
  }
  return {};
}

/// Changes one thing in the form that is likely to matter: what is folded, stored, or where.
bool break_form(std::vector<spec::Statement> &statements) {
  for (spec::Statement &statement : statements) {
    if (statement.kind == spec::StatementKind::fold || statement.kind == spec::StatementKind::update) {
      if (statement.op == "+" || statement.op == "*")
        statement.value = spec::binary("+", statement.value, spec::constant(1), statement.type);
      else
        statement.op = statement.op == "max" ? "min" : "max";
      return true;
    }
    if (statement.kind == spec::StatementKind::store) {
      statement.index = spec::binary("+", statement.index, spec::constant(1), "int");
      return true;
    }
    if (break_form(statement.body) || break_form(statement.otherwise)) return true;
  }
  return false;
}

struct Count {
  int kernels = 0, lifted = 0, twisted = 0, twisted_lifted = 0;
  int launches = 0, needs_fail = 0, undefined = 0, compared = 0, different_launches = 0;
  int kernels_compared = 0, different = 0;
  std::map<std::string, int> reasons;

  void add(const Count &other) {
    for (const auto member : {&Count::kernels, &Count::lifted, &Count::twisted, &Count::twisted_lifted,
                              &Count::launches, &Count::needs_fail, &Count::undefined, &Count::compared,
                              &Count::different_launches, &Count::kernels_compared, &Count::different})
      this->*member += other.*member;
    for (const auto &[reason, times] : other.reasons) reasons[reason] += times;
  }
};

struct Options {
  std::string annotate, nvcc = "nvcc";
  fs::path folder;
  bool broken = false, verbose = false;
  double least = 0;
};

void compare_kernel(const Options &options, const spec::KernelSpec &spec, const Program &program,
                    const json &drawn, Count &count) {
  spec::Lifted form = spec.lifted;
  if (options.broken) break_form(form.body);
  int compared = 0;
  std::string wrong;
  for (std::size_t number = 0; number < drawn["launches"].size(); ++number) {
    const json &launch = drawn["launches"][number];
    ++count.launches;
    const std::string at = launch.dump();
    const auto given = arguments_for(spec, launch, drawn["fills"], number + 1);
    if (!given) {
      wrong = given.error().message;
      break;
    }
    const auto needs = needs_hold(form, *given);
    if (!needs) {
      wrong = needs.error().message;
      break;
    }
    if (!*needs) {
      ++count.needs_fail;
      continue;
    }
    Arguments kernel = *given, interpreted = *given;
    if (const auto done = execute(program, spec, launch, kernel); !done) {
      ++count.undefined;
      if (options.verbose)
        std::printf("%s: undefined: %s\n", spec.name.c_str(), done.error().message.c_str());
      continue;
    }
    ++count.compared;
    ++compared;
    const auto done = interpret(form, interpreted, number + 1);
    const std::string first = done ? difference(kernel, interpreted) : done.error().message;
    if (first.empty()) continue;
    ++count.different_launches;
    if (wrong.empty()) wrong = first + "\n  at " + at;
  }
  count.kernels_compared += compared > 0;
  if (wrong.empty()) return;
  ++count.different;
  if (!options.broken)
    std::printf("%s: %s\n%s\n", spec.name.c_str(), wrong.c_str(), to_text(spec.lifted).c_str());
}

Result<> compare_batch(const Options &options, const fs::path &source, Count &count) {
  CUPILOT_TRY(drawn, parsed_file(fs::path(source).replace_extension(".json")));
  CUPILOT_TRY(specs, scan(options.annotate, source));
  CUPILOT_TRY(program, compile(options.nvcc, source));
  if (specs.size() != drawn.size())
    return fail(source.string() + ": " + std::to_string(specs.size()) + " specs, not " +
                std::to_string(drawn.size()));
  for (const spec::KernelSpec &spec : specs) {
    const json &one = drawn[spec.qualified_name];
    const bool twisted = one["twists"] > 0;
    ++count.kernels;
    count.twisted += twisted;
    if (spec.lifted.body.empty()) {
      if (!twisted) ++count.reasons[spec.lifted.missing.reason];
      if (options.verbose)
        std::printf("%s: not lifted: %s\n", spec.name.c_str(), spec.lifted.missing.reason.c_str());
      continue;
    }
    ++count.lifted;
    count.twisted_lifted += twisted;
    compare_kernel(options, spec, program, one, count);
  }
  return {};
}

Result<Count> compare_all(const Options &options, const std::vector<fs::path> &sources) {
  Count all;
  std::string failure;
  std::mutex together;
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < sources.size(); i = next++) {
      Count one;
      const auto done = compare_batch(options, sources[i], one);
      const std::lock_guard lock(together);
      if (!done) failure = done.error().message;
      all.add(one);
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
      threads.emplace_back(work);
  }
  if (!failure.empty()) return fail(failure);
  return all;
}

}  // namespace

int main(int argc, char **argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  Options options;
  options.broken = std::erase(words, "--broken") > 0;
  options.verbose = std::erase(words, "--verbose") > 0;
  const auto value_of = [&](const char *name, std::string usual) {
    const auto found = std::ranges::find(words, name);
    if (found == words.end() || found + 1 == words.end()) return usual;
    std::string value = *(found + 1);
    words.erase(found, found + 2);
    return value;
  };
  options.least = std::stod(value_of("--least", "0"));
  options.nvcc = value_of("--nvcc", options.nvcc);
  if (words.size() != 2)
    return std::fprintf(
               stderr,
               "usage: differential ANNOTATE FOLDER [--nvcc NVCC] [--broken] [--least SHARE] [--verbose]\n"),
           2;
  options.annotate = words[0];
  options.folder = words[1];
  std::vector<fs::path> sources;
  for (const auto &file : fs::directory_iterator(options.folder))
    if (file.path().extension() == ".cu") sources.push_back(file.path());
  std::ranges::sort(sources);
  const auto counted = compare_all(options, sources);
  if (!counted) return std::fprintf(stderr, "%s\n", counted.error().message.c_str()), 1;
  const Count &count = *counted;
  std::printf("%d kernels, %d lift (of %d that are not what they look like, %d)\n", count.kernels,
              count.lifted, count.twisted, count.twisted_lifted);
  std::printf("%d launches of these: needs do not hold %d, not defined %d, compared %d\n", count.launches,
              count.needs_fail, count.undefined, count.compared);
  std::printf("%d kernels compared, %d different (%d launches)\n", count.kernels_compared, count.different,
              count.different_launches);
  if (options.verbose)
    for (const auto &[reason, times] : count.reasons) std::printf("  %4d  %s\n", times, reason.c_str());
  if (options.broken) return count.different * 10 >= count.kernels_compared * 9 ? 0 : 1;
  const bool enough = count.lifted >= options.least * count.kernels;
  return count.different == 0 && count.kernels_compared > 0 && enough ? 0 : 1;
}
