# SPDX-License-Identifier: Apache-2.0
"""`cupilot tune` from the first candidate to the record, without Clang, compiler or GPU."""
import fcntl
import json
import os
import pty
import signal
import sqlite3
import struct
import subprocess
import termios
import time
import unittest

from fake_project import Project

RULES = """\
wide-access => speedup 1.8
block-size => speedup 1.1
kThreads = 512 => speedup 1.05
warp-per-row => build_failed error: no rows here
pad-shared => wrong output y differs on case large
"""


def ready(project, rules=RULES):
    (project.top / "rules").write_text(rules)
    project.environment["CUPILOT_FAKE_RULES"] = str(project.top / "rules")
    return project


class Tune(unittest.TestCase):
    def test_publishes_the_winner_and_says_what_lost(self):
        with ready(Project()) as project:
            (project.fake_annotate / "refuse.txt").write_text("grid-stride\n")
            told = project.top / "compiler"
            done = project.cupilot(*project.tune_arguments(), CUPILOT_FAKE_COMPILER=str(told))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(told.read_text(), str(project.top / "bin/nvcc"))  # the one the record names
            record = json.loads((project.records / "scale/sm_90/record.json").read_text())
            # What says something about the measurement stays, where things lie on this machine does not.
            self.assertEqual(record["flags"], ["-O3", "-Iinclude", "-DN=4"])
            self.assertEqual(record["arch"], "sm_90")
            self.assertEqual(record["kernel"]["file"], "a.cu")
            self.assertEqual(record["toolchain"].split(",")[0], "nvcc 13.0.88")
            self.assertIn("wide-access", (project.records / "scale/sm_90/variant.cuh").read_text())
            self.assertIn("scale: published " + str(project.records / "scale/sm_90"), done.stdout)
            self.assertRegex(done.stdout, r"scale +sm_90 +large +100\.0 +\d+\.\d+ +[12]\.\d+x \(.* to .*\) +faster")
            self.assertIn("the fake refuses it", done.stdout)
            self.assertIn("best so far", done.stderr)
            self.assertNotIn(str(project.top), json.dumps(record))
            self.assertNotIn("..", record["search"]["command"])

    def test_on_the_cpu_everything_is_called_an_estimate(self):
        with ready(Project()) as project:
            done = project.cupilot(*project.tune_arguments("--executor", "cpu"))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("x est.", done.stdout)
            self.assertIn("Nothing was measured", done.stdout)
            self.assertNotIn("speed-up", done.stdout)
            folder = project.records / "scale/sm_90"
            record = json.loads((folder / "record.json").read_text())
            self.assertTrue(record["estimate"])
            self.assertEqual(record["measurements"], [])
            self.assertGreater(record["estimates"][0]["ratio"], 1.15)
            self.assertIn("instead of n=1048576", record["limits"][0])
            self.assertIn("--executor cpu", record["search"]["command"])
            for name in ("record.json", "variant.cuh"):
                self.assertIn("never measured", (folder / name).read_text().split("\n")[0])
            # A build that has not asked for estimates has no record; one that has, does.
            status = project.cupilot("status", "--check", project.build)
            self.assertEqual(status.returncode, 1)
            self.assertIn("ACCEPT_ESTIMATES", status.stdout)
            target = project.build / "cupilot/app.json"
            accepting = dict(json.loads(target.read_text()), accept_estimates=True)
            target.write_text(json.dumps(accepting))
            status = project.cupilot("status", "--check", project.build)
            self.assertEqual(status.returncode, 0, status.stdout)
            self.assertIn("x est.", status.stdout)

    def test_measurements_and_estimates_never_answer_for_each_other(self):
        with ready(Project()) as project:
            on_cpu = project.cupilot(*project.tune_arguments("--executor", "cpu", "--json"))
            self.assertEqual(on_cpu.returncode, 0, on_cpu.stderr)
            on_gpu = project.cupilot(*project.tune_arguments("--executor", "local", "--json"))
            self.assertEqual(on_gpu.returncode, 0, on_gpu.stderr)
            cpu, gpu = (json.loads(run.stdout)["kernels"][0] for run in (on_cpu, on_gpu))
            self.assertEqual(gpu["resumed"], 0)
            self.assertEqual(gpu["judged"], cpu["judged"])
            self.assertEqual(gpu["result"], "published")  # over the estimate
            self.assertNotIn("estimates", gpu)
            self.assertEqual(cpu["measurements"], [])
            again = project.cupilot(*project.tune_arguments("--executor", "cpu", "--json"))
            last = json.loads(again.stdout)["kernels"][0]
            self.assertEqual((last["judged"], last["result"]), (0, "kept_measured"))
            record = json.loads((project.records / "scale/sm_90/record.json").read_text())
            self.assertFalse(record["estimate"])
            with sqlite3.connect(project.run / "run.db") as database:
                kinds = database.execute("SELECT DISTINCT executor FROM verdict ORDER BY 1").fetchall()
            self.assertEqual(kinds, [("cpu",), ("gpu",)])

    def test_verify_judges_the_committed_record_again(self):
        with ready(Project()) as project:
            self.assertEqual(project.cupilot(*project.tune_arguments()).returncode, 0)
            for executor in ("local", "cpu"):
                done = project.cupilot("verify", "--executor", executor, "--arch", "sm_90", "--json", project.build)
                self.assertEqual(done.returncode, 0, done.stderr)
                record = json.loads(done.stdout)["records"][0]
                self.assertEqual(record["state"], "fits")
                self.assertEqual(len(record["measurements"]), executor == "local")
            (project.top / "rules").write_text("rules => wrong output y differs on case large\n")
            done = project.cupilot("verify", "--executor", "cpu", "--arch", "sm_90", project.build)
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertIn("output y differs", done.stdout)

    def test_verify_repeats_or_draws_fresh_data(self):
        with ready(Project()) as project:
            self.assertEqual(project.cupilot(*project.tune_arguments()).returncode, 0)
            path = project.records / "scale/sm_90/record.json"
            judged = json.loads(path.read_text())["judge"]
            self.assertGreater(judged["secret"], 0)

            def verify(*more):
                done = project.cupilot("verify", "--executor", "local", "--arch", "sm_90", "--json", *more, project.build)
                return done, (json.loads(done.stdout)["records"] if done.stdout else [])

            _, fresh = verify()
            self.assertNotIn(fresh[0]["secret"], (0, judged["secret"]))
            _, repeated = verify("--repeat", "--finalist")
            self.assertEqual((repeated[0]["seed"], repeated[0]["secret"]), (judged["seed"], judged["secret"]))
            now = repeated[0]["measurements"][0]
            self.assertAlmostEqual(now["ratio"], 1, places=3)
            self.assertEqual(now["then"]["verdict"], "faster")
            self.assertEqual(verify("--repeat", "--seed", "3")[0].returncode, 2)

            # not faster any more: wrong only where that is asked
            (project.top / "rules").write_text("rules => speedup 0.5\n")
            self.assertEqual(verify()[0].returncode, 0)
            done, slower = verify("--faster")
            self.assertEqual((done.returncode, slower[0]["no_longer_faster"], slower[0]["wrong"]), (1, True, False))
            cpu = project.cupilot("verify", "--executor", "cpu", "--arch", "sm_90", "--faster", project.build)
            self.assertEqual((cpu.returncode, "needs a GPU" in cpu.stderr), (2, True))

            # a record of before has nothing to repeat
            old = json.loads(path.read_text())
            del old["judge"]
            path.write_text(json.dumps(old))
            done, rows = verify("--repeat")
            self.assertEqual((done.returncode, rows[0]["verdict"]), (1, "not judged"))
            self.assertIn("without --repeat", done.stderr)

    def test_verify_tells_what_is_no_base_to_judge_on(self):
        with ready(Project()) as project:
            self.assertEqual(project.cupilot(*project.tune_arguments()).returncode, 0)
            done = project.cupilot("verify", "--executor", "local", "--arch", "sm_90", "--json", project.build,
                                   CUPILOT_FAKE_ERROR="workload 'large': y does not depend on x",
                                   CUPILOT_FAKE_ERROR_INPUT="1")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("a.cu:2:1: error: workload 'large'", done.stderr)
            self.assertEqual(json.loads(done.stdout)["records"][0]["diagnostic"]["place"]["line"], 2)

    def test_a_second_run_judges_nothing_again(self):
        with ready(Project()) as project:
            first = project.cupilot(*project.tune_arguments("--json"))
            self.assertEqual(first.returncode, 0, first.stderr)
            written = (project.records / "scale/sm_90/record.json").read_text()
            second = project.cupilot(*project.tune_arguments("--json"))
            one, two = (json.loads(run.stdout)["kernels"][0] for run in (first, second))
            self.assertEqual((one["result"], two["result"]), ("published", "unchanged"))
            self.assertGreater(one["judged"], 3)
            self.assertEqual(two["judged"], 0)
            self.assertEqual(two["resumed"], one["judged"])
            self.assertIn("candidates already judged", second.stderr)
            self.assertEqual((project.records / "scale/sm_90/record.json").read_text(), written)

    def test_finding_nothing_faster_is_no_failure(self):
        with ready(Project(), "rules: => speedup 0.9\n") as project:
            done = project.cupilot(*project.tune_arguments())
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("nothing faster found; nothing published", done.stdout)
            self.assertFalse(project.records.exists())

    def test_no_publish_writes_no_record(self):
        with ready(Project()) as project:
            done = project.cupilot(*project.tune_arguments("--no-publish", "--json"))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["kernels"][0]["result"], "faster")
            self.assertFalse(project.records.exists())

    def test_tunes_the_kernels_asked_for(self):
        with ready(Project(kernels=("scale", "shift"))) as project:
            done = project.cupilot(*project.tune_arguments("--kernel", "shift", "--json"))
            self.assertEqual([k["kernel"] for k in json.loads(done.stdout)["kernels"]], ["shift"])
            done = project.cupilot(*project.tune_arguments("--json"))
            self.assertEqual([k["kernel"] for k in json.loads(done.stdout)["kernels"]], ["scale", "shift"])
            self.assertEqual(sorted(p.name for p in project.records.iterdir()), ["scale", "shift"])

    def test_keeps_to_the_number_of_candidates(self):
        with ready(Project()) as project:
            done = project.cupilot(*project.tune_arguments("--budget", "5 min, 2 candidates", "--json"))
            kernel = json.loads(done.stdout)["kernels"][0]
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertLessEqual(kernel["judged"], 3)  # the winner is confirmed outside the budget

    def test_fresh_starts_over_and_keeps_the_old_run(self):
        with ready(Project()) as project:
            project.cupilot(*project.tune_arguments())
            again = project.cupilot(*project.tune_arguments("--fresh", "--json"))
            self.assertEqual(again.returncode, 0, again.stderr)
            self.assertGreater(json.loads(again.stdout)["kernels"][0]["judged"], 0)
            self.assertTrue((project.run / "run.db.old").exists())

    def test_progress_none_is_silent(self):
        with ready(Project()) as project:
            done = project.cupilot(*project.tune_arguments()[:-2], "--progress", "none")
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_warns_when_the_build_will_not_use_the_record(self):
        with ready(Project()) as project:
            spec = project.spec("scale")
            spec["command"]["architectures"] = ["sm_80"]
            project.annotate([{"spec": spec}])
            done = project.cupilot(*project.tune_arguments())
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("warning: scale is compiled for sm_80, not for sm_90", done.stderr)

    def test_folder_executor_waits_for_another_machine(self):
        with ready(Project()) as project:
            out = project.top / "to-gpu"
            running = project.start("tune", project.build, "--executor", "folder", "--folder", out, "--json")
            worker = project.environment["CUPILOT_WORKER"]
            while running.poll() is None:
                for bundle in (b for b in out.glob("*") if (b / "bundle.json").exists() and b.suffix != ".part"):
                    subprocess.run([worker, str(bundle)], env=project.environment, check=False, capture_output=True)
                time.sleep(0.02)
            stdout, stderr = running.communicate()
            self.assertEqual(running.returncode, 0, stderr)
            self.assertIn("run: cupilot-worker", stderr)
            self.assertEqual(json.loads(stdout)["kernels"][0]["result"], "published")

    def test_a_terminal_gets_one_rewritten_line(self):
        with ready(Project()) as project:
            leader, follower = pty.openpty()
            fcntl.ioctl(leader, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 70, 0, 0))
            command = project.command("tune", project.build, "--arch", "sm_90")
            with subprocess.Popen(command, env=project.environment, stdout=subprocess.DEVNULL,
                                  stderr=follower) as running:
                os.close(follower)
                text = b""
                try:
                    while chunk := os.read(leader, 65536):
                        text += chunk
                except OSError:  # how Linux says that the other side is closed
                    pass
            os.close(leader)
            self.assertEqual(running.returncode, 0)
            drawn = [line for line in text.decode().split("\r") if line.startswith("\x1b[Kscale [")]
            self.assertGreater(len(drawn), 3)
            self.assertTrue(all(len(line) - len("\x1b[K") < 70 for line in drawn), drawn)

    def test_ctrl_c_ends_cleanly_and_the_next_run_goes_on(self):
        with ready(Project()) as project:
            running = project.start(*project.tune_arguments("--json"), CUPILOT_FAKE_DELAY_MS="60")
            seen = 0
            for line in running.stderr:
                seen += "c0" in line and ": " in line
                if seen == 2:
                    running.send_signal(signal.SIGINT)
                    break
            out, _ = running.communicate(timeout=900)
            self.assertEqual(running.returncode, 130)
            answer = json.loads(out)
            self.assertTrue(answer["interrupted"])
            self.assertEqual(answer["kernels"][0]["result"], "interrupted")
            self.assertFalse(project.records.exists())
            done = project.cupilot(*project.tune_arguments("--json"))
            self.assertEqual(done.returncode, 0, done.stderr)
            kernel = json.loads(done.stdout)["kernels"][0]
            self.assertGreaterEqual(kernel["resumed"], 2)
            self.assertEqual(kernel["result"], "published")

    def test_two_tunes_in_one_folder_exclude_each_other(self):
        with ready(Project()) as project:
            first = project.start(*project.tune_arguments(), CUPILOT_FAKE_DELAY_MS="100")
            first.stderr.readline()
            second = project.cupilot(*project.tune_arguments())
            self.assertEqual(second.returncode, 2)
            self.assertIn("another cupilot tune is running in", second.stderr)
            self.assertIn(f"by process {first.pid}", second.stderr)
            self.assertEqual(second.stderr.count("\n"), 1)
            first.communicate(timeout=900)
            self.assertEqual(first.returncode, 0)

    def test_everything_judged_is_in_the_run_database(self):
        with ready(Project()) as project:
            done = project.cupilot(*project.tune_arguments("--json"))
            kernel = json.loads(done.stdout)["kernels"][0]
            database = sqlite3.connect(project.run / "run.db")
            rows = database.execute("SELECT COUNT(*) FROM verdict").fetchone()[0]
            self.assertGreaterEqual(rows, kernel["judged"])


if __name__ == "__main__":
    unittest.main()
