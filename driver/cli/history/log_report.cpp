// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/history/log_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "annotate/spec/json_convert.h"
#include "annotate/support/text.h"
#include "driver/cli/report/output_fields.h"
#include "driver/cli/run/budget.h"
#include "driver/cli/text/figures.h"
#include "driver/cli/text/table.h"
#include "driver/cli/text/unified_diff.h"
#include "evolution/store/store_fields.h"

namespace cupilot::cli::history {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kLeastText = 16;

std::string score_text(double score, bool estimated) {
  if (score == 0) return "-";
  return estimated ? text::estimate_text(score) : text::speedup_text(score);
}

std::string factor_text(double factor) {
  return factor > 0 ? fmt::format("{:.2f}x", factor) : "-";
}

bool is_estimated(const RunView &run) {
  return run.run.info.executor == store::kCpuExecutor;
}

std::string verdict_word(const IndividualView &one) {
  if (!one.verdict) return one.confirmation ? model::to_string(one.confirmation->kind) : "not judged";
  std::string word = model::to_string(one.verdict->kind);
  if (one.confirmation)
    word += one.confirmation->kind == model::VerdictKind::faster ? ", confirmed" : ", not confirmed";
  return word;
}

std::string cost_text(double usd, long long tokens) {
  if (usd > 0) return run::money_text(usd);
  return tokens > 0 ? run::tokens_text(tokens) + " tok." : "-";
}

std::string knobs_text(const std::vector<model::Knob> &knobs) {
  std::string text;
  for (const auto &knob : knobs)
    text += (text.empty() ? "" : " ") + knob.name + "=" + std::to_string(knob.value);
  return text;
}

const IndividualView *find_individual(const RunView &run, const std::string &id) {
  const auto found = std::ranges::find_if(run.individuals,
                                          [&](const IndividualView &one) { return one.individual.id == id; });
  return found == run.individuals.end() ? nullptr : &*found;
}

/// How it differs from its base: by other strategies, with the text of the last one, or by knobs.
std::string difference_text(const RunView &run, const IndividualView &one) {
  if (!one.repair_of.empty()) return "repaired";
  const auto *parent =
      one.individual.parents.empty() ? nullptr : find_individual(run, one.individual.parents[0]);
  if (parent && parent->individual.strategies == one.individual.strategies && !one.individual.knobs.empty())
    return knobs_text(one.individual.knobs);
  auto text = join(one.individual.strategies, " + ");
  const auto title = strategy_title(one.individual.strategy_text);
  if (!title.empty() && title != text) text += (text.empty() ? "" : ": ") + title;
  if (one.individual.parents.size() > 1) text += " (and " + one.individual.parents[1] + ")";
  return text;
}

std::string heading(const RunView &run) {
  const auto &info = run.run.info;
  auto text = fmt::format("{} ({}, {}), policy {}, seed {}\n  started {}", info.kernel, info.architecture,
                          info.executor == store::kCpuExecutor ? "estimated on the CPU" : "measured",
                          info.policy, info.seed, run.run.started.substr(0, 16));
  if (run.run.starts > 1) text += fmt::format(", {} starts", run.run.starts);
  text += run.run.finished.empty() ? "; running, or stopped before its end" : "; ended: " + run.run.outcome;
  return text + "\n";
}

std::string counts_text(const RunView &run) {
  std::map<model::VerdictKind, std::size_t> counts;
  const IndividualView *best = nullptr;
  for (const auto &one : run.individuals) {
    if (one.verdict) ++counts[one.verdict->kind];
    if (score_of(one.verdict) > (best ? score_of(best->verdict) : 0)) best = &one;
  }
  std::string kinds;
  for (const auto &[kind, count] : counts)
    kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", count, model::to_string(kind));
  auto text =
      fmt::format("  {} individual{}", run.individuals.size(), run.individuals.size() == 1 ? "" : "s");
  if (!kinds.empty()) text += " (" + kinds + ")";
  if (best)
    text += fmt::format("; best {} {}", best->individual.id,
                        score_text(score_of(best->verdict), is_estimated(run)));
  double usd = 0;
  long long tokens = 0;
  for (const auto &total : role_totals(run.calls))
    usd += total.usd, tokens += total.tokens_in + total.tokens_out;
  if (tokens > 0 || usd > 0)
    text += fmt::format("; models: {} tokens, {}", run::tokens_text(tokens), run::money_text(usd));
  return text + "\n";
}

std::string lineage_text(const RunView &run) {
  const auto rows = lineage(run);
  if (rows.empty()) return "";
  std::size_t names = 12, words = 10;
  for (const auto &row : rows) {
    names = std::max(names, text::display_width(row.branch + row.one->individual.id));
    words = std::max(words, verdict_word(*row.one).size());
  }
  const std::size_t others = 2 + names + words + 12 + 5 + 9 + 5 * 2;
  const std::size_t room = others + kLeastText < kWidth ? kWidth - others : kLeastText;
  text::Table table({{"  individual"},
                     {"strategies"},
                     {"verdict"},
                     {is_estimated(run) ? "est." : "speed-up", text::Align::right},
                     {"fixes", text::Align::right},
                     {"cost", text::Align::right}});
  for (const auto &row : rows) {
    const auto &one = *row.one;
    table.add({"  " + row.branch + one.individual.id, cut(difference_text(run, one), room), verdict_word(one),
               score_text(score_of(one.verdict), is_estimated(run)),
               one.fixes ? std::to_string(one.fixes) : "-", cost_text(one.usd, one.tokens)});
  }
  return "\n" + table.text();
}

std::string strategies_table(const RunView &run) {
  const auto list = strategies_of(run);
  if (list.empty()) return "";
  std::size_t names = 8;
  for (const auto &one : list) names = std::max(names, one.id.size());
  const std::size_t others = 2 + names + 5 + 7 + 6 + 12 + 9 + 8 + 7 * 2;
  const std::size_t room = others + kLeastText < kWidth ? kWidth - others : kLeastText;
  text::Table table({{"  strategy"},
                     {"tried", text::Align::right},
                     {"correct", text::Align::right},
                     {"faster", text::Align::right},
                     {"best", text::Align::right},
                     {"predicted", text::Align::right},
                     {"observed", text::Align::right},
                     {"title"}});
  for (const auto &one : list)
    table.add({"  " + one.id, std::to_string(one.tried), std::to_string(one.correct),
               std::to_string(one.faster), score_text(one.best, is_estimated(run)),
               factor_text(one.predicted), factor_text(one.observed), cut(one.title, room)});
  return "\n" + table.text();
}

const store::RoleCall *find_call(const RunView &run, std::int64_t id) {
  const auto found = std::ranges::find(run.calls, id, &store::RoleCall::id);
  return found == run.calls.end() ? nullptr : &*found;
}

std::string titled(const std::string &title, const std::string &text) {
  if (trim(text).empty()) return "";
  return "\n==== " + title + " ====\n" + text + (text.ends_with('\n') ? "" : "\n");
}

std::string state_text(const store::RoleCall &call) {
  if (call.state == store::RoleCall::State::asked) return "no answer yet, or lost";
  return call.failure.empty() ? "answered" : "failed: " + call.failure;
}

std::string call_text(const store::RoleCall &call) {
  const auto model = call.model.empty() ? "" : " (" + call.model + ")";
  auto text = titled(fmt::format("question {}: {} to {}{}, {}; {}, {:.1f} s", call.id, call.prompt_version,
                                 call.provider, model, state_text(call),
                                 cost_text(call.price_usd, call.tokens_in + call.tokens_out), call.seconds),
                     call.prompt.empty() ? call.content : call.prompt);
  return text + titled(fmt::format("answer {}", call.id), call.answer);
}

/// Its base: the first parent, else the original.
struct Base {
  std::string name, text;
};
Base base_of(const ShownIndividual &shown) {
  const auto &parents = shown.one.individual.parents;
  if (!parents.empty())
    for (const auto &other : shown.run.individuals)
      if (other.individual.id == parents[0]) return {parents[0], other.individual.variant};
  return {"original", shown.original};
}

std::string workloads_table(const model::Verdict &verdict) {
  if (!verdict.estimates.empty()) {
    text::Table table({{"workload"},
                       {"original est. µs", text::Align::right},
                       {"tuned est. µs", text::Align::right},
                       {"est."}});
    for (const auto &e : verdict.estimates)
      table.add({e.workload, text::time_text(e.original.time_us), text::time_text(e.candidate.time_us),
                 text::estimate_text(e)});
    return table.text();
  }
  if (verdict.measurements.empty()) return "";
  text::Table table({{"workload"},
                     {"original µs", text::Align::right},
                     {"tuned µs", text::Align::right},
                     {"speed-up"},
                     {"verdict"},
                     {"copy bandwidth", text::Align::right}});
  for (const auto &m : verdict.measurements)
    table.add({m.workload, text::time_text(m.original.median_us), text::time_text(m.candidate.median_us),
               text::speedup_text(m), model::to_string(m.verdict), text::share_text(m.bandwidth_share)});
  return table.text();
}

std::string verdict_part(const std::string &title, const std::optional<model::Verdict> &verdict) {
  if (!verdict) return "";
  auto text = fmt::format("{} (stage {})", model::to_string(verdict->kind), verdict->stage);
  if (!verdict->reason.empty()) text += ": " + verdict->reason;
  text += "\n" + workloads_table(*verdict);
  if (!verdict->build.log.empty()) text += "compiler: " + verdict->build.log + "\n";
  return titled(title, text);
}

constexpr auto kJudgedForm =
    fields(field("verdict", &model::Verdict::kind), field("stage", &model::Verdict::stage),
           field("reason", &model::Verdict::reason), computed("speedup", &model::overall_speedup),
           computed("estimate", &model::overall_estimate),
           field("measurements", &model::Verdict::measurements, report::kMeasurementForm),
           inlined(&model::Verdict::build, fields(field("build_log", &model::BuildReport::log))),
           report::sparse_list("estimates", &model::Verdict::estimates, report::kEstimateForm));

std::optional<model::VerdictKind> kind_of(const std::optional<model::Verdict> &verdict) {
  if (!verdict) return std::nullopt;
  return verdict->kind;
}
report::Json knob_values(const model::Individual &one) {
  report::Json values = report::Json::object();
  for (const auto &knob : one.knobs) values[knob.name] = knob.value;
  return values;
}

constexpr auto kIndividualForm = fields(
    inlined(&IndividualView::individual,
            fields(field("id", &model::Individual::id), field("parents", &model::Individual::parents))),
    field("repair_of", &IndividualView::repair_of),
    inlined(&IndividualView::individual,
            fields(field("strategies", &model::Individual::strategies),
                   computed("title",
                            [](const model::Individual &one) { return strategy_title(one.strategy_text); }),
                   computed("knobs", &knob_values), field("provider", &model::Individual::provider),
                   field("model", &model::Individual::model), field("questions", &model::Individual::calls))),
    field("fixes", &IndividualView::fixes), field("usd", &IndividualView::usd),
    field("tokens", &IndividualView::tokens), field("predicted", &IndividualView::predicted),
    field("observed", &IndividualView::observed),
    computed("verdict", [](const IndividualView &view) { return kind_of(view.verdict); }),
    computed("reason", [](const IndividualView &view) { return view.verdict ? view.verdict->reason : ""; }),
    computed(
        "speedup",
        [](const IndividualView &view) { return view.verdict ? model::overall_speedup(*view.verdict) : 0; }),
    computed(
        "estimate",
        [](const IndividualView &view) { return view.verdict ? model::overall_estimate(*view.verdict) : 0; }),
    computed("confirmed", [](const IndividualView &view) { return kind_of(view.confirmation); }));

constexpr auto kCallForm = fields(
    field("id", &store::RoleCall::id), field("role", &store::RoleCall::role),
    field("prompt_version", &store::RoleCall::prompt_version), field("provider", &store::RoleCall::provider),
    field("model", &store::RoleCall::model), field("request_id", &store::RoleCall::request_id),
    field("state", &store::RoleCall::state), field("failure", &store::RoleCall::failure),
    field("prefix", &store::RoleCall::prefix),
    computed("prompt",
             [](const store::RoleCall &call) { return call.prompt.empty() ? call.content : call.prompt; }),
    field("answer", &store::RoleCall::answer), field("tokens_in", &store::RoleCall::tokens_in),
    field("tokens_cached", &store::RoleCall::tokens_cached),
    field("tokens_out", &store::RoleCall::tokens_out), field("usd", &store::RoleCall::price_usd),
    field("seconds", &store::RoleCall::seconds), field("at", &store::RoleCall::at));

constexpr auto kStrategyForm =
    fields(field("id", &StrategyView::id), field("title", &StrategyView::title),
           field("tried", &StrategyView::tried), field("correct", &StrategyView::correct),
           field("faster", &StrategyView::faster), field("best", &StrategyView::best),
           field("predicted", &StrategyView::predicted), field("observed", &StrategyView::observed));

constexpr auto kRunForm = fields(
    inlined(
        &RunView::run,
        fields(field("id", &store::StoredRun::id),
               inlined(&store::StoredRun::info, fields(field("kernel", &store::RunInfo::kernel),
                                                       field("architecture", &store::RunInfo::architecture),
                                                       field("executor", &store::RunInfo::executor),
                                                       field("policy", &store::RunInfo::policy),
                                                       field("seed", &store::RunInfo::seed))),
               field("starts", &store::StoredRun::starts), field("started", &store::StoredRun::started),
               field("finished", &store::StoredRun::finished), field("outcome", &store::StoredRun::outcome))),
    computed("individuals",
             [](const RunView &run) { return spec::json_of(run.individuals, kIndividualForm); }),
    computed("strategies",
             [](const RunView &run) { return spec::json_of(strategies_of(run), kStrategyForm); }),
    computed("roles", [](const RunView &run) { return role_totals(run.calls); }),
    field("events", &RunView::events));

}  // namespace

