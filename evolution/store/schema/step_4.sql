-- 3 -> 4: questions are written before they are asked, their common prefixes once; what a policy was told is part of a run.
-- Questions of before went to built-in rules, which need no answer of the past: they stay as history.
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
  options      TEXT NOT NULL DEFAULT '',
  seed         INTEGER NOT NULL,
  starts       INTEGER NOT NULL DEFAULT 1,
  started      TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
  finished     TEXT NOT NULL DEFAULT '',
  outcome      TEXT NOT NULL DEFAULT '',
  UNIQUE (kernel_id, workload_id, architecture, executor, spec_sha256, flags, policy, options, seed)
) STRICT;
INSERT INTO new_run (id, kernel, kernel_id, workload_id, architecture, executor, spec_sha256, flags, policy, seed, starts,
                     started, finished, outcome)
  SELECT id, kernel, kernel_id, workload_id, architecture, executor, spec_sha256, flags, policy, seed, starts, started,
         finished, outcome FROM run;
DROP TABLE run;
ALTER TABLE new_run RENAME TO run;
CREATE TABLE setting (
  run   INTEGER NOT NULL REFERENCES run (id),
  name  TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE text (
  sha256  TEXT NOT NULL PRIMARY KEY,
  content TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO text (sha256, content) VALUES ('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', '');
CREATE TABLE new_role_call (
  id              INTEGER PRIMARY KEY,
  run             INTEGER NOT NULL REFERENCES run (id),
  at              TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
  role            TEXT NOT NULL,
  prompt_version  TEXT NOT NULL,
  question_sha256 TEXT NOT NULL,
  content         TEXT NOT NULL,
  prefix          TEXT NOT NULL REFERENCES text (sha256),
  prompt          TEXT NOT NULL,
  state           TEXT NOT NULL CHECK (state IN ('asked', 'answered', 'failed')),
  answer          TEXT NOT NULL,
  failure         TEXT NOT NULL,
  provider        TEXT NOT NULL,
  model           TEXT NOT NULL,
  request_id      TEXT NOT NULL,
  tokens_in       INTEGER NOT NULL,
  tokens_cached   INTEGER NOT NULL,
  tokens_out      INTEGER NOT NULL,
  price_usd       REAL NOT NULL,
  seconds         REAL NOT NULL
) STRICT;
INSERT INTO new_role_call (id, run, at, role, prompt_version, question_sha256, content, prefix, prompt, state, answer,
                           failure, provider, model, request_id, tokens_in, tokens_cached, tokens_out, price_usd, seconds)
  SELECT id, run, at, role, prompt_version, 'before schema 4: ' || request_sha256, request,
         'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', '',
         iif(failure = '' OR answer <> '', 'answered', 'failed'), answer, failure, provider, model, '', tokens_in, 0,
         tokens_out, price_usd, seconds FROM role_call;
DROP TABLE role_call;
ALTER TABLE new_role_call RENAME TO role_call;
CREATE INDEX role_call_question ON role_call (run, question_sha256);
ALTER TABLE individual ADD COLUMN calls TEXT NOT NULL DEFAULT '';
ALTER TABLE individual ADD COLUMN aligned_text TEXT NOT NULL DEFAULT '';
CREATE INDEX individual_name ON individual (name);
