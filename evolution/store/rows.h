// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes rows of tables by the descriptions of structs (annotate/support/fields.h): a column for
// each member, named as the member is. Private to evolution/store.

#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "annotate/spec/enum_names.h"
#include "annotate/support/fields.h"
#include "annotate/support/result.h"
#include "annotate/support/text.h"
#include "evolution/model/individual.h"
#include "evolution/store/connection.h"
#include "evolution/store/ids.h"

namespace cupilot::store {

struct Column {
  std::string name;
  SqlValue value;
};
using Columns = std::vector<Column>;

/// `into` begins the statement: "INSERT INTO run". Step the statement to execute it.
Result<Statement> insert_row(const Connection &connection, const std::string &into, const Columns &columns,
                             const std::string &ending = "");
Result<void> update_row(const Connection &connection, const std::string &table, const Columns &columns,
                        std::int64_t id);
/// "name=value" for each knob, separated by blanks.
std::string knobs_to_text(const std::vector<model::Knob> &knobs);
std::vector<model::Knob> knobs_from_text(const std::string &text);
/// The lines of a text; none in an empty one.
std::vector<std::string> lines_of(const std::string &text);

/// The name of a member's column. The table of outcomes is older than the description of its struct.
inline std::string column_name(std::string_view member) {
  return member == "class" ? "roofline_class" : std::string(member);
}

// One overload for each kind of value that a column stores.
template <class M>
SqlValue column_value(const M &value) {
  if constexpr (std::is_enum_v<M>)
    return std::string(enum_name(value));
  else if constexpr (std::is_integral_v<M>)
    return static_cast<std::int64_t>(value);
  else
    return value;  // a double or a text
}
inline SqlValue column_value(const std::vector<std::string> &lines) {
  return join(lines, "\n");
}
inline SqlValue column_value(const std::set<std::string> &lines) {
  return join({lines.begin(), lines.end()}, "\n");
}
inline SqlValue column_value(const std::vector<std::int64_t> &ids) {
  return ids_to_text(ids);
}
inline SqlValue column_value(const std::vector<model::Knob> &knobs) {
  return knobs_to_text(knobs);
}

template <class M>
Result<void> take_column(const Statement &row, int column, M &into) {
  if constexpr (std::is_enum_v<M>) {
    const auto value = enum_from_name<M>(row.text(column));
    if (!value) return fail("the value '" + row.text(column) + "' is unknown");
    into = *value;
  } else if constexpr (std::is_integral_v<M>) {
    into = static_cast<M>(row.integer(column));
  } else if constexpr (std::is_floating_point_v<M>) {
    into = row.real(column);
  } else {
    into = row.text(column);
  }
  return {};
}
inline Result<void> take_column(const Statement &row, int column, std::vector<std::string> &into) {
  into = lines_of(row.text(column));
  return {};
}
inline Result<void> take_column(const Statement &row, int column, std::set<std::string> &into) {
  const auto lines = lines_of(row.text(column));
  into = {lines.begin(), lines.end()};
  return {};
}
inline Result<void> take_column(const Statement &row, int column, std::vector<std::int64_t> &into) {
  CUPILOT_TRY(ids, ids_from_text(row.text(column)));
  into = std::move(ids);
  return {};
}
inline Result<void> take_column(const Statement &row, int column, std::vector<model::Knob> &into) {
  into = knobs_from_text(row.text(column));
  return {};
}

// Calls visit(name, member) for each column.
template <class T, class Visit, class S, class M, class View>
void visit_columns(T &value, const Visit &visit, const Field<S, M, View> &item) {
  visit(item.name, value.*item.member);
}
template <class T, class Visit, class... Items>
void visit_columns(T &value, const Visit &visit, const FieldList<Items...> &list) {
  for_each_item(list, [&](const auto &item) { visit_columns(value, visit, item); });
}
template <class T, class Visit, class S, class M, class List>
void visit_columns(T &value, const Visit &visit, const Inlined<S, M, List> &item) {
  visit_columns(value.*item.member, visit, item.list);
}

/// The columns of a described struct, or of those of its members that `list` selects, with their values.
template <class T, class... Items>
Columns columns_of(const T &value, const FieldList<Items...> &list) {
  Columns columns;
  visit_columns(
      value,
      [&](const char *name, const auto &member) {
        columns.push_back({column_name(name), column_value(member)});
      },
      list);
  return columns;
}
template <Described T>
Columns columns_of(const T &value) {
  return columns_of(value, described<T>());
}

/// "kernel, seed", or "run.kernel, run.seed" with the prefix "run."
template <class T, class... Items>
std::string column_names(const FieldList<Items...> &list, const std::string &prefix = "") {
  std::string names;
  const T value{};
  visit_columns(
      value,
      [&](const char *name, const auto &) {
        names += (names.empty() ? "" : ", ") + prefix + column_name(name);
      },
      list);
  return names;
}
template <Described T>
std::string column_names(const std::string &prefix = "") {
  return column_names<T>(described<T>(), prefix);
}

/// The columns of the current row, in the order of column_names(), the first of them being `column`.
template <class T, class... Items>
Result<T> read_row(const Statement &row, const FieldList<Items...> &list, int column = 0) {
  T value{};
  Result<void> taken;
  visit_columns(
      value,
      [&](const char *name, auto &member) {
        if (!taken) return;
        taken = take_column(row, column++, member);
        if (!taken) taken = within("column '" + column_name(name) + "'", taken.error());
      },
      list);
  if (!taken) return std::unexpected(taken.error());
  return value;
}
template <Described T>
Result<T> read_row(const Statement &row, int column = 0) {
  return read_row<T>(row, described<T>(), column);
}

/// All rows of a statement, each read by `read`, which returns a Result.
template <class Read>
auto read_rows(Result<Statement> rows, Read read)
    -> Result<std::vector<typename decltype(read(*rows))::value_type>> {
  if (!rows) return std::unexpected(rows.error());
  std::vector<typename decltype(read(*rows))::value_type> all;
  while (true) {
    CUPILOT_TRY(found, rows->step());
    if (!found) return all;
    CUPILOT_TRY(one, read(*rows));
    all.push_back(std::move(one));
  }
}
template <Described T>
Result<std::vector<T>> read_rows(Result<Statement> rows) {
  return read_rows(std::move(rows), [](const Statement &row) { return read_row<T>(row); });
}

}  // namespace cupilot::store
