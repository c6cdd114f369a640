-- Written before the bundle's folder is: after a kill, verdict files of open bundles are taken over.
CREATE TABLE bundle (
  id     TEXT NOT NULL PRIMARY KEY,
  run    INTEGER NOT NULL REFERENCES run (id),
  folder TEXT NOT NULL,
  seed   INTEGER NOT NULL,
  open   INTEGER NOT NULL DEFAULT 1
) STRICT, WITHOUT ROWID;
