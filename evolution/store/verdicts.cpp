// SPDX-License-Identifier: Apache-2.0
//
// Verdicts are stored as their complete JSON text: written once, and read back equal in every member and
// digit.

#include "evolution/model/verdict_json.h"
#include "evolution/store/connection.h"
#include "evolution/store/database.h"

namespace cupilot::store {

Result<bool> Database::add_verdict(const std::string &bundle, const model::Verdict &verdict) {
  // An existing key conflicts and is left unchanged, so that no key has two verdicts.
  CUPILOT_CHECKED(connection_->run(
      "INSERT INTO verdict (individual, kernel_id, workload_id, architecture, executor, flags, "
      "variant_sha256, seed, device, driver, kind, stage, reason, speedup, report) "
      "SELECT individual.id, run.kernel_id, run.workload_id, run.architecture, run.executor, run.flags, "
      "individual.variant_sha256, bundle.seed, ?, ?, ?, ?, ?, ?, ? "
      "FROM individual JOIN bundle ON bundle.id = individual.bundle JOIN run ON run.id = bundle.run "
      "WHERE individual.bundle = ? AND individual.name = ? ON CONFLICT DO NOTHING",
      verdict.device.name, verdict.device.driver, std::string_view(model::to_string(verdict.kind)),
      verdict.stage, verdict.reason, model::overall_speedup(verdict), model::to_json(verdict), bundle,
      verdict.candidate));
  return connection_->changed_rows() != 0;
}

Result<std::optional<model::Verdict>> Database::find_verdict(const VerdictKey &key) const {
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

Result<model::Verdict> Database::read_verdict(std::int64_t id) const {
  CUPILOT_TRY(row, connection_->query("SELECT report FROM verdict WHERE id = ?", id));
  CUPILOT_TRY(found, row.step());
  CUPILOT_CHECK(found);
  auto verdict = model::verdict_from_json(row.text(0));
  if (!verdict) return within("verdict in run database " + connection_->path().string(), verdict.error());
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

}  // namespace cupilot::store
