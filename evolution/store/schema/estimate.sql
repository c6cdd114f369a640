-- Original and candidate on one workload as the CPU executor estimates them: apart from measurements, which nothing here
-- can become. Its two sides are rows of estimated_time.
CREATE TABLE estimate (
  id       INTEGER PRIMARY KEY,
  verdict  INTEGER NOT NULL REFERENCES verdict (id),
  workload TEXT NOT NULL,
  kind     TEXT NOT NULL,     -- faster, slower, same
  tie      INTEGER NOT NULL,  -- 1: the difference is within the model's own error
  ratio    REAL NOT NULL,     -- original over candidate
  weight   REAL NOT NULL DEFAULT 1,
  holdout  INTEGER NOT NULL DEFAULT 0,
  UNIQUE (verdict, workload)
) STRICT;
