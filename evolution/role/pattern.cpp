// SPDX-License-Identifier: Apache-2.0
//
// What a kernel does, read off its tokens: which statements inside of loops carry a value on, and what they
// add to it. No types and no macros are looked at; the answer decides no more than how soon a profile is
// shown and which menu a step is chosen from.

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string>

#include "evolution/role/analyst.h"

namespace cupilot {
namespace {

using std::string_view;
using Words = std::vector<string_view>;

constexpr int kDeepestStatement = 256;
constexpr std::size_t kMostSource = 256 << 10;

bool is_name_begin(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}
bool is_name_part(char c) {
  return is_name_begin(c) || std::isdigit(static_cast<unsigned char>(c));
}
bool begins_name(string_view word) {
  return is_name_begin(word.front());
}
bool begins_number(string_view word) {
  return std::isdigit(static_cast<unsigned char>(word.front())) || (word.size() > 1 && word.front() == '.');
}

/// Names, numbers, operators; strings as "\"", no comments, no preprocessor lines.
class Reader {
public:
  explicit Reader(string_view text) : text_(text.substr(0, kMostSource)) {}

  Words words() {
    while (at_ < text_.size()) step();
    return std::move(words_);
  }

private:
  void step() {
    const char c = text_[at_];
    const string_view rest = text_.substr(at_);
    if (std::isspace(static_cast<unsigned char>(c)))
      line_begins_ = line_begins_ || c == '\n', ++at_;
    else if (rest.starts_with("//") || (c == '#' && line_begins_))
      skip_line();
    else if (rest.starts_with("/*"))
      skip_comment();
    else if (c == '"' || c == '\'')
      skip_literal(c);
    else
      word(rest);
  }
  void skip_line() {
    while (at_ < text_.size() && (text_[at_] != '\n' || text_[at_ - 1] == '\\')) ++at_;
  }
  void skip_comment() {
    const std::size_t end = text_.find("*/", at_ + 2);
    at_ = end == string_view::npos ? text_.size() : end + 2;
  }
  void skip_literal(char quote) {
    const std::size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != quote) at_ += text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_ + 1, text_.size());
    push(begin, begin + 1);
  }
  void word(string_view rest) {
    static constexpr std::array<string_view, 22> kOperators{
        "<<<", ">>>", "+=", "-=", "*=", "/=", "==", "<=", ">=", "!=", "++",
        "--",  "->",  "::", "&&", "||", "<<", ">>", "|=", "&=", "^=", "%="};
    const std::size_t begin = at_;
    const auto number = [&](std::size_t i) {
      const bool sign = (text_[i] == '-' || text_[i] == '+') && (text_[i - 1] == 'e' || text_[i - 1] == 'E');
      return is_name_part(text_[i]) || text_[i] == '.' || sign;
    };
    if (is_name_begin(rest.front())) {
      while (at_ < text_.size() && is_name_part(text_[at_])) ++at_;
    } else if (std::isdigit(static_cast<unsigned char>(rest.front()))) {
      while (at_ < text_.size() && number(at_)) ++at_;
    } else {
      const auto found =
          std::ranges::find_if(kOperators, [&](string_view one) { return rest.starts_with(one); });
      at_ += found == kOperators.end() ? 1 : found->size();
    }
    push(begin, at_);
  }
  void push(std::size_t begin, std::size_t end) {
    words_.push_back(text_.substr(begin, end - begin));
    line_begins_ = false;
  }

  string_view text_;
  std::size_t at_ = 0;
  bool line_begins_ = true;
  Words words_;
};

/// What statements inside of loops do.
struct Findings {
  int products = 0;         ///< sums of products of two different things
  int deepest_product = 0;  ///< how many loops are around such a one that sums into a plain variable
  int sums = 0;             ///< other carried values: sums, squares, extremes
  bool matrix_unit = false, exponential = false, logarithm = false, root = false, exchanged = false,
       shared = false, convolution_words = false, loss_words = false;
};

class Outline {
public:
  explicit Outline(string_view source) : words_(Reader(source).words()) {}

  Findings run() {
    match_brackets();
    find_loops();
    find_indices();
    names();
    statements();
    return found_;
  }

private:
  string_view at(std::size_t i) const { return i < words_.size() ? words_[i] : string_view(" "); }