std::string cut(const std::string &text, std::size_t width) {
  if (text::display_width(text) <= width) return text;
  std::string kept = text;
  while (text::display_width(kept) >= width)
    kept.pop_back();  // removes bytes up to the first byte of a character
  return kept + "…";
}

std::string role_totals_text(const std::vector<RoleTotal> &totals, const std::string &indent) {
  if (totals.empty()) return "";
  text::Table table({{indent + "role"},
                     {"model"},
                     {"questions", text::Align::right},
                     {"failed", text::Align::right},
                     {"tokens in", text::Align::right},
                     {"cached", text::Align::right},
                     {"out", text::Align::right},
                     {"cost", text::Align::right},
                     {"seconds", text::Align::right}});
  for (const auto &total : totals)
    table.add({indent + total.role, cut(total.model.empty() ? total.provider : total.model, 28),
               std::to_string(total.questions), total.failed ? std::to_string(total.failed) : "-",
               run::tokens_text(total.tokens_in), run::tokens_text(total.tokens_cached),
               run::tokens_text(total.tokens_out), run::money_text(total.usd),
               fmt::format("{:.0f}", total.seconds)});
  return table.text();
}

std::string log_text(const RunView &run) {
  const auto roles = role_totals_text(role_totals(run.calls), "  ");
  return heading(run) + counts_text(run) + lineage_text(run) + strategies_table(run) +
         (roles.empty() ? "" : "\n" + roles);
}

