// SPDX-License-Identifier: Apache-2.0
//
// A C++ wrapper of SQLite: a connection, a statement with bound arguments, a transaction. Private to
// evolution/store. Every error names the database file and includes SQLite's message.

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "annotate/support/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace cupilot::store {

class Connection;

/// A value that is bound to a `?` of a statement.
using SqlValue = std::variant<std::int64_t, double, std::string>;

class Statement {
public:
  /// True if there is a row to read; false at the end.
  Result<bool> step();
  std::string text(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;

private:
  friend class Connection;
  struct Finalize {
    void operator()(sqlite3_stmt *statement) const;
  };
  Statement(const Connection &connection, sqlite3_stmt *statement)
      : connection_(&connection), statement_(statement) {}
  void bind(int index, std::string_view value);
  void bind(int index, std::int64_t value);
  void bind(int index, int value) { bind(index, static_cast<std::int64_t>(value)); }
  void bind(int index, double value);

  const Connection *connection_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Connection {
public:
  /// `what` names the kind of file in errors; `way_out` says what to do about a damaged file: "move it away
  /// to ...".
  static Result<std::unique_ptr<Connection>> open(
      const std::filesystem::path &path, std::string what = "run database",
      std::string way_out = "move it away to start this search again");
  Connection(const Connection &) = delete;
  Connection &operator=(const Connection &) = delete;
  ~Connection();

  /// A statement whose `?` are bound to `values` in order; step() executes it.
  template <class... Values>
  Result<Statement> query(const char *sql, const Values &...values) const {
    CUPILOT_TRY(statement, prepare(sql));
    int index = 0;
    (statement.bind(++index, values), ...);
    return statement;
  }

  Result<Statement> query(const char *sql, const std::vector<SqlValue> &values) const {
    CUPILOT_TRY(statement, prepare(sql));
    int index = 0;
    for (const SqlValue &value : values)
      std::visit([&](const auto &one) { statement.bind(++index, one); }, value);
    return statement;
  }

  /// Executes a statement that returns no rows.
  template <class... Values>
  Result<void> run(const char *sql, const Values &...values) const {
    CUPILOT_TRY(statement, query(sql, values...));
    CUPILOT_CHECKED(statement.step());
    return {};
  }

  /// Executes several statements in one text, without arguments.
  Result<void> script(const char *sql) const;

  /// Readers and a writer do not wait for each other from here on. A killed process loses nothing; only a
  /// power failure may lose the last transactions, and it never damages the file. Waits while other processes
  /// open the same new file.
  Result<void> use_write_ahead_log() const;

  std::int64_t last_id() const;
  int changed_rows() const;
  const std::filesystem::path &path() const { return path_; }
  const std::string &what() const { return what_; }
  const std::string &way_out() const { return way_out_; }
  std::unexpected<Error> failure() const;

private:
  Connection(sqlite3 *handle, std::filesystem::path path, std::string what, std::string way_out)
      : handle_(handle), path_(std::move(path)), what_(std::move(what)), way_out_(std::move(way_out)) {}
  Result<Statement> prepare(const char *sql) const;

  sqlite3 *handle_;
  std::filesystem::path path_;
  std::string what_, way_out_;
};

/// A transaction; the destructor rolls it back unless it was committed.
class Transaction {
public:
  static Result<Transaction> begin(const Connection &connection);
  Transaction(Transaction &&other) noexcept : connection_(std::exchange(other.connection_, nullptr)) {}
  Transaction &operator=(Transaction &&) = delete;
  ~Transaction();
  Result<void> commit();

private:
  explicit Transaction(const Connection &connection) : connection_(&connection) {}
  const Connection *connection_;
};

}  // namespace cupilot::store
