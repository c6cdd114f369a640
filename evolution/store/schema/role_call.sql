-- Every question to a provider, written before it is asked, with its answer or failure and what it cost.
CREATE TABLE role_call (
  id              INTEGER PRIMARY KEY,
  run             INTEGER NOT NULL REFERENCES run (id),
  at              TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
  role            TEXT NOT NULL,
  prompt_version  TEXT NOT NULL,
  question_sha256 TEXT NOT NULL,             -- of everything the provider is told
  content         TEXT NOT NULL,             -- JSON for built-in rules
  prefix          TEXT NOT NULL REFERENCES text (sha256),
  prompt          TEXT NOT NULL,
  state           TEXT NOT NULL CHECK (state IN ('asked', 'answered', 'failed')),
  answer          TEXT NOT NULL,
  failure         TEXT NOT NULL,             -- empty when the answer was good
  provider        TEXT NOT NULL,
  model           TEXT NOT NULL,
  request_id      TEXT NOT NULL,             -- the server's own
  tokens_in       INTEGER NOT NULL,          -- while asked: the most it can cost
  tokens_cached   INTEGER NOT NULL,
  tokens_out      INTEGER NOT NULL,
  price_usd       REAL NOT NULL,
  seconds         REAL NOT NULL
) STRICT;
CREATE INDEX role_call_question ON role_call (run, question_sha256);
