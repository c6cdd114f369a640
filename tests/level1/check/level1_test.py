# SPDX-License-Identifier: Apache-2.0
"""The eight kernels of tests/level1 are a base to judge on: each is extracted, its original passes the reference
phase against its twin, and an honest variant of it is judged correct, on the CPU at the sizes of the workloads
`small` and `odd`. The variant is what a built-in rule makes of the kernel, or the file honest/<kernel>.cuh: the same
kernel with another block size."""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parents[1]
CUPILOT = pathlib.Path(shutil.which(os.environ.get("CUPILOT", "cupilot")) or "cupilot")
ANNOTATE = CUPILOT.parent / "cupilot-annotate"
FLAGS = ["--", "-std=c++17", "-arch=sm_90"]
RULES = {"matmul": "pad-shared", "upper_matmul": "pad-shared", "rms_norm": "block-size", "sum_over_rows": "block-size"}
BY_HAND = ["softmax", "layer_norm", "cumsum", "cross_entropy"]
LARGE = re.compile(r"^#pragma cupilot workload\((?!small|odd)\w+\)(?:.*\\\n)*.*\n", re.MULTILINE)
SMALL_CHECK = re.compile(r"^(#pragma cupilot workload\(small\)(?:.*\\\n)*.*) check$", re.MULTILINE)
GOOD = {"faster", "slower", "same", "unsure"}


def lines_of(argv, text=None):
    done = subprocess.run([str(word) for word in argv], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True)
    if done.returncode > 1:
        raise AssertionError(f"{argv[:2]}: exit code {done.returncode}: {done.stderr}{done.stdout}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def specs():
    """By kernel name; with the source each stands in."""
    found = {}
    for source in sorted(FOLDER.glob("*.cu")):
        for answer in lines_of([ANNOTATE, "scan", "--root", FOLDER, source, "--", "nvcc", *FLAGS[1:]]):
            assert "diagnostic" not in answer, answer
            if "spec" in answer:
                found[answer["spec"]["name"]] = (source, answer["spec"])
    return found


def small_copy(source, folder):
    """The same kernel with `small` as the workload that is timed, and none that takes minutes on a busy CPU."""
    text, dropped = LARGE.subn("", source.read_text())
    text, timed = SMALL_CHECK.subn(r"\1", text)
    assert dropped >= 2 and timed == 1, source
    shutil.copy(FOLDER / "level1.h", folder)
    copy = folder / source.name
    copy.write_text(text)
    return copy


def variant_of(kernel, spec, folder):
    if kernel in BY_HAND:
        return FOLDER / "honest" / f"{kernel}.cuh"
    request = json.dumps({"cupilot_rewrite": 1, "spec": spec, "rules": [RULES[kernel]]})
    path = folder / f"{kernel}.cuh"
    path.write_text(lines_of([ANNOTATE, "rewrite"], request)[0]["variant"])
    return path


def judged(kernel, source, variant):
    return json.loads(subprocess.run(
        [str(CUPILOT), "judge", str(source), "--kernel", kernel, "--variant", str(variant), "--executor", "cpu", "--arch",
         "sm_90", "--json", *FLAGS], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True).stdout)


class Level1(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.specs = specs()
        cls.scratch = tempfile.TemporaryDirectory(prefix="cupilot-level1-")
        folder = pathlib.Path(cls.scratch.name)

        def judge(kernel):
            source, spec = cls.specs[kernel]
            return judged(kernel, small_copy(source, folder), variant_of(kernel, spec, folder))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            names = [name for name in [*RULES, *BY_HAND] if name in cls.specs]
            cls.answers = dict(zip(names, pool.map(judge, names)))

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def test_all_eight_are_extracted(self):
        self.assertEqual(set(self.specs), {*RULES, *BY_HAND})
        for kernel, (source, spec) in self.specs.items():
            self.assertEqual(spec["precision"], "same", kernel)

    def test_each_has_what_the_judge_needs(self):
        for kernel, (_, spec) in self.specs.items():
            workloads = {workload["id"]: workload for workload in spec["workloads"]}
            timed = [w for w in workloads.values() if not w.get("check") and not w.get("holdout")]
            self.assertEqual([w["id"].split("_")[0] for w in timed], ["kernelbench"], kernel)
            self.assertEqual([w["id"] for w in workloads.values() if w.get("holdout")], ["other"], kernel)
            self.assertTrue({"small", "odd"} <= set(workloads), kernel)

    def test_honest_variants_are_accepted(self):
        for kernel, answer in self.answers.items():
            with self.subTest(kernel):
                self.assertIn(answer.get("verdict"), GOOD, answer)
                self.assertEqual(answer["oracle"][:4], "twin")
                self.assertEqual(answer["precision"], "same")


if __name__ == "__main__":
    if not shutil.which(os.environ.get("CUPILOT_NVCC", "nvcc")):
        print("level1_test.py: skipped: no nvcc here (PATH or CUPILOT_NVCC)", file=sys.stderr)
        sys.exit(77)
    unittest.main()
