// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/report/verify_report.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "annotate/spec/json_convert.h"
#include "driver/cli/report/evidence.h"
#include "driver/cli/report/output_fields.h"
#include "driver/cli/text/figures.h"
#include "driver/cli/text/table.h"

namespace cupilot::cli::report {
namespace {

bool correct(model::VerdictKind kind) {
  switch (kind) {
    case model::VerdictKind::faster:
    case model::VerdictKind::slower:
    case model::VerdictKind::same:
    case model::VerdictKind::unsure:
      return true;
    default:
      return false;
  }
}

/// The result in one word; without times it is only whether the record is correct.
std::string verdict_of(const VerifiedRecord &row) {
  if (!row.verdict) return "not judged";
  const bool timed = !row.verdict->measurements.empty();
  return correct(row.verdict->kind) && !timed ? "correct" : model::to_string(row.verdict->kind);
}

std::string reason_of(const VerifiedRecord &row) {
  if (row.refused) return row.refused->message;
  if (!row.error.empty()) return row.error;
  if (!row.verdict) return row.view.detail;
  std::string text = row.verdict->reason;
  for (const auto &limit : row.verdict->limits) text += "; " + limit;
  return text;
}

const model::RecordMeasurement *recorded(const VerifiedRecord &row, const std::string &workload) {
  if (!row.view.record) return nullptr;
  const auto &all = row.view.record->measurements;
  const auto found = std::ranges::find(all, workload, &model::RecordMeasurement::workload);
  return found == all.end() ? nullptr : &*found;
}

/// The speed-up measured now, beside the one in the record.
Json compared(const VerifiedRecord &row, const model::Measurement &now) {
  Json json = spec::json_of(now, kMeasurementForm);
  const auto *then = recorded(row, now.workload);
  if (!then) return json;
  json["then"] =
      spec::json_of(*then, fields(field("verdict", &model::RecordMeasurement::verdict), kRecordedTimes));
  if (then->speedup > 0) json["ratio"] = now.speedup / then->speedup;
  return json;
}

void add_verdict(Json &json, const VerifiedRecord &row) {
  json["measurements"] = Json::array();
  if (!row.verdict) return;
  json["stage"] = row.verdict->stage;
  for (const auto &m : row.verdict->measurements) json["measurements"].push_back(compared(row, m));
  if (!row.verdict->limits.empty()) json["limits"] = row.verdict->limits;
  add_judgement(json, *row.verdict);
  json["device"] = row.verdict->device.name;
}

}  // namespace

bool VerifiedRecord::wrong() const {
  return verdict && !correct(verdict->kind) && verdict->kind != model::VerdictKind::not_evaluated;
}

bool VerifiedRecord::no_longer_faster() const {
  const bool was = view.record && view.record->verdict == "faster";
  return was && verdict && correct(verdict->kind) && !verdict->measurements.empty() &&
         verdict->kind != model::VerdictKind::faster;
}

double recorded_speedup(const model::Record &record) {
  double sum = 0, weights = 0;
  for (const auto &m : record.measurements) {
    // A record with boxes runs the original where the variant is not faster.
    const bool used = record.guard.boxes.empty() || m.verdict == "faster";
    if (m.holdout || m.weight <= 0) continue;
    if (used && m.speedup <= 0) return 0;
    sum += m.weight * (used ? std::log(m.speedup) : 0);
    weights += m.weight;
  }
  return weights > 0 ? std::exp(sum / weights) : 0;
}

std::string verify_text(const std::vector<VerifiedRecord> &rows) {
  if (rows.empty()) return "no records\n";
  text::Table table({{"kernel"},
                     {"architecture"},
                     {"record"},
                     {"verdict"},
                     {"speed-up", text::Align::right},
                     {"recorded", text::Align::right},
                     {"reason"}});
  std::string finalists;
  for (const auto &row : rows) {
    const auto &record = row.view.record;
    table.add({kernel_text(row.kernel, row.precision), row.view.architecture, row.view.word(),
               verdict_of(row), row.verdict ? text::speedup_text(model::overall_speedup(*row.verdict)) : "-",
               text::speedup_text(record ? recorded_speedup(*record) : 0), reason_of(row)});
    if (row.verdict && !row.verdict->finalist.empty())
      finalists +=
          "\n" + row.kernel + " (" + row.view.architecture + ")" + finalist_text(row.verdict->finalist);
  }
  return table.text() + finalists;
}

Json verify_json(const std::vector<VerifiedRecord> &rows, bool ok) {
  Json json = {{"cupilot_verify", 1}, {"ok", ok}, {"records", Json::array()}};
  for (const auto &row : rows) {
    Json item = {{"kernel", row.kernel},
                 {"architecture", row.view.architecture},
                 {"state", row.view.word()},
                 {"estimate", row.view.record && row.view.record->estimate},
                 {"precision", spec::to_string(row.precision)},
                 {"verdict", verdict_of(row)},
                 {"reason", reason_of(row)},
                 {"speedup", row.verdict ? model::overall_speedup(*row.verdict) : 0},
                 {"recorded_speedup", row.view.record ? recorded_speedup(*row.view.record) : 0},
                 {"wrong", row.wrong()},
                 {"no_longer_faster", row.no_longer_faster()}};
    add_verdict(item, row);
    if (row.refused) item["diagnostic"] = spec::json_of(*row.refused, kDiagnosticForm);
    json["records"].push_back(std::move(item));
  }
  return json;
}

}  // namespace cupilot::cli::report
