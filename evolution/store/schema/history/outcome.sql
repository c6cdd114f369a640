-- What became of one strategy on one kernel of one architecture, measured or estimated: the latest.
CREATE TABLE outcome (
  strategy       TEXT NOT NULL,
  kernel_id      TEXT NOT NULL,
  architecture   TEXT NOT NULL,
  estimated      INTEGER NOT NULL,  -- 1: by the CPU executor
  kernel         TEXT NOT NULL,
  features       TEXT NOT NULL,     -- one a line
  roofline_class TEXT NOT NULL,     -- of the original; empty when not known
  verdict        TEXT NOT NULL,
  refused        INTEGER NOT NULL,  -- 1: no variant came of it
  speedup        REAL NOT NULL,     -- 0 when nothing was timed
  reason         TEXT NOT NULL,
  at             TEXT NOT NULL,
  PRIMARY KEY (strategy, kernel_id, architecture, estimated)
) STRICT, WITHOUT ROWID;
