// SPDX-License-Identifier: Apache-2.0
//
// Makes a fresh database, or brings an older one up to date step by step. schema/*.sql say how the newest
// schema looks; a step says how to get there from the one before. Private to evolution/store.

#pragma once

#include <cstdint>
#include <span>

#include "annotate/support/result.h"
#include "evolution/store/connection.h"

namespace cupilot {

struct SchemaStep {
  int version;            ///< of the schema after this step
  int oldest_compatible;  ///< the oldest program (by schema version) that may still use the result
  const char *sql;
};

/// The newest schema: version 1 is what schema/*.sql said first; every later change adds a step and edits the
/// tables.
inline constexpr std::int64_t kRunDatabase = 0x6375706c;  ///< "cupl", in SQLite's file header

struct Schema {
  std::span<const char *const> tables;
  std::span<const SchemaStep> steps;  ///< in order; empty while the schema is version 1
  std::int64_t application_id = kRunDatabase;
  int version() const { return steps.empty() ? 1 : steps.back().version; }
  int oldest_compatible() const { return steps.empty() ? 1 : steps.back().oldest_compatible; }
};

const Schema &newest_schema();
/// Of the history, a file of its own kind.
const Schema &history_schema();

/// One transaction: afterwards the database has the schema, or is as it was. Foreign keys must be off
/// (SQLite's own default), so that a step can make a table anew.
Result<void> apply_schema(const Connection &connection, const Schema &schema);

}  // namespace cupilot
