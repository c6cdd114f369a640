# SPDX-License-Identifier: Apache-2.0
"""The projects of examples/: every kernel lifts and has a schedule, and its committed record is the one that a build
with the kernel as it stands takes. What they gain is measured by the programs themselves, on a GPU."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "examples"
NAMES = sorted(path.parent.name for path in EXAMPLES.glob("*/tuned"))
#: Measured with another compiler than this machine's; the record is used all the same.
USED = {"fits", "other_toolchain"}


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=900)
    if done.returncode:
        raise AssertionError(f"{words[:2]}: exit code {done.returncode}: {done.stderr}{done.stdout}")
    return done.stdout


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix="cupilot-examples-"))
        prefix, cls.build = cls.scratch / "prefix", cls.scratch / "build"
        run("cmake", "--install", os.environ["CUPILOT_BINARY_DIR"], "--component", "launcher", "--prefix", prefix)
        folders = "".join(f'add_subdirectory("{EXAMPLES / name}" {name})\n' for name in NAMES)
        (cls.scratch / "CMakeLists.txt").write_text(
            f"cmake_minimum_required(VERSION 3.25)\nproject(examples LANGUAGES CXX CUDA)\n{folders}")
        run("cmake", "-S", cls.scratch, "-B", cls.build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
            "-DCMAKE_CUDA_ARCHITECTURES=90")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.scratch)

    def test_each_has_a_record_that_is_used(self):
        kernels = json.loads(run(os.environ["CUPILOT"], "status", self.build, "--json"))["kernels"]
        self.assertEqual(sorted(one["kernel"] for one in kernels), [f"{name}_kernel" for name in NAMES])
        for one in kernels:
            with self.subTest(one["kernel"]):
                self.assertTrue({record["state"] for record in one["records"]} <= USED)

    def test_each_lifts_and_has_a_schedule(self):
        kernels = json.loads(run(os.environ["CUPILOT"], "explain", self.build, "--json"))["kernels"]
        self.assertEqual(len(kernels), len(NAMES))
        for one in kernels:
            with self.subTest(one["kernel"]):
                self.assertTrue(one["lifted"]["body"])
                self.assertTrue(any(schedule.get("variant") for schedule in one["schedules"]))


if __name__ == "__main__":
    if not shutil.which(os.environ.get("CUPILOT_NVCC", "nvcc")):
        print("skipped: no nvcc")
        sys.exit(77)
    unittest.main()
