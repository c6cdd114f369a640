-- A run database as the first version of cupilot wrote it: one run, one verdict with its samples.
PRAGMA application_id = 1668640876;
BEGIN TRANSACTION;
CREATE TABLE bundle (
  id     TEXT NOT NULL PRIMARY KEY,
  run    INTEGER NOT NULL REFERENCES run (id),
  folder TEXT NOT NULL,
  seed   INTEGER NOT NULL,
  open   INTEGER NOT NULL DEFAULT 1
) STRICT, WITHOUT ROWID;
INSERT INTO "bundle" VALUES('b1',1,'/nowhere/b1',7,0);
CREATE TABLE event (
  id   INTEGER PRIMARY KEY,
  run  INTEGER NOT NULL REFERENCES run (id),
  at   TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
  kind TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
INSERT INTO "event" VALUES(1,1,'2026-01-01T00:00:01.000Z','round','singles: 1 to judge, 0 known');
CREATE TABLE individual (
  id             INTEGER PRIMARY KEY,
  bundle         TEXT NOT NULL REFERENCES bundle (id),
  name           TEXT NOT NULL,
  variant_sha256 TEXT NOT NULL,
  variant        TEXT NOT NULL,
  strategies     TEXT NOT NULL,  -- ids, one a line, in the order applied
  strategy_text  TEXT NOT NULL,
  knobs          TEXT NOT NULL,  -- 'kThreads=256 kItems=4'
  parents        TEXT NOT NULL,  -- names, one a line
  provider       TEXT NOT NULL,
  model          TEXT NOT NULL,
  UNIQUE (bundle, name)
) STRICT;
INSERT INTO "individual" VALUES(1,'b1','c0001','h1','one','wide-access','','kThreads=256','','builtin','');
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
  UNIQUE (verdict, workload)
) STRICT;
INSERT INTO "measurement" VALUES(1,1,'llama','faster',2.0,1.9,2.1,1000000000.0,0.91,'relative error 0.4 %');
CREATE TABLE meta (
  name  TEXT NOT NULL PRIMARY KEY,  -- 'schema_version', 'oldest_compatible'
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "meta" VALUES('oldest_compatible',1);
INSERT INTO "meta" VALUES('schema_version',1);
CREATE TABLE role_call (
  id             INTEGER PRIMARY KEY,
  run            INTEGER NOT NULL REFERENCES run (id),
  at             TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
  role           TEXT NOT NULL,
  prompt_version TEXT NOT NULL,
  request_sha256 TEXT NOT NULL,
  request        TEXT NOT NULL,
  answer         TEXT NOT NULL,
  failure        TEXT NOT NULL,  -- empty when it was answered
  provider       TEXT NOT NULL,
  model          TEXT NOT NULL,
  tokens_in      INTEGER NOT NULL,
  tokens_out     INTEGER NOT NULL,
  price_usd      REAL NOT NULL,
  seconds        REAL NOT NULL
) STRICT;
CREATE TABLE run (
  id           INTEGER PRIMARY KEY,
  kernel       TEXT NOT NULL,
  kernel_id    TEXT NOT NULL,
  workload_id  TEXT NOT NULL,
  architecture TEXT NOT NULL,
  spec_sha256  TEXT NOT NULL,
  flags        TEXT NOT NULL,               -- compiler options, one a line
  policy       TEXT NOT NULL,
  seed         INTEGER NOT NULL,
  starts       INTEGER NOT NULL DEFAULT 1,
  started      TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
  finished     TEXT NOT NULL DEFAULT '',
  outcome      TEXT NOT NULL DEFAULT '',    -- why it ended; empty while it runs or when it was killed
  UNIQUE (kernel_id, workload_id, architecture, spec_sha256, flags, policy, seed)
) STRICT;
INSERT INTO "run" VALUES(1,'rms_norm','kid','wid','sm_90','spec','-O3','rules',7,1,'2026-01-01T00:00:00.000Z','','');
CREATE TABLE sample_set (
  measurement  INTEGER NOT NULL REFERENCES measurement (id),
  side         TEXT NOT NULL CHECK (side IN ('original', 'candidate')),
  samples_us   TEXT NOT NULL,  -- separated by blanks
  sm_clock_mhz TEXT NOT NULL,  -- beside each sample; empty when not measured
  dropped      TEXT NOT NULL,  -- one a line: time, blank, reason
  min_us       REAL NOT NULL,
  q1_us        REAL NOT NULL,
  median_us    REAL NOT NULL,
  q3_us        REAL NOT NULL,
  mean_us      REAL NOT NULL,
  stdev_us     REAL NOT NULL,
  PRIMARY KEY (measurement, side)
) STRICT, WITHOUT ROWID;
INSERT INTO "sample_set" VALUES(1,'candidate','10.0 10.0','','',10.0,10.0,10.0,10.0,10.0,0.0);
INSERT INTO "sample_set" VALUES(1,'original','20.0 20.0','','',20.0,20.0,20.0,20.0,20.0,0.0);
CREATE TABLE verdict (
  id             INTEGER PRIMARY KEY,
  individual     INTEGER NOT NULL REFERENCES individual (id),
  kernel_id      TEXT NOT NULL,
  workload_id    TEXT NOT NULL,
  architecture   TEXT NOT NULL,
  flags          TEXT NOT NULL,
  variant_sha256 TEXT NOT NULL,
  seed           INTEGER NOT NULL,
  device         TEXT NOT NULL,
  driver         TEXT NOT NULL,
  kind           TEXT NOT NULL,
  stage          TEXT NOT NULL,
  reason         TEXT NOT NULL,
  speedup        REAL NOT NULL,  -- 0 when nothing was timed
  report         TEXT NOT NULL,
  judged         TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
  UNIQUE (kernel_id, workload_id, architecture, flags, variant_sha256, seed, device)
) STRICT;
INSERT INTO "verdict" VALUES(1,1,'kid','wid','sm_90','-O3','h1',7,'NVIDIA H200','13.0','faster','time','llama faster 2.00x',2.0,'{"cupilot_verdict": 1, "candidate": "c0001", "verdict": "faster", "stage": "time", "reason": "llama faster 2.00x", "build": {"seconds": 1.5, "registers": 32, "spill_bytes": 0, "static_shared_bytes": 0, "log": ""}, "errors": [], "measurements": [], "original_profiles": [], "profiles": [], "device": {"name": "NVIDIA H200", "architecture": "sm_90", "driver": "13.0", "runtime": "13.0", "multiprocessors": 132, "memory_bytes": 150754820096, "l2_bytes": 62914560, "copy_bandwidth_gbs": 4300.0, "sm_clock_mhz": 1980.0}, "verify_seconds": 0.5, "time_seconds": 0.2, "cases_passed": ["llama"]}','2026-01-01T00:00:02.000Z');
CREATE INDEX role_call_question ON role_call (provider, role, request_sha256);
COMMIT;
