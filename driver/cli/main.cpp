// SPDX-License-Identifier: Apache-2.0
//
// cupilot: reads the command line, runs one verb, prints its error if there is one.
// Exit codes: 0 fine, 1 something failed, 2 a mistake in the command line or the input, 130 stopped by
// Ctrl-C.

#include <algorithm>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <vector>

#include "annotate/support/log.h"
#include "driver/cli/text/lookup.h"
#include "driver/cli/verbs.h"

namespace {

using namespace cupilot;

constexpr int kFailed = 1, kMistake = 2;

constexpr const char *kFooter =
    R"(Exit codes: 0 fine, 1 something failed, 2 a mistake in the command line or the input, 130 stopped by Ctrl-C.
Results go to stdout, everything else to stderr. Other programs: cupilot-annotate, cupilot-worker,
cupilot-emulate, cupilot-cc.)";

/// The command line up to `--`, and the compiler's words after it.
struct Words {
  std::vector<std::string> ours, compiler;
};

Words split_words(int argc, char **argv) {
  Words words;
  auto *into = &words.ours;
  for (int i = 1; i < argc; ++i) {
    if (into == &words.ours && std::string(argv[i]) == "--")
      into = &words.compiler;
    else
      into->push_back(argv[i]);
  }
  return words;
}

/// `cupilot help [verb]` is `cupilot [verb] --help`.
void rewrite_help(std::vector<std::string> &words) {
  if (words.empty()) words = {"--help"};
  if (words[0] != "help") return;
  words.erase(words.begin());
  words.resize(std::min<std::size_t>(words.size(), 1));
  words.push_back("--help");
}

int run(const std::vector<cupilot::cli::Verb> &verbs, const std::vector<std::string> &compiler) {
  for (const auto &verb : verbs) {
    if (!verb.command->parsed()) continue;
    const auto code = verb.run(compiler);
    if (code) return *code;
    cupilot::log::error(code.error().message);
    return code.error().blame == cupilot::Blame::user ? kMistake : kFailed;
  }
  return kMistake;
}

/// Prints an error with similar verbs and returns true when the first word is not a verb.
bool unknown_verb(const std::vector<std::string> &words, const std::vector<cupilot::cli::Verb> &verbs) {
  if (words[0].starts_with('-')) return false;
  std::vector<std::string> names;
  for (const auto &verb : verbs) names.push_back(verb.command->get_name());
  if (cupilot::cli::text::contains(names, words[0])) return false;
  cupilot::log::error("unknown verb '" + words[0] + "'; " + cupilot::cli::text::suggestion(words[0], names));
  return true;
}

}  // namespace

int main(int argc, char **argv) {
  auto words = split_words(argc, argv);
  rewrite_help(words.ours);
  CLI::App app("Makes the CUDA kernels you annotated fast, inside your own build.", "cupilot");
  app.set_version_flag("--version", "cupilot " CUPILOT_VERSION);
  app.require_subcommand(1);
  app.footer(kFooter);
  bool debug = false;
  app.add_flag("--debug", debug, "Print on stderr what is done and why");
  const std::vector<cupilot::cli::Verb> verbs{
      cupilot::cli::add_scan(app),    cupilot::cli::add_explain(app),   cupilot::cli::add_profile(app),
      cupilot::cli::add_capture(app), cupilot::cli::add_tune(app),      cupilot::cli::add_status(app),
      cupilot::cli::add_judge(app),   cupilot::cli::add_emulate(app),   cupilot::cli::add_check(app),
      cupilot::cli::add_verify(app),  cupilot::cli::add_calibrate(app), cupilot::cli::add_log(app),
      cupilot::cli::add_show(app),    cupilot::cli::add_strategies(app)};
  if (unknown_verb(words.ours, verbs)) return kMistake;
  try {
    std::vector<std::string> backwards(words.ours.rbegin(), words.ours.rend());  // as CLI11 takes them
    app.parse(backwards);
  } catch (const CLI::ParseError &stop) {
    if (stop.get_exit_code() == 0) return app.exit(stop);  // --help, --version: text on stdout
    cupilot::log::error(std::string(stop.what()) + "; see 'cupilot help" +
                        (words.ours[0][0] == '-' ? "" : " " + words.ours[0]) + "'");
    return kMistake;
  }
  cupilot::log::set_debug(debug);
  return run(verbs, words.compiler);
}
