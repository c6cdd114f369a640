// SPDX-License-Identifier: Apache-2.0
#include "annotate/support/compile_options.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <set>

#include "annotate/support/files.h"
#include "annotate/support/hash.h"
#include "annotate/support/text.h"

namespace cupilot {
namespace {

using enum OptionRole;
using enum OptionValue;

// Options of nvcc 12.8 to 13 and of the gcc and clang that it may call. Options with no role of their own are
// listed only when they take a value in the next word.
constexpr OptionRow kTable[] = {
    {"D", joined, define},
    {"E", flag, other_action},
    {"I", joined, include_folder},
    {"L", joined, other},
    {"M", flag, other_action},
    {"MD", flag, dependencies},
    {"MF", separate, depfile},
    {"MM", flag, other_action},
    {"MMD", flag, dependencies},
    {"MQ", separate, dependency_target},
    {"MT", separate, dependency_target},
    {"O", joined, other},
    {"Ofast-compile", separate, other},
    {"Ofc", separate, other},
    {"S", flag, other_action},
    {"U", joined, undefine},
    {"V", flag, other_action},
    {"Werror", separate, other},
    {"Xarchive", separate, other},
    {"Xclang", separate, other},
    {"Xcompiler", separate, host_option},
    {"Xcuda-ptxas", separate, other},
    {"Xlinker", separate, other},
    {"Xnvlink", separate, other},
    {"Xptxas", separate, other},
    {"arbin", separate, other},
    {"arch", separate, architecture},
    {"archive-options", separate, other},
    {"archiver-binary", separate, other},
    {"brief-diag", separate, other},
    {"brief-diagnostics", separate, other},
    {"c", flag, compile},
    {"ccbin", separate, compiler_bindir},
    {"clean", flag, other_action},
    {"clean-targets", flag, other_action},
    {"code", separate, OptionRole::code},
    {"compile", flag, compile},
    {"compiler-bindir", separate, compiler_bindir},
    {"compiler-options", separate, host_option},
    {"compress-mode", separate, other},
    {"cubin", flag, other_action},
    {"cuda", flag, other_action},
    {"cudadevrt", separate, other},
    {"cudart", separate, other},
    {"dc", flag, compile},
    {"ddp", separate, other},
    {"default-stream", separate, default_stream},
    {"define-macro", separate, define},
    {"dependency-drive-prefix", separate, other},
    {"dependency-output", separate, depfile},
    {"dependency-target-name", separate, dependency_target},
    {"device-c", flag, compile},
    {"device-entity-has-hidden-visibility", separate, other},
    {"device-link", flag, other_action},
    {"device-stack-protector", separate, other},
    {"device-w", flag, compile},
    {"diag-error", separate, other},
    {"diag-suppress", separate, other},
    {"diag-warn", separate, other},
    {"dlink", flag, other_action},
    {"dopt", separate, other},
    {"dp", separate, other},
    {"drive-prefix", separate, other},
    {"dryrun", flag, other_action},
    {"dw", flag, compile},
    {"e", separate, other},
    {"entries", separate, other},
    {"fatbin", flag, other_action},
    {"fdevice-syntax-only", flag, other_action},
    {"fdevice-time-trace", separate, other},
    {"fmad", separate, other},
    {"frandom-seed", separate, other},
    {"ftemplate-backtrace-limit", separate, other},
    {"ftemplate-depth", separate, other},
    {"ftz", separate, other},
    {"gencode", separate, generate_code},
    {"generate-code", separate, generate_code},
    {"generate-dependencies", flag, other_action},
    {"generate-dependencies-with-compile", flag, dependencies},
    {"generate-nonsystem-dependencies", flag, other_action},
    {"generate-nonsystem-dependencies-with-compile", flag, dependencies},
    {"gpu-architecture", separate, architecture},
    {"gpu-code", separate, OptionRole::code},
    {"h", flag, other_action},
    {"help", flag, other_action},
    {"hls", separate, other},
    {"host-linker-script", separate, other},
    {"idirafter", joined, system_folder},
    {"idp", separate, other},
    {"imacros", separate, pre_include},
    {"include", joined, pre_include},
    {"include-path", separate, include_folder},
    {"input-drive-prefix", separate, other},
    {"iquote", joined, quote_folder},
    {"isysroot", separate, other},
    {"isystem", joined, system_folder},
    {"jtd", separate, other},
    {"jump-table-density", separate, other},
    {"keep-dir", separate, other},
    {"l", joined, other},
    {"ldir", separate, other},
    {"lib", flag, other_action},
    {"libdevice-directory", separate, other},
    {"library", separate, other},
    {"library-path", separate, other},
    {"link", flag, other_action},
    {"linker-options", separate, other},
    {"ltoir", flag, other_action},
    {"m", joined, other},
    {"machine", separate, other},
    {"maxrregcount", separate, other},
    {"nvlink-options", separate, other},
    {"o", separate, output},
    {"odir", separate, other_action},
    {"opt-info", separate, other},
    {"optf", separate, options_file},
    {"optimization-info", separate, other},
    {"optimize", separate, other},
    {"options-file", separate, options_file},
    {"optix-ir", flag, other_action},
    {"output-directory", separate, other_action},
    {"output-file", separate, output},
    {"pre-include", separate, pre_include},
    {"prec-div", separate, other},
    {"prec-sqrt", separate, other},
    {"preprocess", flag, other_action},
    {"ptx", flag, other_action},
    {"ptxas-options", separate, other},
    {"qpp-config", separate, other},
    {"r", flag, other_action},
    {"rdc", separate, relocatable},
    {"relocatable-device-code", separate, relocatable},
    {"relocatable-link", flag, other_action},
    {"relocatable-ptx", flag, other_action},
    {"run", flag, other_action},
    {"run-args", separate, other},
    {"sanitize", separate, other},
    {"shared", flag, other_action},
    {"split-compile", separate, other},
    {"split-compile-extended", separate, other},
    {"static-global-template-stub", separate, other},
    {"std", separate, standard},
    {"system-include", separate, system_folder},
    {"t", separate, other},
    {"target", separate, other},
    {"target-dir", separate, other},
    {"target-directory", separate, other},
    {"threads", separate, other},
    {"time", separate, other},
    {"undefine-macro", separate, undefine},
    {"version", flag, other_action},
    {"x", joined, language},
};

const OptionRow *find_row(std::string_view name) {
  const auto *row = std::ranges::lower_bound(kTable, name, {}, &OptionRow::name);
  return row != std::end(kTable) && row->name == name ? row : nullptr;
}

/// The longest name of a joined option that `word` starts with: `-isystem/usr` is not `-i`, and `-O3` is
/// `-O`.
const OptionRow *find_joined(std::string_view word) {
  const OptionRow *best = nullptr;
  for (const auto &row : kTable)
    if (row.value == joined && word.size() > row.name.size() && word.starts_with(row.name) &&
        (!best || row.name.size() > best->name.size()))
      best = &row;
  return best;
}

struct Split {
  const OptionRow *row = nullptr;
  std::optional<std::string> value;
};

/// Splits one word that starts with a dash into its table row and, when the word contains one, its value.
Split split_option(std::string_view word) {
  const bool long_form = word.starts_with("--");
  const auto body = word.substr(long_form ? 2 : 1);
  if (const auto *row = find_row(body)) return {row, {}};
  if (const auto equals = body.find('='); equals != std::string_view::npos)
    if (const auto *row = find_row(body.substr(0, equals)); row && row->value != flag)
      return {row, std::string(body.substr(equals + 1))};
  if (const auto *row = long_form ? nullptr : find_joined(body))
    return {row, std::string(body.substr(row->name.size()))};
  return {};
}

class LineParser {
public:
  explicit LineParser(const std::filesystem::path &folder) : folder_(folder) {}

