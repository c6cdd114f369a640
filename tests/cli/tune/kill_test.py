# SPDX-License-Identifier: Apache-2.0
"""kill -9 of `cupilot tune` at many moments: the next run goes on, nothing is judged twice, no half-written record."""
import json
import os
import pathlib
import signal
import time
import unittest

from fake_project import Project
from tune_test import ready


def lines(path):
    return path.read_text().splitlines() if path.exists() else []


class Kill(unittest.TestCase):
    def uninterrupted(self):
        """What one whole run costs and finds."""
        with ready(Project()) as project:
            log = project.top / "judged.log"
            done = project.cupilot(*project.tune_arguments("--json"), CUPILOT_FAKE_LOG=str(log))
            self.assertEqual(done.returncode, 0, done.stderr)
            return len(lines(log)), (project.records / "scale/sm_90/variant.cuh").read_text()

    def check_record(self, project):
        """Whole or not there; what a killed publish may leave is not a record."""
        folder = project.records / "scale/sm_90"
        if folder.exists():
            json.loads((folder / "record.json").read_text())
            self.assertTrue((folder / "variant.cuh").exists())
        state = json.loads(project.cupilot("status", project.build, "--json").stdout)
        self.assertIn(state["kernels"][0]["records"][0]["state"], ("fits", "missing"))

    def kill(self, running):
        """True when it was still at work."""
        alive = running.poll() is None
        if alive:
            os.killpg(running.pid, signal.SIGKILL)
        running.communicate()
        return alive

    def finish(self, project, environment, whole, variant, kills):
        done = project.cupilot(*project.tune_arguments("--json"), **environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((project.records / "scale/sm_90/variant.cuh").read_text(), variant)
        judged = len(lines(pathlib.Path(environment["CUPILOT_FAKE_LOG"])))
        self.assertGreaterEqual(judged, whole)
        # The one candidate the worker had in hand when it was killed has no verdict and is judged again.
        self.assertLessEqual(judged, whole + kills)
        leftovers = [p for p in project.records.rglob("*") if p.name.endswith(".part") or "XXXXXX" in p.name]
        self.assertEqual(leftovers, [])

    def test_after_every_number_of_verdicts(self):
        whole, variant = self.uninterrupted()
        with ready(Project()) as project:
            environment = {"CUPILOT_FAKE_LOG": str(project.top / "judged.log"), "CUPILOT_FAKE_DELAY_MS": "25"}
            kills = 0
            for fresh in (1, 1, 2, 3):
                before = len(lines(project.top / "judged.log"))
                running = project.start(*project.tune_arguments(), **environment)
                while running.poll() is None and len(lines(project.top / "judged.log")) < before + fresh:
                    time.sleep(0.002)
                kills += self.kill(running)
                self.check_record(project)
            self.assertEqual(kills, 4)
            self.finish(project, environment, whole, variant, kills)

    def test_at_any_time(self):
        whole, variant = self.uninterrupted()
        with ready(Project()) as project:
            environment = {"CUPILOT_FAKE_LOG": str(project.top / "judged.log"), "CUPILOT_FAKE_DELAY_MS": "3"}
            kills = 0
            for milliseconds in range(5, 400, 25):
                running = project.start(*project.tune_arguments(), **environment)
                time.sleep(milliseconds / 1000)
                kills += self.kill(running)
                self.check_record(project)
            self.assertGreater(kills, 3)
            self.finish(project, environment, whole, variant, kills)


if __name__ == "__main__":
    unittest.main()
