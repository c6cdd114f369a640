// SPDX-License-Identifier: Apache-2.0
//
// A recursive-descent parser for one directive. clause_table.cpp lists the clauses; this file reads what is
// inside their parentheses. A wrong clause is reported once, and parsing goes on behind its closing
// parenthesis.

#include <set>

#include "annotate/directive/clause_table.h"
#include "annotate/directive/cursor.h"
#include "annotate/directive/directive.h"
#include "annotate/support/result.h"
#include "annotate/support/text.h"

namespace cupilot::directive {
namespace {

std::vector<std::string> names_of(auto rules) {
  std::vector<std::string> names;
  for (const auto &rule : rules) names.emplace_back(rule.name);
  return names;
}

std::vector<std::string> names_of_supported(auto rules) {
  std::vector<std::string> names;
  for (const auto &rule : rules)
    if (rule.supported) names.emplace_back(rule.name);
  return names;
}

class ClauseParser {
public:
  ClauseParser(Cursor &cursor, DirectiveKind host) : cursor_(cursor), host_(host) {}

  void all(OptimizeDirective &directive) {
    each_clause([&](const ClauseRule &rule, const Token &) { optimize_clause(rule, directive); });
  }

  void all(WorkloadDirective &directive) {
    each_clause([&](const ClauseRule &rule, const Token &word) { workload_clause(rule, word, directive); });
  }

private:
  void each_clause(auto &&parse) {
    std::set<Clause> seen;
    while (!cursor_.done()) {
      const Token word = cursor_.next();
      const ClauseRule *rule = word.kind == TokenKind::name ? find_rule(clause_rules(), word.text) : nullptr;
      if (!known(word, rule)) {
        cursor_.skip_arguments();
        continue;
      }
      if (rule->once && !seen.insert(rule->clause).second)
        cursor_.complain(word.place, "clause " + in_quotes(word.text) + " appears twice", "keep one of them");
      if (rule->takes_arguments) {
        arguments(word, *rule, parse);
        continue;
      }
      parse(*rule, word);
      if (!cursor_.is("(")) continue;
      cursor_.complain(cursor_.peek().place, "clause " + in_quotes(word.text) + " takes no arguments",
                       "write " + std::string(rule->usage));
      cursor_.skip_arguments();
    }
  }

  bool known(const Token &word, const ClauseRule *rule) {
    const std::string host = host_ == DirectiveKind::optimize ? "optimize" : "workload";
    if (!rule) {
      const bool comma = word.text == ",";
      cursor_.complain(
          word.place,
          (word.kind == TokenKind::name ? "unknown clause " : "unexpected ") + in_quotes(word.text),
          comma ? "clauses are separated by blanks" : did_you_mean(word.text, clause_names(host_)));
    } else if (rule->host != host_) {
      cursor_.complain(
          word.place, "clause " + in_quotes(word.text) + " does not belong to 'cupilot " + host + "'",
          "move it to '#pragma cupilot " +
              std::string(rule->host == DirectiveKind::optimize ? "optimize" : "workload") + "'");
    } else if (!rule->supported) {
      cursor_.complain(word.place, "clause " + in_quotes(word.text) + " is not supported yet",
                       "remove it; known here: " + list(clause_names(host_)));
    } else {
      return true;
    }
    return false;
  }

