// SPDX-License-Identifier: Apache-2.0
#include "evolution/store/history.h"

#include <cstdlib>

#include "evolution/model/verdict_fields.h"
#include "evolution/store/connection.h"
#include "evolution/store/rows.h"
#include "evolution/store/schema.h"

namespace cupilot::store {
namespace {

namespace fs = std::filesystem;

std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

}  // namespace

fs::path user_data_folder() {
  if (const auto own = variable("CUPILOT_DATA"); !own.empty()) return own;
  if (const auto data = variable("XDG_DATA_HOME"); !data.empty()) return fs::path(data) / "cupilot";
  const auto home = variable("HOME");
  return fs::path(home.empty() ? "." : home) / ".local" / "share" / "cupilot";
}

History::History(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
History::History(History &&) noexcept = default;
History &History::operator=(History &&) noexcept = default;
History::~History() = default;

// Other processes may open, read or write it at the same time; the connection waits for them.
Result<History> History::open(const fs::path &file) {
  std::error_code code;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), code);
  if (code)
    return fail("cannot create folder " + file.parent_path().string() + " for the history of strategies: " +
                code.message() + "; CUPILOT_DATA chooses another folder");
  CUPILOT_TRY(connection, Connection::open(file, "history", "move it away to begin a history without it"));
  CUPILOT_CHECKED(connection->use_write_ahead_log());
  CUPILOT_CHECKED(apply_schema(*connection, history_schema()));
  return History(std::move(connection));
}

Result<void> History::add(const std::vector<model::StrategyOutcome> &outcomes) {
  CUPILOT_TRY(transaction, Transaction::begin(*connection_));
  for (const model::StrategyOutcome &one : outcomes) {
    CUPILOT_TRY(row, insert_row(*connection_, "INSERT OR REPLACE INTO outcome", columns_of(one)));
    CUPILOT_CHECKED(row.step());
  }
  CUPILOT_CHECKED(connection_->run("UPDATE outcome SET at = strftime('%Y-%m-%dT%H:%M:%SZ') WHERE at = ''"));
  return transaction.commit();
}

Result<std::vector<model::StrategyOutcome>> History::outcomes() const {
  const std::string sql = "SELECT " + column_names<model::StrategyOutcome>() +
                          " FROM outcome ORDER BY at, strategy, kernel_id, architecture, estimated";
  auto outcomes = read_rows<model::StrategyOutcome>(connection_->query(sql.c_str()));
  if (!outcomes) return within("history " + connection_->path().string(), outcomes.error());
  return outcomes;
}

Result<void> History::keep_strategy(const std::string &id, const std::string &text) {
  return connection_->run("INSERT OR REPLACE INTO strategy (id, text) VALUES (?, ?)", id, text);
}

Result<std::vector<std::string>> History::strategies() const {
  return read_rows(connection_->query("SELECT text FROM strategy ORDER BY id"),
                   [](const Statement &row) -> Result<std::string> { return row.text(0); });
}

}  // namespace cupilot::store