report::Json log_json(const RunView &run) {
  return spec::json_of(run, kRunForm);
}

std::string show_text(const ShownIndividual &shown) {
  const auto &one = shown.one.individual;
  auto text = fmt::format("{} of {} ({}, policy {})\n", one.id, shown.run.run.info.kernel,
                          shown.run.run.info.architecture, shown.run.run.info.policy);
  const auto author = one.model.empty() ? one.provider : one.provider + ", " + one.model;
  text += fmt::format("  by {}; parents: {}; strategies: {}\n", author,
                      one.parents.empty() ? "the original" : join(one.parents, ", "),
                      join(one.strategies, " + "));
  if (!one.knobs.empty()) text += "  knobs: " + knobs_text(one.knobs) + "\n";
  text += fmt::format("  {} fixes, {}; predicted {}, observed {} over its base\n", shown.one.fixes,
                      cost_text(shown.one.usd, shown.one.tokens), factor_text(shown.one.predicted),
                      factor_text(shown.one.observed));
  text += verdict_part("verdict", shown.one.verdict);
  text += verdict_part("confirmation", shown.one.confirmation);
  const bool aligned = shown.one.ordered_text != one.strategy_text;
  if (aligned) text += titled("strategy as ordered", shown.one.ordered_text);
  text += titled(aligned ? "strategy, aligned to the code" : "strategy", one.strategy_text);
  const auto base = base_of(shown);
  const auto diff = text::unified_diff(base.text, one.variant, base.name, one.id);
  text += titled("difference to " + base.name, diff.empty() ? "none\n" : diff);
  for (const auto id : one.calls)
    if (const auto *call = find_call(shown.run, id)) text += call_text(*call);
  return text;
}

report::Json show_json(const ShownIndividual &shown) {
  const auto &one = shown.one.individual;
  report::Json json = spec::json_of(shown.one, kIndividualForm);
  const auto base = base_of(shown);
  json["kernel"] = shown.run.run.info.kernel;
  json["policy"] = shown.run.run.info.policy;
  json["strategy"] = one.strategy_text;
  json["strategy_ordered"] = shown.one.ordered_text;
  json["variant"] = one.variant;
  json["base"] = base.name;
  json["diff"] = text::unified_diff(base.text, one.variant, base.name, one.id);
  json["verdict"] = spec::json_of(shown.one.verdict, kJudgedForm);
  json["confirmation"] = spec::json_of(shown.one.confirmation, kJudgedForm);
  json["questions"] = report::Json::array();
  for (const auto id : one.calls)
    if (const auto *call = find_call(shown.run, id))
      json["questions"].push_back(spec::json_of(*call, kCallForm));
  return json;
}

}  // namespace cupilot::cli::history
