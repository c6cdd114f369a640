# SPDX-License-Identifier: Apache-2.0
"""`cupilot judge`: a hand-written variant, with a fake worker that reads its verdict off the variant."""
import json
import unittest

from fake_project import Project

VARIANT = """\
// fake: {rule}
constexpr int kThreads = 256;  // knob: 128 256 512
__global__ void mine(const float *x, float *y, int n) {{}}
bool launch(const cupilot::Launch &l, const float *x, float *y, int n) {{
  mine<<<l.grid, kThreads, 0, l.stream>>>(x, y, n);
  return true;
}}
"""


class Judge(unittest.TestCase):
    def judge(self, project, rule, *more, text=VARIANT):
        variant = project.source / "mine.cuh"
        variant.write_text(text.format(rule=rule) if text is VARIANT else text)
        return project.cupilot("judge", project.source / "a.cu", "--kernel", "scale", "--variant", variant, "--build",
                               project.build, "--arch", "sm_90", *more)

    def test_says_the_verdict_with_measurements(self):
        with Project() as project:
            done = self.judge(project, "speedup 1.5")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("scale on sm_90: faster", done.stdout)
            self.assertRegex(done.stdout, r"large +100\.0 +66\.7 +1\.50x \(1\.\d+ to 1\.\d+\) +faster")
            self.assertFalse(project.records.exists())

    def test_exit_codes(self):
        with Project() as project:
            for rule, code in (("speedup 1.5", 0), ("speedup 1", 0), ("unsure noise", 0), ("speedup 0.5", 1),
                               ("wrong y differs", 1), ("build_failed no", 1), ("crashed signal 11", 1)):
                self.assertEqual(self.judge(project, rule).returncode, code, rule)

    def test_json(self):
        with Project() as project:
            answer = json.loads(self.judge(project, "wrong y differs at 3", "--json").stdout)
            self.assertEqual(answer["cupilot_judge"], 1)
            self.assertEqual((answer["verdict"], answer["reason"]), ("wrong", "y differs at 3"))
            for member in ("kernel", "architecture", "stage", "errors", "measurements", "build", "record"):
                self.assertIn(member, answer)

    def test_publishes_what_is_faster(self):
        with Project() as project:
            done = self.judge(project, "speedup 1.5", "--publish")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("published " + str(project.records / "scale/sm_90"), done.stdout)
            record = json.loads((project.records / "scale/sm_90/record.json").read_text())
            self.assertEqual(record["search"]["knobs"], {"kThreads": 256})
            status = project.cupilot("status", project.build, "--check")
            self.assertEqual(status.returncode, 0, status.stdout)

    def test_does_not_publish_what_is_not(self):
        with Project() as project:
            done = self.judge(project, "speedup 1", "--publish")
            self.assertEqual(done.returncode, 1)
            self.assertFalse(project.records.exists())

    def test_rejects_by_the_text_alone(self):
        with Project() as project:
            log = project.top / "judged.log"
            project.environment["CUPILOT_FAKE_LOG"] = str(log)
            done = self.judge(project, "", text=VARIANT.format(rule="speedup 2").replace(
                "  return true;", "  cudaDeviceSynchronize();\n  return true;"))
            self.assertEqual(done.returncode, 1)
            self.assertIn("scale on sm_90: rejected: line 6:", done.stdout)
            self.assertIn("cudaDeviceSynchronize", done.stdout)
            self.assertFalse(log.exists())

    def test_mistakes(self):
        with Project() as project:
            variant = project.source / "mine.cuh"
            variant.write_text(VARIANT.format(rule="speedup 2"))
            judge = ("judge", project.source / "a.cu", "--build", project.build, "--arch", "sm_90")
            for arguments, word in (
                    ((*judge, "--kernel", "scal", "--variant", variant), "did you mean 'scale'?"),
                    ((*judge, "--kernel", "scale", "--variant", "nowhere.cuh"), "nowhere.cuh"),
                    ((*judge, "--variant", variant), "--kernel"),
                    (("judge", project.source / "b.cu", "--build", project.build, "--kernel", "scale", "--variant",
                      variant), "b.cu' is not a CUDA source of a target"),
                    (("judge", project.source / "b.cu", "--kernel", "scale", "--variant", variant), "b.cu")):
                done = project.cupilot(*arguments)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(word, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_a_kernel_that_is_no_base_to_judge_on(self):
        with Project() as project:
            project.environment.update(CUPILOT_FAKE_ERROR="workload 'large': y does not depend on x; give x another fill",
                                       CUPILOT_FAKE_ERROR_INPUT="1")
            done = self.judge(project, "speedup 2", "--json")
            self.assertEqual(done.returncode, 2, done.stdout)
            place = f"{project.source / 'a.cu'}:2:1: error: workload 'large': y does not depend on x; give x"
            self.assertIn(place, done.stderr)
            answer = json.loads(done.stdout)
            self.assertEqual(answer["diagnostic"]["place"]["line"], 2)
            self.assertNotIn("verdict", answer)
            del project.environment["CUPILOT_FAKE_ERROR_INPUT"]
            self.assertEqual(self.judge(project, "speedup 2").returncode, 1, "this machine's fault")

    def test_says_what_a_record_needs_to_be_repeated(self):
        with Project() as project:
            done = self.judge(project, "speedup 1.5", "--publish", "--json")
            answer = json.loads(done.stdout)
            self.assertEqual((answer["precision"], answer["oracle"]), ("same", "twin"))
            self.assertGreater(answer["secret"], 0)
            record = json.loads((project.records / "scale/sm_90/record.json").read_text())
            self.assertEqual(record["judge"]["secret"], answer["secret"])
            self.assertEqual(record["judge"]["seed"], answer["seed"])

    def test_bad_knob_line(self):
        with Project() as project:
            text = VARIANT.format(rule="speedup 2").replace("knob: 128 256 512", "knob: 128 many")
            done = self.judge(project, "", text=text)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn("mine.cuh", done.stderr)


if __name__ == "__main__":
    unittest.main()