  static std::string list(const std::vector<std::string> &words) {
    std::string text;
    for (const auto &word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
  }

  /// Reads parentheses with `parse` inside. What `parse` leaves unread is an error, unless it reported one
  /// itself.
  void arguments(const Token &word, const ClauseRule &rule, auto &&parse) {
    if (!cursor_.expect("(", rule.usage)) return;
    const auto closing = cursor_.closing();
    if (!closing) {
      cursor_.complain(word.place, "the parenthesis of " + in_quotes(word.text) + " is never closed",
                       "write " + std::string(rule.usage));
      while (!cursor_.done()) cursor_.next();
      return;
    }
    failed_ = false;
    parse(rule, word);
    if (!failed_ && !cursor_.is(")"))
      cursor_.complain(cursor_.peek().place, "unexpected " + cursor_.here() + " in " + in_quotes(word.text),
                       "write " + std::string(rule.usage));
    cursor_.go_past(*closing);
  }

  void refuse(const SourcePlace &place, std::string message, std::string remedy) {
    failed_ = true;
    cursor_.complain(place, std::move(message), std::move(remedy));
  }
  bool need(std::string_view text, std::string_view usage) {
    failed_ = failed_ || !cursor_.expect(text, usage);
    return !failed_;
  }

  PlacedText single_name(const ClauseRule &rule) {
    if (cursor_.is_name()) return PlacedText(cursor_.next());
    refuse(cursor_.peek().place, "expected a name before " + cursor_.here(),
           "write " + std::string(rule.usage));
    return {};
  }

  /// An expression. It is not checked here, because the names in it are not known yet.
  PlacedText expression(std::string_view usage) {
    PlacedText text = cursor_.until_separator();
    if (text.empty())
      refuse(cursor_.peek().place, "expected an expression before " + cursor_.here(),
             "write " + std::string(usage));
    return text;
  }

  void optimize_clause(const ClauseRule &rule, OptimizeDirective &directive) {
    switch (rule.clause) {
      case Clause::name:
        directive.name = single_name(rule);
        break;
      case Clause::precision:
        precision(directive.precision);
        break;
      case Clause::assume:
        items([&] {
          PlacedText text = expression(rule.usage);
          if (!failed_) directive.assumptions.push_back(std::move(text));
        });
        break;
      case Clause::deterministic:
        directive.deterministic = true;
        break;
      default:
        CUPILOT_CHECK(!"a supported optimize clause without a parser");
    }
  }

  void precision(PrecisionEntry &entry) {
    const Token word = cursor_.next();
    const PrecisionRule *rule =
        word.kind == TokenKind::name ? find_rule(precision_rules(), word.text) : nullptr;
    if (!rule)
      return refuse(word.place, "unknown precision " + in_quotes(word.text),
                    did_you_mean(word.text, names_of(precision_rules())));
    entry.kind = rule->kind;
    entry.kind_text = PlacedText(word);
    if (cursor_.take("(")) {
      if (!cursor_.is(")")) items([&] { entry.arguments.push_back(expression(rule->usage)); });
      if (failed_ || !need(")", rule->usage)) return;
    }
    if (static_cast<int>(entry.arguments.size()) != rule->arguments)
      refuse(word.place, "wrong number of arguments for precision " + in_quotes(word.text),
             "write " + std::string(rule->usage));
  }

  void workload_clause(const ClauseRule &rule, const Token &word, WorkloadDirective &directive) {
    switch (rule.clause) {
      case Clause::check:
        directive.check = true;
        break;
      case Clause::holdout:
        directive.holdout = word.place;
        break;
      case Clause::weight:
        directive.weight = expression(rule.usage);
        break;
      case Clause::launch:
        directive.launch = launch(rule);
        break;
      case Clause::set:
        items([&] { set_entry(rule, directive); });
        break;
      case Clause::fill:
        items([&] { fill_entry(rule, directive); });
        break;
      case Clause::in:
        items([&] { buffer(rule, spec::BufferRole::in, directive); });
        break;
      case Clause::out:
        items([&] { buffer(rule, spec::BufferRole::out, directive); });
        break;
      case Clause::inout:
        items([&] { buffer(rule, spec::BufferRole::inout, directive); });
        break;
      case Clause::scratch:
        items([&] { buffer(rule, spec::BufferRole::scratch, directive); });
        break;
      default:
        CUPILOT_CHECK(!"a supported workload clause without a parser");
    }
  }

  void items(auto &&parse_one) {
    do parse_one();
    while (!failed_ && cursor_.take(","));
  }

  void set_entry(const ClauseRule &rule, WorkloadDirective &directive) {
    SetEntry entry{single_name(rule), {}};
    if (failed_ || !need("=", rule.usage)) return;
    entry.value = expression(rule.usage);
    if (!failed_) directive.set.push_back(std::move(entry));
  }

  void buffer(const ClauseRule &rule, spec::BufferRole role, WorkloadDirective &directive) {
    BufferEntry entry{single_name(rule), {}, role};
    if (failed_) return;
    if (!cursor_.take("[")) {
      const std::string name = entry.name.text();
      return refuse(entry.name.place(), "the size of " + in_quotes(name) + " is missing",
                    "write " + std::string(rule.name) + "(" + name + "[elements])");
    }
    entry.extent = expression(rule.usage);
    if (failed_ || !need("]", rule.usage)) return;
    directive.buffers.push_back(std::move(entry));
  }

  void fill_entry(const ClauseRule &rule, WorkloadDirective &directive) {
    FillEntry entry;
    entry.name = single_name(rule);
    if (failed_ || !need("=", rule.usage)) return;
    const Token word = cursor_.next();
    entry.kind_text = PlacedText(word);
    const FillRule *fill = word.kind == TokenKind::name ? find_rule(fill_rules(), word.text) : nullptr;
    if (!fill)
      return refuse(word.place, "unknown fill " + in_quotes(word.text),
                    did_you_mean(word.text, names_of_supported(fill_rules())));
    if (!fill->supported)
      return refuse(word.place, "fill " + in_quotes(word.text) + " is not supported yet",
                    "known here: " + list(names_of_supported(fill_rules())));
    entry.kind = fill->kind;
    if (cursor_.take("(")) {
      if (!cursor_.is(")")) items([&] { entry.arguments.push_back(expression(fill->usage)); });
      if (failed_ || !need(")", fill->usage)) return;
    }
    const int count = static_cast<int>(entry.arguments.size());
    if (count < fill->fewest || count > fill->most || (count == 1 && fill->most == 2))
      return refuse(word.place, "wrong number of arguments for fill " + in_quotes(word.text),
                    "write " + std::string(fill->usage));
    directive.fills.push_back(std::move(entry));
  }

  LaunchEntry launch(const ClauseRule &rule) {
    LaunchEntry entry;
    entry.place = cursor_.peek().place;
    dimensions(rule, entry.grid);
    if (failed_ || !need(",", rule.usage)) return entry;
    dimensions(rule, entry.block);
    if (!failed_ && cursor_.take(",")) entry.shared_bytes = expression(rule.usage);
    return entry;
  }

  /// `expression` or `dim3(x [, y [, z]])`.
  void dimensions(const ClauseRule &rule, std::array<PlacedText, 3> &sizes) {
    if (!cursor_.take("dim3")) {
      sizes[0] = expression(rule.usage);
      return;
    }
    if (!need("(", "dim3(x, y, z)")) return;
    std::size_t count = 0;
    do {
      if (count == 3)
        return refuse(cursor_.peek().place, "dim3 has at most three sizes", "write dim3(x, y, z)");
      sizes[count++] = expression("dim3(x, y, z)");
    } while (!failed_ && cursor_.take(","));
    if (!failed_) need(")", "dim3(x, y, z)");
  }

  Cursor &cursor_;
  DirectiveKind host_;
  bool failed_ = false;  ///< in the clause being read
};

}  // namespace

std::optional<Directive> parse_directive(const std::vector<Token> &tokens, const SourcePlace &place,
                                         std::vector<Diagnostic> &diagnostics) {
  Cursor cursor(tokens, place, diagnostics);
  const Token word = cursor.next();
  const DirectiveRule *rule = find_rule(directive_rules(), word.text);
  if (!rule || !rule->supported) {
    const std::string message = rule ? "directive " + in_quotes(word.text) + " is not supported yet"
                                : word.text.empty() ? "a directive is missing after 'cupilot'"
                                                    : "unknown directive " + in_quotes(word.text);
    cursor.complain(word.place, message,
                    rule ? "describe the data with workload clauses"
                         : did_you_mean(word.text, names_of_supported(directive_rules())));
    return std::nullopt;
  }
  ClauseParser clauses(cursor, rule->kind);
  Directive directive;
  if (rule->kind == DirectiveKind::optimize) {
    OptimizeDirective optimize;
    optimize.place = place;
    clauses.all(optimize);
    directive.what = std::move(optimize);
  } else {
    WorkloadDirective workload;
    workload.place = place;
    if (cursor.take("(")) {
      const auto closing = cursor.closing();
      if (cursor.is_name()) workload.id = PlacedText(cursor.next());
      if (!workload.id || !cursor.is(")"))
        cursor.complain(cursor.peek().place, "expected a name in parentheses before " + cursor.here(),
                        "write workload(small)");
      cursor.go_past(closing.value_or(tokens.size() - 1));
    }
    clauses.all(workload);
    directive.what = std::move(workload);
  }
  directive.broken = cursor.complained();
  return directive;
}

}  // namespace cupilot::directive
