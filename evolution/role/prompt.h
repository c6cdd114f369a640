// SPDX-License-Identifier: Apache-2.0
//
// The prompts: text files in prompts/ that are compiled into the program. The first line gives the prompt's
// name and version ("cupilot-prompt translator 1"). In the rest, {{name}} is replaced by a value, and
// {{#name}}...{{/name}} is omitted if that value is empty. A changed text must get a new version.
//
// For experiments, files of a folder may replace prompts of the same names. Every problem there is an error
// with its place, and then no prompt is replaced.

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

namespace cupilot::role {

using PromptValues = std::vector<std::pair<std::string_view, std::string>>;

class Prompt {
public:
  /// `file` is the name used in error messages: "prompts/translator.md:12: ...".
  static Result<Prompt> parse(std::string_view text, const std::string &file);

  const std::string &name() const { return name_; }
  /// "translator 1"; for a replaced prompt "translator 1-0a1b2c3d", with the first digits of the file's
  /// sha256.
  const std::string &version() const { return version_; }
  std::set<std::string> places() const;
  /// The first line, counted from 1, that contains the place `name`; 0 if there is none.
  int line_of(std::string_view name) const;
  /// Inserts the values unchanged, except that one line end at the end of a value is removed. A value is not
  /// searched for places. `values` must name exactly the places of the prompt.
  std::string fill(const PromptValues &values) const;

private:
  friend class PromptTable;
  struct Piece {
    enum class Kind { text, value, section, end } kind = Kind::text;
    std::string text;  ///< for a place, its name
    int line = 0;
  };
  std::string name_, version_;
  std::vector<Piece> pieces_;
};

/// A prompt of the program and the places it contains.
struct PromptKind {
  std::string_view name;
  std::vector<std::string_view> places;
};
const std::vector<PromptKind> &prompt_kinds();

/// The prompt of that name. Asking for an unknown name is a bug.
const Prompt &prompt(std::string_view name);

/// Replaces built-in prompts by the files "<name>.md" of a folder; must be called before any question is
/// made. It is an error if a file has an unknown name, if its first line gives another name, or if a place is
/// unknown, missing or misspelt; then nothing is replaced.
Result<void> load_prompts(const std::filesystem::path &folder);
/// Does the same with the folder $CUPILOT_PROMPTS, if that is set.
Result<void> load_prompts_of_environment();
/// Restores the built-in prompts.
void forget_loaded_prompts();

/// Makes a question from the prompt `name`; its role is the one that uses this prompt.
provider::RoleRequest role_request(std::string_view name, std::string prefix, const PromptValues &values);

}  // namespace cupilot::role
