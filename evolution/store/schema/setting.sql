-- What a run was begun with and keeps when it is started again: prices, for one.
CREATE TABLE setting (
  run   INTEGER NOT NULL REFERENCES run (id),
  name  TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID;
