// SPDX-License-Identifier: Apache-2.0
//
// One walk over the tokens; what is between them (blanks, comments) stays as it is. Of preprocessor lines
// only the bodies of #define are promoted.
#include "evolution/judge/bundle/promotion.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "evolution/judge/bundle/twin_words.h"
#include "evolution/judge/screen/lexer.h"

namespace cupilot {

namespace {

using std::string_view;

/// What may stand between a type and the name it declares.
bool is_declarator_filler(string_view word) {
  static constexpr std::array<string_view, 9> kFillers{
      "const", "volatile", "*", "&", "__restrict__", "restrict", "__restrict", "__shared__", "__device__"};
  return std::ranges::find(kFillers, word) != kFillers.end();
}

/// Assembly that only moves threads, or asks who runs: no float in it.
bool is_harmless_assembly(string_view text) {
  static constexpr std::array<string_view, 10> kDangerous{".f32", ".f16", ".bf16", ".tf32",  "mma",
                                                          "ld.",  "st.",  "cp.",   "matrix", ".b16"};
  return std::ranges::none_of(kDangerous,
                              [&](string_view part) { return text.find(part) != string_view::npos; });
}

class Promoter {
public:
  Promoter(string_view text, const std::set<std::string> &floats, bool half_is_type)
      : text_(text),
        list_(tokenize(text)),
        tokens_(list_.tokens),
        floats_(floats),
        half_is_type_(half_is_type) {}

  Promotion run() {
    if (!list_.error.empty()) refuse(list_.error_line, list_.error);
    half_is_type_ = half_is_type_ && !declares_variable("half");
    for (at_ = 0; at_ < tokens_.size() && out_.missing.empty(); ++at_) token();
    out_.text += text_.substr(copied_);
    return std::move(out_);
  }

private:
  string_view text(std::size_t index) const {
    return index < tokens_.size() ? string_view(tokens_[index].text) : string_view();
  }
  string_view before(std::size_t back = 1) const { return at_ >= back ? text(at_ - back) : string_view(); }

  void refuse(int line, const std::string &reason) {
    if (!out_.missing.empty()) return;
    const int shown = line - marked_at_ + marked_;
    out_.missing = (file_.empty() ? "line " + std::to_string(shown) : file_ + ":" + std::to_string(shown)) +
                   ": " + reason;
  }

  /// `word` as a variable or parameter: a type stands before it and an initialiser, comma or bracket after.
  bool declares_variable(string_view word) const {
    for (std::size_t i = 1; i + 1 < tokens_.size(); ++i) {
      if (tokens_[i].text != word || tokens_[i].preprocessor) continue;
      const string_view previous = tokens_[i - 1].text, next = tokens_[i + 1].text;
      const bool typed =
          is_integer_type(previous) || previous == "auto" || previous == "float" || previous == "size_t";
      if (typed && (next == "=" || next == ";" || next == "," || next == ")" || next == "{")) return true;
    }
    return false;
  }

  void put(const std::string &replacement, std::size_t first, std::size_t last) {
    out_.text += text_.substr(copied_, tokens_[first].begin - copied_);
    out_.text += replacement;
    copied_ = tokens_[last].end;
  }

  void token() {
    const CodeToken &token = tokens_[at_];
    if (token.kind == CodeTokenKind::directive) return directive(token);
    if (token.preprocessor && directive_ != "define") return;
    if (token.preprocessor && at_ == defined_name_) return;
    if (token.kind == CodeTokenKind::number) return number(token);
    if (token.kind == CodeTokenKind::name) word(token);
  }

  /// `#line 12 "norm.cu"` says how the lines below are called.
  void directive(const CodeToken &token) {
    directive_ = token.text;
    defined_name_ = at_ + 1;
    if (token.text != "line" || at_ + 1 >= tokens_.size()) return;
    marked_ = std::atoi(tokens_[at_ + 1].text.c_str());
    marked_at_ = token.line + 1;
    const bool named = at_ + 2 < tokens_.size() && tokens_[at_ + 2].kind == CodeTokenKind::literal;
    if (named) file_ = tokens_[at_ + 2].text.substr(1, tokens_[at_ + 2].text.size() - 2);
  }

  void number(const CodeToken &token) {
    const std::string wide = wide_literal(token.text);
    if (wide == token.text) return;
    out_.single = true;
    put(wide, at_, at_);
  }

  bool is_member() const {
    return before() == "." ||
           (before() == ">" && before(2) == "-" && tokens_[at_ - 1].begin == tokens_[at_ - 2].end);
  }
  /// Of a namespace that is not the library's.
  bool is_foreign() const {
    if (before() != "::" || at_ < 2 || tokens_[at_ - 2].kind != CodeTokenKind::name) return false;
    return before(2) != "std" && before(2) != "return";
  }

  void word(const CodeToken &token) {
    if (token.text == "double") out_.wide = true;
    if (is_member() || is_foreign()) return;
    const bool called = text(at_ + 1) == "(";
    if (token.text == "asm" || token.text == "__asm__" || token.text == "__asm") return assembly(token);
    if (token.text == "numeric_limits" && limits()) return;
    if (called && bits_of_literal(token)) return;
    if (const auto reason = untwinnable(token.text, called); !reason.empty())
      return refuse(token.line, reason);
    if (token.text == "reinterpret_cast" && text(at_ + 1) == "<") look_at_cast(at_ + 2, ">", before() == "*");
    if (is_pointer_cast()) look_at_cast(at_, ")", before(2) == "*");
    if (is_float_constant(token.text)) return constant(token);
    if (!has_twin(token.text) && float_type_of(token.text) == FloatType::none) return;
    if (is_common_word(token.text) && !half_is_type_) return;
    replace(token);
  }

