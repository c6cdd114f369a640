# SPDX-License-Identifier: Apache-2.0
"""`cupilot profile` on a program that nobody annotated, its kernels on the CPU: what takes the work, what can be tuned
and what not, and pragmas where they belong."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
CUPILOT, NVCC = os.environ["CUPILOT"], os.environ["NVCC"]
SOURCES = ("app.cu", "kernels.cu", "kernels.cuh", "library.cu")


def run(*words, **more):
    return subprocess.run(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          stdin=subprocess.DEVNULL, **more)


class Profile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.top = pathlib.Path(tempfile.mkdtemp(prefix="cupilot-profile-test."))
        cls.source, cls.build = cls.top / "src", cls.top / "build"
        cls.source.mkdir(), (cls.build / "cupilot").mkdir(parents=True)
        for name in SOURCES:
            shutil.copy(HERE / name, cls.source)
        app, kernels = cls.source / "app.cu", cls.source / "kernels.cu"
        cls.app = cls.build / "app"
        subprocess.run([NVCC, "-arch=sm_90", "-rdc=true", "-diag-suppress=20050", app, kernels, cls.source / "library.cu",
                        "-o", cls.app], check=True)
        (cls.source / "library.cu").unlink()
        (cls.build / "CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={cls.source}\n")
        (cls.build / "compile_commands.json").write_text(json.dumps(
            [{"directory": str(cls.build), "file": str(file), "command": f"{NVCC} -arch=sm_90 -rdc=true -c {file} -o a.o"}
             for file in (app, kernels)]))
        (cls.build / "cupilot" / "app.json").write_text(json.dumps(
            {"cupilot_target": 1, "target": "app", "sources": [str(app)], "records": str(cls.source / "tuned")}))
        cls.done = run(CUPILOT, "profile", cls.build, "--executor", "cpu", "--json", "--", cls.app)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.top, ignore_errors=True)

    def kernels(self):
        return {one["kernel"]: one for one in json.loads(self.done.stdout)["kernels"]}

    def test_work_and_what_is_moved(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        self.assertNotIn("error", self.done.stderr)
        kernels = self.kernels()
        heaviest = next(iter(kernels.values()))
        self.assertEqual(heaviest["kernel"], "math.row_sums.float")
        self.assertEqual((heaviest["launches"], heaviest["shapes"]), (20, 1))
        self.assertGreater(heaviest["share"], 0.5)
        self.assertAlmostEqual(sum(one["share"] for one in kernels.values()), 1)
        self.assertEqual(heaviest["bytes"], 20 * (512 * 300 + 512) * 4)
        self.assertEqual(kernels["scale"]["bytes"], 2 * 512 * 300 * 4)
        self.assertAlmostEqual(heaviest["floor_us"], heaviest["bytes"] / 4268.2e3)  # of an H200

    def test_states(self):
        kernels = self.kernels()
        self.assertEqual({name: one["state"] for name, one in kernels.items()}, {
            "math.row_sums.float": "tunable", "scale": "tunable", "negate": "annotated", "clear": "no_workload",
            "from_elsewhere": "not_swapped", "void halve<float>(float*, int)": "foreign"})
        self.assertIn("'size' is of class type 'Size'", kernels["clear"]["detail"])
        self.assertIn("another file", kernels["from_elsewhere"]["detail"])
        self.assertEqual(kernels["scale"]["place"], "app.cu:16")
        self.assertEqual(kernels["scale"]["detail"], "")

    def test_the_table_says_the_same(self):
        table = run(CUPILOT, "profile", self.build)
        self.assertEqual(table.returncode, 0, table.stderr)
        first = table.stdout.splitlines()[1].split()
        self.assertEqual(first[:4], ["math.row_sums.float", "app.cu:7", "20", "1"])
        self.assertEqual(first[-1], "tunable")
        self.assertIn("clear: 'size' is of class type 'Size', which a workload cannot give a value\n", table.stdout)
        self.assertNotIn("cupilot_tune", table.stdout)
        self.assertIn("2 kernels can be tuned and take 1 % of the work or more", table.stderr)

    def test_pragmas_where_they_belong(self):
        before = (self.source / "app.cu").read_text()
        os.chmod(self.source / "app.cu", 0o640)
        shown = run(CUPILOT, "profile", self.build, "--annotate")
        self.assertIn("nothing was written", shown.stderr)
        self.assertEqual((self.source / "app.cu").read_text(), before)
        try:
            done = run(CUPILOT, "profile", self.build, "--annotate", "--yes")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("+#pragma cupilot optimize\n template <class T>\n", done.stderr)
            after = (self.source / "app.cu").read_text()
            wanted = before.replace("template <class T>\n__global__ void row_sums",
                                    "#pragma cupilot optimize\ntemplate <class T>\n__global__ void row_sums")
            wanted = wanted.replace("  __global__ void scale", "  #pragma cupilot optimize\n  __global__ void scale")
            self.assertEqual(after, wanted)
            self.assertEqual((self.source / "app.cu").stat().st_mode & 0o777, 0o640)
            scanned = json.loads(run(CUPILOT, "scan", self.build, "--json").stdout)
            self.assertEqual([one["kernel"] for one in scanned["kernels"]], ["math.row_sums.float", "scale", "negate"])
            again = run(CUPILOT, "profile", self.build, "--annotate", "--yes")
            self.assertIn("no kernel that can be tuned takes 1 % of the work and has no pragma", again.stderr)
        finally:
            (self.source / "app.cu").write_text(before)

    def test_only_what_takes_enough(self):
        done = run(CUPILOT, "profile", self.build, "--annotate", "--least", "30")
        self.assertIn("row_sums", done.stderr)
        self.assertNotIn("+  #pragma", done.stderr)

    def test_a_program_that_fails(self):
        done = run(CUPILOT, "profile", self.build, "--executor", "cpu", "--", "sh", "-c", f"{self.app}; exit 7")
        self.assertEqual(done.returncode, 1)
        self.addCleanup(run, CUPILOT, "profile", self.build, "--executor", "cpu", "--", self.app)
        self.assertIn("the program ended with exit code 7", done.stderr)
        self.assertIn("math.row_sums.float", done.stdout)

    def test_bad_input(self):
        for words, said in ((("--", self.top / "nothing"), "nothing"),
                            (("--least", "200", "--", self.app), "200"),
                            (("--read", self.top, "--", self.app), "--prepare and --read run no program")):
            with self.subTest(words=words):
                done = run(CUPILOT, "profile", self.build, "--executor", "cpu", *words)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(said, done.stderr)
        file = run(CUPILOT, "profile", self.source / "app.cu")
        self.assertIn("a profile needs a build folder", file.stderr)


if __name__ == "__main__":
    unittest.main()
