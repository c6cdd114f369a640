# SPDX-License-Identifier: Apache-2.0
"""`cupilot check` and `cupilot judge --executor cpu` with a real compiler and the real CPU executor; only
cupilot-annotate is a fake."""
import json
import os
import pathlib
import shutil
import sys
import unittest

from fake_project import Project

NVCC = os.environ.get("CUPILOT_NVCC") or shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"

# The slice says which of the user's lines its lines are, as cupilot-annotate does.
FAULTY = """#line 1 "a.cu"
__global__ void scale(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) y[i] = 2 * x[i];
}
"""
RIGHT = FAULTY.replace("i <= n", "i < n")


def project_with(body):
    project = Project()
    spec = project.spec("scale")
    spec["slice"] = body
    spec["command"]["flags"] = ["-O3"]
    spec["workloads"][0]["set"][0]["expression"] = "5000"
    project.annotate([{"spec": spec}])
    (project.source / "a.cu").write_text(body.split("\n", 1)[1])
    project.environment["CUPILOT_NVCC"] = NVCC
    project.environment["CUPILOT_EMULATE_PROGRAM"] = os.environ["CUPILOT_EMULATE_PROGRAM"]
    return project


class Check(unittest.TestCase):
    def test_finds_name_line_and_thread(self):
        with project_with(FAULTY) as project:
            sarif = project.top / "out.sarif"
            done = project.cupilot("check", project.build, "--sarif", sarif)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertRegex(done.stdout, r"src/a\.cu:3:3: error: out-of-bounds: .* past the end of '[xy]' \(20000 bytes\)")
            self.assertIn("if (i <= n) y[i] = 2 * x[i];\n    ^", done.stdout)
            self.assertIn("[block (19,0,0) thread (136,0,0)]", done.stdout)
            result = json.loads(sarif.read_text())["runs"][0]["results"][0]
            self.assertEqual(result["ruleId"], "out-of-bounds")
            place = result["locations"][0]["physicalLocation"]
            self.assertEqual((place["artifactLocation"]["uri"], place["region"]["startLine"]), ("a.cu", 3))
            told = json.loads(project.cupilot("check", project.build, "--json").stdout)
            self.assertEqual(told["kernels"][0]["findings"][0]["rule"], "out-of-bounds")

    def test_a_clean_kernel_is_exit_code_0_and_one_that_does_not_build_2(self):
        with project_with(RIGHT) as project:
            done = project.cupilot("check", project.build)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("scale: 0 findings on 1 workload", done.stdout)
        with project_with("#line 1 \"a.cu\"\nthis is no C++\n") as project:
            done = project.cupilot("check", project.build)
            self.assertEqual(done.returncode, 2)
            self.assertIn("does not build", done.stderr)

    def test_a_variant_of_ones_own_is_estimated(self):
        with project_with(RIGHT) as project:
            variant = project.top / "mine.cuh"
            variant.write_text("""__global__ void wide(const float *x, float *y, int n) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] = 2 * x[i];
  if (i + 1 < n) y[i + 1] = 2 * x[i + 1];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int n) {
  wide<<<(n + 511) / 512, 256, 0, l.stream>>>(x, y, n);
  return true;
}
""")
            done = project.cupilot("judge", project.source / "a.cu", "--kernel", "scale", "--variant", variant, "--build",
                                   project.build, "--executor", "cpu", "--arch", "sm_90", "--json")
            verdict = json.loads(done.stdout)
            self.assertIn(verdict["verdict"], ("faster", "same", "slower"), done.stdout + done.stderr)
            self.assertEqual(verdict["stage"], "estimate")
            self.assertEqual(verdict["measurements"], [])
            self.assertGreater(verdict["estimates"][0]["ratio"], 0)


if __name__ == "__main__":
    if not pathlib.Path(NVCC).exists():
        print("skipped: no nvcc here")
        sys.exit(77)
    unittest.main()
