// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/history/strategy_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "annotate/spec/json_convert.h"
#include "annotate/support/text.h"
#include "driver/cli/report/output.h"
#include "driver/cli/text/lookup.h"
#include "driver/cli/text/table.h"
#include "evolution/model/verdict_fields.h"
#include "evolution/strategy/applicability.h"
#include "evolution/strategy/strategy_text.h"

namespace cupilot::cli::history {
namespace {

constexpr std::size_t kReasonBytes = 100;

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const auto half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// "3 of 4, 1.38x; 1 of 2 estimated".
std::string seen_text(const StrategyRow &row) {
  std::string text;
  if (row.tries > 0) text = fmt::format("{} of {}", row.wins, row.tries);
  if (row.median > 0) text += fmt::format(", {:.2f}x", row.median);
  if (row.estimated_tries > 0)
    text += fmt::format("{}{} of {} estimated", text.empty() ? "" : "; ", row.estimated_wins,
                        row.estimated_tries);
  return text;
}

/// "memory, latency" of "memory-bound", "latency-bound".
std::string classes_text(const model::Strategy &strategy) {
  std::vector<std::string> words;
  for (const std::string &one : strategy.roofline_classes) words.push_back(one.substr(0, one.find('-')));
  return join(words, ", ");
}

std::string outcome_word(const model::StrategyOutcome &outcome) {
  if (outcome.refused) return "refused";
  return std::string(model::to_string(outcome.verdict)) + (outcome.estimated ? " (estimate)" : "");
}

std::string short_reason(const std::string &reason) {
  std::string line = reason.substr(0, reason.find('\n'));
  if (line.size() <= kReasonBytes) return line;
  auto end = kReasonBytes;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80) --end;  // not inside a character
  return line.substr(0, end) + "...";
}

constexpr auto kTriedForm = fields(
    field("kernel", &model::StrategyOutcome::kernel), field("kernel_id", &model::StrategyOutcome::kernel_id),
    field("architecture", &model::StrategyOutcome::architecture),
    field("verdict", &model::StrategyOutcome::verdict), field("refused", &model::StrategyOutcome::refused),
    field("speedup", &model::StrategyOutcome::speedup),
    field("estimated", &model::StrategyOutcome::estimated), field("reason", &model::StrategyOutcome::reason),
    field("at", &model::StrategyOutcome::at));
constexpr auto kDescriptionForm = fields(
    field("id", &model::Strategy::id), field("title", &model::Strategy::title),
    field("classes", &model::Strategy::roofline_classes), field("features", &model::Strategy::features),
    field("architectures", &model::Strategy::architectures), field("gain", &model::Strategy::gain),
    field("rule", &model::Strategy::rule));
constexpr auto kDetailsForm =
    fields(field("needs", &model::Strategy::preconditions), field("steps", &model::Strategy::steps),
           field("effect", &model::Strategy::expected_effect), field("risk", &model::Strategy::risk),
           field("check", &model::Strategy::check), field("conflicts", &model::Strategy::conflicts),
           field("evidence", &model::Strategy::evidence), field("parents", &model::Strategy::parents));
constexpr auto kRowForm = fields(
    inlined(&StrategyRow::strategy, kDescriptionForm), field("learned", &StrategyRow::learned),
    field("wins", &StrategyRow::wins), field("tries", &StrategyRow::tries),
    field("median_speedup", &StrategyRow::median), field("estimated_wins", &StrategyRow::estimated_wins),
    field("estimated_tries", &StrategyRow::estimated_tries));

}  // namespace

bool fits(const model::Strategy &strategy, const StrategyFilter &filter) {
  if (!filter.roofline_class.empty() && !text::contains(strategy.roofline_classes, filter.roofline_class))
    return false;
  if (!filter.feature.empty() && !text::contains(strategy.features, filter.feature)) return false;
  model::Strategy anywhere = strategy;
  anywhere.preconditions.clear();  // preconditions (the precision clause) depend on a kernel
  return !strategy::why_excluded(anywhere, filter.architecture, spec::PrecisionKind::same);
}

StrategyRow row_of(const model::Strategy &strategy, const std::vector<model::StrategyOutcome> &outcomes,
                   const std::string &architecture) {
  StrategyRow row{.strategy = strategy};
  std::vector<double> speedups;
  for (const model::StrategyOutcome &one : outcomes) {
    const bool there = architecture.empty() || strategy::architecture_number(one.architecture) ==
                                                   strategy::architecture_number(architecture);
    if (one.strategy != strategy.id || !there) continue;
    const bool won = !one.refused && one.verdict == model::VerdictKind::faster;
    ++(one.estimated ? row.estimated_tries : row.tries);
    (one.estimated ? row.estimated_wins : row.wins) += won;
    if (!one.estimated && one.speedup > 0) speedups.push_back(one.speedup);
  }
  row.median = median(std::move(speedups));
  return row;
}

std::string strategies_text(const std::vector<StrategyRow> &rows) {
  if (rows.empty()) return "no strategy fits\n";
  text::Table table({{"strategy"}, {"bound by"}, {"gain", text::Align::right}, {"wins"}, {"title"}});
  for (const StrategyRow &row : rows)
    table.add({row.strategy.id, classes_text(row.strategy), fmt::format("{:.2f}x", row.strategy.gain),
               seen_text(row),
               row.strategy.title + (row.learned ? " (learned)" : "") +
                   (row.strategy.rule.empty() ? "" : " (built in)")});
  return table.text() + fmt::format("{} strategies\n", rows.size());
}

report::Json strategies_json(const std::vector<StrategyRow> &rows) {
  return {{"cupilot_strategy_list", 1}, {"strategies", spec::json_of(rows, kRowForm)}};
}

std::string strategy_text(const model::Strategy &strategy, std::vector<model::StrategyOutcome> outcomes) {
  std::string text = strategy::to_text(strategy) + "\n";
  if (outcomes.empty()) return text + "no outcome in the history yet\n";
  std::ranges::stable_sort(outcomes, std::greater{}, &model::StrategyOutcome::at);
  text::Table table(
      {{"kernel"}, {"architecture"}, {"verdict"}, {"speed-up", text::Align::right}, {"at"}, {"reason"}});
  for (const model::StrategyOutcome &one : outcomes)
    table.add({one.kernel, one.architecture, outcome_word(one),
               one.speedup > 0 ? fmt::format("{:.2f}x", one.speedup) : "", one.at, short_reason(one.reason)});
  return text + table.text();
}

report::Json strategy_json(const model::Strategy &strategy, bool learned,
                           const std::vector<model::StrategyOutcome> &outcomes) {
  report::Json json = spec::document_of("cupilot_strategy", 1, strategy, kDescriptionForm);
  json["learned"] = learned;
  spec::write_members(json, strategy, kDetailsForm);
  json["outcomes"] = spec::json_of(outcomes, kTriedForm);
  return json;
}

}  // namespace cupilot::cli::history
