# SPDX-License-Identifier: Apache-2.0
"""The eight kernels of tests/level1 are a base to judge on: each is extracted, its original passes the reference
phase against its twin, and what a GPU found right in the recordings of runs/*.jsonl.xz is right on the CPU, too, as
far as it can execute it. Judged at the sizes of the workloads `small` and `odd`. Prints what each answer was.

  level1_test.py              four of the recordings' winners, what CTest runs
  level1_test.py --winners    all eight winners, and three at their own workloads
  level1_test.py --all        every variant of every recording: an hour
"""
import concurrent.futures
import hashlib
import json
import lzma
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
KERNELS = {"matmul", "upper_matmul", "softmax", "rms_norm", "layer_norm", "sum_over_rows", "cumsum", "cross_entropy"}
ALL = "--all" in sys.argv
WINNERS = ALL or "--winners" in sys.argv
JUDGED = KERNELS if WINNERS else {"cumsum", "rms_norm", "upper_matmul", "cross_entropy"}
#: Variants may decline what is smaller than their tile; then the original would be compared with itself.
SIZES = {"matmul": "m = 256, n = 256, k = 256", "upper_matmul": "n = 256", "softmax": "rows = 2, cols = 65536"}
SMALL_SIZES = re.compile(r"(workload\(small\) set\()[^)]*\)")
LARGE = re.compile(r"^#pragma cupilot workload\((?!small|odd)\w+\)(?:.*\\\n)*.*\n", re.MULTILINE)
SMALL_CHECK = re.compile(r"^(#pragma cupilot workload\(small\)(?:.*\\\n)*.*) check$", re.MULTILINE)
#: Their winners have loops for batches and tiles that no small case fills.
REACHED = ["cumsum", "layer_norm", "upper_matmul"] if WINNERS else ["layer_norm"]
RIGHT = {"faster", "slower", "same", "unsure"}


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


def small_copy(kernel, source, folder):
    """The same kernel with `small` as the workload that is timed, and none that takes minutes on a busy CPU."""
    folder.mkdir()
    text, dropped = LARGE.subn("", source.read_text())
    text, timed = SMALL_CHECK.subn(r"\1", text)
    assert dropped >= 2 and timed == 1, source
    if kernel in SIZES:
        text, changed = SMALL_SIZES.subn(rf"\g<1>{SIZES[kernel]})", text)
        assert changed == 1, source
    shutil.copy(FOLDER / "level1.h", folder)
    copy = folder / source.name
    copy.write_text(text)
    return copy


def recorded(kernel):
    """(sha256, text, the GPU's verdict) of the winner that the kernel's recording ends with, or of all in it."""
    texts, verdicts, winner = {}, {}, None
    for line in lzma.decompress((FOLDER / "runs" / f"{kernel}.jsonl.xz").read_bytes()).splitlines():
        line = json.loads(line)
        if "content" in line and "variant" in line:
            texts[line["variant"]] = line["content"]
            assert hashlib.sha256(line["content"].encode()).hexdigest() == line["variant"], kernel
        elif "verdict" in line:
            verdicts[line["variant"]] = line["verdict"]["verdict"]
            if line["verdict"]["stage"] == "finalist" and line["verdict"]["verdict"] == "faster":
                winner = line["variant"]
    return [(name, texts[name], verdicts[name]) for name in texts if name in verdicts and (ALL or name == winner)]


def judged(kernel, source, variant, *options):
    return json.loads(subprocess.run(
        [str(CUPILOT), "judge", str(source), "--kernel", kernel, "--variant", str(variant), "--executor", "cpu", "--arch",
         "sm_90", "--json", *options, *FLAGS], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True).stdout)


class Level1(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.specs = specs()

    def test_all_eight_are_extracted(self):
        self.assertEqual(set(self.specs), KERNELS)
        for kernel, (source, spec) in self.specs.items():
            self.assertEqual(spec["precision"], "same", kernel)

    def test_each_has_what_the_judge_needs(self):
        for kernel, (_, spec) in self.specs.items():
            workloads = {workload["id"]: workload for workload in spec["workloads"]}
            timed = [w for w in workloads.values() if not w.get("check") and not w.get("holdout")]
            self.assertEqual({w["id"].split("_")[0] for w in timed}, {"kernelbench"}, kernel)
            self.assertEqual([w["id"] for w in workloads.values() if w.get("holdout")], ["other"], kernel)
            self.assertTrue({"small", "odd"} <= set(workloads), kernel)

    def test_what_a_gpu_found_right_is_right_here(self):
        with tempfile.TemporaryDirectory(prefix="cupilot-level1-") as name:
            tasks = []
            for kernel in sorted(JUDGED):
                folder = pathlib.Path(name, kernel)
                source = small_copy(kernel, self.specs[kernel][0], folder)
                found = recorded(kernel)
                self.assertTrue(found, f"the recording of {kernel} has no winner")
                for digest, text, verdict in found:
                    variant = folder / f"{digest[:12]}.cuh"
                    variant.write_text(text)
                    tasks.append((kernel, source, variant, verdict))
            # Without the workloads that a winner is made for, not all of its code is reached.
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                answers = list(pool.map(lambda task: judged(*task[:3], "--waive", "coverage"), tasks))
        for (kernel, _, variant, verdict), answer in zip(tasks, answers):
            here = answer.get("verdict")
            print(f"{kernel:<14} {variant.stem}  GPU: {verdict:<9} CPU: {here}  {answer.get('reason', '')[:150]}")
            with self.subTest(kernel=kernel, variant=variant.stem):
                self.assertIsNotNone(here, answer)
                if here in RIGHT:
                    self.assertEqual(answer["oracle"][:4], "twin")
                    self.assertEqual(answer["precision"], "same")
                if here == "not_evaluated":
                    self.assertIn("the CPU executor cannot run it", answer["reason"])
                elif verdict in RIGHT:
                    self.assertIn(here, RIGHT, answer)
        self.assertTrue(any(answer.get("verdict") in RIGHT for answer in answers))

    def test_its_own_workloads_reach_all_of_a_winner(self):
        """Workloads of gigabytes: smaller ones stand in for them, and some blocks run at the full size."""
        with tempfile.TemporaryDirectory(prefix="cupilot-level1-") as name:
            for kernel in REACHED:
                variant = pathlib.Path(name, f"{kernel}.cuh")
                variant.write_text(recorded(kernel)[0][1])
                answer = judged(kernel, self.specs[kernel][0], variant)
                print(f"{kernel:<14} with its own workloads: {answer.get('verdict')}  {answer.get('reason', '')[:150]}")
                with self.subTest(kernel=kernel):
                    self.assertIn(answer.get("verdict"), RIGHT, answer)


if __name__ == "__main__":
    if not shutil.which(os.environ.get("CUPILOT_NVCC", "nvcc")):
        print("level1_test.py: skipped: no nvcc here (PATH or CUPILOT_NVCC)", file=sys.stderr)
        sys.exit(77)
    unittest.main(argv=[word for word in sys.argv if word not in ("--all", "--winners")])
