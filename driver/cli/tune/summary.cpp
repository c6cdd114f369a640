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

namespace cupilot::cli::tune {
namespace {

constexpr const char *kGoOn = "; run it again to continue";

std::string without_record(const search::TuneOutcome &outcome) {
  if (outcome.winner)
    return std::string(outcome.winner->verdict.estimates.empty() ? "" : "estimated ") +
           "faster; not published (--no-publish)";
  const bool found = outcome.interrupted && outcome.best;
  if (found) {
    const model::Verdict &best = outcome.best->verdict;
    const auto figure = best.estimates.empty() ? text::speedup_text(model::overall_speedup(best))
                                               : text::estimate_text(model::overall_estimate(best));
    return "interrupted, best so far " + figure + " not confirmed" + kGoOn;
  }
  if (outcome.interrupted) return std::string("interrupted") + kGoOn;
  if (outcome.judged + outcome.resumed == 0) return "no strategy applies; nothing published";
  return "nothing faster found; nothing published";
}

std::string result_words(const TuneEntry &entry) {
  if (!entry.error.empty()) return "failed: " + entry.error;
  if (entry.publication) return records::describe(*entry.publication);
  return entry.outcome ? without_record(*entry.outcome) : std::string("interrupted before it began") + kGoOn;
}

bool estimated(const std::vector<TuneEntry> &entries) {
  return std::ranges::any_of(
      entries, [](const TuneEntry &entry) { return entry.outcome && !entry.outcome->estimates.empty(); });
}

/// Estimates have a table of their own: no column is shared with measurements.
void add_estimates(text::Table &table, const TuneEntry &entry) {
  const auto name = report::kernel_text(entry.kernel.spec.name, entry.kernel.spec.precision);
  if (!entry.outcome || entry.outcome->estimates.empty()) {
    table.add({name, entry.architecture, "", "-", "-", "-", entry.outcome ? "not estimated" : "failed", "-"});
    return;
  }
  const bool won = entry.outcome->winner.has_value();
  for (const auto &e : entry.outcome->estimates)
    table.add({name, entry.architecture, e.workload, text::time_text(e.original.time_us),
               won ? text::time_text(e.candidate.time_us) : "-", won ? text::estimate_text(e) : "-",
               won ? model::to_string(e.verdict) : "nothing faster", won ? e.candidate.bound : "-"});
}

text::Table estimates_table(const std::vector<TuneEntry> &entries) {
  text::Table table({{"kernel"},
                     {"architecture"},
                     {"workload"},
                     {"original est. µs", text::Align::right},
                     {"tuned est. µs", text::Align::right},
                     {"est."},
                     {"verdict"},
                     {"bound by"}});
  for (const auto &entry : entries) add_estimates(table, entry);
  return table;
}

/// For a kernel without a winner the result takes the place of the tuned figures.
void add_rows(text::Table &table, const TuneEntry &entry) {
  const auto name = report::kernel_text(entry.kernel.spec.name, entry.kernel.spec.precision);
  if (!entry.outcome || entry.outcome->measurements.empty()) {
    table.add({name, entry.architecture, "", "-", "-", "-", entry.outcome ? "not timed" : "failed", "-"});
    return;
  }
  const bool won = entry.outcome->winner.has_value();
  for (const auto &m : entry.outcome->measurements)
    table.add({name, entry.architecture, m.workload, text::time_text(m.original.median_us),
               won ? text::time_text(m.candidate.median_us) : "-", won ? text::speedup_text(m) : "-",
               won ? model::to_string(m.verdict) : "nothing faster",
               won ? text::share_text(m.bandwidth_share) : "-"});
}

std::string why(const search::TriedStrategies &tried) {
  if (tried.won) return "won";
  return run::first_line(run::refusal_text(tried.strategies, tried.reason));
}

constexpr std::size_t kMostTitle = 40;

/// "s0007: one warp per row kThreads=256"
std::string tried_words(const search::TriedStrategies &tried, const TuneEntry &entry) {
  const auto title =
      tried.strategies.size() == 1 ? entry.titles.find(tried.strategies[0]) : entry.titles.end();
  if (title == entry.titles.end()) return run::candidate_text(tried.strategies, tried.knobs);
  return run::candidate_text({tried.strategies[0] + ": " + history::cut(title->second, kMostTitle)},
                             tried.knobs);
}

std::string tried_text(const TuneEntry &entry, const search::TuneOutcome &outcome) {
  const bool estimates = !outcome.estimates.empty();
  text::Table table({{"  tried"},
                     {"candidates", text::Align::right},
                     {"verdict"},
                     {estimates ? "est." : "speed-up", text::Align::right},
                     {"why"}});
  for (const auto &tried : outcome.tried)
    table.add({"  " + tried_words(tried, entry), std::to_string(tried.candidates),
               tried.verdict ? model::to_string(*tried.verdict) : "refused",
               estimates ? text::estimate_text(tried.estimate) : text::speedup_text(tried.speedup),
               why(tried)});
  return table.empty() ? "" : table.text();
}

/// "models: 88 questions, 320k tokens, $1.20", then a line for each role; "" when no model was asked.
std::string models_text(const TuneEntry &entry, const provider::Spending &spent) {
  if (entry.roles.empty()) return "";
  std::size_t questions = 0;
  for (const auto &role : entry.roles) questions += role.questions;
  return fmt::format("  models: {} questions, {} tokens, {}\n", questions, run::tokens_text(spent.tokens()),
                     run::money_text(spent.usd)) +
         history::role_totals_text(entry.roles, "    ");
}

constexpr auto kSpentForm =
    fields(field("usd", &provider::Spending::usd), field("tokens_in", &provider::Spending::tokens_in),
           field("tokens_cached", &provider::Spending::tokens_cached),
           field("tokens_out", &provider::Spending::tokens_out));

std::string effort_text(const search::TuneOutcome &outcome) {
  auto text = fmt::format("{} candidates judged", outcome.judged);
  if (outcome.resumed) text += fmt::format(", resumed: {} candidates already judged", outcome.resumed);
  std::string counts;
  for (const auto &[kind, count] : outcome.counts)
    if (count) counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, model::to_string(kind));
  if (!counts.empty()) text += " (" + counts + ")";
  text += fmt::format(", {}; stopped: {}", text::duration_text(outcome.elapsed), outcome.stopped_because);
  return outcome.models_ended ? text + "; kept what was found" + kGoOn + " (--budget)" : text;
}

std::string device_text(const model::DeviceReport &device) {
  if (device.name.empty()) return "";
  if (device.emulated)
    return fmt::format(
        "\nExecuted on this machine's CPU, estimated for {} ({}; figures: {}). Nothing was measured.\n",
        device.name, device.architecture, device.table);
  return fmt::format("\nJudged on {} ({}), copy bandwidth {:.0f} GB/s.\n", device.name, device.architecture,
                     device.copy_bandwidth_gbs);
}

constexpr auto kDeviceForm = fields(field("name", &model::DeviceReport::name),
                                    field("architecture", &model::DeviceReport::architecture),
                                    field("copy_bandwidth_gbs", &model::DeviceReport::copy_bandwidth_gbs),
                                    field("emulated", &model::DeviceReport::emulated));
constexpr auto kTriedStrategiesForm =
    fields(field("strategies", &search::TriedStrategies::strategies),
           field("knobs", &search::TriedStrategies::knobs),
           field("candidates", &search::TriedStrategies::candidates),
           computed("verdict",
                    [](const search::TriedStrategies &tried) {
                      return tried.verdict ? model::to_string(*tried.verdict) : "refused";
                    }),
           field("speedup", &search::TriedStrategies::speedup),
           field("estimate", &search::TriedStrategies::estimate), field("won", &search::TriedStrategies::won),
           field("reason", &search::TriedStrategies::reason));
constexpr auto kOutcomeForm = fields(
    field("judged", &search::TuneOutcome::judged), field("resumed", &search::TuneOutcome::resumed),
    computed("seconds",
             [](const search::TuneOutcome &outcome) {
               return static_cast<double>(outcome.elapsed.count()) / 1000;
             }),
    field("stopped_because", &search::TuneOutcome::stopped_because),
    field("models_ended", &search::TuneOutcome::models_ended),
    field("device", &search::TuneOutcome::device, kDeviceForm), field("counts", &search::TuneOutcome::counts),
    field("measurements", &search::TuneOutcome::measurements, report::kMeasurementForm),
    report::sparse_list("estimates", &search::TuneOutcome::estimates, report::kEstimateForm),
    sparse("limits", &search::TuneOutcome::limits), computed("tried", [](const search::TuneOutcome &outcome) {
      return spec::json_of(outcome.tried, kTriedStrategiesForm);
    }));
constexpr auto kEntryForm = fields(
    inlined(&TuneEntry::kernel,
            fields(inlined(&project::ProjectKernel::spec, fields(field("kernel", &spec::KernelSpec::name))),
                   field("target", &project::ProjectKernel::target))),
    field("architecture", &TuneEntry::architecture),
    computed("precision",
             [](const TuneEntry &entry) { return spec::to_string(entry.kernel.spec.precision); }),
    computed("result", [](const TuneEntry &entry) { return entry.result(); }),
    field("error", &TuneEntry::error),
    computed("record",
             [](const TuneEntry &entry) {
               return entry.publication ? entry.publication->folder.string() : std::string();
             }),
    report::sparse_list("diagnostic", &TuneEntry::refused, report::kDiagnosticForm),
    inlined(&TuneEntry::outcome, kOutcomeForm));

}  // namespace

