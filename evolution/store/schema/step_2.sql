-- 1 -> 2: estimates, and the executor as a part of every key. SQLite cannot change a UNIQUE constraint, so the two
-- tables are made anew (foreign keys are off while steps run). What was there before came from GPUs.
CREATE TABLE new_run (
  id           INTEGER PRIMARY KEY,
  kernel       TEXT NOT NULL,
  kernel_id    TEXT NOT NULL,
  workload_id  TEXT NOT NULL,
  architecture TEXT NOT NULL,
  executor     TEXT NOT NULL,
  spec_sha256  TEXT NOT NULL,
  flags        TEXT NOT NULL,
  policy       TEXT NOT NULL,
  seed         INTEGER NOT NULL,
  starts       INTEGER NOT NULL DEFAULT 1,
  started      TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
  finished     TEXT NOT NULL DEFAULT '',
  outcome      TEXT NOT NULL DEFAULT '',
  UNIQUE (kernel_id, workload_id, architecture, executor, spec_sha256, flags, policy, seed)
) STRICT;
INSERT INTO new_run (id, kernel, kernel_id, workload_id, architecture, executor, spec_sha256, flags, policy, seed, starts,
                     started, finished, outcome)
  SELECT id, kernel, kernel_id, workload_id, architecture, 'gpu', spec_sha256, flags, policy, seed, starts, started,
         finished, outcome FROM run;
DROP TABLE run;
ALTER TABLE new_run RENAME TO run;
CREATE TABLE new_verdict (
  id             INTEGER PRIMARY KEY,
  individual     INTEGER NOT NULL REFERENCES individual (id),
  kernel_id      TEXT NOT NULL,
  workload_id    TEXT NOT NULL,
  architecture   TEXT NOT NULL,
  executor       TEXT NOT NULL,
  flags          TEXT NOT NULL,
  variant_sha256 TEXT NOT NULL,
  seed           INTEGER NOT NULL,
  device         TEXT NOT NULL,
  driver         TEXT NOT NULL,
  kind           TEXT NOT NULL,
  stage          TEXT NOT NULL,
  reason         TEXT NOT NULL,
  speedup        REAL NOT NULL,
  report         TEXT NOT NULL,
  judged         TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
  UNIQUE (kernel_id, workload_id, architecture, executor, flags, variant_sha256, seed, device)
) STRICT;
INSERT INTO new_verdict (id, individual, kernel_id, workload_id, architecture, executor, flags, variant_sha256, seed, device,
                         driver, kind, stage, reason, speedup, report, judged)
  SELECT id, individual, kernel_id, workload_id, architecture, 'gpu', flags, variant_sha256, seed, device, driver, kind,
         stage, reason, speedup, report, judged FROM verdict;
DROP TABLE verdict;
ALTER TABLE new_verdict RENAME TO verdict;
CREATE TABLE estimate (
  id       INTEGER PRIMARY KEY,
  verdict  INTEGER NOT NULL REFERENCES verdict (id),
  workload TEXT NOT NULL,
  kind     TEXT NOT NULL,
  tie      INTEGER NOT NULL,
  ratio    REAL NOT NULL,
  UNIQUE (verdict, workload)
) STRICT;
CREATE TABLE estimated_time (
  estimate   INTEGER NOT NULL REFERENCES estimate (id),
  side       TEXT NOT NULL CHECK (side IN ('original', 'candidate')),
  time_us    REAL NOT NULL,
  bound      TEXT NOT NULL,
  parts_us   TEXT NOT NULL,
  launches   INTEGER NOT NULL,
  blocks     INTEGER NOT NULL,
  blocks_run INTEGER NOT NULL,
  PRIMARY KEY (estimate, side)
) STRICT, WITHOUT ROWID;
