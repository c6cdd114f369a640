// SPDX-License-Identifier: Apache-2.0
#include "evolution/store/rows.h"

#include <cstdlib>

namespace cupilot::store {
namespace {

std::vector<SqlValue> values_of(const Columns &columns) {
  std::vector<SqlValue> values;
  for (const Column &column : columns) values.push_back(column.value);
  return values;
}

}  // namespace

Result<Statement> insert_row(const Connection &connection, const std::string &into, const Columns &columns,
                             const std::string &ending) {
  std::string names, places;
  for (const Column &column : columns) {
    names += (names.empty() ? "" : ", ") + column.name;
    places += places.empty() ? "?" : ", ?";
  }
  return connection.query((into + " (" + names + ") VALUES (" + places + ") " + ending).c_str(),
                          values_of(columns));
}

Result<void> update_row(const Connection &connection, const std::string &table, const Columns &columns,
                        std::int64_t id) {
  std::string names;
  for (const Column &column : columns) names += (names.empty() ? "" : ", ") + column.name + " = ?";
  auto values = values_of(columns);
  values.emplace_back(id);
  CUPILOT_TRY(statement,
              connection.query(("UPDATE " + table + " SET " + names + " WHERE id = ?").c_str(), values));
  CUPILOT_CHECKED(statement.step());
  return {};
}

std::string knobs_to_text(const std::vector<model::Knob> &knobs) {
  std::string text;
  for (const model::Knob &knob : knobs)
    text += (text.empty() ? "" : " ") + knob.name + "=" + std::to_string(knob.value);
  return text;
}

std::vector<model::Knob> knobs_from_text(const std::string &text) {
  std::vector<model::Knob> knobs;
  for (const std::string &word : split(text, ' ')) {
    const auto equals = word.find('=');
    if (equals == std::string::npos) continue;
    model::Knob knob{.name = word.substr(0, equals)};
    knob.value = std::strtoll(word.c_str() + equals + 1, nullptr, 10);
    knobs.push_back(std::move(knob));
  }
  return knobs;
}

std::vector<std::string> lines_of(const std::string &text) {
  std::vector<std::string> lines;
  if (!text.empty()) lines = split_lines(text);
  return lines;
}

}  // namespace cupilot::store