  void match_brackets() {
    partner_.assign(words_.size(), words_.size());
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const char c = words_[i].size() == 1 ? words_[i].front() : ' ';
      if (c == '(' || c == '[' || c == '{') open.push_back(i);
      if ((c != ')' && c != ']' && c != '}') || open.empty()) continue;
      partner_[open.back()] = i;
      partner_[i] = open.back();
      open.pop_back();
    }
  }

  /// One past the statement that begins at `i`.
  std::size_t statement_end(std::size_t i, int nested = 0) const {
    if (i >= words_.size() || nested > kDeepestStatement) return words_.size();
    if (at(i) == "{") return std::min(words_.size(), partner_[i] + 1);
    const bool headed = (at(i) == "for" || at(i) == "while" || at(i) == "if") && at(i + 1) == "(";
    if (headed) {
      const std::size_t end = statement_end(partner_[i + 1] + 1, nested + 1);
      return at(i) == "if" && at(end) == "else" ? statement_end(end + 1, nested + 1) : end;
    }
    while (i < words_.size() && at(i) != ";" && at(i) != "}")
      i = at(i) == "(" || at(i) == "{" || at(i) == "[" ? partner_[i] + 1 : i + 1;
    return std::min(words_.size(), i + 1);
  }

  void find_loops() {
    std::vector<int> change(words_.size() + 1, 0);
    header_.assign(words_.size() + 1, false);
    for (std::size_t i = 0; i + 1 < words_.size(); ++i) {
      if ((at(i) != "for" && at(i) != "while") || at(i + 1) != "(") continue;
      const std::size_t close = partner_[i + 1];
      if (close == words_.size()) continue;
      for (std::size_t k = i; k <= close; ++k) {
        header_[k] = true;
        if (begins_name(words_[k])) indices_.insert(words_[k]);
      }
      const std::size_t begin = close + 1;
      ++change[begin], --change[statement_end(begin)];
    }
    depth_.assign(words_.size(), 0);
    int depth = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) depth_[i] = depth += change[i];
  }

  /// What stands in brackets is an index: stepping it carries no value on.
  void find_indices() {
    int inside = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      inside += at(i) == "[";
      inside -= at(i) == "]";
      if (inside > 0 && begins_name(words_[i])) indices_.insert(words_[i]);
    }
  }

  void names() {
    static const std::set<string_view> exponentials{"exp",    "expf",    "exp2", "exp2f", "__expf",
                                                    "expm1f", "__exp2f", "hexp", "h2exp", "exp10f"};
    static const std::set<string_view> logarithms{"log",    "logf",  "log2f", "__logf",
                                                  "log1pf", "log1p", "log2",  "hlog"};
    static const std::set<string_view> roots{"sqrt",        "sqrtf",      "rsqrt", "rsqrtf",
                                             "__frsqrt_rn", "__fsqrt_rn", "hrsqrt"};
    static const std::set<string_view> filters{"kh",       "kw",       "ksize", "kernel_size",
                                               "kernel_h", "kernel_w", "fh",    "fw"};
    for (const string_view word : words_) {
      if (!begins_name(word)) continue;
      std::string lower(word);
      std::ranges::transform(lower, lower.begin(),
                             [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      const auto has = [&](string_view part) { return lower.find(part) != std::string::npos; };
      found_.exponential = found_.exponential || exponentials.contains(word);
      found_.logarithm = found_.logarithm || logarithms.contains(word);
      found_.root = found_.root || roots.contains(word);
      found_.shared = found_.shared || word == "__shared__";
      found_.exchanged = found_.exchanged || has("shfl") || has("atomic") || has("reduce");
      found_.matrix_unit = found_.matrix_unit || has("mma") || has("matrix_sync");
      found_.convolution_words = found_.convolution_words || has("conv") || has("padding") ||
                                 has("dilation") || has("filter") || lower == "pad" ||
                                 filters.contains(lower);
      found_.loss_words =
          found_.loss_words || has("loss") || has("entropy") || has("label") || lower.starts_with("target");
    }
  }

  void statements() {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const bool ends = (at(i) == ";" && !header_[i]) || at(i) == "{" || at(i) == "}";
      if (!ends) continue;
      if (begin < i && depth_[begin] + depth_[i] > 0) statement(begin, i);
      begin = i + 1;
    }
  }

  void statement(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const bool adds = at(i) == "+=" || at(i) == "*=" || at(i) == "-=";
      if (header_[i] || (!adds && at(i) != "=") || depth_[i] == 0) continue;
      return assignment(begin, i, end, adds);
    }
  }

  /// The name a left side is about: "acc" of `acc[i][j]`.
  string_view target_of(std::size_t begin, std::size_t equals) const {
    std::size_t i = equals;
    while (i > begin && at(i - 1) == "]") {
      if (partner_[i - 1] >= i) return {};
      i = partner_[i - 1];
    }
    return i > begin && begins_name(words_[i - 1]) ? words_[i - 1] : string_view();
  }

  void assignment(std::size_t begin, std::size_t equals, std::size_t end, bool adds) {
    const string_view target = target_of(begin, equals);
    if (target.empty()) return;
    const bool plain = at(equals - 1) != "]";
    const auto right_begin = words_.begin() + static_cast<std::ptrdiff_t>(equals) + 1;
    const auto right_end = words_.begin() + static_cast<std::ptrdiff_t>(end);
    const bool carried = adds || std::find(right_begin, right_end, target) != right_end;
    const bool only_numbers = std::all_of(right_begin, right_end, begins_number);
    if (!carried || only_numbers || (plain && indices_.contains(target))) return;
    if (has_product(equals + 1, end, target)) {
      ++found_.products;
      if (plain) found_.deepest_product = std::max(found_.deepest_product, depth_[equals]);
    } else {
      ++found_.sums;
    }
  }

  /// The words of the operand before or behind position `i`.
  std::string operand_before(std::size_t i, std::size_t least) const {
    std::size_t begin = i;
    while (begin > least) {
      const string_view word = at(begin - 1);
      if (word == "]" || word == ")")
        begin = std::max(least, partner_[begin - 1] < begin ? partner_[begin - 1] : begin - 1);
      else if (begins_name(word) || begins_number(word) || word == "." || word == "->")
        --begin;
      else
        break;
      // A name that is followed by another one ends here: `return a * b`.
      if (begin > least && begins_name(at(begin)) && begins_name(at(begin - 1))) break;
    }
    return joined(begin, i);
  }
  std::string operand_behind(std::size_t i, std::size_t most) const {
    std::size_t end = i;
    while (end < most) {
      const string_view word = at(end);
      if (word == "[" || word == "(")
        end = std::min(most, partner_[end] + 1);
      else if (begins_name(word) || begins_number(word) || word == "." || word == "->")
        ++end;
      else
        break;
    }
    return joined(i, end);
  }
  std::string joined(std::size_t begin, std::size_t end) const {
    std::string text;
    for (std::size_t i = begin; i < end; ++i) text += std::string(words_[i]) + " ";
    return text;
  }

  /// Two factors that are not one and the same, no number, and not what is summed.
  static bool are_factors(const std::string &left, const std::string &right, string_view target) {
    const auto bare = [&](const std::string &side) {
      return side.empty() || begins_number(side) || side.starts_with(std::string(target) + " ");
    };
    return !bare(left) && !bare(right) && left != right;
  }

  bool has_product(std::size_t begin, std::size_t end, string_view target) const {
    for (std::size_t i = begin; i < end; ++i) {
      const bool fused =
          at(i).starts_with("fma") || at(i) == "__fmaf_rn" || at(i) == "__fma_rn" || at(i) == "__hfma";
      if (fused && at(i + 1) == "(" && !at(i).starts_with("fmax") && fused_factors(i + 2, target))
        return true;
      if (at(i) == "*" && i > begin &&
          are_factors(operand_before(i, begin), operand_behind(i + 1, end), target) &&
          !inside_index(i, begin))
        return true;
    }
    return false;
  }
  bool fused_factors(std::size_t begin, string_view target) const {
    const std::size_t end = partner_[begin - 1];
    std::vector<std::size_t> commas;
    for (std::size_t i = begin; i < end && i < words_.size(); ++i) {
      if (at(i) == "(" || at(i) == "[") i = partner_[i];
      if (at(i) == ",") commas.push_back(i);
    }
    return commas.size() == 2 &&
           are_factors(joined(begin, commas[0]), joined(commas[0] + 1, commas[1]), target);
  }
  bool inside_index(std::size_t i, std::size_t begin) const {
    int open = 0;
    for (std::size_t k = begin; k < i; ++k) open += at(k) == "[" ? 1 : at(k) == "]" ? -1 : 0;
    return open > 0;
  }

  Words words_;
  std::vector<std::size_t> partner_;  ///< of a bracket; the number of words: it has none
  std::vector<int> depth_;            ///< loops around a word
  std::vector<bool> header_;          ///< the word stands between a loop's keyword and its parenthesis
  std::set<string_view> indices_;
  Findings found_;
};

}  // namespace

