-- Every question to a provider with its answer or failure, and what it cost.
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
CREATE INDEX role_call_question ON role_call (provider, role, request_sha256);
