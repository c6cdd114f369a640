#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run.py with a folder of one's own: heads that are not there, and what its table calls caught.

  folder_test.py                                    what needs no program
  folder_test.py --annotate A --writer W --worker P one folder from start to end, on the CPU
"""
import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest

import programs
import table

HERE = pathlib.Path(__file__).resolve().parent
KERNEL = """__global__ void updated(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = y[i] + alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  updated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
"""
#: by name: the text, and whether it passes
FOLDER = {
    "right": (KERNEL, True),
    "sign": (KERNEL.replace("+ alpha", "- alpha"), False),
    "prints": (KERNEL.replace("  return true", "  printf(\"faster\");\n  return true"), False),
    "unbuilt": (KERNEL.replace("updated<<<", "nowhere<<<"), False),
}


def folder_with(place, texts):
    folder = pathlib.Path(place, "update")
    folder.mkdir()
    for name, text in texts.items():
        (folder / f"{name}.cuh").write_text(text)
    return pathlib.Path(place)


def table_of(plan, verdicts):
    rows = table.rows(plan, verdicts)
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        table.show(rows, plan["honest"])
        table.show_passed(rows)
    return rows, text.getvalue()


class Heads(unittest.TestCase):
    def read(self, text, heads_needed=False):
        with tempfile.TemporaryDirectory() as place:
            [program] = programs.read_programs(folder_with(place, {"one": text}), True, heads_needed)
        return program

    def test_none_is_needed(self):
        program = self.read(KERNEL)
        self.assertEqual((program.kernel, program.name, program.line, program.expected), ("update", "one", "", []))

    def test_what_is_there_counts(self):
        head = '// C1: a size.\n// on: gpu\n// caught: correct wrong "output \'y\'"\n'
        for licence in ("", "// SPDX-License-Identifier: Apache-2.0\n"):
            program = self.read(licence + head + KERNEL)
            self.assertEqual((program.line, program.idea, program.on), ("C1", "a size.", "gpu"))
            self.assertEqual(program.expected, [programs.Expectation("correct", "wrong", "output 'y'")])

    def test_the_catalogue_needs_them(self):
        for text in (KERNEL, "// C1: a size.\n" + KERNEL, '// caught: correct wrong ""\n' + KERNEL):
            with self.assertRaises(programs.BadProgram):
                self.read(text, heads_needed=True)

    def test_a_damaged_one_is_told(self):
        with self.assertRaises(programs.BadProgram):
            self.read("// caught: correct wrong\n" + KERNEL)


class Table(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)

    def plan(self, texts):
        with tempfile.TemporaryDirectory() as place:
            all_programs = programs.read_programs(folder_with(place, texts), True, heads_needed=False)
        options = types.SimpleNamespace(honest=False, executor="cpu", programs="x")
        table.write_plan(self.place.name, all_programs, {}, options)
        return table.read_plan(self.place.name)

    def judged(self, kind, head=""):
        verdict = {"verdict": kind, "stage": "correct", "reason": "output 'y'", "estimates": []}
        [row], text = table_of(self.plan({"one": head + KERNEL}), {("update", "one"): verdict})
        return row["good"], text

    def test_every_refusal_is_a_catch(self):
        for kind in ("wrong", "rejected", "crashed", "timed_out", "build_failed", "not_evaluated"):
            good, text = self.judged(kind)
            self.assertTrue(good, kind)
            self.assertEqual("tell nothing about the judge: update/one" in text, kind in table.UNTRIED, kind)
            self.assertNotIn("passed:", text)

    def test_every_acceptance_passes(self):
        for kind in ("faster", "slower", "same", "unsure"):
            good, text = self.judged(kind)
            self.assertFalse(good, kind)
            self.assertIn("\npassed:\n", text)

    def test_no_verdict_is_no_catch(self):
        [row], text = table_of(self.plan({"one": KERNEL}), {})
        self.assertFalse(row["good"])
        self.assertIn("update/one (no verdict)", text)

    def test_a_head_is_kept_to(self):
        head = '// C1: a size.\n// caught: correct crashed "output"\n'
        self.assertFalse(self.judged("wrong", head)[0])
        self.assertTrue(self.judged("crashed", head)[0])


def run(arguments, folder, *more):
    done = subprocess.run([sys.executable, HERE / "run.py", *arguments, "--executor", "cpu", "--programs", folder, *more],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def from_start_to_end(arguments):
    """One folder with a right variant, which must pass, and three others; then without the right one."""
    with tempfile.TemporaryDirectory() as place:
        folder = folder_with(place, {name: text for name, (text, _) in FOLDER.items()})
        code, text = run(arguments, folder)
        print(text)
        if code == 77:
            return 77
        passed = text.partition("\npassed:\n")[2]
        for name, (_, passes) in FOLDER.items():
            assert (f"update/{name} " in passed) == passes, f"{name} {'does not pass' if passes else 'passes'}"
        assert code == 1, f"something passed, and the exit code is {code}"
        assert "tell nothing about the judge: update/unbuilt (build_failed)" in text, "what does not build is not told"
        code, text = run(arguments, folder, "--only", "update/prints")
        assert code == 0, f"nothing passed, and the exit code is {code}: {text}"
        code, text = run(arguments, folder / "nowhere")
        assert code == 2 and "there is no folder" in text, f"{code}: {text}"
    return 0


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(from_start_to_end(sys.argv[1:]))
    unittest.main()
