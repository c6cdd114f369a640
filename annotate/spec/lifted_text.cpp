// SPDX-License-Identifier: Apache-2.0
#include "annotate/spec/lifted_text.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <utility>

#include "annotate/support/names.h"

namespace cupilot::spec {
namespace {

// C++ precedence, greatest binds closest.
constexpr int kPrimary = 20, kUnary = 15, kSelect = 1;
constexpr std::array<std::pair<std::string_view, int>, 18> kPrecedence{{{"*", 13},
                                                                        {"/", 13},
                                                                        {"%", 13},
                                                                        {"+", 12},
                                                                        {"-", 12},
                                                                        {"<<", 11},
                                                                        {">>", 11},
                                                                        {"<", 9},
                                                                        {"<=", 9},
                                                                        {">", 9},
                                                                        {">=", 9},
                                                                        {"==", 8},
                                                                        {"!=", 8},
                                                                        {"&", 7},
                                                                        {"^", 6},
                                                                        {"|", 5},
                                                                        {"&&", 4},
                                                                        {"||", 3}}};

int precedence(const Expr &expr) {
  switch (expr.kind) {
    case ExprKind::unary:
    case ExprKind::cast:
      return kUnary;
    case ExprKind::binary:
      for (const auto &[op, level] : kPrecedence)
        if (op == expr.text) return level;
      return kSelect;
    case ExprKind::select:
      return kSelect;
    case ExprKind::constant:
      return expr.text.starts_with('-') ? kUnary : kPrimary;
    default:
      return kPrimary;
  }
}

/// A text from elsewhere that needs no parentheses: a word, a number, or something that ends in a bracket
/// which opens after its first word.
bool is_operand(const std::string &text) {
  std::size_t at = 0;
  while (at < text.size() &&
         (is_name_character(text[at]) || text[at] == '.' || text[at] == ':' || text[at] == '$'))
    ++at;
  if (at == text.size()) return true;
  if (at == 0 || (text[at] != '(' && text[at] != '[')) return false;
  int depth = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (depth == 0 && at + 1 < text.size() && text[at + 1] != '(' && text[at + 1] != '[') return false;
  }
  return true;
}

class Printer {
public:
  explicit Printer(const OwnText &own) : own_(own) {}

  std::string operator()(const Expr &expr) const {
    if (auto own = own_ ? own_(expr) : std::nullopt) return *own;
    return plain(expr);
  }

private:
  std::string at_least(const Expr &expr, int level) const {
    if (auto own = own_ ? own_(expr) : std::nullopt) return is_operand(*own) ? *own : "(" + *own + ")";
    return precedence(expr) >= level ? plain(expr) : "(" + plain(expr) + ")";
  }

  std::string arguments(const Expr &expr) const {
    std::string text;
    for (const Expr &part : expr.parts) text += (text.empty() ? "" : ", ") + (*this)(part);
    return text;
  }

  std::string plain(const Expr &expr) const {
    const int own = precedence(expr);
    switch (expr.kind) {
      case ExprKind::none:
        return "?";
      case ExprKind::load:
        return expr.text + "[" + (*this)(expr.parts[0]) + "]";
      case ExprKind::unary:
        return expr.text + at_least(expr.parts[0], kUnary + (expr.parts[0].text.starts_with('-') ? 1 : 0));
      case ExprKind::cast:
        return "(" + expr.text + ")" + at_least(expr.parts[0], kUnary);
      case ExprKind::binary:
        return at_least(expr.parts[0], own) + " " + expr.text + " " + at_least(expr.parts[1], own + 1);
      case ExprKind::call:
        return expr.text + "(" + arguments(expr) + ")";
      case ExprKind::select:
        return at_least(expr.parts[0], kSelect + 1) + " ? " + at_least(expr.parts[1], kSelect) + " : " +
               at_least(expr.parts[2], kSelect);
      case ExprKind::member:
        return at_least(expr.parts[0], kPrimary) + "." + expr.text;
      default:
        return expr.text;
    }
  }

  const OwnText &own_;
};

}  // namespace

