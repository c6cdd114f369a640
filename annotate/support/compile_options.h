// SPDX-License-Identifier: Apache-2.0
//
// Parses the options of a CUDA compile command (nvcc's and those that nvcc forwards to the host compiler)
// into one normal form. Response files are expanded; `-D X`, `-DX` and `--define-macro=X` give the same
// option. This file only assigns roles; callers decide what they mean. An option that is not in the table
// becomes a single word of role `other`. If such an option took a value, the value looks like a second input,
// and every caller then leaves the command alone.

#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot {

enum class OptionRole {
  other,
  input,
  compile,       ///< -c, -dc: produces an object
  other_action,  ///< -E, -M, -ptx, -cubin, -dlink, ...: produces something else
  output,
  dependencies,  ///< -MD, -MMD
  depfile,       ///< -MF
  dependency_target,
  language,  ///< -x
  options_file,
  define,
  undefine,
  pre_include,
  standard,
  include_folder,
  quote_folder,
  system_folder,
  architecture,   ///< -arch
  code,           ///< -code
  generate_code,  ///< -gencode
  relocatable,    ///< -rdc
  default_stream,
  host_option,  ///< -Xcompiler
  compiler_bindir,
};

/// How an option in the table takes its value; a `flag` has none. All others also accept `-name=value`.
enum class OptionValue { flag, separate, joined };

struct OptionRow {
  std::string_view name;  ///< without leading dashes
  OptionValue value;
  OptionRole role;
};

/// The table is sorted by name, and each name occurs once.
std::span<const OptionRow> option_table();

struct CompileOption {
  OptionRole role = OptionRole::other;
  std::string name;   ///< as the table spells it, without dashes; the whole word when unknown
  std::string value;  ///< of an input: its path; of a flag: empty
  int position = -1;  ///< index of its first word in the given arguments; -1: it comes from a response file
};

struct CompileLine {
  std::vector<CompileOption> options;  ///< in order

  bool has(OptionRole role) const;
  std::vector<std::string> values(OptionRole role) const;
  /// The value of the last option with this role, which is the one that counts; empty when there is none.
  std::string last(OptionRole role) const;
};

/// `arguments` excludes the compiler. Relative response files are looked up in `folder`.
Result<CompileLine> parse_compile_line(std::span<const std::string> arguments,
                                       const std::filesystem::path &folder);

/// Splits text into words as nvcc does for response files and NVCC_PREPEND_FLAGS: blanks separate words,
/// quotes and backslashes protect characters.
std::vector<std::string> split_words(std::string_view text);
/// The words of NVCC_PREPEND_FLAGS or NVCC_APPEND_FLAGS. nvcc treats them as part of its command line.
std::vector<std::string> environment_words(const char *variable);

/// The -D, -U, -include and -std options in order, each as one word: `-DX=1`, `-includefoo.h`, `-std=c++17`.
std::vector<std::string> macro_options(const CompileLine &line);
/// The value of Fingerprint::macros: sha256 over the length-prefixed macro_options().
std::string macros_hash(const CompileLine &line);

/// What the object contains code for: "sm_90", "sm_90a", "compute_80", "all", "all-major", "native". The list
/// is sorted without duplicates; it is empty when the compiler's default decides.
std::vector<std::string> architectures(const CompileLine &line);
/// Whether an object with the architectures `contained` has code made from exactly this virtual architecture
/// ("sm_90", "sm_90a").
bool contains_architecture(const std::vector<std::string> &contained, std::string_view arch);

}  // namespace cupilot
