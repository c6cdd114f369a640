# SPDX-License-Identifier: Apache-2.0
"""`cupilot calibrate` with a fake worker that answers with the committed calibration of an H200.

From the environment: CUPILOT (the program), CALIBRATION (that file), TABLE (the device table derived from it).
"""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ANSWER = '#!/bin/sh\n[ "$1" = --calibrate ] && [ "$2" = --json ] || exit 2\ncp "{calibration}" "$3"\n'
NO_GPU = '#!/bin/sh\necho "cupilot-worker: error: no usable CUDA device: none is visible" >&2\nexit 1\n'


class Calibrate(unittest.TestCase):
    def setUp(self):
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="cupilot-calibrate."))

    def tearDown(self):
        shutil.rmtree(self.top)

    def run_verb(self, worker, *arguments):
        program = self.top / "worker"
        program.write_text(worker.format(calibration=os.environ["CALIBRATION"]))
        program.chmod(0o755)
        environment = dict(os.environ, CUPILOT_WORKER=str(program), XDG_DATA_HOME=str(self.top / "data"))
        return subprocess.run([os.environ["CUPILOT"], "calibrate", *arguments], env=environment, text=True,
                              capture_output=True, timeout=900, check=False)

    def values(self, path):
        return json.loads(pathlib.Path(path).read_text())["values"]

    def test_the_table_goes_to_the_users_data(self):
        done = self.run_verb(ANSWER)
        self.assertEqual(done.returncode, 0, done.stderr)
        table = self.top / "data" / "cupilot" / "devices" / "sm_90_nvidia_h200.json"
        self.assertIn(str(table), done.stdout)
        self.assertEqual(self.values(table), self.values(os.environ["TABLE"]))

    def test_out_and_json(self):
        to = self.top / "mine.json"
        done = self.run_verb(ANSWER, "--out", str(to), "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["table"], str(to))
        self.assertTrue(self.values(to))
        self.assertFalse((self.top / "data").exists())

    def test_without_a_gpu(self):
        done = self.run_verb(NO_GPU)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no usable CUDA device", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_an_answer_that_is_none(self):
        done = self.run_verb('#!/bin/sh\necho "{{}}" > "$3"\n')
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("cupilot_calibration", done.stderr)


if __name__ == "__main__":
    unittest.main()
