-- Every sample of one side of a measurement, microseconds in the order taken, the dropped ones with their reason.
CREATE TABLE sample_set (
  measurement  INTEGER NOT NULL REFERENCES measurement (id),
  side         TEXT NOT NULL CHECK (side IN ('original', 'candidate')),
  samples_us   TEXT NOT NULL,  -- separated by blanks
  sm_clock_mhz TEXT NOT NULL,  -- beside each sample; empty when not measured
  dropped      TEXT NOT NULL,  -- one a line: time, blank, reason
  min_us       REAL NOT NULL,
  q1_us        REAL NOT NULL,
  median_us    REAL NOT NULL,
  q3_us        REAL NOT NULL,
  mean_us      REAL NOT NULL,
  stdev_us     REAL NOT NULL,
  PRIMARY KEY (measurement, side)
) STRICT, WITHOUT ROWID;
