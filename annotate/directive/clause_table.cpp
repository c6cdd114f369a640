// SPDX-License-Identifier: Apache-2.0

#include "annotate/directive/clause_table.h"

namespace cupilot::directive {
namespace {

using enum Clause;

constexpr DirectiveRule kDirectives[] = {
    {"optimize", DirectiveKind::optimize, true},
    {"workload", DirectiveKind::workload, true},
    {"harness", DirectiveKind::harness, false},
};

constexpr auto kOptimize = DirectiveKind::optimize, kWorkload = DirectiveKind::workload;

constexpr ClauseRule kClauses[] = {
    {"name", name, kOptimize, true, true, true, "name(identifier)"},
    {"precision", precision, kOptimize, true, true, true, "precision(same)"},
    {"assume", assume, kOptimize, false, true, true, "assume(n % 4 == 0)"},
    {"deterministic", deterministic, kOptimize, true, false, true, "deterministic"},
    {"instantiate", instantiate, kOptimize, false, true, false, "instantiate(T, 128)"},
    {"set", set, kWorkload, false, true, true, "set(n = 1 << 20, alpha = 0.5f)"},
    {"in", in, kWorkload, false, true, true, "in(x[n])"},
    {"out", out, kWorkload, false, true, true, "out(y[n])"},
    {"inout", inout, kWorkload, false, true, true, "inout(z[n])"},
    {"scratch", scratch, kWorkload, false, true, true, "scratch(t[n])"},
    {"fill", fill, kWorkload, false, true, true, "fill(x = normal(0, 1))"},
    {"launch", launch, kWorkload, true, true, true, "launch((n + 255) / 256, 256)"},
    {"check", check, kWorkload, true, false, true, "check"},
    {"weight", weight, kWorkload, true, true, true, "weight(2)"},
    {"holdout", holdout, kWorkload, true, false, true, "holdout"},
};

constexpr FillRule kFills[] = {
    {"normal", spec::FillKind::normal, true, 0, 2, "normal(mean, deviation)"},
    {"uniform", spec::FillKind::uniform, true, 0, 2, "uniform(low, high)"},
    {"randint", spec::FillKind::randint, true, 2, 2, "randint(low, high)"},
    {"iota", spec::FillKind::iota, true, 0, 0, "iota"},
    {"zeros", spec::FillKind::zeros, true, 0, 0, "zeros"},
    {"permutation", spec::FillKind::permutation, true, 0, 0, "permutation"},
    {"sorted", spec::FillKind::sorted, true, 2, 2, "sorted(low, high)"},
    {"file", spec::FillKind::file, true, 1, 1, "file(\"x.npy\")"},
    {"csr", spec::FillKind::automatic, false, 0, 9, "csr(...)"},
};

constexpr PrecisionRule kPrecisions[] = {
    {"same", spec::PrecisionKind::same, 0, "precision(same)"},
    {"tf32", spec::PrecisionKind::tf32, 0, "precision(tf32)"},
    {"half", spec::PrecisionKind::half, 0, "precision(half)"},
    {"bf16", spec::PrecisionKind::bf16, 0, "precision(bf16)"},
    {"relaxed", spec::PrecisionKind::relaxed, 2, "precision(relaxed(relative, absolute))"},
};

}  // namespace

std::span<const DirectiveRule> directive_rules() {
  return kDirectives;
}
std::span<const ClauseRule> clause_rules() {
  return kClauses;
}
std::span<const FillRule> fill_rules() {
  return kFills;
}
std::span<const PrecisionRule> precision_rules() {
  return kPrecisions;
}

std::string in_quotes(std::string_view word) {
  return "'" + std::string(word) + "'";
}

std::vector<std::string> clause_names(DirectiveKind host) {
  std::vector<std::string> names;
  for (const ClauseRule &rule : kClauses)
    if (rule.host == host && rule.supported) names.emplace_back(rule.name);
  return names;
}

}  // namespace cupilot::directive
