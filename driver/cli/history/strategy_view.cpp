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

namespace cupilot::cli {
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
std::string classes_text(const Strategy &strategy) {
  std::vector<std::string> words;
  for (const std::string &one : strategy.roofline_classes) words.push_back(one.substr(0, one.find('-')));
  return join(words, ", ");
}

std::string outcome_word(const StrategyOutcome &outcome) {
  if (outcome.refused) return "refused";
  return std::string(to_string(outcome.verdict)) + (outcome.estimated ? " (estimate)" : "");
}

std::string short_reason(const std::string &reason) {
  std::string line = reason.substr(0, reason.find('\n'));
  if (line.size() <= kReasonBytes) return line;
  auto end = kReasonBytes;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80) --end;  // not inside a character
  return line.substr(0, end) + "...";
}

constexpr auto kTriedForm =
    fields(field("kernel", &StrategyOutcome::kernel), field("kernel_id", &StrategyOutcome::kernel_id),
           field("architecture", &StrategyOutcome::architecture), field("verdict", &StrategyOutcome::verdict),
           field("refused", &StrategyOutcome::refused), field("speedup", &StrategyOutcome::speedup),
           field("estimated", &StrategyOutcome::estimated), field("reason", &StrategyOutcome::reason),
           field("at", &StrategyOutcome::at));
constexpr auto kDescriptionForm =
    fields(field("id", &Strategy::id), field("title", &Strategy::title),
           field("classes", &Strategy::roofline_classes), field("features", &Strategy::features),
           field("architectures", &Strategy::architectures), field("gain", &Strategy::gain),
           field("rule", &Strategy::rule));
constexpr auto kDetailsForm =
    fields(field("needs", &Strategy::preconditions), field("steps", &Strategy::steps),
           field("effect", &Strategy::expected_effect), field("risk", &Strategy::risk),
           field("check", &Strategy::check), field("conflicts", &Strategy::conflicts),
           field("evidence", &Strategy::evidence), field("parents", &Strategy::parents));
constexpr auto kRowForm = fields(
    inlined(&StrategyRow::strategy, kDescriptionForm), field("learned", &StrategyRow::learned),
    field("wins", &StrategyRow::wins), field("tries", &StrategyRow::tries),
    field("median_speedup", &StrategyRow::median), field("estimated_wins", &StrategyRow::estimated_wins),
    field("estimated_tries", &StrategyRow::estimated_tries));

}  // namespace

bool fits(const Strategy &strategy, const StrategyFilter &filter) {
  if (!filter.roofline_class.empty() && !contains(strategy.roofline_classes, filter.roofline_class))
    return false;
  if (!filter.feature.empty() && !contains(strategy.features, filter.feature)) return false;
  Strategy anywhere = strategy;
  anywhere.preconditions.clear();  // preconditions (the precision clause) depend on a kernel
  return !why_excluded(anywhere, filter.architecture, PrecisionKind::same);
}

StrategyRow row_of(const Strategy &strategy, const std::vector<StrategyOutcome> &outcomes,
                   const std::string &architecture) {
  StrategyRow row{.strategy = strategy};
  std::vector<double> speedups;
  for (const StrategyOutcome &one : outcomes) {
    const bool there =
        architecture.empty() || architecture_number(one.architecture) == architecture_number(architecture);
    if (one.strategy != strategy.id || !there) continue;
    const bool won = !one.refused && one.verdict == VerdictKind::faster;
    ++(one.estimated ? row.estimated_tries : row.tries);
    (one.estimated ? row.estimated_wins : row.wins) += won;
    if (!one.estimated && one.speedup > 0) speedups.push_back(one.speedup);
  }
  row.median = median(std::move(speedups));
  return row;
}

std::string strategies_text(const std::vector<StrategyRow> &rows) {
  if (rows.empty()) return "no strategy fits\n";
  Table table({{"strategy"}, {"bound by"}, {"gain", Align::right}, {"wins"}, {"title"}});
  for (const StrategyRow &row : rows)
    table.add({row.strategy.id, classes_text(row.strategy), fmt::format("{:.2f}x", row.strategy.gain),
               seen_text(row),
               row.strategy.title + (row.learned ? " (learned)" : "") +
                   (row.strategy.rule.empty() ? "" : " (built in)")});
  return table.text() + fmt::format("{} strategies\n", rows.size());
}

Json strategies_json(const std::vector<StrategyRow> &rows) {
  return {{"cupilot_strategy_list", 1}, {"strategies", json_of(rows, kRowForm)}};
}

std::string strategy_text(const Strategy &strategy, std::vector<StrategyOutcome> outcomes) {
  std::string text = to_text(strategy) + "\n";
  if (outcomes.empty()) return text + "no outcome in the history yet\n";
  std::ranges::stable_sort(outcomes, std::greater{}, &StrategyOutcome::at);
  Table table({{"kernel"}, {"architecture"}, {"verdict"}, {"speed-up", Align::right}, {"at"}, {"reason"}});
  for (const StrategyOutcome &one : outcomes)
    table.add({one.kernel, one.architecture, outcome_word(one),
               one.speedup > 0 ? fmt::format("{:.2f}x", one.speedup) : "", one.at, short_reason(one.reason)});
  return text + table.text();
}

Json strategy_json(const Strategy &strategy, bool learned, const std::vector<StrategyOutcome> &outcomes) {
  Json json = document_of("cupilot_strategy", 1, strategy, kDescriptionForm);
  json["learned"] = learned;
  write_members(json, strategy, kDetailsForm);
  json["outcomes"] = json_of(outcomes, kTriedForm);
  return json;
}

}  // namespace cupilot::cli
