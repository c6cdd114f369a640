-- Original and candidate on one workload, interleaved in one run. Its identity (spec, variant, flags, device, driver)
-- is that of its verdict and run; its samples are two rows of sample_set.
CREATE TABLE measurement (
  id              INTEGER PRIMARY KEY,
  verdict         INTEGER NOT NULL REFERENCES verdict (id),
  workload        TEXT NOT NULL,
  kind            TEXT NOT NULL,  -- faster, slower, same, unsure
  speedup         REAL NOT NULL,
  speedup_low     REAL NOT NULL,
  speedup_high    REAL NOT NULL,
  bytes_moved     REAL NOT NULL,
  bandwidth_share REAL NOT NULL,
  stopped_because TEXT NOT NULL,
  weight          REAL NOT NULL DEFAULT 1,
  holdout         INTEGER NOT NULL DEFAULT 0,
  UNIQUE (verdict, workload)
) STRICT;
