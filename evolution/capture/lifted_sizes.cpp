// SPDX-License-Identifier: Apache-2.0

#include "evolution/capture/lifted_sizes.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "annotate/spec/lifted_text.h"
#include "annotate/spec/polynomial.h"
#include "annotate/support/text.h"

namespace cupilot::capture {
namespace {

using spec::Expr;
using spec::ExprKind;
using spec::Polynomial;
using spec::Statement;
using spec::StatementKind;

/// The signs of all products of a polynomial whose factors are sizes: 1, -1, or 0 where they differ.
int sign_of(const Polynomial &polynomial) {
  int sign = 0;
  for (const auto &[product, count] : polynomial.terms()) {
    const int own = count < 0 ? -1 : 1;
    if (sign != 0 && own != sign) return 0;
    sign = own;
  }
  return sign;
}

class Walk {
public:
  explicit Walk(const std::vector<std::string> &names) : names_(names) {}

  void all(const std::vector<Statement> &statements) {
    for (const Statement &statement : statements) one(statement);
  }
  LiftedBuffers found;

private:
  struct Scope {
    std::string name;
    Polynomial least, most;  ///< the same of a name that stands for a value
    bool loop = true;
  };

  void one(const Statement &statement) {
    for (const Expr *expr : {&statement.value, &statement.index, &statement.begin, &statement.end})
      spec::visit(*expr, [&](const Expr &part) {
        if (part.kind != ExprKind::load) return;
        found.read.insert(part.text);
        access(part.text, part.parts[0]);
      });
    if (statement.kind == StatementKind::store || statement.kind == StatementKind::update) {
      found.written.insert(statement.name);
      if (statement.kind == StatementKind::update) found.read.insert(statement.name);
      access(statement.name, statement.index);
    }
    const auto depth = scopes_.size();
    if (statement.kind == StatementKind::loop)
      scopes_.push_back(
          {statement.name, Polynomial::of(statement.begin), Polynomial::of(statement.end) - Polynomial(1)});
    all(statement.body);
    all(statement.otherwise);
    scopes_.erase(scopes_.begin() + static_cast<std::ptrdiff_t>(depth), scopes_.end());
    if (statement.kind != StatementKind::value || !spec::is_set(statement.value)) return;
    const auto value = Polynomial::of(statement.value);
    scopes_.push_back({statement.name, value, value, false});
  }

  void access(const std::string &buffer, const Expr &index) {
    if (const auto last = largest(Polynomial::of(index)))
      found.ends[buffer].insert(text(*last + Polynomial(1)));
    else
      found.unknown.insert(buffer);
  }

  /// Loop variables and values are replaced from the innermost outwards.
  std::optional<Polynomial> largest(Polynomial index) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (!index.mentions(scope->name)) continue;
      const auto factor = index.coefficient(scope->name);
      if (!factor) return std::nullopt;
      const int sign = scope->loop ? sign_of(*factor) : 1;
      if (sign == 0) return std::nullopt;
      index = *factor * (sign > 0 ? scope->most : scope->least) + index.without(scope->name);
    }
    for (const auto &[product, count] : index.terms())
      for (const std::string &factor : product)
        if (std::ranges::find(names_, factor) == names_.end()) return std::nullopt;
    return index;
  }

  /// The factors of a product in the order of the parameters.
  std::string text(const Polynomial &size) const {
    std::string sum;
    std::vector<std::pair<Polynomial::Product, std::int64_t>> terms(size.terms().begin(), size.terms().end());
    std::ranges::stable_sort(terms, std::greater{}, [](const auto &term) { return term.first.size(); });
    for (auto &[product, count] : terms) {
      std::ranges::sort(product, {},
                        [&](const std::string &name) { return std::ranges::find(names_, name); });
      const auto times = count < 0 ? -count : count;
      if (times != 1 || product.empty()) product.insert(product.begin(), std::to_string(times));
      sum += (count < 0 ? (sum.empty() ? "-" : " - ") : sum.empty() ? "" : " + ") + join(product, " * ");
    }
    return sum.empty() ? "0" : sum;
  }

  const std::vector<std::string> &names_;
  std::vector<Scope> scopes_;
};

}  // namespace

LiftedBuffers buffers_of(const spec::Lifted &lifted, const std::vector<std::string> &names) {
  Walk walk(names);
  walk.all(lifted.body);
  return std::move(walk.found);
}

std::vector<std::string> conditions_of(const spec::Lifted &lifted) {
  std::vector<std::string> conditions;
  for (const spec::Need &need : lifted.needs) {
    const spec::Replace plain = [&](const Expr &part) -> std::optional<Expr> {
      if (part.kind == ExprKind::cast) return spec::replace(part.parts[0], plain);
      if (part.text.find('.') == std::string::npos || part.kind == ExprKind::constant) return std::nullopt;
      return spec::named(ExprKind::parameter, cupilot::replace_all(part.text, ".", "_"), part.type);
    };
    conditions.push_back(spec::to_text(spec::replace(need.condition, plain)));
  }
  return conditions;
}

}  // namespace cupilot::capture
