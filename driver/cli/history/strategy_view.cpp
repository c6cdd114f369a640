// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/history/strategy_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "annotate/support/text.h"
#include "driver/cli/report/output.h"
#include "driver/cli/text/lookup.h"
#include "driver/cli/text/table.h"
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

Json tried_json(const StrategyOutcome &one) {
  return {{"kernel", one.kernel},
          {"kernel_id", one.kernel_id},
          {"architecture", one.architecture},
          {"verdict", to_string(one.verdict)},
          {"refused", one.refused},
          {"speedup", one.speedup},
          {"estimated", one.estimated},
          {"reason", one.reason},
          {"at", one.at}};
}

Json description_json(const Strategy &one, bool learned) {
  return {{"id", one.id},
          {"title", one.title},
          {"classes", one.roofline_classes},
          {"features", one.features},
          {"architectures", one.architectures},
          {"gain", one.gain},
          {"rule", one.rule},
          {"learned", learned}};
}

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
  Json list = Json::array();
  for (const StrategyRow &row : rows) {
    Json entry = description_json(row.strategy, row.learned);
    entry.update({{"wins", row.wins},
                  {"tries", row.tries},
                  {"median_speedup", row.median},
                  {"estimated_wins", row.estimated_wins},
                  {"estimated_tries", row.estimated_tries}});
    list.push_back(std::move(entry));
  }
  return {{"cupilot_strategy_list", 1}, {"strategies", list}};
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
  Json json = {{"cupilot_strategy", 1}};
  json.update(description_json(strategy, learned));
  json.update({{"needs", strategy.preconditions},
               {"steps", strategy.steps},
               {"effect", strategy.expected_effect},
               {"risk", strategy.risk},
               {"check", strategy.check},
               {"conflicts", strategy.conflicts},
               {"evidence", strategy.evidence},
               {"parents", strategy.parents},
               {"outcomes", Json::array()}});
  for (const StrategyOutcome &one : outcomes) json["outcomes"].push_back(tried_json(one));
  return json;
}

}  // namespace cupilot::cli
