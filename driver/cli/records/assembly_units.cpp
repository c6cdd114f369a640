// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/records/assembly_units.h"

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <memory>

#include "annotate/support/text.h"

namespace cupilot::cli::records {
namespace {

enum class Language { ptx, host };

/// In PTX a name may have a '$'; in the host's assembly it marks a constant.
bool in_word(char c, Language language) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '%' ||
         (c == '$' && language == Language::ptx);
}

/// Words, strings and single characters; comments of PTX are left out.
std::vector<std::string_view> tokens_of(std::string_view text, Language language) {
  std::vector<std::string_view> tokens;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (std::isspace(static_cast<unsigned char>(text[at]))) {
      at = end;
      continue;
    }
    if (language == Language::ptx && text.substr(at).starts_with("//")) {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (text[at] == '"') {
      while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text.size());
    } else if (in_word(text[at], language)) {
      while (end < text.size() && in_word(text[end], language)) ++end;
    }
    tokens.push_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

/// Parts of PTX that say where code comes from, not what it does: from the word to the end of the line.
bool is_place(std::string_view line) {
  for (const std::string_view word : {".loc", ".file", ".version", ".target", ".address_size", "//"})
    if (line.starts_with(word)) return true;
  return false;
}

std::string_view next_line(std::string_view &rest) {
  const auto end = std::min(rest.find('\n'), rest.size());
  const auto line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return line;
}

class PtxReader {
public:
  AssemblyUnits read(std::string_view text) {
    bool in_section = false;  // `.section .debug_info {` ... `}` is no code
    while (!text.empty()) {
      const auto line = trim(next_line(text));
      in_section |= line.starts_with(".section");
      if (in_section)
        in_section = !line.starts_with('}');
      else if (!is_place(line))
        for (const auto token : tokens_of(line, Language::ptx)) take(token);
    }
    return std::move(units_);
  }

private:
  void take(std::string_view token) {
    item_.push_back(token);
    is_function_ |= token == ".entry" || token == ".func";
    brackets_ += (token == "(") - (token == ")");
    braces_ += (token == "{") - (token == "}");
    if (brackets_ || braces_) return;
    if (token == ";" || (token == "}" && is_function_)) finish();
  }

  /// ".func (.param .b32 r) name (": the word before the last bracket that opens at the outermost level and
  /// precedes the body; of a variable the word before `[`, `=` or `;`.
  std::string_view name() const {
    if (!is_function_) {
      const auto end = std::ranges::find_if(
          item_, [](std::string_view token) { return token == "[" || token == "=" || token == ";"; });
      return end == item_.begin() ? std::string_view() : *(end - 1);
    }
    auto at = std::ranges::find_if(
        item_, [](std::string_view token) { return token == ".entry" || token == ".func"; });
    if (++at == item_.end()) return {};
    if (*at != "(") return *at;
    at = std::ranges::find(at, item_.end(), ")");
    return at == item_.end() || ++at == item_.end() ? std::string_view() : *at;
  }

  void finish() {
    const auto symbol = name();
    AssemblyUnit unit;
    for (const auto token : item_) {
      unit.elsewhere |= token == ".extern";
      const bool linkage = token == ".visible" || token == ".weak" || token == ".common";
      if (!linkage) unit.tokens.push_back(token);
    }
    // The dynamic shared memory of a kernel is declared `.extern`, but nobody else defines it.
    if (std::ranges::find(item_, ".shared") != item_.end()) unit.elsewhere = false;
    const bool forward = is_function_ && item_.back() == ";";
    if (!symbol.empty() && !(forward && units_.contains(symbol))) units_[symbol] = std::move(unit);
    item_.clear();
    is_function_ = false;
  }

  AssemblyUnits units_;
  std::vector<std::string_view> item_;
  int brackets_ = 0, braces_ = 0;
  bool is_function_ = false;
};

/// Directives that place a symbol; `.long`, `.string`, `.zero` and the like are its content.
bool places_a_symbol(std::string_view directive) {
  static constexpr std::string_view kWords[] = {".cfi_", ".loc",    ".file",  ".type",  ".size",    ".globl",
                                                ".weak", ".hidden", ".local", ".ident", ".p2align", ".align"};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return directive.starts_with(word); });
}

class HostReader {
public:
  AssemblyUnits read(std::string_view text) {
    while (!text.empty()) line(trim(next_line(text)));
    return std::move(units_);
  }

private:
  enum class Section { code, data, nothing };

  void line(std::string_view text) {
    if (text.empty() || text.starts_with('#')) return;
    if (text.starts_with(".section") || text.starts_with(".text") || text.starts_with(".data") ||
        text.starts_with(".bss"))
      return enter(text);
    const auto tokens = tokens_of(text, Language::host);
    if (text.starts_with(".comm") || text.starts_with(".set")) {
      if (tokens.size() > 1) units_[tokens[1]].tokens = tokens, units_[tokens[1]].tokens[1] = ".";
      return;
    }
    if (section_ == Section::nothing || (text.starts_with('.') && places_a_symbol(text))) return;
    if (tokens.size() == 2 && tokens[1] == ":") return label(tokens[0]);
    auto *const unit = section_ == Section::code ? code_ : data_;
    if (unit) unit->tokens.insert(unit->tokens.end(), tokens.begin(), tokens.end());
    if (unit) unit->tokens.push_back(";");
  }

  /// A function's jump table stands in a section of data between two parts of the function.
  void enter(std::string_view text) {
    const auto has = [&](std::string_view part) { return text.find(part) != text.npos; };
    if (has(".text"))
      section_ = Section::code;
    else if (has(".gcc_except_table") || has(".eh_frame") || has(".debug") || has(".note") || has("_array"))
      section_ = Section::nothing;
    else
      section_ = Section::data;
  }

  void label(std::string_view name) {
    const bool inner = name.starts_with(".L");
    if (section_ == Section::data) {
      data_ = &units_[name];
      return;
    }
    // the numbers of .LFB and .LFE count the functions of the file
    if (name.starts_with(".LF") || name.starts_with(".LH") || name.starts_with(".LCOLD")) return;
    if (!inner) code_ = &units_[name];
    if (inner && code_) code_->tokens.insert(code_->tokens.end(), {name, ":"});
  }

  AssemblyUnits units_;
  AssemblyUnit *code_ = nullptr, *data_ = nullptr;
  Section section_ = Section::code;
};

}  // namespace

AssemblyUnits units_of_ptx(std::string_view text) {
  return PtxReader().read(text);
}

AssemblyUnits units_of_host_assembly(std::string_view text) {
  return HostReader().read(text);
}

std::string plain_name(std::string_view symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(std::string(symbol).c_str(), nullptr, nullptr, &status), &std::free);
  std::string name = status == 0 && text ? text.get() : std::string(symbol);
  // `_INTERNAL_129a5ce5_4_a_cu_ab0bdee2::f()`
  for (auto at = name.find("_INTERNAL_"); at != std::string::npos; at = name.find("_INTERNAL_", at)) {
    const auto end = name.find("::", at);
    if (end == std::string::npos) break;
    name.erase(at, end + 2 - at);
  }
  return name;
}

}  // namespace cupilot::cli::records
