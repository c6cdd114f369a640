// SPDX-License-Identifier: Apache-2.0
//
// A CUDA compile command's options in one normal form: nvcc's, and the host compiler's that nvcc forwards.
// Response files are expanded, `-D X`, `-DX` and `--define-macro=X` become the same. Nothing is judged here:
// callers ask for roles. An option that is not in the table is a single word of role `other`; if it took a
// value, that value looks like a second input, which every caller treats as "leave this command alone".

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
  compile,       ///< -c, -dc: make an object
  other_action,  ///< -E, -M, -ptx, -cubin, -dlink, ...: make something else
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

/// How an option of the table takes its value; `flag` has none. All but `flag` accept `-name=value`.
enum class OptionValue { flag, separate, joined };

struct OptionRow {
  std::string_view name;  ///< without leading dashes
  OptionValue value;
  OptionRole role;
};

/// Sorted by name, each name once.
std::span<const OptionRow> option_table();

struct CompileOption {
  OptionRole role = OptionRole::other;
  std::string name;   ///< without dashes, as the table spells it; the word itself when unknown
  std::string value;  ///< an input's path; empty for flags
  int position = -1;  ///< of its first word in the arguments given; -1: it stands in a response file
};

struct CompileLine {
  std::vector<CompileOption> options;  ///< in order

  bool has(OptionRole role) const;
  std::vector<std::string> values(OptionRole role) const;
  /// The last one counts; empty when there is none.
  std::string last(OptionRole role) const;
};

/// `arguments` without the compiler; `folder` is where relative response files are looked up.
Result<CompileLine> parse_compile_line(std::span<const std::string> arguments,
                                       const std::filesystem::path &folder);

/// Words as nvcc reads them from response files and NVCC_PREPEND_FLAGS: blanks part, quotes and backslash
/// keep.
std::vector<std::string> split_words(std::string_view text);
/// The words of NVCC_PREPEND_FLAGS or NVCC_APPEND_FLAGS: they count as if they stood on the command line.
std::vector<std::string> environment_words(const char *variable);

/// The -D, -U, -include and -std options in order, each one word: `-DX=1`, `-includefoo.h`, `-std=c++17`.
std::vector<std::string> macro_options(const CompileLine &line);
/// What Fingerprint::macros says: sha256 over macro_options, length-prefixed.
std::string macros_hash(const CompileLine &line);

/// What the object really contains: "sm_90", "sm_90a", "compute_80", "all", "all-major", "native"; each once,
/// sorted; empty when the compiler's default decides.
std::vector<std::string> architectures(const CompileLine &line);
/// True when code made from exactly this virtual architecture ("sm_90", "sm_90a") is in an object of
/// `contained`.
bool contains_architecture(const std::vector<std::string> &contained, std::string_view arch);

}  // namespace cupilot
