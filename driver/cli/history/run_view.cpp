// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/history/run_view.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "annotate/support/text.h"
#include "evolution/provider/provider.h"
#include "evolution/strategy/strategy_text.h"

namespace cupilot::cli::history {
namespace {

/// Prompts that end in an edit of the variant count as fixes (evolution/role/prompts).
bool is_edit(const store::RoleCall &call) {
  return call.prompt_version.find("edit") != std::string::npos;
}

bool is_good(const std::optional<model::Verdict> &verdict) {
  if (!verdict) return false;
  using enum model::VerdictKind;
  return verdict->kind == faster || verdict->kind == slower || verdict->kind == same ||
         verdict->kind == unsure;
}

void add_calls(IndividualView &view, const std::map<std::int64_t, const store::RoleCall *> &calls) {
  for (const auto id : view.individual.calls) {
    const auto call = calls.find(id);
    if (call == calls.end()) continue;
    view.fixes += is_edit(*call->second) && call->second->failure.empty();
    view.usd += call->second->price_usd;
    view.tokens += call->second->tokens_in + call->second->tokens_out;
  }
}

void add_effects(std::vector<IndividualView> &views) {
  std::map<std::string, double> score;
  for (const auto &view : views) score[view.individual.id] = score_of(view.verdict);
  for (auto &view : views) {
    if (const auto strategy = strategy_in(view.ordered_text)) view.predicted = strategy->gain;
    const auto &parents = view.individual.parents;
    const double base = parents.empty() ? 1 : score[parents[0]];
    const double own = score_of(view.verdict);
    if (own > 0) view.observed = base > 0 ? own / base : own;
  }
}

bool is_prefix(const std::vector<std::int64_t> &shorter, const std::vector<std::int64_t> &longer) {
  return shorter.size() <= longer.size() &&
         std::ranges::equal(shorter, std::span(longer).first(shorter.size()));
}

/// The questions that led to an individual identify its earlier tries: a repair has the same questions,
/// followed by a diagnosis and an edit.
void find_repairs(std::vector<IndividualView> &views) {
  for (std::size_t i = 0; i < views.size(); ++i) {
    const auto &one = views[i].individual;
    if (one.calls.empty()) continue;
    for (std::size_t j = i; j-- > 0;) {
      const auto &other = views[j].individual;
      const bool same_order = other.strategies == one.strategies && other.parents == one.parents;
      if (!same_order || other.calls.empty() || !is_prefix(other.calls, one.calls)) continue;
      if (is_good(views[j].verdict)) continue;  // it needs no repair: only the knobs differ
      views[i].repair_of = other.id;
      views[j].repaired = true;
      break;
    }
  }
}

/// The id of its parent in the tree; "" at the top.
std::string above(const IndividualView &view) {
  if (!view.repair_of.empty()) return view.repair_of;
  return view.individual.parents.empty() ? "" : view.individual.parents[0];
}

class Lineage {
public:
  explicit Lineage(const RunView &run) {
    std::set<std::string> known;
    for (const auto &view : run.individuals) known.insert(view.individual.id);
    for (const auto &view : run.individuals) {
      const auto parent = above(view);
      const bool rooted = !known.contains(parent) || parent == view.individual.id;
      children_[rooted ? "" : parent].push_back(&view);
    }
  }
  std::vector<LineageRow> rows() {
    for (const auto *root : children_[""]) draw(root, "", "");
    return std::move(rows_);
  }

private:
  void draw(const IndividualView *one, const std::string &branch, const std::string &below) {
    if (!drawn_.insert(one->individual.id).second) return;
    rows_.push_back({one, branch});
    const auto &children = children_[one->individual.id];
    for (const auto *child : children) {
      const bool last = child == children.back();
      draw(child, below + (last ? "└─ " : "├─ "), below + (last ? "   " : "│  "));
    }
  }

