// SPDX-License-Identifier: Apache-2.0
//
// Creates a new database, or upgrades an older one step by step. schema/*.sql define the newest schema; each
// step converts the schema of the version before it. Private to evolution/store.

#pragma once

#include <cstdint>
#include <span>

#include "annotate/support/result.h"
#include "evolution/store/connection.h"

namespace cupilot::store {

struct SchemaStep {
  int version;            ///< version of the schema after this step
  int oldest_compatible;  ///< the oldest program (by schema version) that may still use the result
  const char *sql;
};

inline constexpr std::int64_t kRunDatabase = 0x6375706c;  ///< "cupl", in SQLite's file header

/// A schema. Version 1 is what schema/*.sql first defined. Every later change adds a step and edits the
/// tables.
struct Schema {
  std::span<const char *const> tables;
  std::span<const SchemaStep> steps;  ///< in order; empty while the schema is version 1
  std::int64_t application_id = kRunDatabase;
  int version() const { return steps.empty() ? 1 : steps.back().version; }
  int oldest_compatible() const { return steps.empty() ? 1 : steps.back().oldest_compatible; }
};

const Schema &newest_schema();
/// The schema of the history, which is a separate kind of file.
const Schema &history_schema();

/// Creates or upgrades in one transaction: on an error the database is unchanged. Foreign keys must be off
/// (SQLite's default), so that a step can recreate a table.
Result<void> apply_schema(const Connection &connection, const Schema &schema);

}  // namespace cupilot::store
