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
  calls          TEXT NOT NULL DEFAULT '',  -- ids of the role_calls it came of, separated by blanks
  aligned_text   TEXT NOT NULL DEFAULT '',  -- strategy_text after its alignment to the variant
  UNIQUE (bundle, name)
) STRICT;
CREATE INDEX individual_name ON individual (name);