  Result<CompileLine> parse(std::span<const std::string> arguments) {
    CUPILOT_CHECKED(add(arguments, 0));
    return std::move(line_);
  }

private:
  static constexpr int kDeepestNesting = 8;
  static constexpr int kMostFiles = 256;  // files that name each other several times multiply
  static constexpr std::size_t kMostFileBytes = 16u << 20;

  Result<void> add(std::span<const std::string> words, int depth) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const int position = depth == 0 ? static_cast<int>(i) : -1;
      const auto &word = words[i];
      if (word.size() < 2 || word[0] != '-') {
        line_.options.push_back({input, "", word, position});
        continue;
      }
      auto [row, value] = split_option(word);
      if (!row) {
        line_.options.push_back({other, word, "", position});
        continue;
      }
      if (row->value != flag && !value) {
        if (++i == words.size()) return user_error("option '" + word + "' requires a value");
        value = words[i];
      }
      auto text = value.value_or("");
      if (row->role == options_file) {
        CUPILOT_CHECKED(add_files(text, depth));
        continue;
      }
      line_.options.push_back({row->role, std::string(row->name), std::move(text), position});
    }
    return {};
  }

  Result<void> add_files(const std::string &paths, int depth) {
    if (depth == kDeepestNesting) return user_error("response files include each other: '" + paths + "'");
    for (const auto &path : split(paths, ',')) {
      if (++files_ > kMostFiles) return user_error("too many response files, the last is '" + path + "'");
      CUPILOT_TRY(text, read_regular_file(folder_ / path, kMostFileBytes));
      CUPILOT_CHECKED(add(split_words(text), depth + 1));
    }
    return {};
  }

