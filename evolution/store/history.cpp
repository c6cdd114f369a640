// SPDX-License-Identifier: Apache-2.0
#include "evolution/store/history.h"

#include <cstdlib>

#include "annotate/support/text.h"
#include "evolution/model/verdict_fields.h"
#include "evolution/store/connection.h"
#include "evolution/store/schema.h"

namespace cupilot {
namespace {

namespace fs = std::filesystem;

std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

Result<StrategyOutcome> read_outcome(const Statement &row) {
  StrategyOutcome one;
  one.strategy = row.text(0);
  one.kernel_id = row.text(1);
  one.architecture = row.text(2);
  one.estimated = row.integer(3) != 0;
  one.kernel = row.text(4);
  for (const std::string &feature : split(row.text(5), '\n'))
    if (!feature.empty()) one.features.insert(feature);
  one.roofline_class = row.text(6);
  const auto verdict = enum_from_name<VerdictKind>(row.text(7));
  if (!verdict)
    return fail("unknown verdict '" + row.text(7) + "' about the strategy '" + one.strategy + "'");
  one.verdict = *verdict;
  one.refused = row.integer(8) != 0;
  one.speedup = row.real(9);
  one.reason = row.text(10);
  one.at = row.text(11);
  return one;
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
  CUPILOT_CHECKED(connection->script("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"));
  CUPILOT_CHECKED(apply_schema(*connection, history_schema()));
  return History(std::move(connection));
}

Result<void> History::add(const std::vector<StrategyOutcome> &outcomes) {
  CUPILOT_TRY(transaction, Transaction::begin(*connection_));
  for (const StrategyOutcome &one : outcomes)
    CUPILOT_CHECKED(connection_->run(
        "INSERT OR REPLACE INTO outcome (strategy, kernel_id, architecture, estimated, kernel, features, "
        "roofline_class, verdict, refused, speedup, reason, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
        "iif(?12 = '', strftime('%Y-%m-%dT%H:%M:%SZ'), ?12))",
        one.strategy, one.kernel_id, one.architecture, static_cast<std::int64_t>(one.estimated), one.kernel,
        join({one.features.begin(), one.features.end()}, "\n"), one.roofline_class,
        std::string_view(to_string(one.verdict)), static_cast<std::int64_t>(one.refused), one.speedup,
        one.reason, one.at));
  return transaction.commit();
}

Result<std::vector<StrategyOutcome>> History::outcomes() const {
  CUPILOT_TRY(row,
              connection_->query("SELECT strategy, kernel_id, architecture, estimated, kernel, features, "
                                 "roofline_class, verdict, refused, speedup, reason, at FROM outcome "
                                 "ORDER BY at, strategy, kernel_id, architecture, estimated"));
  std::vector<StrategyOutcome> outcomes;
  while (true) {
    CUPILOT_TRY(found, row.step());
    if (!found) return outcomes;
    auto outcome = read_outcome(row);
    if (!outcome) return within("history " + connection_->path().string(), outcome.error());
    outcomes.push_back(std::move(*outcome));
  }
}

Result<void> History::keep_strategy(const std::string &id, const std::string &text) {
  return connection_->run("INSERT OR REPLACE INTO strategy (id, text) VALUES (?, ?)", id, text);
}

Result<std::vector<std::string>> History::strategies() const {
  CUPILOT_TRY(row, connection_->query("SELECT text FROM strategy ORDER BY id"));
  std::vector<std::string> texts;
  while (true) {
    CUPILOT_TRY(found, row.step());
    if (!found) return texts;
    texts.push_back(row.text(0));
  }
}

}  // namespace cupilot
