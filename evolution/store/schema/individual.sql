-- What was sent to the judge. `name` is the candidate's id in its bundle.
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
