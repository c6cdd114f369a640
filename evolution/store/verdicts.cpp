// SPDX-License-Identifier: Apache-2.0
//
// Verdicts with their measurements and samples: written in one transaction, read back equal.

#include <array>

#include "evolution/model/verdict_json.h"
#include "evolution/model/verdict_names.h"
#include "evolution/store/connection.h"
#include "evolution/store/database.h"
#include "evolution/store/estimates.h"
#include "evolution/store/samples.h"

namespace cupilot {
namespace {

Result<void> add_samples(const Connection &connection, std::int64_t measurement, std::string_view side,
                         const SampleSet &set) {
  return connection.run(
      "INSERT INTO sample_set (measurement, side, samples_us, sm_clock_mhz, dropped, min_us, q1_us, "
      "median_us, "
      "q3_us, mean_us, stdev_us) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      measurement, side, numbers_to_text(set.samples_us), numbers_to_text(set.sm_clock_mhz),
      dropped_to_text(set.dropped), set.min_us, set.q1_us, set.median_us, set.q3_us, set.mean_us,
      set.stdev_us);
}

Result<void> add_measurement(const Connection &connection, std::int64_t verdict, const Measurement &one) {
  CUPILOT_CHECKED(connection.run(
      "INSERT INTO measurement (verdict, workload, kind, speedup, speedup_low, speedup_high, bytes_moved, "
      "bandwidth_share, stopped_because, weight, holdout) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      verdict, one.workload, std::string_view(to_string(one.verdict)), one.speedup, one.speedup_low,
      one.speedup_high, one.bytes_moved, one.bandwidth_share, one.stopped_because, one.weight,
      static_cast<std::int64_t>(one.holdout)));
  const std::int64_t id = connection.last_id();
  CUPILOT_CHECKED(add_samples(connection, id, "original", one.original));
  return add_samples(connection, id, "candidate", one.candidate);
}

Result<SampleSet> read_samples(const Connection &connection, std::int64_t measurement,
                               std::string_view side) {
  CUPILOT_TRY(row, connection.query(
                       "SELECT samples_us, sm_clock_mhz, dropped, min_us, q1_us, median_us, q3_us, mean_us, "
                       "stdev_us FROM sample_set WHERE measurement = ? AND side = ?",
                       measurement, side));
  SampleSet set;
  CUPILOT_TRY(found, row.step());
  if (!found) return set;
  CUPILOT_TRY(samples, numbers_from_text(row.text(0)));
  CUPILOT_TRY(clocks, numbers_from_text(row.text(1)));
  CUPILOT_TRY(dropped, dropped_from_text(row.text(2)));
  set.samples_us = std::move(samples);
  set.sm_clock_mhz = std::move(clocks);
  set.dropped = std::move(dropped);
  const std::array statistics = {&set.min_us, &set.q1_us,   &set.median_us,
                                 &set.q3_us,  &set.mean_us, &set.stdev_us};
  for (std::size_t i = 0; i < statistics.size(); ++i) *statistics[i] = row.real(3 + static_cast<int>(i));
  return set;
}

Result<std::vector<Measurement>> read_measurements(const Connection &connection, std::int64_t verdict) {
  CUPILOT_TRY(
      row,
      connection.query(
          "SELECT id, workload, kind, speedup, speedup_low, speedup_high, bytes_moved, "
          "bandwidth_share, stopped_because, weight, holdout FROM measurement WHERE verdict = ? ORDER BY id",
          verdict));
  std::vector<Measurement> measurements;
  while (true) {
    CUPILOT_TRY(found, row.step());
    if (!found) return measurements;
    const auto kind = enum_from_name<VerdictKind>(row.text(2));
    if (!kind)
      return fail("unknown verdict '" + row.text(2) + "' in run database " + connection.path().string());
    CUPILOT_TRY(original, read_samples(connection, row.integer(0), "original"));
    CUPILOT_TRY(candidate, read_samples(connection, row.integer(0), "candidate"));
    measurements.push_back({.workload = row.text(1),
                            .original = std::move(original),
                            .candidate = std::move(candidate),
                            .verdict = *kind,
                            .speedup = row.real(3),
                            .speedup_low = row.real(4),
                            .speedup_high = row.real(5),
                            .weight = row.real(9),
                            .holdout = row.integer(10) != 0,
                            .bytes_moved = row.real(6),
                            .bandwidth_share = row.real(7),
                            .stopped_because = row.text(8)});
  }
}

std::string report_of(Verdict verdict) {
  verdict.measurements.clear();
  verdict.estimates.clear();
  return to_json(verdict);
}

}  // namespace

Result<bool> Database::add_verdict(const std::string &bundle, const Verdict &verdict) {
  CUPILOT_TRY(transaction, Transaction::begin(*connection_));
  // A key that is there already conflicts and is left alone: nothing is judged into two answers.
  CUPILOT_CHECKED(connection_->run(
      "INSERT INTO verdict (individual, kernel_id, workload_id, architecture, executor, flags, "
      "variant_sha256, seed, device, driver, kind, stage, reason, speedup, report) "
      "SELECT individual.id, run.kernel_id, run.workload_id, run.architecture, run.executor, run.flags, "
      "individual.variant_sha256, bundle.seed, ?, ?, ?, ?, ?, ?, ? "
      "FROM individual JOIN bundle ON bundle.id = individual.bundle JOIN run ON run.id = bundle.run "
      "WHERE individual.bundle = ? AND individual.name = ? ON CONFLICT DO NOTHING",
      verdict.device.name, verdict.device.driver, std::string_view(to_string(verdict.kind)), verdict.stage,
      verdict.reason, overall_speedup(verdict), report_of(verdict), bundle, verdict.candidate));
  if (connection_->changed_rows() == 0) return false;
  const std::int64_t id = connection_->last_id();
  for (const Measurement &measurement : verdict.measurements)
    CUPILOT_CHECKED(add_measurement(*connection_, id, measurement));
  for (const Estimate &estimate : verdict.estimates)
    CUPILOT_CHECKED(add_estimate(*connection_, id, estimate));
  CUPILOT_CHECKED(transaction.commit());
  return true;
}

Result<std::optional<Verdict>> Database::find_verdict(const VerdictKey &key) const {
  CUPILOT_TRY(row,
              connection_->query("SELECT id FROM verdict WHERE kernel_id = ? AND workload_id = ? AND "
                                 "architecture = ? AND executor = ? AND flags = ? AND variant_sha256 = ? AND "
                                 "seed = ? AND device IN (?, '') ORDER BY device DESC LIMIT 1",
                                 key.kernel_id, key.workload_id, key.architecture, key.executor, key.flags,
                                 key.variant_sha256, static_cast<std::int64_t>(key.seed), key.device));
  CUPILOT_TRY(found, row.step());
  if (!found) return std::nullopt;
  CUPILOT_TRY(verdict, read_verdict(row.integer(0)));
  return verdict;
}

Result<Verdict> Database::read_verdict(std::int64_t id) const {
  CUPILOT_TRY(row, connection_->query("SELECT report FROM verdict WHERE id = ?", id));
  CUPILOT_TRY(found, row.step());
  CUPILOT_CHECK(found);
  auto verdict = verdict_from_json(row.text(0));
  if (!verdict) return within("verdict in run database " + connection_->path().string(), verdict.error());
  CUPILOT_TRY(measurements, read_measurements(*connection_, id));
  verdict->measurements = std::move(measurements);
  CUPILOT_TRY(estimates, read_estimates(*connection_, id));
  verdict->estimates = std::move(estimates);
  return std::move(*verdict);
}

Result<std::string> Database::last_device(const std::string &architecture,
                                          const std::string &executor) const {
  CUPILOT_TRY(row,
              connection_->query("SELECT device FROM verdict WHERE architecture = ? AND executor = ? AND "
                                 "device <> '' ORDER BY id DESC LIMIT 1",
                                 architecture, executor));
  CUPILOT_TRY(found, row.step());
  return found ? row.text(0) : std::string();
}

}  // namespace cupilot
