# SPDX-License-Identifier: Apache-2.0
"""What schedules write passes the judge on the CPU executor: kernels for each, with the real cupilot-annotate
and nvcc. Times are not looked at here; the GPU's are in tests/plain.

  schedules_test.py          one or two kernels a schedule are judged, what CTest runs
  schedules_test.py --all    all of them
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE / "schedules.cu"
WRITTEN = [("matmul", "register-tile"), ("matmul", "tf32-three-products-mma"), ("matmul", "half-three-products-mma"),
           ("softmax", "row-in-registers"),
           ("column_min", "row-in-registers"), ("loss", "two-stage-reduction"), ("histogram", "privatised-histogram"),
           ("scan", "scan-rows-with-carry"), ("transpose", "transpose-through-shared"), ("swapped", "coalesced-mapping"),
           ("triangle", "register-tile"), ("padded", "register-tile"), ("padded", "tf32-three-products-mma"),
           ("long_rows", "two-stage-reduction"), ("smallest_at", "row-in-registers"),
           ("scan_down", "scan-rows-with-carry"), ("scan_by_blocks", "scan-rows-with-carry"),
           ("scan_before", "scan-rows-with-carry"), ("upper_tiles", "register-tile"),
           ("upper_tiles", "tf32-three-products-mma"), ("softmax_of_blocks", "row-in-registers"),
           ("scan_columns", "scan-rows-with-carry"), ("sum_of_two_loops", "two-stage-reduction"),
           ("rows_of_two_loops", "row-in-registers"), ("byte_histogram", "privatised-histogram"),
           ("long_sums", "register-tile"), ("long_sums", "tf32-three-products-mma"),
           ("long_sums", "half-three-products-mma"),
           ("filter_gradient", "register-tile"), ("four_or_rest", "coalesced-mapping"),
           ("rows_of_vectors", "row-in-registers"), ("largest_around", "window-in-registers"),
           ("seven_points", "window-in-registers"), ("moving_mean", "window-in-registers"),
           ("double_products", "fp64-mma"), ("columns_by_norm", "row-in-registers"),
           ("upper_tiles", "half-three-products-mma"), ("pairs_or_one", "coalesced-mapping"),
           ("windows_in_tile", "window-in-registers"), ("place_of_largest", "row-in-registers"), ("online", "row-in-registers"), ("mean_and_squares", "row-in-registers"),
           ("divergence", "row-in-registers")]
JUDGED = WRITTEN if "--all" in sys.argv else [
    ("matmul", "tf32-three-products-mma"), ("column_min", "row-in-registers"), ("loss", "two-stage-reduction"),
    ("histogram", "privatised-histogram"), ("transpose", "transpose-through-shared"), ("swapped", "coalesced-mapping"),
    ("padded", "register-tile"), ("softmax_of_blocks", "row-in-registers"), ("scan_before", "scan-rows-with-carry"),
    ("long_sums", "half-three-products-mma"), ("filter_gradient", "register-tile"),
    ("four_or_rest", "coalesced-mapping"), ("rows_of_vectors", "row-in-registers"),
    ("largest_around", "window-in-registers"), ("double_products", "fp64-mma"),
    ("columns_by_norm", "row-in-registers"), ("upper_tiles", "half-three-products-mma"),
    ("pairs_or_one", "coalesced-mapping"), ("windows_in_tile", "window-in-registers"),
    ("place_of_largest", "row-in-registers"), ("online", "row-in-registers"), ("mean_and_squares", "row-in-registers"),
    ("divergence", "row-in-registers")]
CORRECT = {"faster", "same", "slower", "unsure"}


def cupilot(*words):
    return subprocess.run([os.environ["CUPILOT"], *map(str, words)], capture_output=True, text=True, timeout=900)


def verdict_of(kernel, schedule, variant, folder):
    """Alone in its file, so that only it is read."""
    head, *parts = SOURCE.read_text().split("#pragma cupilot optimize\n")
    folder = pathlib.Path(folder) / f"{kernel}-{schedule}"
    folder.mkdir()
    source, file = folder / f"{kernel}.cu", folder / f"{kernel}.cuh"
    source.write_text(head + next("#pragma cupilot optimize\n" + part for part in parts if f" {kernel}(" in part))
    file.write_text(variant)
    done = cupilot("judge", source, "--kernel", kernel, "--variant", file, "--executor", "cpu", "--arch", "sm_90", "--json")
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        return {"verdict": "none", "reason": done.stdout + done.stderr}


class Schedules(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        done = cupilot("explain", SOURCE, "--json")
        assert done.returncode == 0, done.stderr
        kernels = {one["kernel"]: {s["name"]: s for s in one["schedules"]} for one in json.loads(done.stdout)["kernels"]}
        assert set(kernels) == {kernel for kernel, _ in WRITTEN}
        cls.written = {(kernel, name): kernels[kernel][name] for kernel, name in WRITTEN}

    def test_each_is_accepted(self):
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
            verdicts = dict(zip(JUDGED, pool.map(
                lambda one: verdict_of(*one, self.written[one].get("variant", ""), folder), JUDGED)))
        for (kernel, schedule), verdict in verdicts.items():
            with self.subTest(kernel=kernel, schedule=schedule):
                self.assertIn(verdict["verdict"], CORRECT, verdict.get("reason"))

    def test_what_is_written_is_short_to_read(self):
        matmul, padded, upper = (self.written[kernel, "register-tile"]["variant"]
                                 for kernel in ("matmul", "padded", "upper_tiles"))
        self.assertNotIn("kHeight", matmul, "one tile is what the knobs say")
        self.assertIn("const int row = place;", matmul)
        self.assertIn("right_four<kWhole>", matmul, "whole tiles are read four elements at a time")
        self.assertNotIn("one_output", matmul, "all terms count")
        self.assertNotIn("template", padded, "no workload has whole tiles")
        self.assertIn("one_output", padded)
        self.assertEqual(upper.count("// the kernel counts on this block size\n"), 1, "the same need for x and y")
        self.assertGreater(upper.count("l.block."), 2)

    def test_long_sums_of_few_outputs_are_cut_into_parts(self):
        for kernel, schedule in (("long_sums", "register-tile"), ("long_sums", "tf32-three-products-mma"),
                                 ("long_sums", "half-three-products-mma"), ("filter_gradient", "register-tile")):
            self.assertIn("constexpr int kParts = 16;", self.written[kernel, schedule]["variant"])
        self.assertNotIn("kParts", self.written["matmul", "register-tile"]["variant"])

    def test_long_rows_are_read_once_less(self):
        softmax = self.written["softmax_of_blocks", "row-in-registers"]["variant"]
        self.assertEqual(softmax.count("if (here > base + 16) {"), 1, "largest value and sum in one loop")
        self.assertEqual(softmax.count("__global__"), 2, "short rows stay in registers")

    def test_one_that_is_changed_is_not(self):
        """The judge would see a mistake of a schedule."""
        variant = self.written["column_min", "row-in-registers"]["variant"]
        wrong = variant.replace("r = 1 + lane", "r = 2 + lane")
        self.assertNotEqual(variant, wrong)
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(verdict_of("column_min", "wrong", wrong, folder)["verdict"], "wrong")


if __name__ == "__main__":
    if not shutil.which(os.environ.get("CUPILOT_NVCC", "nvcc")):
        print("skipped: no nvcc")
        sys.exit(77)
    unittest.main(argv=[word for word in sys.argv if word != "--all"])
