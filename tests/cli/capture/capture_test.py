# SPDX-License-Identifier: Apache-2.0
"""`cupilot capture` on app.cu, an unmodified program: what it writes without a word from its author is what other verbs
run. Its kernels run on the CPU."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
CUPILOT, NVCC = os.environ["CUPILOT"], os.environ["NVCC"]


def setUpModule():
    """app.cu is built once, at the place that its copies are built from."""
    global BUILT
    BUILT = pathlib.Path(tempfile.mkdtemp(prefix="cupilot-capture-test."))
    subprocess.run([NVCC, "-arch=sm_90", "-diag-suppress=20050", HERE / "app.cu", "-o", BUILT / "app"], check=True)


def tearDownModule():
    shutil.rmtree(BUILT, ignore_errors=True)


class Program:
    """app.cu, built, in a build folder as cmake leaves it."""

    def __init__(self):
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="cupilot-capture-test."))
        self.source, self.build = self.top / "src", self.top / "build"
        (self.build / "cupilot").mkdir(parents=True)
        self.source.mkdir()
        shutil.copy(HERE / "app.cu", self.source)
        source, self.app = str(self.source / "app.cu"), self.build / "app"
        (self.build / "CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={self.source}\n")
        (self.build / "compile_commands.json").write_text(json.dumps(
            [{"directory": str(self.build), "file": source, "command": f"{NVCC} -arch=sm_90 -c {source} -o a.o"}]))
        (self.build / "cupilot" / "app.json").write_text(json.dumps(
            {"cupilot_target": 1, "target": "app", "sources": [source], "records": str(self.source / "tuned")}))
        shutil.copy(BUILT / "app", self.app)

    def cupilot(self, *words):
        return subprocess.run([CUPILOT, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def capture(self, *options, program=()):
        return self.cupilot("capture", self.build, "--executor", "cpu", *options, "--", self.app, *program)

    def workloads(self, kernel):
        text = (self.source / "tuned" / kernel / "workloads.txt").read_text()
        text = re.sub(r"//.*", "", text)
        return [re.sub(r"\s+", " ", one).strip() for one in text.split("workload")[1:]]


class Capture(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = Program()
        cls.done = cls.program.capture("--json")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.program.top, ignore_errors=True)

    def kernels(self):
        return {one["kernel"]: one for one in json.loads(self.answer())["kernels"]}

    def answer(self):
        """stdout without what the program prints, which stands before ours."""
        return self.done.stdout[self.done.stdout.index("{"):]

    def test_the_program_says_what_it_says_unwatched(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        alone = self.program.cupilot("emulate", "--", self.program.app)
        self.assertRegex(alone.stdout, r"^total -?[\d.e+]+\n$")
        self.assertTrue(self.done.stdout.startswith(alone.stdout), self.done.stdout)

    def test_sizes_and_launches_are_expressions(self):
        workloads = self.program.workloads("saxpy")
        for number, (workload, scalars) in enumerate(zip(workloads, ("alpha = -1.25, n = 70000", "alpha = 0.5, n = 3000",
                                                                     "alpha = 2, n = 1000"), strict=True)):
            self.assertRegex(workload, re.escape(f"(seen{number + 1}) set({scalars}) in(x[n]) inout(y[n]) fill(x = normal(0, ")
                             + r"[\d.]+\), y = normal\(0, [\d.]+\)\) "
                             + re.escape("launch((n + 255) / 256, 256) weight(") + r"0\.\d+\)$")

    def test_several_dimensions(self):
        first = self.program.workloads("softmax")[0]
        self.assertIn("in(x[rows * cols]) out(y[rows * cols])", first)
        self.assertIn("launch(rows, 128)", first)
        first = self.program.workloads("smooth")[0]
        self.assertIn("in(in[width * height]) out(out[width * height])", first)
        self.assertIn("launch(dim3((width + 31) / 32, (height + 3) / 4), dim3(32, 4))", first)

    def test_what_buffers_hold(self):
        self.assertEqual(self.program.workloads("count"), [
            "(seen1) set(n = 5000) in(data[n]) inout(bins[50]) fill(data = randint(0, 50), bins = zeros) "
            "launch((n + 255) / 256, 256)"])

    def test_indices_are_below_what_they_lead_into(self):
        [sparse] = self.program.workloads("sparse")
        self.assertIn("in(begins[rows + 1], columns[columns_size], values[columns_size], x[rows]) out(y[rows])", sparse)
        self.assertIn("begins = sorted(0, columns_size + 1), columns = randint(0, rows)", sparse)

    def test_kernels_of_one_file_and_of_templates(self):
        self.assertIn("in(x[n]) out(y[n])", self.program.workloads("shift")[0])
        self.assertIn("inout(x[n])", self.program.workloads("doubled.float")[0])

    def test_what_cannot_be_said_is_told(self):
        kernels = self.kernels()
        self.assertEqual(kernels["biased"]["missing"], "'bias' is a null pointer, which a workload cannot say")
        self.assertEqual(kernels["never"]["missing"], "it was not launched")
        self.assertFalse((self.program.source / "tuned/biased").exists())
        self.assertEqual((kernels["saxpy"]["launches"], kernels["saxpy"]["shapes"]), (7, 3))

    def test_other_verbs_use_it(self):
        scan = json.loads(self.program.cupilot("scan", self.program.build, "--json").stdout)
        found = {one["kernel"]: [w["id"] for w in one["workloads"]] for one in scan["kernels"]}
        self.assertEqual(found["softmax"], ["seen1", "seen2"])
        self.assertEqual(found["never"], [])
        warned = [one["message"] for one in scan["diagnostics"]]
        self.assertIn("kernel 'never' has no workload and cannot be tuned", warned)
        self.assertNotIn("kernel 'saxpy' has no workload and cannot be tuned", warned)
        check = self.program.cupilot("check", self.program.build, "--kernel", "saxpy", "--kernel", "smooth",
                                     "--kernel", "count", "--kernel", "softmax", "--kernel", "sparse")
        self.assertEqual(check.returncode, 0, check.stdout + check.stderr)


class Again(unittest.TestCase):
    """What people do with the files, and what goes wrong."""

    def setUp(self):
        self.program = Program()
        self.addCleanup(shutil.rmtree, self.program.top, ignore_errors=True)

    def test_a_workload_of_another_name_is_kept(self):
        file = self.program.source / "tuned/count/workloads.txt"
        file.parent.mkdir(parents=True)
        file.write_text("workload(seen7) set(n = 1)\n    in(data[1])\n"
                        "workload(mine) set(n = 77) in(data[n]) inout(bins[9])\n"
                        "    fill(data = randint(0, 9)) launch(1, 128)\n")
        done = self.program.capture("--kernel", "saxpy")
        self.assertEqual(done.returncode, 1, done.stdout)  # the file has a mistake, and says where
        self.assertIn(f"{file}:1:1: error: pointer 'bins' has no size", done.stderr)
        file.write_text(file.read_text().replace("workload(seen7) set(n = 1)\n    in(data[1])\n", ""))
        done = self.program.capture("--kernel", "count")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([one.split()[0] for one in self.program.workloads("count")], ["(mine)", "(seen1)"])

    def test_a_program_that_dies_loses_nothing(self):
        done = self.program.capture("--json", program=[str(int(signal.SIGKILL))])
        self.assertEqual(done.returncode, 1)
        self.assertIn("the program ended with exit code 137", done.stderr)
        self.assertIn("(seen1)", self.program.workloads("saxpy")[0])

    def test_dry_run_writes_nothing(self):
        done = self.program.capture("--dry-run", "--kernel", "shift")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("workload(seen1)", done.stdout)
        self.assertFalse((self.program.source / "tuned").exists())

    def test_a_machine_that_has_only_the_watcher(self):
        folder = self.program.top / "seen"
        self.assertEqual(self.program.cupilot("capture", self.program.build, "--prepare", folder).returncode, 0)
        library = pathlib.Path(CUPILOT).parents[1] / "lib/cupilot/libcupilot-cudart.so"
        subprocess.run([self.program.app], check=True, stdout=subprocess.DEVNULL, env={
            **os.environ, "LD_PRELOAD": str(library), "CUPILOT_CAPTURE": str(folder)})
        done = self.program.cupilot("capture", self.program.build, "--read", folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("(seen1)", self.program.workloads("saxpy")[0])

    def test_mistakes(self):
        done = self.program.cupilot("capture", self.program.build)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no program was given; write it after '--'", done.stderr)
        done = self.program.cupilot("capture", self.program.build, "--", "no-such-program")
        self.assertIn("cannot find the program 'no-such-program'", done.stderr)
        done = self.program.capture("--kernel", "sapxy")
        self.assertIn("no annotated kernel 'sapxy'", done.stderr)
        done = self.program.cupilot("capture", self.program.build, "--executor", "cpu", "--", "true")
        self.assertEqual(done.returncode, 1)
        self.assertIn("it was not launched", done.stdout)


if __name__ == "__main__":
    unittest.main()
