-- Strategies that runs came up with, in the pool's text form.
CREATE TABLE strategy (
  id   TEXT NOT NULL PRIMARY KEY,
  text TEXT NOT NULL,
  kept TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ'))
) STRICT, WITHOUT ROWID;
