-- The judge's answer, once per key. `report` is the verdict's JSON with its measurements, their samples and its
-- estimates; the columns beside it are what queries ask for.
-- A verdict without a device (the build failed before one was needed) holds for every device.
CREATE TABLE verdict (
  id             INTEGER PRIMARY KEY,
  individual     INTEGER NOT NULL REFERENCES individual (id),
  kernel_id      TEXT NOT NULL,
  workload_id    TEXT NOT NULL,
  architecture   TEXT NOT NULL,
  executor       TEXT NOT NULL,  -- gpu or cpu: measured and estimated verdicts never answer for each other
  flags          TEXT NOT NULL,
  variant_sha256 TEXT NOT NULL,
  seed           INTEGER NOT NULL,
  device         TEXT NOT NULL,
  driver         TEXT NOT NULL,
  kind           TEXT NOT NULL,
  stage          TEXT NOT NULL,
  reason         TEXT NOT NULL,
  speedup        REAL NOT NULL,  -- 0 when nothing was timed; an estimate is no speed-up
  report         TEXT NOT NULL,
  judged         TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
  UNIQUE (kernel_id, workload_id, architecture, executor, flags, variant_sha256, seed, device)
) STRICT;
