// SPDX-License-Identifier: Apache-2.0
//
// Opening the database, runs and events. Bundles are in bundles.cpp, verdicts in
// verdicts.cpp, questions in role_calls.cpp, and the queries of reports in reports.cpp.

#include "evolution/store/database.h"

#include "evolution/store/connection.h"
#include "evolution/store/rows.h"
#include "evolution/store/schema.h"
#include "evolution/store/store_fields.h"

namespace cupilot::store {
namespace {

constexpr const char *kAfterUpgrade = "PRAGMA foreign_keys = ON;";

Result<void> make_parent(const std::filesystem::path &path) {
  std::error_code code;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), code);
  if (code)
    return fail("cannot create folder " + path.parent_path().string() +
                " for the run database: " + code.message());
  return {};
}

}  // namespace

Database::Database(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
Database::Database(Database &&) noexcept = default;
Database &Database::operator=(Database &&) noexcept = default;
Database::~Database() = default;

Result<Database> Database::open(const std::filesystem::path &path) {
  CUPILOT_CHECKED(make_parent(path));
  CUPILOT_TRY(connection, Connection::open(path));
  CUPILOT_CHECKED(connection->use_write_ahead_log());
  CUPILOT_CHECKED(apply_schema(*connection, newest_schema()));
  CUPILOT_CHECKED(connection->script(kAfterUpgrade));
  return Database(std::move(connection));
}

Result<std::int64_t> Database::begin_run(const RunInfo &info) {
  CUPILOT_TRY(row, insert_row(*connection_, "INSERT INTO run", columns_of(info),
                              "ON CONFLICT DO UPDATE SET starts = starts + 1, finished = '', outcome = '' "
                              "RETURNING id"));
  CUPILOT_TRY(found, row.step());
  CUPILOT_CHECK(found);
  const std::int64_t id = row.integer(0);
  CUPILOT_CHECKED(row.step());  // the row is written only when the statement has finished
  return id;
}

Result<void> Database::end_run(std::int64_t run, const std::string &outcome) {
  return connection_->run(
      "UPDATE run SET finished = strftime('%Y-%m-%dT%H:%M:%fZ'), outcome = ? WHERE id = ?", outcome, run);
}

Result<void> Database::add_event(std::int64_t run, const std::string &kind, const std::string &text) {
  return connection_->run("INSERT INTO event (run, kind, text) VALUES (?, ?, ?)", run, kind, text);
}

}  // namespace cupilot::store
