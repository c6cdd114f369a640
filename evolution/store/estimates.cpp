// SPDX-License-Identifier: Apache-2.0
#include "evolution/store/estimates.h"

#include "annotate/support/text.h"
#include "evolution/model/verdict_names.h"
#include "evolution/store/samples.h"

namespace cupilot {
namespace {

std::string parts_to_text(const std::map<std::string, double> &parts) {
  std::string text;
  for (const auto &[name, value] : parts) text += name + " " + numbers_to_text({value}) + "\n";
  return text;
}

Result<std::map<std::string, double>> parts_from_text(const std::string &text) {
  std::map<std::string, double> parts;
  for (const auto &line : split_lines(text)) {
    const auto blank = line.find(' ');
    if (blank == std::string::npos) return fail("'" + std::string(line) + "' is no part of an estimate");
    CUPILOT_TRY(value, numbers_from_text(line.substr(blank + 1)));
    parts[std::string(line.substr(0, blank))] = value.empty() ? 0 : value[0];
  }
  return parts;
}

Result<void> add_time(const Connection &connection, std::int64_t estimate, std::string_view side,
                      const EstimatedTime &time) {
  return connection.run(
      "INSERT INTO estimated_time (estimate, side, time_us, bound, parts_us, launches, blocks, blocks_run) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      estimate, side, time.time_us, time.bound, parts_to_text(time.parts_us),
      static_cast<std::int64_t>(time.launches), static_cast<std::int64_t>(time.blocks),
      static_cast<std::int64_t>(time.blocks_run));
}

Result<EstimatedTime> read_time(const Connection &connection, std::int64_t estimate, std::string_view side) {
  CUPILOT_TRY(row, connection.query("SELECT time_us, bound, parts_us, launches, blocks, blocks_run FROM "
                                    "estimated_time WHERE estimate = ? AND side = ?",
                                    estimate, side));
  EstimatedTime time;
  CUPILOT_TRY(found, row.step());
  if (!found) return time;
  CUPILOT_TRY(parts, parts_from_text(row.text(2)));
  time.time_us = row.real(0);
  time.bound = row.text(1);
  time.parts_us = std::move(parts);
  time.launches = static_cast<std::uint64_t>(row.integer(3));
  time.blocks = static_cast<std::uint64_t>(row.integer(4));
  time.blocks_run = static_cast<std::uint64_t>(row.integer(5));
  return time;
}

}  // namespace

Result<void> add_estimate(const Connection &connection, std::int64_t verdict, const Estimate &one) {
  CUPILOT_CHECKED(connection.run(
      "INSERT INTO estimate (verdict, workload, kind, tie, ratio, weight, holdout) VALUES (?, ?, ?, ?, ?, ?, "
      "?)",
      verdict, one.workload, std::string_view(to_string(one.verdict)), static_cast<std::int64_t>(one.tie),
      one.ratio, one.weight, static_cast<std::int64_t>(one.holdout)));
  const std::int64_t id = connection.last_id();
  CUPILOT_CHECKED(add_time(connection, id, "original", one.original));
  return add_time(connection, id, "candidate", one.candidate);
}

Result<std::vector<Estimate>> read_estimates(const Connection &connection, std::int64_t verdict) {
  CUPILOT_TRY(row, connection.query("SELECT id, workload, kind, tie, ratio, weight, holdout FROM estimate "
                                    "WHERE verdict = ? ORDER BY id",
                                    verdict));
  std::vector<Estimate> estimates;
  while (true) {
    CUPILOT_TRY(found, row.step());
    if (!found) return estimates;
    const auto kind = enum_from_name<VerdictKind>(row.text(2));
    if (!kind)
      return fail("unknown verdict '" + row.text(2) + "' in run database " + connection.path().string());
    Estimate one{.workload = row.text(1),
                 .verdict = *kind,
                 .tie = row.integer(3) != 0,
                 .ratio = row.real(4),
                 .weight = row.real(5),
                 .holdout = row.integer(6) != 0};
    CUPILOT_TRY(original, read_time(connection, row.integer(0), "original"));
    CUPILOT_TRY(candidate, read_time(connection, row.integer(0), "candidate"));
    one.original = std::move(original);
    one.candidate = std::move(candidate);
    estimates.push_back(std::move(one));
  }
}

}  // namespace cupilot
