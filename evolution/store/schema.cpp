// SPDX-License-Identifier: Apache-2.0
//
// Creates and upgrades databases in one transaction each. Refuses files that are not ours, damaged, or newer.

#include "evolution/store/schema.h"

#include "schema_text.h"

namespace cupilot::store {
namespace {

constexpr std::int64_t kHistory = 0x63757068;  // "cuph"

Result<std::int64_t> number(const Connection &connection, const char *sql) {
  CUPILOT_TRY(row, connection.query(sql));
  CUPILOT_TRY(found, row.step());
  return found ? row.integer(0) : 0;
}

Result<void> set_meta(const Connection &connection, int version, int oldest_compatible) {
  const char *sql = "INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)";
  CUPILOT_CHECKED(connection.run(sql, std::string_view("schema_version"), version));
  return connection.run(sql, std::string_view("oldest_compatible"), oldest_compatible);
}

Result<void> create(const Connection &connection, const Schema &schema) {
  for (const char *table : schema.tables) CUPILOT_CHECKED(connection.script(table));
  CUPILOT_CHECKED(
      connection.script(("PRAGMA application_id = " + std::to_string(schema.application_id)).c_str()));
  return set_meta(connection, schema.version(), schema.oldest_compatible());
}

Result<void> check_references(const Connection &connection) {
  CUPILOT_TRY(row, connection.query("PRAGMA foreign_key_check"));
  CUPILOT_TRY(found, row.step());
  if (found)
    return fail(connection.what() + " " + connection.path().string() +
                " cannot be upgraded without losing rows; " + connection.way_out());
  return {};
}

Result<void> upgrade(const Connection &connection, const Schema &schema, std::int64_t from) {
  for (const SchemaStep &step : schema.steps) {
    if (step.version <= from) continue;
    CUPILOT_CHECKED(connection.script(step.sql));
    CUPILOT_CHECKED(check_references(connection));
    CUPILOT_CHECKED(set_meta(connection, step.version, step.oldest_compatible));
  }
  return {};
}

Result<void> check_whole(const Connection &connection) {
  CUPILOT_TRY(row, connection.query("PRAGMA quick_check(1)"));
  CUPILOT_TRY(found, row.step());
  if (found && row.text(0) == "ok") return {};
  return fail(connection.what() + " " + connection.path().string() + " is damaged (" +
              (found ? row.text(0) : "no answer") + "); " + connection.way_out());
}

}  // namespace

const Schema &newest_schema() {
  static constexpr SchemaStep kSteps[] = {{2, 2, kStep2}, {3, 3, kStep3}, {4, 4, kStep4}, {5, 5, kStep5}};
  static const Schema schema{kTables, kSteps};
  return schema;
}

const Schema &history_schema() {
  static const Schema schema{kHistoryTables, {}, kHistory};
  return schema;
}

Result<void> apply_schema(const Connection &connection, const Schema &schema) {
  CUPILOT_TRY(transaction, Transaction::begin(connection));
  CUPILOT_TRY(objects, number(connection, "SELECT COUNT(*) FROM sqlite_schema"));
  if (objects == 0) {
    CUPILOT_CHECKED(create(connection, schema));
    return transaction.commit();
  }
  CUPILOT_TRY(application, number(connection, "PRAGMA application_id"));
  if (application != schema.application_id)
    return fail(connection.path().string() + " is an SQLite file, but not a " + connection.what() +
                " of cupilot");
  CUPILOT_CHECKED(check_whole(connection));
  CUPILOT_TRY(version, number(connection, "SELECT value FROM meta WHERE name = 'schema_version'"));
  CUPILOT_TRY(oldest, number(connection, "SELECT value FROM meta WHERE name = 'oldest_compatible'"));
  if (oldest > schema.version())
    return fail(connection.what() + " " + connection.path().string() +
                " was written by a newer cupilot (schema " + std::to_string(version) + ", this one knows " +
                std::to_string(schema.version()) +
                "); use that cupilot, or move the file away to start again");
  CUPILOT_CHECKED(upgrade(connection, schema, version));
  return transaction.commit();
}

}  // namespace cupilot::store
