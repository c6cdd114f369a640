-- The run's diary, for reports: rounds, refusals, why it stopped.
CREATE TABLE event (
  id   INTEGER PRIMARY KEY,
  run  INTEGER NOT NULL REFERENCES run (id),
  at   TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
  kind TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
