// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/work.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "annotate/spec/lifted_text.h"

namespace cupilot::schedule {

using spec::Expr;
using spec::ExprKind;
using spec::Statement;
using spec::StatementKind;

namespace {

using Number = std::optional<double>;

/// How many places of an axis are looked at where they differ in how long sums are.
constexpr int kPlaces = 16;

/// Whether how often a loop runs depends on the axis.
bool limits(const std::vector<Statement> &body, const std::string &axis) {
  bool found = false;
  spec::visit_statements(body, [&](const Statement &one) {
    if (one.kind == StatementKind::loop)
      found = found || spec::mentions(one.begin, axis) || spec::mentions(one.end, axis);
  });
  return found;
}

/// `inside ? x[i] : 0`: it can be decided where the element is loaded.
bool guards(const Expr &select) {
  return select.parts[1].kind == ExprKind::load && select.parts[2].kind == ExprKind::constant;
}

class Counter {
public:
  explicit Counter(const Values &values) {
    for (const auto &[name, value] : values)
      known_[name] = std::visit([](auto number) { return static_cast<double>(number); }, value);
  }
  Number value_of(const Expr &expr) const;
  std::optional<Work> count(const std::vector<Statement> &body) {
    look(body, 1);
    return known_ends_ ? std::optional(work_) : std::nullopt;
  }

private:
  void look(const std::vector<Statement> &body, double times);
  void look(const Statement &one, double times);
  void look(const Expr &expr, double times);

  std::map<std::string, double> known_;
  Work work_;
  bool known_ends_ = true;
};

Number Counter::value_of(const Expr &expr) const {
  const auto part = [&](std::size_t i) { return value_of(expr.parts[i]); };
  switch (expr.kind) {
    case ExprKind::constant: {
      char *end = nullptr;
      const double value = std::strtod(expr.text.c_str(), &end);
      return end == expr.text.c_str() ? Number() : Number(value);
    }
    case ExprKind::parameter:
    case ExprKind::axis: {
      const auto found = known_.find(expr.text);
      return found == known_.end() ? Number() : Number(found->second);
    }
    case ExprKind::cast:
      return part(0);
    case ExprKind::unary:
      if (const Number value = part(0); value && expr.text == "-") return -*value;
      return std::nullopt;
    case ExprKind::binary: {
      const Number a = part(0), b = part(1);
      if (!a || !b) return std::nullopt;
      if (expr.text == "+") return *a + *b;
      if (expr.text == "-") return *a - *b;
      if (expr.text == "*") return *a * *b;
      if (expr.text == "/" && *b != 0) return *a / *b;
      return std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

void Counter::look(const Expr &expr, double times) {
  if (!spec::is_set(expr)) return;
  spec::visit(expr, [&](const Expr &part) {
    const bool floating = part.type == "float" || part.type == "double" ||
                          part.type.find("half") != std::string::npos ||
                          part.type.find("bfloat16") != std::string::npos;
    if (part.kind == ExprKind::call || (part.kind == ExprKind::binary && part.text == "/" && floating))
      work_.special += times;
    else if ((part.kind == ExprKind::binary && floating) || (part.kind == ExprKind::select && !guards(part)))
      work_.arithmetic += times;
  });
}

void Counter::look(const Statement &one, double times) {
  if (one.kind == StatementKind::loop) {
    const Number begin = value_of(one.begin), end = value_of(one.end), step = value_of(one.step);
    if (!begin || !end || !step || *step <= 0) {
      known_ends_ = false;
      return;
    }
    const double rounds = std::max(0.0, (*end - *begin) / *step);
    const int places = limits(one.body, one.name) ? kPlaces : 1;
    for (int place = 0; place < places; ++place) {
      known_[one.name] = *begin + (*end - *begin) * (place + 0.5) / places;
      look(one.body, times * rounds / places);
    }
    known_.erase(one.name);
    return;
  }
  look(one.value, times);
  if (one.kind == StatementKind::fold || one.kind == StatementKind::update) work_.arithmetic += times;
  look(one.body, times);
  look(one.otherwise, times);
}

void Counter::look(const std::vector<Statement> &body, double times) {
  for (const Statement &one : body) look(one, times);
}

}  // namespace

std::optional<double> value_of(const Expr &expr, const Values &values) {
  return Counter(values).value_of(expr);
}

std::optional<Work> work_of(const spec::Lifted &lifted, const Values &values) {
  return Counter(values).count(lifted.body);
}

}  // namespace cupilot::schedule
