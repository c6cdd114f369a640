// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/tune/summary.h"

#include <fmt/format.h>
#include <algorithm>

#include "annotate/spec/json_convert.h"
#include "driver/cli/history/log_report.h"
#include "driver/cli/report/evidence.h"
#include "driver/cli/report/finalist_line.h"
#include "driver/cli/report/output_fields.h"
#include "driver/cli/run/budget.h"
#include "driver/cli/run/progress_printer.h"
#include "driver/cli/text/figures.h"
#include "driver/cli/text/table.h"

namespace cupilot::cli {
namespace {

constexpr const char *kGoOn = "; run it again to continue";

std::string without_record(const TuneOutcome &outcome) {
  if (outcome.winner)
    return std::string(outcome.winner->verdict.estimates.empty() ? "" : "estimated ") +
           "faster; not published (--no-publish)";
  const bool found = outcome.interrupted && outcome.best;
  if (found) {
    const Verdict &best = outcome.best->verdict;
    const auto figure =
        best.estimates.empty() ? speedup_text(overall_speedup(best)) : estimate_text(overall_estimate(best));
    return "interrupted, best so far " + figure + " not confirmed" + kGoOn;
  }
  if (outcome.interrupted) return std::string("interrupted") + kGoOn;
  if (outcome.judged + outcome.resumed == 0) return "no strategy applies; nothing published";
  return "nothing faster found; nothing published";
}

std::string result_words(const TuneEntry &entry) {
  if (!entry.error.empty()) return "failed: " + entry.error;
  if (entry.publication) return describe(*entry.publication);
  return entry.outcome ? without_record(*entry.outcome) : std::string("interrupted before it began") + kGoOn;
}

bool estimated(const std::vector<TuneEntry> &entries) {
  return std::ranges::any_of(
      entries, [](const TuneEntry &entry) { return entry.outcome && !entry.outcome->estimates.empty(); });
}

/// Estimates have a table of their own: no column is shared with measurements.
void add_estimates(Table &table, const TuneEntry &entry) {
  const auto name = kernel_text(entry.kernel.spec.name, entry.kernel.spec.precision);
  if (!entry.outcome || entry.outcome->estimates.empty()) {
    table.add({name, entry.architecture, "", "-", "-", "-", entry.outcome ? "not estimated" : "failed", "-"});
    return;
  }
  const bool won = entry.outcome->winner.has_value();
  for (const auto &e : entry.outcome->estimates)
    table.add({name, entry.architecture, e.workload, time_text(e.original.time_us),
               won ? time_text(e.candidate.time_us) : "-", won ? estimate_text(e) : "-",
               won ? to_string(e.verdict) : "nothing faster", won ? e.candidate.bound : "-"});
}

Table estimates_table(const std::vector<TuneEntry> &entries) {
  Table table({{"kernel"},
               {"architecture"},
               {"workload"},
               {"original est. µs", Align::right},
               {"tuned est. µs", Align::right},
               {"est."},
               {"verdict"},
               {"bound by"}});
  for (const auto &entry : entries) add_estimates(table, entry);
  return table;
}

/// For a kernel without a winner the result takes the place of the tuned figures.
void add_rows(Table &table, const TuneEntry &entry) {
  const auto name = kernel_text(entry.kernel.spec.name, entry.kernel.spec.precision);
  if (!entry.outcome || entry.outcome->measurements.empty()) {
    table.add({name, entry.architecture, "", "-", "-", "-", entry.outcome ? "not timed" : "failed", "-"});
    return;
  }
  const bool won = entry.outcome->winner.has_value();
  for (const auto &m : entry.outcome->measurements)
    table.add({name, entry.architecture, m.workload, time_text(m.original.median_us),
               won ? time_text(m.candidate.median_us) : "-", won ? speedup_text(m) : "-",
               won ? to_string(m.verdict) : "nothing faster", won ? share_text(m.bandwidth_share) : "-"});
}

std::string why(const TriedStrategies &tried) {
  if (tried.won) return "won";
  return first_line(refusal_text(tried.strategies, tried.reason));
}

constexpr std::size_t kMostTitle = 40;

/// "s0007: one warp per row kThreads=256"
std::string tried_words(const TriedStrategies &tried, const TuneEntry &entry) {
  const auto title =
      tried.strategies.size() == 1 ? entry.titles.find(tried.strategies[0]) : entry.titles.end();
  if (title == entry.titles.end()) return candidate_text(tried.strategies, tried.knobs);
  return candidate_text({tried.strategies[0] + ": " + cut(title->second, kMostTitle)}, tried.knobs);
}

std::string tried_text(const TuneEntry &entry, const TuneOutcome &outcome) {
  const bool estimates = !outcome.estimates.empty();
  Table table({{"  tried"},
               {"candidates", Align::right},
               {"verdict"},
               {estimates ? "est." : "speed-up", Align::right},
               {"why"}});
  for (const auto &tried : outcome.tried)
    table.add({"  " + tried_words(tried, entry), std::to_string(tried.candidates),
               tried.verdict ? to_string(*tried.verdict) : "refused",
               estimates ? estimate_text(tried.estimate) : speedup_text(tried.speedup), why(tried)});
  return table.empty() ? "" : table.text();
}

/// "models: 88 questions, 320k tokens, $1.20", then a line for each role; "" when no model was asked.
std::string models_text(const TuneEntry &entry, const Spending &spent) {
  if (entry.roles.empty()) return "";
  std::size_t questions = 0;
  for (const auto &role : entry.roles) questions += role.questions;
  return fmt::format("  models: {} questions, {} tokens, {}\n", questions, tokens_text(spent.tokens()),
                     money_text(spent.usd)) +
         role_totals_text(entry.roles, "    ");
}

constexpr auto kSpentForm =
    fields(field("usd", &Spending::usd), field("tokens_in", &Spending::tokens_in),
           field("tokens_cached", &Spending::tokens_cached), field("tokens_out", &Spending::tokens_out));

std::string effort_text(const TuneOutcome &outcome) {
  auto text = fmt::format("{} candidates judged", outcome.judged);
  if (outcome.resumed) text += fmt::format(", resumed: {} candidates already judged", outcome.resumed);
  std::string counts;
  for (const auto &[kind, count] : outcome.counts)
    if (count) counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, to_string(kind));
  if (!counts.empty()) text += " (" + counts + ")";
  text += fmt::format(", {}; stopped: {}", duration_text(outcome.elapsed), outcome.stopped_because);
  return outcome.models_ended ? text + "; kept what was found" + kGoOn + " (--budget)" : text;
}

std::string device_text(const DeviceReport &device) {
  if (device.name.empty()) return "";
  if (device.emulated)
    return fmt::format(
        "\nExecuted on this machine's CPU, estimated for {} ({}; figures: {}). Nothing was measured.\n",
        device.name, device.architecture, device.table);
  return fmt::format("\nJudged on {} ({}), copy bandwidth {:.0f} GB/s.\n", device.name, device.architecture,
                     device.copy_bandwidth_gbs);
}

constexpr auto kDeviceForm =
    fields(field("name", &DeviceReport::name), field("architecture", &DeviceReport::architecture),
           field("copy_bandwidth_gbs", &DeviceReport::copy_bandwidth_gbs),
           field("emulated", &DeviceReport::emulated));
constexpr auto kTriedStrategiesForm = fields(
    field("strategies", &TriedStrategies::strategies), field("knobs", &TriedStrategies::knobs),
    field("candidates", &TriedStrategies::candidates),
    computed(
        "verdict",
        [](const TriedStrategies &tried) { return tried.verdict ? to_string(*tried.verdict) : "refused"; }),
    field("speedup", &TriedStrategies::speedup), field("estimate", &TriedStrategies::estimate),
    field("won", &TriedStrategies::won), field("reason", &TriedStrategies::reason));
constexpr auto kOutcomeForm = fields(
    field("judged", &TuneOutcome::judged), field("resumed", &TuneOutcome::resumed),
    computed("seconds",
             [](const TuneOutcome &outcome) { return static_cast<double>(outcome.elapsed.count()) / 1000; }),
    field("stopped_because", &TuneOutcome::stopped_because),
    field("models_ended", &TuneOutcome::models_ended), field("device", &TuneOutcome::device, kDeviceForm),
    field("counts", &TuneOutcome::counts),
    field("measurements", &TuneOutcome::measurements, kMeasurementForm),
    sparse_list("estimates", &TuneOutcome::estimates, kEstimateForm), sparse("limits", &TuneOutcome::limits),
    computed("tried",
             [](const TuneOutcome &outcome) { return json_of(outcome.tried, kTriedStrategiesForm); }));
constexpr auto kEntryForm = fields(
    inlined(&TuneEntry::kernel,
            fields(inlined(&ProjectKernel::spec, fields(field("kernel", &KernelSpec::name))),
                   field("target", &ProjectKernel::target))),
    field("architecture", &TuneEntry::architecture),
    computed("precision", [](const TuneEntry &entry) { return to_string(entry.kernel.spec.precision); }),
    computed("result", [](const TuneEntry &entry) { return entry.result(); }),
    field("error", &TuneEntry::error),
    computed("record",
             [](const TuneEntry &entry) {
               return entry.publication ? entry.publication->folder.string() : std::string();
             }),
    sparse_list("diagnostic", &TuneEntry::refused, kDiagnosticForm),
    inlined(&TuneEntry::outcome, kOutcomeForm));

}  // namespace