  std::map<std::string, std::vector<const IndividualView *>> children_;
  std::set<std::string> drawn_;  // a damaged database may contain a cycle
  std::vector<LineageRow> rows_;
};

}  // namespace

double score_of(const std::optional<model::Verdict> &verdict) {
  if (!verdict || !is_good(verdict)) return 0;
  return verdict->estimates.empty() ? model::overall_speedup(*verdict) : model::overall_estimate(*verdict);
}

std::optional<model::Strategy> strategy_in(const std::string &strategy_text) {
  const auto form = strategy_text.find("cupilot-strategy ");
  if (form == std::string::npos) return std::nullopt;
  return strategy::parse_strategy(std::string_view(strategy_text).substr(form), "").strategy;
}

std::string strategy_title(const std::string &strategy_text) {
  if (const auto strategy = strategy_in(strategy_text); strategy && !strategy->title.empty())
    return strategy->title;
  for (const auto &line : split_lines(strategy_text))
    if (const auto text = trim(line); !text.empty()) return std::string(text);
  return {};
}

std::vector<RoleTotal> role_totals(const std::vector<store::RoleCall> &calls) {
  std::vector<RoleTotal> totals;
  for (const auto &call : calls) {
    if (call.provider == provider::kBuiltinProvider) continue;
    auto total = std::ranges::find_if(totals, [&](const RoleTotal &one) {
      return one.role == call.role && one.provider == call.provider && one.model == call.model;
    });
    if (total == totals.end())
      total =
          totals.insert(totals.end(), {.role = call.role, .provider = call.provider, .model = call.model});
    ++total->questions;
    const bool open = call.state == store::RoleCall::State::asked;
    total->pending += open;
    total->failed += !open && (call.state == store::RoleCall::State::failed || !call.failure.empty());
    total->tokens_in += call.tokens_in;
    total->tokens_cached += call.tokens_cached;
    total->tokens_out += call.tokens_out;
    total->usd += call.price_usd;
    total->seconds += call.seconds;
  }
  return totals;
}

Result<store::Database> open_run_database(const std::filesystem::path &run_folder) {
  const auto path = run_folder / "run.db";
  std::error_code failed;
  if (!std::filesystem::exists(path, failed))
    return user_error("nothing was tuned here yet: '" + path.string() +
                      "' is missing; 'cupilot tune' makes it");
  return store::Database::open(path);
}

Result<RunView> view_of(const store::Database &database, const store::StoredRun &run) {
  RunView view{.run = run, .individuals = {}, .calls = {}, .events = {}};
  CUPILOT_TRY(stored, database.individuals(run.id));
  CUPILOT_TRY(calls, database.role_calls(run.id));
  CUPILOT_TRY(events, database.events(run.id));
  view.calls = std::move(calls);
  view.events = std::move(events);
  std::map<std::int64_t, const store::RoleCall *> call_of;
  for (const auto &call : view.calls) call_of[call.id] = &call;
  for (auto &one : stored) {
    const auto known = std::ranges::find_if(view.individuals, [&](const IndividualView &other) {
      return other.individual.id == one.individual.id;
    });
    const bool search = one.seed == run.info.seed;
    if (known != view.individuals.end()) {
      auto &into = search ? known->verdict : known->confirmation;
      if (!into || one.verdict) into = std::move(one.verdict);
      continue;
    }
    IndividualView fresh{.individual = std::move(one.individual),
                         .ordered_text = std::move(one.ordered_text),
                         .bundle = one.bundle};
    (search ? fresh.verdict : fresh.confirmation) = std::move(one.verdict);
    add_calls(fresh, call_of);
    view.individuals.push_back(std::move(fresh));
  }
  find_repairs(view.individuals);
  add_effects(view.individuals);
  return view;
}

std::vector<LineageRow> lineage(const RunView &run) {
  return Lineage(run).rows();
}

std::vector<StrategyView> strategies_of(const RunView &run) {
  std::vector<StrategyView> list;
  for (const auto &view : run.individuals) {
    if (view.repaired) continue;
    const double score = score_of(view.verdict);
    const bool faster = view.verdict && view.verdict->kind == model::VerdictKind::faster;
    const auto &ids = view.individual.strategies;
    for (const auto &id : ids) {
      auto one = std::ranges::find(list, id, &StrategyView::id);
      if (one == list.end()) one = list.insert(list.end(), {.id = id, .title = {}});
      ++one->tried;
      one->correct += is_good(view.verdict);
      one->faster += faster;
      one->best = std::max(one->best, score);
      if (id != ids.back()) continue;
      if (one->title.empty()) one->title = strategy_title(view.individual.strategy_text);
      one->predicted = std::max(one->predicted, view.predicted);
      one->observed = std::max(one->observed, view.observed);
    }
  }
  std::ranges::stable_sort(list, std::greater<>(), &StrategyView::best);
  return list;
}

}  // namespace cupilot::cli::history
