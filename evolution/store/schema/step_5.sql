-- 4 -> 5: measurements with their samples, and estimates, lie in their verdict's JSON. Rows of before had a column a
-- member; exact_number() (connection.cpp) writes a double so that the same one is read. Lines of text (dropped samples,
-- parts of an estimated time: a number or a name, a blank, the rest) are split first.
CREATE TABLE old_line AS
  WITH RECURSIVE line (owner, side, kind, at, head, rest) AS (
    SELECT measurement, side, 'dropped', 0, '', dropped FROM sample_set
    UNION ALL
    SELECT estimate, side, 'part', 0, '', parts_us FROM estimated_time
    UNION ALL
    SELECT owner, side, kind, at + 1, substr(rest, 1, instr(rest, char(10)) - 1), substr(rest, instr(rest, char(10)) + 1)
      FROM line WHERE instr(rest, char(10)) > 0)
  SELECT owner, side, kind, at, substr(head, 1, instr(head, ' ') - 1) AS word, substr(head, instr(head, ' ') + 1) AS rest
    FROM line WHERE instr(head, ' ') > 0;
CREATE INDEX old_line_owner ON old_line (owner, side, kind);
CREATE TABLE old_samples AS
  SELECT measurement, side,
         '{"samples_us":[' || replace(samples_us, ' ', ',') || '],"sm_clock_mhz":[' || replace(sm_clock_mhz, ' ', ',')
         || '],"dropped":[' || coalesce((
           SELECT group_concat('{"time_us":' || word || ',"reason":' || json_quote(rest) || '}') FROM (
             SELECT word, rest FROM old_line WHERE owner = measurement AND side = sample_set.side AND kind = 'dropped'
             ORDER BY at)), '')
         || '],"min_us":' || exact_number(min_us) || ',"q1_us":' || exact_number(q1_us)
         || ',"median_us":' || exact_number(median_us) || ',"q3_us":' || exact_number(q3_us)
         || ',"mean_us":' || exact_number(mean_us) || ',"stdev_us":' || exact_number(stdev_us) || '}' AS json
    FROM sample_set;
CREATE UNIQUE INDEX old_samples_side ON old_samples (measurement, side);
CREATE TABLE old_times AS
  SELECT estimate, side,
         '{"time_us":' || exact_number(time_us) || ',"bound":' || json_quote(bound) || ',"parts_us":{' || coalesce((
           SELECT group_concat(json_quote(word) || ':' || rest) FROM (
             SELECT word, rest FROM old_line WHERE owner = estimate AND side = estimated_time.side AND kind = 'part'
             ORDER BY at)), '')
         || '},"launches":' || launches || ',"blocks":' || blocks || ',"blocks_run":' || blocks_run || '}' AS json
    FROM estimated_time;
CREATE UNIQUE INDEX old_times_side ON old_times (estimate, side);
UPDATE verdict SET report = json_set(report, '$.measurements', json('[' || coalesce((
  SELECT group_concat(json) FROM (
    SELECT '{"workload":' || json_quote(workload) || ',"verdict":' || json_quote(m.kind)
           || ',"speedup":' || exact_number(m.speedup) || ',"speedup_low":' || exact_number(speedup_low)
           || ',"speedup_high":' || exact_number(speedup_high) || ',"bytes_moved":' || exact_number(bytes_moved)
           || ',"bandwidth_share":' || exact_number(bandwidth_share)
           || ',"stopped_because":' || json_quote(stopped_because)
           || ',"original":' || (SELECT json FROM old_samples WHERE measurement = m.id AND side = 'original')
           || ',"candidate":' || (SELECT json FROM old_samples WHERE measurement = m.id AND side = 'candidate')
           || ',"weight":' || exact_number(weight) || ',"holdout":' || iif(holdout, 'true', 'false') || '}' AS json
      FROM measurement AS m WHERE m.verdict = verdict.id ORDER BY m.id)), '') || ']'))
  WHERE json_valid(report) AND EXISTS (SELECT 1 FROM measurement WHERE measurement.verdict = verdict.id);
UPDATE verdict SET report = json_set(report, '$.estimates', json('[' || coalesce((
  SELECT group_concat(json) FROM (
    SELECT '{"workload":' || json_quote(workload) || ',"verdict":' || json_quote(e.kind)
           || ',"ratio":' || exact_number(ratio) || ',"tie":' || iif(tie, 'true', 'false')
           || ',"original":' || (SELECT json FROM old_times WHERE estimate = e.id AND side = 'original')
           || ',"candidate":' || (SELECT json FROM old_times WHERE estimate = e.id AND side = 'candidate')
           || ',"weight":' || exact_number(weight) || ',"holdout":' || iif(holdout, 'true', 'false') || '}' AS json
      FROM estimate AS e WHERE e.verdict = verdict.id ORDER BY e.id)), '') || ']'))
  WHERE json_valid(report) AND EXISTS (SELECT 1 FROM estimate WHERE estimate.verdict = verdict.id);
DROP TABLE old_line;
DROP TABLE old_samples;
DROP TABLE old_times;
DROP TABLE sample_set;
DROP TABLE measurement;
DROP TABLE estimated_time;
DROP TABLE estimate;
DROP TABLE setting;
