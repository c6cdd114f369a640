-- Long texts that many rows share (the stable prefix of prompts), each kept once.
CREATE TABLE text (
  sha256  TEXT NOT NULL PRIMARY KEY,
  content TEXT NOT NULL
) STRICT, WITHOUT ROWID;
