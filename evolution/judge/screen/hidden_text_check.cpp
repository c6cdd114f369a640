// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/screen/hidden_text_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace cupilot::judge::screen {
namespace {

/// Words forbidden in strings; the compiler joins adjacent strings.
struct Word {
  std::string_view text, reason;
};
constexpr Word kInStrings[] = {
    {".incbin", "reads a file while it is compiled"},
    {".include", "reads a file while it is compiled"},
    {"syscall", "makes system calls"},
    {"sysenter", "makes system calls"},
    {"int $0x80", "makes system calls"},
    {"globaltimer", "assembly that reads a clock"},
    {"%clock", "assembly that reads a clock"},
    {"%current_graph_", "assembly that asks whether a graph runs it"},
    {"%total_smem_size", "assembly that asks for the system's part of shared memory"},
    {"%aggr_smem_size", "assembly that asks for the system's part of shared memory"},
    {"%pm", "assembly that reads a counter of the device"},
    {"evict_last", "asks the cache to keep data beyond the launch"},
    {"evict_unchanged", "asks the cache to keep data beyond the launch"},
    {"discard.", "throws away memory that others may still read"},
};

/// Directives of PTX that stand outside of functions. Assembly that closes its function could declare with
/// them what no text of C++ says.
constexpr std::array<std::string_view, 11> kModuleDirectives{".global", ".const",   ".func",   ".entry",
                                                             ".extern", ".visible", ".weak",   ".alias",
                                                             ".common", ".target",  ".section"};

/// Instructions that compare and leave a mask or a choice: nobody sees whether both answers were met.
constexpr std::array<std::string_view, 5> kQuietComparisons{"set", "slct", "vset", "vset2", "vset4"};

/// Instructions that end the program's context.
constexpr std::array<std::string_view, 2> kStoppingInstructions{"trap", "brkpt"};

bool word_part(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$';
}

/// The first of these in the text between characters that fit; beyond the ends of the text stands a blank.
template <class Fits>
std::string_view first_of(std::span<const std::string_view> words, std::string_view text, const Fits &fits) {
  for (const std::string_view word : words)
    for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
      const auto end = at + word.size();
      if (fits(at == 0 ? ' ' : text[at - 1], end == text.size() ? ' ' : text[end])) return word;
    }
  return {};
}

/// The first that is a word of its own: `.global` of `ld.global.f32` is none.
std::string_view word_of(std::span<const std::string_view> words, std::string_view text) {
  return first_of(words, text, [](char before, char after) {
    return !word_part(before) && !word_part(after) && after != '.';
  });
}

/// The first instruction: a word of its own with a dot behind it.
std::string_view instruction_of(std::span<const std::string_view> words, std::string_view text) {
  return first_of(words, text, [](char before, char after) {
    return !word_part(before) && before != '.' && after == '.';
  });
}

/// Words forbidden in the replacement of a macro. The outline is read without expanding macros, so a macro
/// must not change it.
constexpr std::array<std::string_view, 10> kNotInMacros{
    "extern",   "mutable",    "thread_local", "__attribute__", "namespace",
    "operator", "__global__", "__managed__",  "__constant__",  "launch"};

bool digit_of(char c, bool hexadecimal) {
  return hexadecimal ? std::string_view("0123456789abcdefABCDEF").contains(c) : c >= '0' && c <= '7';
}

