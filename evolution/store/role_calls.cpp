// SPDX-License-Identifier: Apache-2.0
//
// Questions to providers. They are stored before they are asked, so that a kill in between leaves a trace of
// what may have been paid.

#include <array>

#include "annotate/spec/enum_names.h"
#include "annotate/support/hash.h"
#include "evolution/store/connection.h"
#include "evolution/store/database.h"
#include "evolution/store/ids.h"

namespace cupilot {
namespace {

using State = RoleCall::State;
constexpr std::array<std::pair<State, const char *>, 3> kStates{
    {{State::asked, "asked"}, {State::answered, "answered"}, {State::failed, "failed"}}};

}  // namespace

EnumNames<State> names_of(const State *) {
  return kStates;
}

namespace {

// Columns in the order of read_call().
#define CUPILOT_CALL_COLUMNS                                                                              \
  "role_call.id, role, prompt_version, role_call.content, text.content, prompt, question_sha256, state, " \
  "answer, failure, provider, model, request_id, tokens_in, tokens_cached, tokens_out, price_usd, "       \
  "seconds, at FROM role_call JOIN text ON text.sha256 = role_call.prefix "

RoleCall read_call(const Statement &row) {
  return {
      .id = row.integer(0),
      .role = row.text(1),
      .prompt_version = row.text(2),
      .content = row.text(3),
      .prefix = row.text(4),
      .prompt = row.text(5),
      .question_sha256 = row.text(6),
      .state = enum_from_name<State>(row.text(7)).value_or(State::asked),  // the table allows no other name
      .answer = row.text(8),
      .failure = row.text(9),
      .provider = row.text(10),
      .model = row.text(11),
      .request_id = row.text(12),
      .tokens_in = row.integer(13),
      .tokens_cached = row.integer(14),
      .tokens_out = row.integer(15),
      .price_usd = row.real(16),
      .seconds = row.real(17),
      .at = row.text(18)};
}

std::int64_t sql(long long number) {
  return number;
}

}  // namespace

Result<std::int64_t> Database::begin_role_call(std::int64_t run, const RoleCall &call) {
  CUPILOT_TRY(transaction, Transaction::begin(*connection_));
  const std::string prefix = sha256(call.prefix);
  CUPILOT_CHECKED(connection_->run("INSERT INTO text (sha256, content) VALUES (?, ?) ON CONFLICT DO NOTHING",
                                   prefix, call.prefix));
  CUPILOT_CHECKED(connection_->run(
      "INSERT INTO role_call (run, role, prompt_version, question_sha256, content, prefix, prompt, state, "
      "answer, failure, provider, model, request_id, tokens_in, tokens_cached, tokens_out, price_usd, "
      "seconds) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      run, call.role, call.prompt_version, call.question_sha256, call.content, prefix, call.prompt,
      std::string_view(enum_name(call.state)), call.answer, call.failure, call.provider, call.model,
      call.request_id, sql(call.tokens_in), sql(call.tokens_cached), sql(call.tokens_out), call.price_usd,
      call.seconds));
  const std::int64_t id = connection_->last_id();
  CUPILOT_CHECKED(transaction.commit());
  return id;
}

Result<void> Database::end_role_call(const RoleCall &call) {
  return connection_->run(
      "UPDATE role_call SET state = ?, answer = ?, failure = ?, model = ?, request_id = ?, tokens_in = ?, "
      "tokens_cached = ?, tokens_out = ?, price_usd = ?, seconds = ? WHERE id = ?",
      std::string_view(enum_name(call.state)), call.answer, call.failure, call.model, call.request_id,
      sql(call.tokens_in), sql(call.tokens_cached), sql(call.tokens_out), call.price_usd, call.seconds,
      call.id);
}

Result<std::optional<RoleCall>> Database::find_answer(std::int64_t run, const std::string &question_sha256,
                                                      const std::string &provider) const {
  CUPILOT_TRY(row, connection_->query("SELECT " CUPILOT_CALL_COLUMNS
                                      "WHERE run = ? AND question_sha256 = ? AND provider = ? AND state = "
                                      "'answered' ORDER BY failure <> '', role_call.id DESC LIMIT 1",
                                      run, question_sha256, provider));
  CUPILOT_TRY(found, row.step());
  if (!found) return std::nullopt;
  return read_call(row);
}

Result<RoleSpending> Database::role_spending(std::int64_t run) const {
  CUPILOT_TRY(row, connection_->query("SELECT tokens_in, tokens_cached, tokens_out, price_usd FROM role_call "
                                      "WHERE run = ? ORDER BY id",
                                      run));
  RoleSpending spending;
  while (true) {
    CUPILOT_TRY(found, row.step());
    if (!found) return spending;
    spending.tokens_in += row.integer(0);
    spending.tokens_cached += row.integer(1);
    spending.tokens_out += row.integer(2);
    spending.price_usd += row.real(3);
    ++spending.calls;
  }
}

Result<std::vector<RoleCall>> Database::role_calls(std::int64_t run) const {
  CUPILOT_TRY(row,
              connection_->query("SELECT " CUPILOT_CALL_COLUMNS "WHERE run = ? ORDER BY role_call.id", run));
  std::vector<RoleCall> calls;
  while (true) {
    CUPILOT_TRY(found, row.step());
    if (!found) return calls;
    calls.push_back(read_call(row));
  }
}

Result<void> Database::align(std::int64_t run, const std::string &individual,
                             const std::string &strategy_text, const std::vector<std::int64_t> &calls) {
  return connection_->run(
      "UPDATE individual SET aligned_text = ?, calls = ? WHERE name = ? AND bundle IN "
      "(SELECT id FROM bundle WHERE run = ?)",
      strategy_text, ids_to_text(calls), individual, run);
}

}  // namespace cupilot
