-- 2 -> 3: what a workload counts, and hold-outs. Verdicts of before came from a judge that let more pass (no twin, no
-- finalists): they stay as history, under a key nobody asks for.
ALTER TABLE measurement ADD COLUMN weight REAL NOT NULL DEFAULT 1;
ALTER TABLE measurement ADD COLUMN holdout INTEGER NOT NULL DEFAULT 0;
ALTER TABLE estimate ADD COLUMN weight REAL NOT NULL DEFAULT 1;
ALTER TABLE estimate ADD COLUMN holdout INTEGER NOT NULL DEFAULT 0;
UPDATE verdict SET workload_id = 'before schema 3: ' || workload_id;
