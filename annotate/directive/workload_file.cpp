// SPDX-License-Identifier: Apache-2.0

#include "annotate/directive/workload_file.h"

#include <utility>

#include "annotate/directive/clause_table.h"
#include "annotate/directive/literal.h"
#include "annotate/directive/source_lexer.h"

namespace cupilot::directive {
namespace {

constexpr std::string_view kFirstWord = "workload";

TokenKind kind_of(const RawToken &raw, std::string_view text) {
  if (raw.identifier) return TokenKind::name;
  const char first = text[0];
  const bool number = is_digit(first) || (first == '.' && text.size() > 1 && is_digit(text[1]));
  return number ? TokenKind::number : first == '"' ? TokenKind::string : TokenKind::punctuation;
}

class Reader {
public:
  Reader(std::string_view text, const std::string &path, std::vector<Diagnostic> &diagnostics)
      : text_(text), path_(path), lines_(text), diagnostics_(diagnostics) {}

  std::vector<WorkloadDirective> run() {
    for (const RawToken &raw : lex_source(text_).tokens) {
      const Token token = placed(raw);
      if (token.place.column == 1 || !begun_) begin(token);
      if (!skipping_) tokens_.push_back(token);
    }
    end();
    return std::move(workloads_);
  }

private:
  Token placed(const RawToken &raw) const {
    const auto line = lines_.line(raw.begin);
    const std::string_view word = text_.substr(raw.begin, raw.end - raw.begin);
    const bool blank = raw.begin > 0 && (text_[raw.begin - 1] == ' ' || text_[raw.begin - 1] == '\t');
    return {kind_of(raw, word), std::string(word),
            SourcePlace{path_, line, static_cast<int>(raw.begin - lines_.line_begin(line)) + 1}, blank};
  }

  /// A line that is not indented.
  void begin(const Token &first) {
    end();
    begun_ = true;
    skipping_ = first.place.column != 1 || first.text != kFirstWord;
    if (skipping_)
      diagnostics_.push_back({Severity::error, first.place,
                              "expected 'workload' instead of " + in_quotes(first.text), "",
                              "a line that goes on with a workload is indented"});
  }

  void end() {
    if (tokens_.empty()) return;
    auto directive = parse_directive(tokens_, tokens_.front().place, diagnostics_);
    tokens_.clear();
    if (directive && !directive->broken)
      workloads_.push_back(std::get<WorkloadDirective>(std::move(directive->what)));
  }

  std::string_view text_;
  const std::string &path_;
  LineIndex lines_;
  std::vector<Diagnostic> &diagnostics_;
  bool begun_ = false, skipping_ = false;
  std::vector<Token> tokens_;
  std::vector<WorkloadDirective> workloads_;
};

}  // namespace

std::vector<WorkloadDirective> read_workloads(std::string_view text, const std::string &path,
                                              std::vector<Diagnostic> &diagnostics) {
  return Reader(text, path, diagnostics).run();
}

}  // namespace cupilot::directive
