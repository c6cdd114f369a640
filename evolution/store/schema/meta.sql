-- Two numbers decide who may read this file: the schema it has, and the oldest schema version whose program still can.
CREATE TABLE meta (
  name  TEXT NOT NULL PRIMARY KEY,  -- 'schema_version', 'oldest_compatible'
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
