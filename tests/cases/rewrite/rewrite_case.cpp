// SPDX-License-Identifier: Apache-2.0
//
// cupilot-rewrite-test: runs one case file through rewrite_request. A case is a slice with comment lines
//   // KERNEL: saxpy            (qualified name; SYMBOL: mangled name, where there are several
//   instantiations)
//   // BLOCK: 256               (or 32,8; the launch of the one workload)
//   // ACCEPT: wide-access,block-size        the variant must compile for sm_90 after the slice
//   //   HAS: text    LACKS: text            of the variant of the ACCEPT above
//   //   RUN: kTeam=32,kWidth=2              its results on the host, with these knobs, are the original's:
//   the case
//   //                                       has a check() behind `#ifdef CUPILOT_EMULATED` (emulate.h)
//   // REFUSE: wide-access: part of the reason [@ line]
// `cupilot-rewrite-test CASE.cu --print RULE,RULE` prints the variant, for people.

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "annotate/rewrite/rewrite.h"
#include "annotate/spec/kernel_spec_json.h"
#include "annotate/support/files.h"
#include "annotate/support/process.h"
#include "annotate/support/text.h"

namespace {

using Json = nlohmann::ordered_json;
using namespace cupilot;
using namespace cupilot::rewrite;
using namespace cupilot::spec;

int failures = 0;

void complain(const std::string &file, int line, const std::string &text) {
  std::fprintf(stderr, "%s:%d: %s\n", file.c_str(), line, text.c_str());
  ++failures;
}

bool directive(const std::string &line, const std::string &word, std::string &value) {
  const std::size_t at = line.find(word + ":");
  if (!line.starts_with("//") || at == std::string::npos || !trim(line.substr(2, at - 2)).empty())
    return false;
  value = std::string(trim(std::string_view(line).substr(at + word.size() + 1)));
  return true;
}

KernelSpec spec_of(const std::string &slice) {
  KernelSpec spec;
  spec.slice = slice;
  spec.command.flags = {"-std=c++17"};
  spec.workloads.push_back({});
  std::string value;
  for (const std::string &line : split_lines(slice)) {
    if (directive(line, "KERNEL", value)) spec.qualified_name = spec.name = value;
    if (directive(line, "SYMBOL", value)) spec.symbol = value;
    if (!directive(line, "BLOCK", value)) continue;
    const std::vector<std::string> extents = split(value, ',');
    for (std::size_t i = 0; i < extents.size(); ++i) spec.workloads[0].launch.block[i] = extents[i];
  }
  const std::vector<std::string> parts = split(replace_all(spec.qualified_name, "::", ":"), ':');
  spec.namespaces.assign(parts.begin(), parts.end() - 1);
  return spec;
}

Json rewritten(const KernelSpec &spec, const std::vector<std::string> &rules) {
  const Json request{{"cupilot_rewrite", 1}, {"spec", Json::parse(to_json(spec))}, {"rules", rules}};
  return Json::parse(rewrite_request(request.dump()));
}

/// As the judge lays it out: slice, then the variant inside the kernel's namespaces and one of its own.
std::string candidate_text(const KernelSpec &spec, const std::string &variant) {
  std::string text = spec.slice + "\n#include \"cupilot/launch.cuh\"\n";
  for (const std::string &name : spec.namespaces) text += "namespace " + name + " {\n";
  text += "namespace cupilot_variant {\n" + variant + "}\n";
  for (std::size_t i = 0; i < spec.namespaces.size(); ++i) text += "}\n";
  return text;
}

std::string compile(const KernelSpec &spec, const std::string &variant) {
  const auto folder = TemporaryFolder::create("cupilot-rewrite");
  if (!folder) return folder.error().message;
  const auto file = folder->path() / "candidate.cu";
  if (const auto written = write_file_atomic(file, candidate_text(spec, variant)); !written)
    return written.error().message;
  const auto result =
      run_process({.argv = {"nvcc", "-std=c++17", "-arch=sm_90", "-ptx", "-Werror", "all-warnings",
                            "-diag-suppress", "177,550", "-I", CUPILOT_LAUNCH_HEADERS, "-o",
                            (folder->path() / "candidate.ptx").string(), file.string()}});
  if (!result) return result.error().message;
  return result->ok() ? std::string() : result->err + result->out;
}

/// `name<<<grid, block, bytes, stream>>>(arguments);` as a call of the emulator.
std::string emulated_launches(std::string text) {
  for (std::size_t at = text.find("<<<"); at != std::string::npos; at = text.find("<<<", at)) {
    const std::size_t start = text.find_first_not_of(' ', text.rfind('\n', at) + 1);
    const std::size_t close = text.find(">>>(", at), end = text.find(");\n", close);
    const std::string name = text.substr(start, at - start), shape = text.substr(at + 3, close - at - 3);
    std::size_t comma = 0;
    int depth = 0, commas = 0;
    for (std::size_t i = 0; i < shape.size() && commas < 2; ++i) {
      depth += shape[i] == '(' ? 1 : shape[i] == ')' ? -1 : 0;
      if (shape[i] == ',' && depth == 0 && ++commas == 2) comma = i;
    }
    const std::string call = "emulated::launch(" + shape.substr(0, comma) + ", [&] { " + name + "(" +
                             text.substr(close + 4, end - close - 4) + "); });";
    text.replace(start, end + 2 - start, call);
  }
  return text;
}

std::string with_knobs(std::string variant, const std::string &settings) {
  for (const std::string &setting : split(settings, ',')) {
    const std::size_t equals = setting.find('=');
    const std::string head = "constexpr int " + setting.substr(0, equals) + " = ";
    const std::size_t at = equals == std::string::npos ? equals : variant.find(head);
    if (at == std::string::npos) continue;
    variant.replace(at + head.size(), variant.find(';', at) - at - head.size(), setting.substr(equals + 1));
  }
  return variant;
}

std::string run_on_host(const KernelSpec &spec, const std::string &variant) {
  const auto folder = TemporaryFolder::create("cupilot-rewrite");
  if (!folder) return folder.error().message;
  const auto file = folder->path() / "candidate.cpp", program = folder->path() / "candidate";
  std::string text =
      "#define CUPILOT_EMULATED\n#include \"emulate.h\"\n" +
      candidate_text(spec, emulated_launches(variant)) +
      "int main() { check(); emulated::expect(emulated::launched, \"the variant refused\"); }\n";
  // check() comes after the variant it calls.
  const std::size_t begin = text.find("#ifdef CUPILOT_EMULATED"), end = text.find("#endif", begin) + 7;
  const std::string check_text = text.substr(begin, end - begin);
  text.erase(begin, end - begin);
  text.insert(text.rfind("int main()"), check_text);
  if (const auto written = write_file_atomic(file, text); !written) return written.error().message;
  const auto built =
      run_process({.argv = {"g++", "-std=c++17", "-O1", "-w", "-fno-strict-aliasing", "-fsanitize=undefined",
                            "-fno-sanitize-recover", "-I", CUPILOT_LAUNCH_HEADERS, "-I", CUPILOT_CASES,
                            "-isystem", CUPILOT_CUDA_HEADERS, "-o", program.string(), file.string()}});
  if (!built) return built.error().message;
  if (!built->ok()) return built->err + text;
  const auto result = run_process({.argv = {program.string()}, .time_limit = std::chrono::seconds(60)});
  if (!result) return result.error().message;
  return result->ok() ? std::string() : result->describe() + ": " + result->err;
}

void accept(const std::string &file, int line, const KernelSpec &spec, const Json &answer) {
  if (!answer.contains("variant")) return complain(file, line, "not accepted: " + answer.dump());
  const std::string variant = answer["variant"];
  if (variant.find('$') != std::string::npos) complain(file, line, "a name was not filled in:\n" + variant);
  for (const Json &knob : answer["knobs"]) {
    const std::string head = "constexpr int " + knob["name"].get<std::string>() + " = " +
                             std::to_string(knob["value"].get<int>()) + ";  // knob: ";
    if (variant.find(head) == std::string::npos) complain(file, line, "no knob line: " + head);
  }
  if (const std::string errors = compile(spec, variant); !errors.empty())
    complain(file, line, "the variant does not compile:\n" + errors + variant);
}

void refuse(const std::string &file, int line, const std::string &value, const KernelSpec &spec) {
  const std::size_t colon = value.find(':');
  std::string reason(trim(value.substr(colon + 1)));
  const Json answer = rewritten(spec, split(value.substr(0, colon), ','));
  if (!answer.contains("refused")) return complain(file, line, "not refused: " + answer.dump());
  const Json &first = answer["refused"][0];
  if (const std::size_t at = reason.rfind(" @ "); at != std::string::npos) {
    if (std::to_string(first["line"].get<int>()) != reason.substr(at + 3))
      complain(file, line, "refused at another line: " + answer.dump());
    reason.erase(at);
  }
  if (first["reason"].get<std::string>().find(reason) == std::string::npos)
    complain(file, line, "refused for another reason: " + answer.dump());
}

void check(const std::string &file, const std::string &slice) {
  const KernelSpec spec = spec_of(slice);
  const std::vector<std::string> lines = split_lines(slice);
  std::string value, variant;
  int cases = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const int line = static_cast<int>(i) + 1;
    if (directive(lines[i], "ACCEPT", value)) {
      const Json answer = rewritten(spec, split(value, ','));
      variant = answer.value("variant", "");
      accept(file, line, spec, answer);
      ++cases;
    } else if (directive(lines[i], "HAS", value) && variant.find(value) == std::string::npos) {
      complain(file, line, "the variant lacks '" + value + "':\n" + variant);
    } else if (directive(lines[i], "LACKS", value) && variant.find(value) != std::string::npos) {
      complain(file, line, "the variant has '" + value + "':\n" + variant);
    } else if (directive(lines[i], "RUN", value)) {
      const std::string problem = run_on_host(spec, with_knobs(variant, value));
      if (!problem.empty()) complain(file, line, "RUN " + value + ": " + problem);
    } else if (directive(lines[i], "REFUSE", value)) {
      refuse(file, line, value, spec);
      ++cases;
    }
  }
  if (!cases) complain(file, 1, "the case checks nothing");
}

}  // namespace

int main(int count, char **arguments) {
  if (count < 2) return std::fputs("usage: cupilot-rewrite-test CASE.cu [--print RULE,...]\n", stderr), 2;
  const auto slice = read_file(arguments[1]);
  if (!slice) return std::fprintf(stderr, "%s\n", slice.error().message.c_str()), 2;
  if (count == 4 && !std::strcmp(arguments[2], "--print")) {
    const Json answer = rewritten(spec_of(*slice), split(arguments[3], ','));
    std::puts(answer.contains("variant") ? answer["variant"].get<std::string>().c_str()
                                         : answer.dump(2).c_str());
    return 0;
  }
  check(arguments[1], *slice);
  return failures ? 1 : 0;
}
