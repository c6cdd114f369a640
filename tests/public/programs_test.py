# SPDX-License-Identifier: Apache-2.0
"""programs.py without programs: where pragmas go, what make says, and causes without a program's own names."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import extraction  # noqa: E402
import programs  # noqa: E402
import tuning  # noqa: E402
import watching  # noqa: E402


class Annotated(unittest.TestCase):
    def lines(self, text):
        made, count = programs.annotated(text)
        return made.splitlines(), count

    def test_before_the_whole_declaration(self):
        lines, count = self.lines("int a;\ntemplate <class T,\n  int N>\nstatic __global__\nvoid k(T *x) { x[0] = 1; }\n")
        self.assertEqual(lines[:3], ["int a;", "#pragma cupilot optimize", "template <class T,"])
        self.assertEqual(count, 1)

    def test_declarations_comments_and_strings_are_none(self):
        _, count = self.lines('__global__ void k(int);\n// __global__ void c() {}\nconst char *s = "__global__ {";\n')
        self.assertEqual(count, 0)

    def test_after_lines_of_the_preprocessor(self):
        lines, count = self.lines("#include <a.h>\n#define M(x) \\\n  x\n__global__ void k() {}\n")
        self.assertEqual(lines[3], "#pragma cupilot optimize")
        self.assertEqual(count, 1)

    def test_two_on_a_line(self):
        made, count = programs.annotated("__global__ void a() {} __global__ void b() {}\n")
        self.assertEqual(count, 2)
        self.assertEqual(made, "#pragma cupilot optimize\n__global__ void a() {} \n#pragma cupilot optimize\n"
                               "__global__ void b() {}\n")


class Tuning(unittest.TestCase):
    CONCLUDED = {"a": [{"kernel": "k1", "workloads": ["seen1"]}, {"kernel": "k2", "workloads": ["seen1"]},
                       {"kernel": "none", "workloads": []}],
                 "b": [{"kernel": "k", "workloads": ["seen1"]}], "dead": "why"}

    def test_one_of_each_program_first(self):
        order = tuning.order_of(self.CONCLUDED, 1, None)
        self.assertEqual({one[0] for one in order[:2]}, {"a", "b"})
        self.assertEqual(len(order), 3)
        self.assertEqual(order, tuning.order_of(self.CONCLUDED, 1, None))
        self.assertEqual(len(tuning.order_of(self.CONCLUDED, 1, 2)), 2)

    def test_what_a_program_says_but_for_its_times(self):
        self.assertEqual(tuning.said("PASS\nAverage kernel time 3.4 (us)\nat 0x7f00\n12 GB/s"), "PASS\nat 0x")

    def test_outcomes(self):
        def one(original, again, variants):
            return {"built": True, "original": [0, original], "again": [0, again], "variants": [0, variants]}
        self.assertEqual(tuning.outcome(one("x", "x", "x")), "the same output")
        self.assertEqual(tuning.outcome(one("x", "x", "y")), "other output")
        self.assertEqual(tuning.outcome(one("x", "z", "y")), "differs from itself")
        self.assertEqual(tuning.outcome({"built": False}), "does not build")

    def test_only_what_is_published_is_faster(self):
        measured = [{"workload": "seen1", "speedup": 3.0}]
        self.assertEqual(tuning.speedup({"result": "published", "measurements": measured}), 3)
        self.assertEqual(tuning.speedup({"result": "nothing_faster", "measurements": measured}), 1)


class Watching(unittest.TestCase):
    def test_names_as_cupti_and_as_a_profile_has_them(self):
        self.assertEqual(watching.base_name("void ns::k<float, (int)4>(float*, int)"), "k")
        self.assertEqual(watching.base_name("(anonymous namespace)::k(float*)"), "k")
        self.assertEqual(watching.base_name("k.float.4"), "k")


class Code(unittest.TestCase):
    PTX = ".version 9.0\n.visible .entry _Z1aPf(\n  .param .u64 a\n)\n{\n  bra $L__BB%d_1;\n$L__BB%d_1:\n  ret;\n\n}\n"

    def test_labels_are_numbered_through_the_file(self):
        self.assertEqual(extraction.code_of(self.PTX % (0, 0), "_Z1aPf"), extraction.code_of(self.PTX % (7, 7), "_Z1aPf"))
        self.assertNotEqual(extraction.code_of(self.PTX % (0, 0), "_Z1aPf"),
                            extraction.code_of((self.PTX % (0, 0)).replace("ret;", "exit;"), "_Z1aPf"))

    def test_names_that_nvcc_makes_of_the_file(self):
        named = lambda name: (self.PTX % (0, 0)).replace("ret;", f"ld.f32 %f1, [_ZZN{len(name) + 20}_INTERNAL_{name}1kEvE3buf]; ret;")
        self.assertEqual(extraction.code_of(named("0a1b2c3d_6_app_cu_9f8e7d6c"), "_Z1aPf"),
                         extraction.code_of(named("0a1b2c3d_8_slice0_cu_11111111"), "_Z1aPf"))

    def test_only_the_kernel_itself(self):
        two = self.PTX % (0, 0) + (self.PTX % (1, 1)).replace("_Z1a", "_Z1b").replace("ret", "exit")
        self.assertEqual(extraction.code_of(two, "_Z1aPf"), extraction.code_of(self.PTX % (0, 0), "_Z1aPf"))
        self.assertIsNone(extraction.code_of(two, "_Z1cPf"))


class Make(unittest.TestCase):
    def test_compile_commands_of_what_make_would_call(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder).resolve()
            (folder / "Makefile").write_text("main: a.cu\n\tnvcc -arch=$(ARCH) -O3 -Ix a.cu b.cu -o main -lm\n"
                                             "run: main\n\t./main 3 \\\n\t  4\n")
            (folder / "a.cu").write_text("")
            entries = programs.compile_commands(folder)
            self.assertEqual([entry["file"] for entry in entries], [str(folder / "a.cu"), str(folder / "b.cu")])
            self.assertEqual(entries[0]["command"], "nvcc -arch=sm_90 -O3 -Ix -c a.cu -o unused.o")
            (folder / "main").write_text("")
            self.assertEqual(programs.run_line(folder).split(), ["./main", "3", "4"])


class Causes(unittest.TestCase):
    def test_names_and_numbers_are_left_out(self):
        self.assertEqual(programs.cause_of("'x' is 3 of 1.5e-3 bytes"), "'...' is N of N bytes")


if __name__ == "__main__":
    unittest.main()