Expr constant(std::int64_t value) {
  return {ExprKind::constant, std::to_string(value), "int", {}};
}
Expr named(ExprKind kind, std::string name, std::string type) {
  return {kind, std::move(name), std::move(type), {}};
}
Expr binary(std::string op, Expr left, Expr right, std::string type) {
  return {ExprKind::binary, std::move(op), std::move(type), {std::move(left), std::move(right)}};
}
Expr load(std::string buffer, Expr index, std::string type) {
  return {ExprKind::load, std::move(buffer), std::move(type), {std::move(index)}};
}
bool is_constant(const Expr &expr, std::int64_t value) {
  return expr.kind == ExprKind::constant && expr.text == std::to_string(value);
}
bool is_set(const Expr &expr) {
  return expr.kind != ExprKind::none;
}

void visit(const Expr &expr, const std::function<void(const Expr &)> &what) {
  what(expr);
  for (const Expr &part : expr.parts) visit(part, what);
}
void visit(const Statement &statement, const std::function<void(const Expr &)> &what) {
  for (const Expr *expr :
       {&statement.value, &statement.index, &statement.begin, &statement.end, &statement.step})
    if (is_set(*expr)) visit(*expr, what);
  for (const auto *list : {&statement.body, &statement.otherwise})
    for (const Statement &inner : *list) visit(inner, what);
}
void visit_statements(const std::vector<Statement> &statements,
                      const std::function<void(const Statement &)> &what) {
  for (const Statement &statement : statements) {
    what(statement);
    visit_statements(statement.body, what);
    visit_statements(statement.otherwise, what);
  }
}
bool mentions(const Expr &expr, std::string_view name) {
  bool found = false;
  visit(expr, [&](const Expr &part) {
    found = found || (part.text == name && (part.kind == ExprKind::axis || part.kind == ExprKind::value ||
                                            part.kind == ExprKind::parameter || part.kind == ExprKind::load));
  });
  return found;
}

bool is_of_parameters(const Expr &expr) {
  bool only = true;
  visit(expr, [&](const Expr &part) {
    only = only && part.kind != ExprKind::axis && part.kind != ExprKind::value &&
           part.kind != ExprKind::load && part.kind != ExprKind::call;
  });
  return only;
}

Expr replace(const Expr &expr, const Replace &replaced) {
  if (auto other = replaced(expr)) return *other;
  Expr copy = expr;
  for (Expr &part : copy.parts) part = replace(part, replaced);
  return copy;
}
void replace_all(std::vector<Statement> &statements, const Replace &replaced) {
  for (Statement &statement : statements) {
    for (Expr *expr : {&statement.value, &statement.index, &statement.begin, &statement.end, &statement.step})
      if (is_set(*expr)) *expr = replace(*expr, replaced);
    replace_all(statement.body, replaced);
    replace_all(statement.otherwise, replaced);
  }
}

std::string to_text(const Expr &expr, const OwnText &own) {
  return Printer(own)(expr);
}

namespace {

std::string folded(const std::string &target, const Statement &statement) {
  const bool word = is_name_character(statement.op[0]);
  return word ? target + " = " + statement.op + "(" + target + ", " + to_text(statement.value) + ")"
              : target + " " + statement.op + "= " + to_text(statement.value);
}

std::string loop_head(const Statement &loop) {
  std::string text = "for " + loop.name + " in " + to_text(loop.begin) + " .. " + to_text(loop.end);
  if (is_set(loop.step) && !is_constant(loop.step, 1)) text += " step " + to_text(loop.step);
  return text + "  (" + to_string(loop.loop) + ")";
}

std::string head_of(const Statement &statement) {
  const std::string element = statement.name + "[" + to_text(statement.index) + "]";
  switch (statement.kind) {
    case StatementKind::value:
    case StatementKind::variable:
      return statement.type + " " + statement.name +
             (is_set(statement.value) ? " = " + to_text(statement.value) : "");
    case StatementKind::assign:
      return statement.name + " = " + to_text(statement.value);
    case StatementKind::fold:
      return folded(statement.name, statement);
    case StatementKind::loop:
      return loop_head(statement);
    case StatementKind::branch:
      return "if " + to_text(statement.value);
    case StatementKind::store:
      return element + " = " + to_text(statement.value);
    case StatementKind::update:
      return folded(element, statement) + "  (many may)";
  }
  return "?";
}

}  // namespace

