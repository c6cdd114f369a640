-- One side of an estimate: all launches of one call.
CREATE TABLE estimated_time (
  estimate   INTEGER NOT NULL REFERENCES estimate (id),
  side       TEXT NOT NULL CHECK (side IN ('original', 'candidate')),
  time_us    REAL NOT NULL,
  bound      TEXT NOT NULL,  -- the largest part
  parts_us   TEXT NOT NULL,  -- one a line: name, blank, microseconds
  launches   INTEGER NOT NULL,
  blocks     INTEGER NOT NULL,
  blocks_run INTEGER NOT NULL,  -- executed for the estimate
  PRIMARY KEY (estimate, side)
) STRICT, WITHOUT ROWID;
