# SPDX-License-Identifier: Apache-2.0
"""`cupilot explain` with the real cupilot-annotate: what it says of a kernel that lifts, of one that does not, and of
mistakes."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

SOURCE = """\
#include <cuda_runtime.h>
#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 4096, cols = 1024) in(x[rows * cols]) out(y[rows]) launch((rows + 127) / 128, 128)
#pragma cupilot workload(small) set(rows = 3, cols = 5) in(x[rows * cols]) out(y[rows]) launch(1, 128) check
__global__ void total(const float *x, float *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int c = 0; c < cols; c++) sum += x[row * cols + c];
  y[row] = sum;
}
#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 4096) inout(x[n]) launch((n + 127) / 128, 128)
__global__ void mystery(volatile float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[(i * 7) % n];
}
"""


class Explain(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.file = pathlib.Path(cls.folder.name) / "a.cu"
        cls.file.write_text(SOURCE)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def explain(self, *words):
        return subprocess.run([os.environ["CUPILOT"], "explain", *map(str, words), "--", "-arch=sm_90"],
                              capture_output=True, text=True, timeout=300, cwd=self.folder.name)

    def test_says_form_floor_and_what_applies(self):
        done = self.explain(self.file, "--on", "sm_90")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("for row in 0 .. rows  (independent)\n", done.stdout)
        self.assertIn("sum += x[row * cols + c]", done.stdout)
        self.assertRegex(done.stdout, r"large\s+16\.8\s+4\.19\s+3\.9\d+\s+memory")
        self.assertIn("row-in-registers: applies, a team of threads a row, wide accesses", done.stdout)
        self.assertIn("two-stage-reduction: no, a team of threads for each row is enough", done.stdout)
        self.assertRegex(done.stdout, r"mystery \(.*a\.cu:\d+\)\n\s+not lifted: .*line \d+")

    def test_json_has_the_variants(self):
        done = self.explain(self.file, "--json", "--kernel", "total")
        [kernel] = json.loads(done.stdout)["kernels"]
        self.assertEqual(kernel["workloads"][0]["bytes"], 4096 * 1024 * 4 + 4096 * 4)
        written = {one["name"]: one for one in kernel["schedules"]}
        self.assertIn("bool launch(const cupilot::Launch &l, const float *x", written["row-in-registers"]["variant"])
        self.assertEqual(written["scan-rows-with-carry"]["line"], 8)
        alone = self.explain(self.file, "--kernel", "total", "--write", "row-in-registers")
        self.assertEqual(alone.stdout, written["row-in-registers"]["variant"])

    def test_mistakes_are_one_error(self):
        done = self.explain(self.file, "--write", "row-in-registerss")
        self.assertEqual(done.returncode, 2)
        self.assertIn("unknown schedule 'row-in-registerss'; did you mean 'row-in-registers'", done.stderr)
        done = self.explain(self.file, "--kernel", "mystery", "--write", "row-in-registers")
        self.assertEqual(done.returncode, 1)
        self.assertIn("mystery: row-in-registers: ", done.stderr)
        self.assertEqual(self.explain(self.file, "--on", "sm_1").returncode, 2)


if __name__ == "__main__":
    unittest.main()