/// The character of the escape sequence whose letter or first digit is at `i`, which moves to its last
/// character.
char escaped(const std::string &text, std::size_t &i) {
  const char kind = text[i];
  const bool hexadecimal = kind == 'x' || kind == 'u' || kind == 'U';
  if (!hexadecimal && !digit_of(kind, false)) return std::string_view("abfnrtv").contains(kind) ? ' ' : kind;
  const std::size_t most = kind == 'x' ? text.size() : kind == 'u' ? 4 : kind == 'U' ? 8 : 3;
  unsigned value = 0;
  auto at = i + hexadecimal;
  for (std::size_t n = 0; n < most && at < text.size() && digit_of(text[at], hexadecimal); ++n, ++at) {
    const char c = text[at];
    value =
        value * (hexadecimal ? 16U : 8U) + static_cast<unsigned>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  i = at - 1;
  return static_cast<char>(value & 0xffU);
}

/// The content of a string without quotes, with escapes such as "\x25" replaced.
std::string content(const CodeToken &literal) {
  std::string text;
  for (std::size_t i = 1; i + 1 < literal.text.size(); ++i) {
    const char c = literal.text[i];
    text += c == '\\' && !literal.raw ? escaped(literal.text, ++i) : c;
  }
  return text;
}

class Check {
public:
  explicit Check(std::span<const CodeToken> tokens) : tokens_(tokens) {}

  std::vector<StaticFinding> run() {
    if (makes_strings()) directives_outside_of_strings();
    for (at_ = 0; at_ < tokens_.size(); ++at_) {
      if (tokens_[at_].kind == CodeTokenKind::literal) strings();
      if (is(tokens_[at_], "_Pragma")) pragma();
      if (tokens_[at_].kind == CodeTokenKind::directive && tokens_[at_].text == "define") macro();
    }
    return std::move(findings_);
  }

private:
  void add(int line, std::string reason) { findings_.push_back({line, std::move(reason)}); }

  void strings() {
    const int line = tokens_[at_].line;
    std::string joined;
    for (; at_ < tokens_.size() && (tokens_[at_].kind == CodeTokenKind::literal || prefix()); ++at_)
      if (tokens_[at_].kind == CodeTokenKind::literal) joined += content(tokens_[at_]);
    --at_;
    for (const auto &[text, reason] : kInStrings)
      if (joined.find(text) != std::string::npos) return add(line, "a string " + told(text, reason));
    if (const auto word = word_of(kStoppingInstructions, joined); !word.empty())
      return add(line,
                 fmt::format("a string that stops the device ('{}'); decline in launch() instead", word));
    if (const auto word = instruction_of(kQuietComparisons, joined); !word.empty())
      return add(line, fmt::format("assembly that compares without a predicate ('{}'): whether both answers "
                                   "were seen cannot be told, so write the comparison in C++",
                                   word));
    if (const auto word = word_of(kModuleDirectives, joined); !word.empty())
      add(line,
          fmt::format(
              "a string that declares outside of functions ('{}'): assembly must stay within its function",
              word));
  }
  /// Whether a macro makes a string of its argument: then assembly may stand outside of quotes.
  bool makes_strings() const {
    return std::ranges::any_of(tokens_, [](const CodeToken &t) { return t.preprocessor && is(t, "#"); });
  }
  void directives_outside_of_strings() {
    for (std::size_t i = 1; i + 1 < tokens_.size(); ++i) {
      const bool of_something = tokens_[i].adjacent && (tokens_[i - 1].kind == CodeTokenKind::name ||
                                                        is(tokens_[i - 1], ")") || is(tokens_[i - 1], "]"));
      if (is(tokens_[i], ".") && tokens_[i + 1].adjacent && !of_something &&
          !word_of(kModuleDirectives, "." + tokens_[i + 1].text).empty())
        add(tokens_[i].line,
            fmt::format("'.{}' declares outside of functions where a macro makes a string of it; "
                        "assembly must stay within its function",
                        tokens_[i + 1].text));
    }
  }
  /// The u8 of u8"x", which may follow another string.
  bool prefix() const {
    static constexpr std::array<std::string_view, 4> kPrefixes{"u8", "u", "U", "L"};
    return std::ranges::find(kPrefixes, tokens_[at_].text) != kPrefixes.end() && at_ + 1 < tokens_.size() &&
           tokens_[at_ + 1].kind == CodeTokenKind::literal && tokens_[at_ + 1].adjacent;
  }
  static std::string told(std::string_view text, std::string_view reason) {
    const bool sentence = reason.starts_with("assembly");
    return fmt::format("{} {} ('{}')", sentence ? "is" : "that", reason, text);
  }

  void pragma() {
    const bool harmless =
        at_ + 2 < tokens_.size() && is(tokens_[at_ + 1], "(") &&
        (tokens_[at_ + 2].text.starts_with("\"unroll") || tokens_[at_ + 2].text.starts_with("\"nounroll"));
    if (!harmless) add(tokens_[at_].line, "_Pragma may say \"unroll\" or \"nounroll\", as a plain string");
  }

  void macro() {
    int depth = 0;
    const int line = tokens_[at_].line;
    const std::string name = at_ + 1 < tokens_.size() ? tokens_[at_ + 1].text : "";
    for (auto i = at_ + 2; i < tokens_.size() && tokens_[i].preprocessor; ++i) {
      const auto &token = tokens_[i];
      if (token.kind == CodeTokenKind::directive) break;
      depth += is(token, "{") || is(token, "(") || is(token, "[");
      depth -= is(token, "}") || is(token, ")") || is(token, "]");
      const bool hides = token.kind == CodeTokenKind::name &&
                         std::ranges::find(kNotInMacros, token.text) != kNotInMacros.end();
      if (hides || is(token, "<<<") || hides_static(i))
        return add(line,
                   fmt::format("the macro '{}' hides '{}'; write it where it is meant", name, token.text));
    }
    if (depth != 0) add(line, fmt::format("brackets must match inside the macro '{}'", name));
  }
  /// `static constexpr` variables and static functions do not keep state.
  bool hides_static(std::size_t i) const {
    static constexpr std::array<std::string_view, 4> kFunctionWords{"constexpr", "inline", "__device__",
                                                                    "__forceinline__"};
    const bool last = i + 1 >= tokens_.size() || !tokens_[i + 1].preprocessor;
    return is(tokens_[i], "static") &&
           (last || std::ranges::find(kFunctionWords, tokens_[i + 1].text) == kFunctionWords.end());
  }

  std::span<const CodeToken> tokens_;
  std::size_t at_ = 0;
  std::vector<StaticFinding> findings_;
};

}  // namespace

std::vector<StaticFinding> hidden_text_findings(std::span<const CodeToken> tokens) {
  return Check(tokens).run();
}

}  // namespace cupilot::judge::screen