  const std::filesystem::path &folder_;
  CompileLine line_;
  int files_ = 0;  ///< response files read
};

/// Forms of the list: `[compute_90,sm_90]`, `"sm_80,sm_90"`, `sm_90`.
void add_codes(std::string_view list, std::set<std::string> &found) {
  std::string bare;
  for (const char c : list)
    if (!std::string_view("[]\"'\\ ").contains(c)) bare += c;
  for (auto &code : split(bare, ','))
    if (!code.empty()) found.insert(code.starts_with("lto_") ? "sm_" + code.substr(4) : code);
}

void add_generated(std::string_view specification, std::set<std::string> &found) {
  constexpr std::string_view kCode = "code=";
  if (const auto at = specification.find(kCode); at != std::string_view::npos)
    add_codes(specification.substr(at + kCode.size()), found);
  else if (specification.starts_with("arch="))
    add_codes(specification.substr(5), found);
}

std::string_view suffix(std::string_view arch) {
  return arch.substr(arch.find('_') + 1);
}

}  // namespace

std::span<const OptionRow> option_table() {
  return kTable;
}

bool CompileLine::has(OptionRole role) const {
  return std::ranges::find(options, role, &CompileOption::role) != options.end();
}

std::vector<std::string> CompileLine::values(OptionRole role) const {
  std::vector<std::string> found;
  for (const auto &option : options)
    if (option.role == role) found.push_back(option.value);
  return found;
}

std::string CompileLine::last(OptionRole role) const {
  for (auto option = options.rbegin(); option != options.rend(); ++option)
    if (option->role == role) return option->value;
  return {};
}

Result<CompileLine> parse_compile_line(std::span<const std::string> arguments,
                                       const std::filesystem::path &folder) {
  return LineParser(folder).parse(arguments);
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;  // a word has begun, although it may still be empty
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
      inside = true;
    } else if (quote ? c == quote : c == '"' || c == '\'') {
      quote = quote ? 0 : c;
      inside = true;
    } else if (!quote && std::isspace(static_cast<unsigned char>(c))) {
      if (inside) words.push_back(std::move(word));
      word.clear();
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (inside) words.push_back(std::move(word));
  return words;
}

std::vector<std::string> environment_words(const char *variable) {
  const char *value = std::getenv(variable);
  return value ? split_words(value) : std::vector<std::string>{};
}

std::vector<std::string> macro_options(const CompileLine &line) {
  std::vector<std::string> words;
  for (const auto &option : line.options) {
    if (option.role == define) words.push_back("-D" + option.value);
    if (option.role == undefine) words.push_back("-U" + option.value);
    if (option.role == pre_include) words.push_back("-include" + option.value);
    if (option.role == standard) words.push_back("-std=" + option.value);
  }
  return words;
}

std::string macros_hash(const CompileLine &line) {
  Sha256 hash;
  for (const auto &word : macro_options(line)) hash.field(word);
  return hash.hex();
}

std::vector<std::string> architectures(const CompileLine &line) {
  std::set<std::string> found;
  for (const auto &specification : line.values(generate_code)) add_generated(specification, found);
  if (const auto codes = line.values(OptionRole::code); !codes.empty())
    for (const auto &list : codes) add_codes(list, found);
  else
    add_codes(line.last(architecture), found);
  return {found.begin(), found.end()};
}

bool contains_architecture(const std::vector<std::string> &contained, std::string_view arch) {
  const auto wanted = suffix(arch);
  const bool has_feature = !wanted.empty() && !std::isdigit(static_cast<unsigned char>(wanted.back()));
  for (const auto &held : contained) {
    if (held == "all" && !has_feature) return true;
    if (held == "all-major" && !has_feature && wanted.ends_with('0')) return true;
    const auto code = suffix(held);
    if (code == wanted) return true;
    // code for sm_90a also serves a request for sm_90, but not the other way round
    if (!has_feature && code.size() == wanted.size() + 1 && code.starts_with(wanted) &&
        !std::isdigit(static_cast<unsigned char>(code.back())))
      return true;
  }
  return false;
}

}  // namespace cupilot
