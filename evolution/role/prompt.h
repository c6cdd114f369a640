// SPDX-License-Identifier: Apache-2.0
//
// The prompts: text files in prompts/, carried in the program. The first line names the prompt and its
// version ("cupilot-prompt translator 1"); in the rest {{name}} stands for a value, and {{#name}}...{{/name}}
// is left out when that value is empty. A text that changes gets a new version.
//
// For experiments a folder may replace some of them by files of the same names. Everything that goes wrong
// there is an error with its place; nothing is replaced by half.

#pragma once

#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/provider/provider.h"

namespace cupilot {

using PromptValues = std::vector<std::pair<std::string_view, std::string>>;

class Prompt {
public:
  /// `file` is what errors call it: "prompts/translator.md:12: ...".
  static Result<Prompt> parse(std::string_view text, const std::string &file);

  const std::string &name() const { return name_; }
  /// "translator 1"; of a replaced one "translator 1-0a1b2c3d", the first digits of the file's sha256.
  const std::string &version() const { return version_; }
  std::set<std::string> places() const;
  /// The first line with the place `name`, from 1; 0: it has none.
  int line_of(std::string_view name) const;
  /// Values are put in as they are, without one end of line at their end: what looks like a place inside of
  /// one is text. Exactly the places' names are given.
  std::string fill(const PromptValues &values) const;

private:
  friend class PromptTable;
  struct Piece {
    enum class Kind { text, value, section, end } kind = Kind::text;
    std::string text;  ///< of a place: its name
    int line = 0;
  };
  std::string name_, version_;
  std::vector<Piece> pieces_;
};

/// A prompt the program has, and what it fills in.
struct PromptKind {
  std::string_view name;
  std::vector<std::string_view> places;
};
const std::vector<PromptKind> &prompt_kinds();

/// The one of that name; a bug when there is none.
const Prompt &prompt(std::string_view name);

/// Replaces those built in by the files "<name>.md" of a folder, before any question is made. A file with
/// another name, an unknown, missing or misspelt place, or another name in its first line is an error, and
/// then nothing is replaced.
Result<void> load_prompts(const std::filesystem::path &folder);
/// From $CUPILOT_PROMPTS, when it is set.
Result<void> load_prompts_of_environment();
/// Those built in again.
void forget_loaded_prompts();

/// The question made of the prompt `name`, by the role that asks with it.
RoleRequest role_request(std::string_view name, std::string prefix, const PromptValues &values);

}  // namespace cupilot
