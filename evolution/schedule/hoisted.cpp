// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/hoisted.h"

#include <fmt/format.h>

#include <algorithm>

#include "annotate/spec/lifted_text.h"
#include "annotate/spec/polynomial.h"
#include "evolution/schedule/access.h"
#include "evolution/schedule/frame.h"

namespace cupilot::schedule {

using spec::Expr;
using spec::ExprKind;
using spec::Polynomial;
using spec::Statement;
using spec::StatementKind;

namespace {

/// Whether something is the same in all iterations of the loop.
bool stays(const Expr &expr, const Statement &loop) {
  bool same = !spec::mentions(expr, loop.name) && !has_load(expr);
  spec::visit_statements(loop.body, [&](const Statement &one) {
    same = same && (one.name.empty() || !spec::mentions(expr, one.name));
  });
  return same;
}

/// Whether it is a quotient whose divisor stays the same, and is not known without computing it.
bool divides_by_same(const Expr &part, const Statement &loop) {
  if (part.kind != ExprKind::binary || part.text != "/" || part.parts[1].type != part.type ||
      (part.type != "float" && part.type != "double"))
    return false;
  bool computed = false;
  spec::visit(part.parts[1],
              [&](const Expr &inner) { computed = computed || inner.kind == ExprKind::value; });
  return computed && stays(part.parts[1], loop);
}

}  // namespace

std::optional<std::pair<std::string, Expr>> RowPointers::split(const std::string &buffer, const Expr &index) {
  const Polynomial all = Polynomial::of(index), begin = all.without(loop_.name);
  const auto step = all.coefficient(loop_.name);
  if (!step || step->is_zero() || begin.is_zero() || !stays(begin.expr(), loop_) ||
      !stays(step->expr(), loop_))
    return std::nullopt;
  const std::string key = buffer + " + " + long_text(begin.expr());
  auto known = std::ranges::find(rows_, key, &std::pair<std::string, std::string>::first);
  if (known == rows_.end())
    known =
        rows_.insert(rows_.end(), {key, fmt::format("${}_row{}{}", buffer, suffix_,
                                                    rows_.empty() ? "" : fmt::format("_{}", rows_.size()))});
  Expr rest = spec::named(ExprKind::axis, loop_.name, loop_.type);
  if (step->value() != 1)
    rest = spec::binary("*", Expr{ExprKind::cast, "size_t", "size_t", {rest}}, step->expr(), "size_t");
  return std::pair(known->second, std::move(rest));
}

std::string RowPointers::text() const {
  std::string text;
  for (const auto &[begin, name] : rows_) text += fmt::format("auto *const {} = {};\n", name, begin);
  return text;
}

void RowPointers::use_in(Statement &loop, const spec::KernelSpec &spec) {
  spec::replace_all(loop.body, [&](const Expr &part) -> std::optional<Expr> {
    if (part.kind != ExprKind::load || find_parameter(spec, part.text) == nullptr) return std::nullopt;
    const auto row = split(part.text, part.parts[0]);
    return row ? std::optional(spec::load(row->first, row->second, part.type)) : std::nullopt;
  });
  const auto stores = [&](auto &&self, std::vector<Statement> &list) -> void {
    for (Statement &one : list) {
      if (one.kind == StatementKind::store && find_parameter(spec, one.name) != nullptr)
        if (auto row = split(one.name, one.index)) one.name = row->first, one.index = row->second;
      self(self, one.body);
      self(self, one.otherwise);
    }
  };
  stores(stores, loop.body);
}

std::vector<std::string> divisors_of(const Statement &loop) {
  std::vector<std::string> found;
  for (const Statement &one : loop.body)
    spec::visit(one, [&](const Expr &part) {
      if (!divides_by_same(part, loop)) return;
      const std::string text = spec::to_text(part.parts[1]);
      if (std::ranges::find(found, text) == found.end()) found.push_back(text);
    });
  return found;
}

std::string invert(Statement &loop) {
  const std::vector<std::string> all = divisors_of(loop);
  if (all.empty()) return "";
  std::string text;
  const Statement original = loop;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < all.size(); ++i) {
    names.push_back(i == 0 ? "$inverse" : fmt::format("$inverse{}", i));
    text += fmt::format(fmt::runtime(all[i].find(' ') == std::string::npos ? "const auto {} = 1 / {};\n"
                                                                           : "const auto {} = 1 / ({});\n"),
                        names.back(), all[i]);
  }
  spec::replace_all(loop.body, [&](const Expr &part) -> std::optional<Expr> {
    if (!divides_by_same(part, original)) return std::nullopt;
    const auto at = std::ranges::find(all, spec::to_text(part.parts[1])) - all.begin();
    const Expr inverse{ExprKind::value, names[static_cast<std::size_t>(at)], part.type, {}},
        chosen{ExprKind::value, "kInverse != 0", "bool", {}};
    return Expr{ExprKind::select,
                "",
                part.type,
                {chosen, spec::binary("*", part.parts[0], inverse, part.type), part}};
  });
  return text;
}

}  // namespace cupilot::schedule