  void replace(const CodeToken &token) {
    const FloatType type = float_type_of(token.text);
    out_.single |= type == FloatType::single;
    out_.sixteen |= type == FloatType::sixteen || (has_sixteen_twin(token.text) && type == FloatType::none);
    const bool scalar = token.text == "float" || token.text == "float_t";
    const bool of_std = before() == "::" && before(2) == "std";
    put(scalar ? "double" : "cupilot_twin_" + token.text, of_std ? at_ - 2 : at_, at_);
    if (type == FloatType::none) return;
    std::size_t next = at_ + 1;
    while (is_declarator_filler(text(next))) ++next;
    if (next >= tokens_.size() || tokens_[next].kind != CodeTokenKind::name) return;
    (type == FloatType::sixteen ? sixteens_ : floats_).insert(tokens_[next].text);
  }

  void constant(const CodeToken &token) {
    out_.single = true;
    put("static_cast<double>(" + token.text + ")", at_, at_);
  }

  /// `std::numeric_limits<float>`: the original's numbers.
  bool limits() {
    if (text(at_ + 1) != "<" || text(at_ + 2) != "float" || text(at_ + 3) != ">") return false;
    std::size_t first = at_;
    while (first >= 2 && text(first - 1) == "::" && (text(first - 2) == "std" || text(first - 2) == "cuda"))
      first -= 2;
    put("cupilot_float_limits", first, at_ + 3);
    out_.single = true;
    at_ += 3;
    return true;
  }

  /// `__int_as_float(0x7f800000)` is a constant like any other.
  bool bits_of_literal(const CodeToken &token) {
    const bool from_bits = token.text == "__int_as_float" || token.text == "__uint_as_float";
    if (!from_bits || at_ + 3 >= tokens_.size() || tokens_[at_ + 2].kind != CodeTokenKind::number ||
        text(at_ + 3) != ")")
      return false;
    put("static_cast<double>(" + token.text + "(" + tokens_[at_ + 2].text + "))", at_, at_ + 3);
    out_.single = true;
    at_ += 3;
    return true;
  }

  void assembly(const CodeToken &token) {
    std::size_t i = at_ + 1;
    int depth = 0;
    for (; i < tokens_.size(); ++i) {
      if (text(i) == "(") ++depth;
      if (text(i) == ")" && --depth == 0) break;
      if (tokens_[i].kind != CodeTokenKind::literal) continue;
      const bool of_float = text(i) == "\"f\"" || text(i) == "\"=f\"" || text(i) == "\"+f\"";
      if (of_float || !is_harmless_assembly(text(i)))
        return refuse(token.line, "inline assembly on floating data has no form in double");
    }
  }

  /// `(int *)`, `(const uint4 *)` in front of something.
  bool is_pointer_cast() const {
    return before() == "(" && (is_integer_type(text(at_)) || text(at_) == "const") && closes_pointer(at_);
  }
  bool closes_pointer(std::size_t from) const {
    bool star = false;
    for (std::size_t i = from; i < from + 6 && i < tokens_.size(); ++i) {
      if (text(i) == ")") return star;
      star |= text(i) == "*";
      if (tokens_[i].kind != CodeTokenKind::name && text(i) != "*") return false;
    }
    return false;
  }

  /// Floating data read as integers, or 16-bit data as vectors of float: the twin's numbers have another
  /// size. A pointer to scalars that is not `read` right there may be a place behind the floats.
  void look_at_cast(std::size_t from, string_view end, bool read) {
    bool integer = false, single = false;
    std::size_t i = from;
    for (; i < tokens_.size() && text(i) != end; ++i) {
      const bool vector = text(i).ends_with('2') || text(i).ends_with('4');
      integer |= is_integer_type(text(i)) && (vector || read || text(i + 1) == "&");
      single |= float_type_of(text(i)) == FloatType::single;
    }
    if (!integer && !single) return;
    int depth = 0;
    for (std::size_t k = i + 1; k < tokens_.size() && k < i + 24; ++k) {
      const string_view word = text(k);
      if (word == ";" || (depth == 0 && (word == "," || word == "="))) return;
      depth += word == "(" || word == "[";
      depth -= word == ")" || word == "]";
      if (depth < 0) return;
      if (depth > 1 && tokens_[k].kind == CodeTokenKind::name && text(k - 1) == "[") continue;
      const std::string name(word);
      if (sixteens_.contains(name) || (integer && floats_.contains(name)))
        return refuse(tokens_[at_].line, "the bytes of '" + name + "' are read as another type");
    }
  }

  string_view text_;
  TokenList list_;
  std::span<const CodeToken> tokens_;
  std::set<std::string> floats_, sixteens_;
  bool half_is_type_;
  Promotion out_;
  std::size_t at_ = 0, copied_ = 0, defined_name_ = 0;
  std::string directive_, file_;
  int marked_ = 1, marked_at_ = 1;
};

}  // namespace

Promotion promote(std::string_view text, const std::set<std::string> &floats, bool half_is_type) {
  return Promoter(text, floats, half_is_type).run();
}

}  // namespace cupilot
