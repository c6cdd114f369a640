# SPDX-License-Identifier: Apache-2.0
"""`cupilot strategies`: the pool the sources ship, and a history that is carried from one user to another.

From the environment: CUPILOT (the program), CUPILOT_STRATEGIES (the pool of the source tree).
"""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

LEARNED = """cupilot-strategy 1
id: rows-in-pairs-0a1b2c3d
title: two rows a warp
class: memory-bound
gain: 1.2
needs: an even number of rows
step: let each half of a warp take a row
effect: fewer idle lanes
risk: odd numbers of rows
check: one row
conflict: row-in-shared
parent: row-in-registers
"""


def outcome(strategy="row-in-registers", **changed):
    return {"outcome": {"strategy": strategy, "architecture": "sm_90", "kernel": "rms_norm", "kernel_id": "k1",
                        "features": ["loop", "row-wise"], "class": "memory-bound", "verdict": "faster",
                        "refused": False, "speedup": 1.5, "estimated": False, "reason": "1.50x on large",
                        "at": "2026-11-22T04:17:00Z", **changed}}


class Strategies(unittest.TestCase):
    def setUp(self):
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="cupilot-strategies."))

    def tearDown(self):
        shutil.rmtree(self.top)

    def run_verb(self, *arguments, user="one", **environment):
        environment = dict(os.environ, CUPILOT_DATA=str(self.top / user), **environment)
        return subprocess.run([os.environ["CUPILOT"], "strategies", *map(str, arguments)], env=environment, text=True,
                              capture_output=True, timeout=900, check=False, cwd=self.top)

    def ok(self, *arguments, **more):
        done = self.run_verb(*arguments, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def rows(self, *arguments, **more):
        listed = json.loads(self.ok("list", "--json", *arguments, **more))
        self.assertEqual(listed["cupilot_strategy_list"], 1)
        return {row["id"]: row for row in listed["strategies"]}

    def lines_file(self, *lines, header='{"cupilot_strategies":1}'):
        path = self.top / "lines.jsonl"
        path.write_text("\n".join([header, *(line if isinstance(line, str) else json.dumps(line) for line in lines)])
                        + "\n")
        return path

    def test_lists_what_is_shipped_and_makes_nothing(self):
        rows = self.rows()
        self.assertGreaterEqual(len(rows), 60)
        self.assertEqual(len(rows), len(list(pathlib.Path(os.environ["CUPILOT_STRATEGIES"]).glob("*.txt"))))
        self.assertEqual(rows["wide-access"]["rule"], "wide-access")
        self.assertEqual((rows["wide-access"]["tries"], rows["wide-access"]["learned"]), (0, False))
        text = self.ok("list")
        self.assertRegex(text, r"(?m)^wide-access +memory +1\.40x +128-bit loads and stores \(built in\)$")
        self.assertIn(f"{len(rows)} strategies", text)
        self.assertFalse((self.top / "one").exists())

    def test_filters(self):
        everything = self.rows()
        compute = self.rows("--class", "compute-bound")
        self.assertLess(len(compute), len(everything))
        self.assertTrue(all("compute-bound" in row["classes"] for row in compute.values()))
        older = self.rows("--arch", "sm_80")
        self.assertIn("cp-async-double-buffer", older)
        self.assertNotIn("bulk-copy-pipeline", older)
        self.assertIn("narrow-tensor-cores", older)
        self.assertIn("bulk-copy-pipeline", self.rows("--arch", "sm_90a"))
        scans = self.rows("--feature", "scan", "--class", "memory-bound")
        self.assertTrue(scans and all("scan" in row["features"] for row in scans.values()))
        self.assertEqual(self.ok("list", "--feature", "half", "--class", "latency-bound"), "no strategy fits\n")

    def test_shows_one_with_its_outcomes(self):
        text = self.ok("show", "online-softmax")
        self.assertTrue(text.startswith("cupilot-strategy 1\nid: online-softmax\n"))
        self.assertIn("evidence: M. Milakov", text)
        self.assertIn("no outcome in the history yet", text)
        self.ok("import", self.lines_file(outcome(), outcome(kernel_id="k2", kernel="other", verdict="wrong", speedup=0,
                                                             reason="NaN\nmore", at="2026-11-23T04:17:00Z")))
        text = self.ok("show", "row-in-registers")
        self.assertRegex(text, r"(?m)^other +sm_90 +wrong +2026-11-23T04:17:00Z +NaN$")
        self.assertRegex(text, r"(?m)^rms_norm +sm_90 +faster +1\.50x +2026-11-22T04:17:00Z +1\.50x on large$")
        self.assertLess(text.index("other"), text.index("rms_norm  "))
        shown = json.loads(self.ok("show", "row-in-registers", "--json"))
        self.assertEqual((shown["cupilot_strategy"], len(shown["outcomes"])), (1, 2))
        self.assertTrue(shown["steps"] and shown["needs"] and shown["evidence"])

    def test_history_travels(self):
        took = self.ok("import", self.lines_file({"strategy": LEARNED}, outcome(),
                                                 outcome(kernel_id="k2", verdict="slower", speedup=0.9),
                                                 outcome(kernel_id="k3", verdict="build_failed", speedup=0),
                                                 outcome(kernel_id="k3", architecture="sm_80", speedup=3),
                                                 outcome(kernel_id="k4", estimated=True, speedup=2)))
        self.assertEqual(took, f"imported 5 outcomes and 1 learned strategy into {self.top / 'one' / 'history.db'}\n")
        row = self.rows("--arch", "sm_90")["row-in-registers"]
        self.assertEqual((row["wins"], row["tries"], row["median_speedup"]), (1, 3, 1.2))
        self.assertEqual((row["estimated_wins"], row["estimated_tries"]), (1, 1))
        self.assertEqual(self.rows()["row-in-registers"]["tries"], 4)
        self.assertRegex(self.ok("list", "--arch", "sm_90"),
                         r"(?m)^row-in-registers .* 1 of 3, 1\.20x; 1 of 1 estimated ")
        self.assertTrue(self.rows()["rows-in-pairs-0a1b2c3d"]["learned"])
        self.assertIn("parent: row-in-registers", self.ok("show", "rows-in-pairs-0a1b2c3d"))

        first, second = self.top / "first.jsonl", self.top / "second.jsonl"
        self.assertIn("5 outcomes and 1 learned strategy to", self.ok("export", first))
        self.assertEqual(self.ok("export", "-"), first.read_text())
        self.ok("import", first, user="two")
        self.ok("export", second, user="two")
        self.assertEqual(first.read_text(), second.read_text())
        again = json.loads(self.ok("import", first, "--json", user="two"))
        self.assertEqual((again["outcomes"], again["outcomes_replaced"]), (5, 5))
        self.assertEqual((again["strategies"], again["strategies_replaced"]), (1, 1))
        self.ok("export", second, user="two")
        self.assertEqual(first.read_text(), second.read_text())

    def test_the_later_outcome_replaces(self):
        self.ok("import", self.lines_file(outcome()))
        self.assertIn("imported 1 outcome (1 replaced)", self.ok("import", self.lines_file(outcome(verdict="slower", speedup=0.5))))
        row = self.rows()["row-in-registers"]
        self.assertEqual((row["wins"], row["tries"], row["median_speedup"]), (0, 1, 0.5))

    def test_anonymous_export_names_nothing(self):
        self.ok("import", self.lines_file(outcome(kernel="secret_kernel", reason="secret reason")))
        self.assertIn("secret", self.ok("export", "-"))
        anonymous = self.ok("export", "-", "--anonymous")
        self.assertNotIn("secret", anonymous)
        self.assertIn('"kernel_id":"k1"', anonymous)

    def test_takes_all_or_nothing(self):
        bad = self.run_verb("import", self.lines_file(outcome(), outcome(verdict="great"), "{", {"strategy": "id: x"}))
        self.assertEqual(bad.returncode, 2)
        self.assertEqual(bad.stdout, "")
        for place in ("lines.jsonl:3:1: error: damaged line", "lines.jsonl:4:1: error: damaged line",
                      "lines.jsonl:5:1: error: line 1 of the strategy: this is not a strategy",
                      "lines.jsonl:5:1: error: the strategy: 'risk' is missing"):
            self.assertIn(place, bad.stderr)
        self.assertIn("nothing was imported, because of 10 mistakes", bad.stderr)
        self.assertFalse((self.top / "one").exists())
        other = self.run_verb("import", self.lines_file(header='{"cupilot_strategies":2}'))
        self.assertEqual(other.returncode, 2)
        self.assertIn("lines.jsonl:1:1: error: this export has version 2", other.stderr)

    def test_shipped_strategies_are_not_replaced(self):
        done = self.run_verb("import", self.lines_file({"strategy": LEARNED.replace("rows-in-pairs-0a1b2c3d", "split-k")}))
        self.assertEqual(done.returncode, 0)
        self.assertIn("'split-k' ships with cupilot and was not imported", done.stderr)
        self.assertIn("0 learned strategies", done.stdout)
        self.assertIn("several blocks share", self.ok("show", "split-k"))

    def test_mistakes_say_the_way_out(self):
        for arguments, said in ((("show", "row-in-register"), "did you mean 'row-in-registers'?"),
                                (("show", "zzz"), "'cupilot strategies list' lists them all"),
                                (("list", "--class", "memory"), "unknown class 'memory'"),
                                (("list", "--arch", "H100"), "write it like sm_90"),
                                (("list", "--feature", "sofmax"), "did you mean 'softmax'?"),
                                (("import", self.top / "none"), "cannot read"),
                                ((), "cupilot help strategies"), (("lst",), "cupilot help strategies")):
            done = self.run_verb(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn(said, done.stderr)
        nowhere = self.run_verb("export", "/proc/none/x")
        self.assertEqual(nowhere.returncode, 1)

    def test_a_pool_that_does_not_parse_is_located(self):
        (self.top / "pool").mkdir()
        (self.top / "pool" / "a.txt").write_text("cupilot-strategy 1\nid: a\narch: 90\n")
        done = self.run_verb("list", CUPILOT_STRATEGIES=str(self.top / "pool"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("a.txt:3:1: error: '90' is not an architecture", done.stderr)

    def test_help(self):
        for arguments in (("--help",), ("list", "--help"), ("show", "--help"), ("export", "--help"), ("import", "--help")):
            done = self.run_verb(*arguments)
            self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
            self.assertTrue(done.stdout, arguments)


if __name__ == "__main__":
    unittest.main()
