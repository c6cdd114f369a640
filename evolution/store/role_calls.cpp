// SPDX-License-Identifier: Apache-2.0
//
// Questions to providers. They are stored before they are asked, so that a kill in between leaves a trace of
// what may have been paid.

#include "annotate/support/hash.h"
#include "evolution/store/connection.h"
#include "evolution/store/database.h"
#include "evolution/store/rows.h"
#include "evolution/store/store_fields.h"

namespace cupilot::store {
namespace {

/// The stored calls that `condition` selects, with the texts of their prefixes.
Result<std::vector<RoleCall>> select_calls(const Connection &connection, const std::string &condition,
                                           const std::vector<SqlValue> &values) {
  const std::string sql = "SELECT " + column_names<RoleCall>("role_call.") +
                          ", text.content FROM role_call JOIN text ON text.sha256 = role_call.prefix WHERE " +
                          condition;
  return read_rows(connection.query(sql.c_str(), values), [](const Statement &row) -> Result<RoleCall> {
    CUPILOT_TRY(call, read_row<RoleCall>(row));
    call.prefix = row.text(static_cast<int>(members_of(described<RoleCall>())));
    return call;
  });
}

}  // namespace

Result<std::int64_t> Database::begin_role_call(std::int64_t run, const RoleCall &call) {
  CUPILOT_TRY(transaction, Transaction::begin(*connection_));
  RoleCall stored = call;
  stored.prefix = sha256(call.prefix);
  CUPILOT_CHECKED(connection_->run("INSERT INTO text (sha256, content) VALUES (?, ?) ON CONFLICT DO NOTHING",
                                   stored.prefix, call.prefix));
  auto columns = columns_of(stored, fields(kRoleQuestion, kRoleAnswer));
  columns.push_back({"run", run});
  CUPILOT_TRY(row, insert_row(*connection_, "INSERT INTO role_call", columns));
  CUPILOT_CHECKED(row.step());
  const std::int64_t id = connection_->last_id();
  CUPILOT_CHECKED(transaction.commit());
  return id;
}

Result<void> Database::end_role_call(const RoleCall &call) {
  return update_row(*connection_, "role_call", columns_of(call, kRoleAnswer), call.id);
}

Result<std::optional<RoleCall>> Database::find_answer(std::int64_t run, const std::string &question_sha256,
                                                      const std::string &provider) const {
  CUPILOT_TRY(calls, select_calls(*connection_,
                                  "run = ? AND question_sha256 = ? AND provider = ? AND state = 'answered' "
                                  "ORDER BY failure <> '', role_call.id DESC LIMIT 1",
                                  {run, question_sha256, provider}));
  if (calls.empty()) return std::nullopt;
  return std::move(calls.front());
}

Result<RoleSpending> Database::role_spending(std::int64_t run) const {
  const std::string sql =
      "SELECT " + column_names<RoleCall>(kRoleSpending) + " FROM role_call WHERE run = ? ORDER BY id";
  CUPILOT_TRY(calls, read_rows(connection_->query(sql.c_str(), run),
                               [](const Statement &row) { return read_row<RoleCall>(row, kRoleSpending); }));
  RoleSpending spending{.calls = calls.size()};
  for (const RoleCall &call : calls) {
    spending.tokens_in += call.tokens_in;
    spending.tokens_cached += call.tokens_cached;
    spending.tokens_out += call.tokens_out;
    spending.price_usd += call.price_usd;
  }
  return spending;
}

Result<std::vector<RoleCall>> Database::role_calls(std::int64_t run) const {
  return select_calls(*connection_, "run = ? ORDER BY role_call.id", {run});
}

Result<void> Database::align(std::int64_t run, const std::string &individual,
                             const std::string &strategy_text, const std::vector<std::int64_t> &calls) {
  return connection_->run(
      "UPDATE individual SET aligned_text = ?, calls = ? WHERE name = ? AND bundle IN "
      "(SELECT id FROM bundle WHERE run = ?)",
      strategy_text, ids_to_text(calls), individual, run);
}

}  // namespace cupilot::store
