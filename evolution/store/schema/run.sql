-- One search for one kernel. A search that was interrupted and started again is the same row.
CREATE TABLE run (
  id           INTEGER PRIMARY KEY,
  kernel       TEXT NOT NULL,
  kernel_id    TEXT NOT NULL,
  workload_id  TEXT NOT NULL,
  architecture TEXT NOT NULL,
  executor     TEXT NOT NULL,               -- gpu: measurements, cpu: estimates
  spec_sha256  TEXT NOT NULL,
  flags        TEXT NOT NULL,               -- compiler options, one a line
  policy       TEXT NOT NULL,
  options      TEXT NOT NULL DEFAULT '',    -- of the policy and the models it asks, one a line
  seed         INTEGER NOT NULL,
  starts       INTEGER NOT NULL DEFAULT 1,
  started      TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
  finished     TEXT NOT NULL DEFAULT '',
  outcome      TEXT NOT NULL DEFAULT '',    -- why it ended; empty while it runs or when it was killed
  UNIQUE (kernel_id, workload_id, architecture, executor, spec_sha256, flags, policy, options, seed)
) STRICT;