std::string to_text(const std::vector<Statement> &statements, int columns) {
  const std::string space(static_cast<std::size_t>(columns), ' ');
  std::string text;
  for (const Statement &statement : statements) {
    text += space + head_of(statement) + "\n" + to_text(statement.body, columns + 2);
    if (!statement.otherwise.empty()) text += space + "else\n" + to_text(statement.otherwise, columns + 2);
  }
  return text;
}

std::string to_text(const Lifted &lifted) {
  std::string text = to_text(lifted.body);
  for (const Need &need : lifted.needs) text += "needs " + to_text(need.condition) + ": " + need.why + "\n";
  for (const Apart &pair : lifted.apart) text += "needs " + pair.read + " and " + pair.written + " apart\n";
  for (const Wide &one : lifted.wide)
    text += "needs " + one.buffer + " to begin at a multiple of " + std::to_string(one.elements) +
            " elements: so many are accessed at once\n";
  return text;
}

std::optional<std::string> identity_of(const std::string &op, const std::string &type) {
  if (op == "+" || op == "|" || op == "^") return type == "float" ? "0.0f" : type == "double" ? "0.0" : "0";
  if (op == "*") return type == "float" ? "1.0f" : type == "double" ? "1.0" : "1";
  const bool floating = type == "float" || type == "double";
  if (op == "max" && floating) return "-INFINITY";
  if (op == "min" && floating) return "INFINITY";
  if (op == "&") return "-1";
  if (op == "max" && type == "unsigned long long") return "0";
  return std::nullopt;
}

Expr negated(const Expr &condition) {
  static constexpr std::array<std::pair<std::string_view, const char *>, 6> kOpposites{
      {{"<", ">="}, {">=", "<"}, {">", "<="}, {"<=", ">"}, {"==", "!="}, {"!=", "=="}}};
  if (condition.kind == ExprKind::unary && condition.text == "!") return condition.parts[0];
  const auto opposite =
      std::ranges::find(kOpposites, condition.text, &decltype(kOpposites)::value_type::first);
  const auto floating = [](const Expr &part) { return part.type == "float" || part.type == "double"; };
  if (condition.kind != ExprKind::binary || opposite == kOpposites.end() ||
      std::ranges::any_of(condition.parts, floating))
    return {ExprKind::unary, "!", "bool", {condition}};
  return binary(opposite->second, condition.parts[0], condition.parts[1], "bool");
}

std::vector<Expr> conjuncts(const Expr &condition) {
  const auto is = [](const Expr &expr, const char *op) {
    return expr.kind == ExprKind::binary && expr.text == op;
  };
  const bool denied = condition.kind == ExprKind::unary && condition.text == "!";
  if (condition.kind == ExprKind::cast && condition.parts[0].type == "bool")
    return conjuncts(condition.parts[0]);
  if (is(condition, "&&") || (denied && is(condition.parts[0], "||"))) {
    std::vector<Expr> all;
    for (const Expr &part : denied ? condition.parts[0].parts : condition.parts)
      std::ranges::move(conjuncts(denied ? negated(part) : part), std::back_inserter(all));
    return all;
  }
  const bool stays = !denied || (negated(condition.parts[0]).text == "!" && condition.parts[0].text != "!");
  return stays ? std::vector{condition} : conjuncts(negated(condition.parts[0]));
}

Expr conjunction(const std::vector<Expr> &conditions) {
  Expr all = conditions.front();
  for (std::size_t i = 1; i < conditions.size(); ++i) all = binary("&&", all, conditions[i], "bool");
  return all;
}

bool is_identity(const std::string &op, const Expr &value) {
  const std::string text = to_text(value);
  const auto number = [&](double wanted) {
    char *end = nullptr;
    const double got = std::strtod(text.c_str(), &end);
    return end != text.c_str() && end + (*end == 'f' || *end == 'F') == text.c_str() + text.size() &&
           got == wanted;
  };
  if (op == "+" || op == "|" || op == "^") return number(0);
  if (op == "*") return number(1);
  // What is larger than any share is folded as often as one likes.
  return op == "max" || op == "min" || (op == "&" && number(-1));
}

}  // namespace cupilot::spec
