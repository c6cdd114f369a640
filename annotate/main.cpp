// SPDX-License-Identifier: Apache-2.0
//
// cupilot-annotate: the only program that uses Clang. Results go to stdout, messages to stderr. The exit
// code is 0 for success, 1 for an error in a directive or in the request, and 2 for bad usage.

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "annotate/extract/extract.h"
#include "annotate/scan.h"
#include "annotate/spec/kernel_spec_json.h"
#include "annotate/support/log.h"
#ifdef CUPILOT_HAS_REWRITE
#include "annotate/rewrite/rewrite.h"
#endif

namespace {

constexpr const char *kUsage = R"(usage:
  cupilot-annotate scan --root DIR [OPTIONS] --build BUILD_DIR [FILE...]
  cupilot-annotate scan --root DIR [OPTIONS] FILE... -- COMPILER ARGS...
      prints the annotated kernels and the diagnostics, one JSON object per line; options:
      --jobs N         parse so many files at a time
      --records DIR    also read the workloads in DIR/<kernel>/workloads.txt
      --kernel NAME    (several times) only these get a double-precision twin and a lifted form, which take a
                       while; --no-analysis: none
      --every-kernel   kernels without a directive, too, and where the definition of each begins
  cupilot-annotate identify --root DIR FILE -- COMPILER ARGS...
      prints name, instantiation and kernel id, one kernel per line
  cupilot-annotate facts
      reads a spec from stdin and prints it with the facts about its slice, if that can be parsed
  cupilot-annotate rewrite
      reads a rewrite request from stdin and prints the answer
  cupilot-annotate rules
      prints the names of the rules that `rewrite` applies
)";

int bad_usage(const std::string &message) {
  cupilot::log::error(message);
  std::fputs(kUsage, stderr);
  return 2;
}

std::string absolute(const std::string &path) {
  std::error_code ignored;
  std::string text = std::filesystem::absolute(path, ignored).lexically_normal().string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

cupilot::Result<void> set_option(const std::string &name, const std::string &value,
                                 cupilot::annotate::CommandLine &arguments) {
  if (name == "--root") arguments.root = absolute(value);
  if (name == "--records") arguments.records = absolute(value);
  if (name == "--build") arguments.build = absolute(value);
  if (name == "--kernel") arguments.kernels.push_back(value);
  if (name != "--jobs") return {};
  const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), arguments.jobs);
  if (code != std::errc{} || end != value.data() + value.size() || arguments.jobs == 0)
    return cupilot::user_error("--jobs needs a positive number, not '" + value + "'");
  return {};
}

/// The error says what is wrong with the command line; the caller adds the usage text.
cupilot::Result<cupilot::annotate::CommandLine> parse_arguments(const std::vector<std::string> &words) {
  cupilot::annotate::CommandLine arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string &word = words[i];
    if (word == "--") {
      arguments.command.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
      break;
    }
    const bool option = word == "--root" || word == "--records" || word == "--build" || word == "--jobs" ||
                        word == "--kernel";
    if (option && i + 1 == words.size()) return cupilot::user_error("option '" + word + "' requires a value");
    if (option) {
      CUPILOT_CHECKED(set_option(word, words[++i], arguments));
    } else if (word == "--no-analysis") {
      arguments.analyse = false;
    } else if (word == "--every-kernel") {
      arguments.every = true;
    } else if (word.starts_with('-')) {
      return cupilot::user_error("unknown option '" + word + "'");
    } else {
      arguments.files.push_back(absolute(word));
    }
  }
  if (arguments.root.empty()) return cupilot::user_error("--root DIR is missing");
  if (arguments.build.empty() == arguments.command.empty())
    return cupilot::user_error("give either --build BUILD_DIR or files and '-- COMPILER ARGS...'");
  if (arguments.build.empty() && arguments.files.empty())
    return cupilot::user_error("no source file before '--'");
  return arguments;
}

int read_source(const std::string &verb, const std::vector<std::string> &words) {
  const auto arguments = parse_arguments(words);
  if (!arguments) return bad_usage(arguments.error().message);
  const auto code =
      verb == "scan" ? cupilot::annotate::scan(*arguments) : cupilot::annotate::identify(*arguments);
  if (code) return *code;
  cupilot::log::error(code.error().message);
  return 1;
}

std::string standard_input() {
  return std::string(std::istreambuf_iterator<char>(std::cin), {});
}

cupilot::Result<std::string> with_facts(const std::string &text) {
  CUPILOT_TRY(spec, cupilot::spec::kernel_spec_from_json(text));
  CUPILOT_TRY(facts, cupilot::extract::facts_of_text(spec.command, spec.slice));
  spec.facts = facts;
  return cupilot::spec::to_json(spec);
}

int tell_facts() {
  const auto answer = with_facts(standard_input());
  if (answer) return std::puts(answer->c_str()), 0;
  cupilot::log::error(answer.error().message);
  return 1;
}

int rewrite_source([[maybe_unused]] const std::string &verb) {
#ifdef CUPILOT_HAS_REWRITE
  const std::string request = verb == "rules" ? "" : standard_input();
  std::puts((verb == "rules" ? cupilot::rewrite::list_rules() : cupilot::rewrite::rewrite_request(request))
                .c_str());
  return 0;
#else
  cupilot::log::error("this cupilot-annotate was built without the rewrite rules");
  return 1;
#endif
}

}  // namespace

int main(int argc, char **argv) {
  cupilot::log::set_program("cupilot-annotate");
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) return bad_usage("a verb is missing");
  const std::string verb = words[0];
  words.erase(words.begin());
  if (verb == "--help" || verb == "-h") return std::fputs(kUsage, stdout), 0;
  if (verb == "scan" || verb == "identify") return read_source(verb, words);
  if (verb == "facts") return tell_facts();
  if (verb == "rewrite" || verb == "rules") return rewrite_source(verb);
  return bad_usage("unknown verb '" + verb + "'");
}
