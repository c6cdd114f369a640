// SPDX-License-Identifier: Apache-2.0
//
// This file has the only calls of SQLite's C interface.

#include "evolution/store/connection.h"

#include <sqlite3.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <thread>

namespace cupilot::store {
namespace {

/// Time to wait while another process uses the file: a reader, or a second start that is about to be refused.
constexpr std::chrono::milliseconds kMostBusy{5000};
constexpr std::chrono::milliseconds kBetweenTries{2};

/// SQL function exact_number(x): the shortest digits that give the same double. SQLite's own conversion is
/// not always exact.
void exact_number(sqlite3_context *context, int, sqlite3_value **values) {
  const double value = sqlite3_value_double(values[0]);
  char text[40];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  if (std::isfinite(value))
    sqlite3_result_text(context, text, static_cast<int>(end - text), SQLITE_TRANSIENT);
  else
    sqlite3_result_text(context, "null", 4, SQLITE_STATIC);
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt *statement) const {
  sqlite3_finalize(statement);
}

// A bind can only fail for a wrong index or lack of memory; step() then reports it.
void Statement::bind(int index, std::string_view value) {
  // A null pointer would bind NULL, and an empty view may have one.
  const char *data = value.empty() ? "" : value.data();
  sqlite3_bind_text64(statement_.get(), index, data, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}
void Statement::bind(int index, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), index, value);
}
void Statement::bind(int index, double value) {
  sqlite3_bind_double(statement_.get(), index, value);
}

Result<bool> Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return connection_->failure();
}

std::string Statement::text(int column) const {
  const unsigned char *data = sqlite3_column_text(statement_.get(), column);
  const int bytes = sqlite3_column_bytes(statement_.get(), column);
  return data == nullptr ? std::string()
                         : std::string(reinterpret_cast<const char *>(data), static_cast<std::size_t>(bytes));
}
std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}
double Statement::real(int column) const {
  return sqlite3_column_double(statement_.get(), column);
}

Result<std::unique_ptr<Connection>> Connection::open(const std::filesystem::path &path, std::string what,
                                                     std::string way_out) {
  sqlite3 *handle = nullptr;
  const int code =
      sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  // SQLite returns a handle even if it fails: the handle has the message and must be closed.
  std::unique_ptr<Connection> connection(new Connection(handle, path, std::move(what), std::move(way_out)));
  if (code != SQLITE_OK) return connection->failure();
  sqlite3_busy_timeout(handle, static_cast<int>(kMostBusy.count()));
  sqlite3_create_function(handle, "exact_number", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nullptr,
                          exact_number, nullptr, nullptr);
  return connection;
}

Connection::~Connection() {
  sqlite3_close_v2(handle_);
}

Result<Statement> Connection::prepare(const char *sql) const {
  sqlite3_stmt *statement = nullptr;
  if (sqlite3_prepare_v2(handle_, sql, -1, &statement, nullptr) != SQLITE_OK) return failure();
  return Statement(*this, statement);
}

Result<void> Connection::script(const char *sql) const {
  if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) return failure();
  return {};
}

// The switch to WAL upgrades a shared lock. Where two connections do that at once, SQLite does not wait: each
// would wait for the other. It fails one of them at once with SQLITE_BUSY, which has to let go and try again
// (sqlite.org/c3ref/busy_handler.html).
Result<void> Connection::use_write_ahead_log() const {
  const auto deadline = std::chrono::steady_clock::now() + kMostBusy;
  while (true) {
    const auto switched = script("PRAGMA journal_mode = WAL");
    const bool busy = !switched && sqlite3_errcode(handle_) == SQLITE_BUSY;
    if (!busy || std::chrono::steady_clock::now() > deadline) {
      CUPILOT_CHECKED(switched);
      return script("PRAGMA synchronous = NORMAL");
    }
    std::this_thread::sleep_for(kBetweenTries);
  }
}

std::int64_t Connection::last_id() const {
  return sqlite3_last_insert_rowid(handle_);
}
int Connection::changed_rows() const {
  return sqlite3_changes(handle_);
}

std::unexpected<Error> Connection::failure() const {
  const std::string place = what_ + " " + path_.string();
  switch (sqlite3_errcode(handle_)) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      return fail(place + " is damaged (" + sqlite3_errmsg(handle_) + "); " + way_out_);
    case SQLITE_BUSY:
      return fail(place + " is in use by another program");
    default:
      return fail(place + ": " + sqlite3_errmsg(handle_));
  }
}

Result<Transaction> Transaction::begin(const Connection &connection) {
  CUPILOT_CHECKED(connection.run("BEGIN IMMEDIATE"));
  return Transaction(connection);
}

Transaction::~Transaction() {
  if (connection_ != nullptr) (void)connection_->run("ROLLBACK");
}

Result<void> Transaction::commit() {
  CUPILOT_CHECKED(connection_->run("COMMIT"));
  connection_ = nullptr;
  return {};
}

}  // namespace cupilot::store