std::string TuneEntry::result() const {
  if (!error.empty()) return "failed";
  if (!outcome) return "interrupted";
  if (publication) return to_string(publication->kind);
  if (outcome->winner) return "faster";
  return outcome->interrupted ? "interrupted" : "nothing_faster";
}

/// The winner's checks, with the swap check made before publishing.
static std::vector<FinalistCheck> last_checks(const TuneEntry &entry) {
  if (!entry.outcome || !entry.outcome->winner) return {};
  auto checks = entry.outcome->winner->verdict.finalist;
  if (entry.publication && !entry.publication->swap.name.empty()) checks.push_back(entry.publication->swap);
  return checks;
}

std::string summary_text(const std::vector<TuneEntry> &entries) {
  Table table({{"kernel"},
               {"architecture"},
               {"workload"},
               {"original µs", Align::right},
               {"tuned µs", Align::right},
               {"speed-up"},
               {"verdict"},
               {"copy bandwidth", Align::right}});
  for (const auto &entry : entries) add_rows(table, entry);
  std::string text = estimated(entries) ? estimates_table(entries).text() : table.text();
  for (const auto &entry : entries) {
    text += "\n" + entry.kernel.spec.name + ": " + result_words(entry) + "\n";
    if (!entry.outcome) continue;
    const TuneOutcome &outcome = *entry.outcome;
    text += "  " + effort_text(outcome) + "\n" + models_text(entry, outcome.spent);
    for (const auto &limit : outcome.limits) text += "  " + limit + "\n";
    if (const auto line = finalist_line(last_checks(entry)); !line.empty()) text += "  " + line + "\n";
    text += tried_text(entry, outcome);
  }
  for (const auto &entry : entries)
    if (entry.outcome && !entry.outcome->device.name.empty())
      return text + device_text(entry.outcome->device);
  return text;
}

Json summary_json(const std::vector<TuneEntry> &entries, bool interrupted) {
  Json json = {{"cupilot_tune", 1}, {"interrupted", interrupted}, {"kernels", Json::array()}};
  for (const auto &entry : entries) {
    Json item = json_of(entry, kEntryForm);
    if (entry.outcome) {
      if (!entry.titles.empty()) item["titles"] = entry.titles;
      item["policy"] = entry.outcome->policy;
      item["spent"] = json_of(entry.outcome->spent, kSpentForm);
      item["spent"]["roles"] = json_of(entry.roles);
    }
    if (entry.outcome && entry.outcome->winner)
      item["judgement"] = json_of(entry.outcome->winner->verdict, kJudgementForm);
    json["kernels"].push_back(std::move(item));
  }
  return json;
}

}  // namespace cupilot::cli