const char *to_string(KernelPattern pattern) {
  static constexpr std::array<const char *, 8> kNames{
      "matmul", "attention", "convolution", "reduction", "normalisation", "loss", "elementwise", "other"};
  return kNames[static_cast<std::size_t>(pattern)];
}

KernelPattern pattern_of(std::string_view source) {
  const Findings found = Outline(source).run();
  const bool products = found.products > 0 || found.matrix_unit;
  const bool carries = found.sums > 0 || found.exchanged;
  if (found.loss_words && found.deepest_product <= 1 && !found.matrix_unit) return KernelPattern::loss;
  if (products && found.exponential && (found.products > 1 || found.matrix_unit))
    return KernelPattern::attention;
  const bool unshared = !found.shared && found.deepest_product >= 3;
  if (products && ((found.convolution_words && found.deepest_product >= 1) || unshared))
    return KernelPattern::convolution;
  if (products) return KernelPattern::matmul;
  if (carries && (found.root || found.exponential)) return KernelPattern::normalisation;
  if (carries) return KernelPattern::reduction;
  return source.find_first_not_of(" \t\r\n") == std::string_view::npos || found.shared
             ? KernelPattern::other
             : KernelPattern::elementwise;
}

int profile_from_depth(KernelPattern pattern) {
  switch (pattern) {
    case KernelPattern::matmul:
    case KernelPattern::attention:
    case KernelPattern::convolution:
      return 6;
    case KernelPattern::reduction:
    case KernelPattern::normalisation:
      return 5;
    case KernelPattern::loss:
      return 3;
    case KernelPattern::elementwise:
      return 2;
    case KernelPattern::other:
      break;
  }
  return 1;
}

}  // namespace cupilot
