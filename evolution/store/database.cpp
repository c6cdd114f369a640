// SPDX-License-Identifier: Apache-2.0
//
// Opening, runs, events and role calls. Bundles: bundles.cpp; verdicts: verdicts.cpp.

#include "evolution/store/database.h"

#include "annotate/support/hash.h"
#include "evolution/model/verdict_names.h"
#include "evolution/store/connection.h"
#include "evolution/store/schema.h"

namespace cupilot {
namespace {

// A killed process loses nothing with NORMAL; only a power cut may take the last transactions, never the
// file.
constexpr const char *kSettings = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;";
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
  CUPILOT_CHECKED(connection->script(kSettings));
  CUPILOT_CHECKED(apply_schema(*connection, newest_schema()));
  CUPILOT_CHECKED(connection->script(kAfterUpgrade));
  return Database(std::move(connection));
}

Result<std::int64_t> Database::begin_run(const RunInfo &info) {
  CUPILOT_TRY(row, connection_->query(
                       "INSERT INTO run (kernel, kernel_id, workload_id, architecture, executor, "
                       "spec_sha256, flags, policy, seed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "
                       "ON CONFLICT DO UPDATE SET starts = starts + 1, finished = '', outcome = '' "
                       "RETURNING id",
                       info.kernel, info.kernel_id, info.workload_id, info.architecture, info.executor,
                       info.spec_sha256, info.flags, info.policy, static_cast<std::int64_t>(info.seed)));
  CUPILOT_TRY(found, row.step());
  CUPILOT_CHECK(found);
  const std::int64_t id = row.integer(0);
  CUPILOT_CHECKED(row.step());  // to the end: only then is the row written
  return id;
}

Result<void> Database::end_run(std::int64_t run, const std::string &outcome) {
  return connection_->run(
      "UPDATE run SET finished = strftime('%Y-%m-%dT%H:%M:%fZ'), outcome = ? WHERE id = ?", outcome, run);
}

Result<void> Database::add_event(std::int64_t run, const std::string &kind, const std::string &text) {
  return connection_->run("INSERT INTO event (run, kind, text) VALUES (?, ?, ?)", run, kind, text);
}

Result<void> Database::add_role_call(std::int64_t run, const RoleCall &call) {
  return connection_->run(
      "INSERT INTO role_call (run, role, prompt_version, request_sha256, request, answer, failure, "
      "provider, model, tokens_in, tokens_out, price_usd, seconds) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      run, call.role, call.prompt_version, sha256(call.request), call.request, call.answer, call.failure,
      call.provider, call.model, static_cast<std::int64_t>(call.tokens_in),
      static_cast<std::int64_t>(call.tokens_out), call.price_usd, call.seconds);
}

Result<std::optional<RoleCall>> Database::find_answer(const RoleCall &question) const {
  CUPILOT_TRY(row, connection_->query(
                       "SELECT answer, model, tokens_in, tokens_out, price_usd, seconds FROM role_call "
                       "WHERE provider = ? AND role = ? AND request_sha256 = ? AND prompt_version = ? "
                       "AND failure = '' ORDER BY id DESC LIMIT 1",
                       question.provider, question.role, sha256(question.request), question.prompt_version));
  CUPILOT_TRY(found, row.step());
  if (!found) return std::nullopt;
  RoleCall call = question;
  call.answer = row.text(0);
  call.model = row.text(1);
  call.tokens_in = row.integer(2);
  call.tokens_out = row.integer(3);
  call.price_usd = row.real(4);
  call.seconds = row.real(5);
  return call;
}

}  // namespace cupilot