std::string TuneEntry::result() const {
  if (!error.empty()) return "failed";
  if (!outcome) return "interrupted";
  if (publication) return records::to_string(publication->kind);
  if (outcome->winner) return "faster";
  return outcome->interrupted ? "interrupted" : "nothing_faster";
}

/// The winner's checks, with the swap check made before publishing.
static std::vector<model::FinalistCheck> last_checks(const TuneEntry &entry) {
  if (!entry.outcome || !entry.outcome->winner) return {};
  auto checks = entry.outcome->winner->verdict.finalist;
  if (entry.publication && !entry.publication->swap.name.empty()) checks.push_back(entry.publication->swap);
  return checks;
}

std::string summary_text(const std::vector<TuneEntry> &entries) {
  text::Table table({{"kernel"},
                     {"architecture"},
                     {"workload"},
                     {"original µs", text::Align::right},
                     {"tuned µs", text::Align::right},
                     {"speed-up"},
                     {"verdict"},
                     {"copy bandwidth", text::Align::right}});
  for (const auto &entry : entries) add_rows(table, entry);
  std::string text = estimated(entries) ? estimates_table(entries).text() : table.text();
  for (const auto &entry : entries) {
    text += "\n" + entry.kernel.spec.name + ": " + result_words(entry) + "\n";
    if (!entry.outcome) continue;
    const search::TuneOutcome &outcome = *entry.outcome;
    text += "  " + effort_text(outcome) + "\n" + models_text(entry, outcome.spent);
    for (const auto &limit : outcome.limits) text += "  " + limit + "\n";
    if (const auto line = report::finalist_line(last_checks(entry)); !line.empty())
      text += "  " + line + "\n";
    text += tried_text(entry, outcome);
  }
  for (const auto &entry : entries)
    if (entry.outcome && !entry.outcome->device.name.empty())
      return text + device_text(entry.outcome->device);
  return text;
}

report::Json summary_json(const std::vector<TuneEntry> &entries, bool interrupted) {
  report::Json json = {{"cupilot_tune", 1}, {"interrupted", interrupted}, {"kernels", report::Json::array()}};
  for (const auto &entry : entries) {
    report::Json item = spec::json_of(entry, kEntryForm);
    if (entry.outcome) {
      if (!entry.titles.empty()) item["titles"] = entry.titles;
      item["policy"] = entry.outcome->policy;
      item["spent"] = spec::json_of(entry.outcome->spent, kSpentForm);
      item["spent"]["roles"] = spec::json_of(entry.roles);
    }
    if (entry.outcome && entry.outcome->winner)
      item["judgement"] = spec::json_of(entry.outcome->winner->verdict, report::kJudgementForm);
    json["kernels"].push_back(std::move(item));
  }
  return json;
}

}  // namespace cupilot::cli::tune
