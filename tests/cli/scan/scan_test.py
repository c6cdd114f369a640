# SPDX-License-Identifier: Apache-2.0
"""`cupilot-annotate scan` and `identify`: build folders good and bad, identities that hold and that change."""
import hashlib
import json
import unittest

from annotate import Folder

KERNEL = """\
#include "scale.h"
#pragma cupilot optimize
#pragma cupilot workload set(n = 1000) inout(y[n])
__global__ void scale(float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = twice(y[i]) * FACTOR;
}
void run(float *y, int n) { scale<<<(n + 255) / 256, 256>>>(y, n); }
"""
HEADER = """\
#pragma once
#ifndef FACTOR
#define FACTOR 3
#endif
__device__ inline float twice(float x) { return 2 * x; }
__device__ inline float unused(float x) { return x; }
"""

CONVOLUTION = """\
#pragma cupilot optimize
#pragma cupilot workload set(n = 1000) in(image[n + 6]) in(filter[7]) out(y[n])
__global__ void convolve(const float *image, const float *filter, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < 7; ++k) sum += image[i + k] * filter[k];
  y[i] = sum;
}
void run(const float *image, const float *filter, float *y, int n) {
  convolve<<<(n + 255) / 256, 256>>>(image, filter, y, n);
}
"""
# As the judge takes it: `cupilot::Launch` is declared in a header that the text does not include.
TILED_CONVOLUTION = """\
__global__ void convolve_tile(const float *image, const float *filter, float *y, int n) {
  __shared__ float tile[262];
  int first = blockIdx.x * 256;
  for (int at = threadIdx.x; at < 262 && first + at < n + 6; at += 256) tile[at] = image[first + at];
  __syncthreads();
  int i = first + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < 7; ++k) sum += tile[threadIdx.x + k] * filter[k];
  y[i] = sum;
}
bool launch(const cupilot::Launch &l, const float *image, const float *filter, float *y, int n) {
  convolve_tile<<<(n + 255) / 256, 256, 0, l.stream>>>(image, filter, y, n);
  return true;
}
"""


def project(kernel=KERNEL, header=HEADER):
    return Folder(a_dot_cu=kernel, scale_dot_h=header)


def only_id(kernel=KERNEL, header=HEADER, *flags):
    with project(kernel, header) as folder:
        answer = folder.scan_file("a.cu", *flags)
        assert len(answer.specs) == 1, answer.out + answer.err
        return answer.specs[0]["kernel_id"]


class Twin(unittest.TestCase):
    """The slice promoted to double, in the spec."""

    def twin(self, kernel, header, *flags):
        with project(kernel, header) as folder:
            answer = folder.scan_file("a.cu", *flags)
            self.assertEqual(len(answer.specs), 1, answer.out + answer.err)
            return answer.specs[0]["twin"]

    def test_inline_functions_of_the_users_headers_are_promoted(self):
        twin = self.twin(KERNEL, HEADER)
        self.assertIn("double twice(double x)", twin["source"])
        self.assertEqual((twin["instantiation"], twin["types"]), ("scale", ["double *", "int"]))
        self.assertNotIn("sixteen", twin)

    def test_functions_of_the_users_headers_may_be_named_like_intrinsics(self):
        twin = self.twin(KERNEL.replace("twice(", "__twice_f("), HEADER.replace("twice(", "__twice_f("))
        self.assertIn("double __twice_f(double x)", twin["source"])

    def test_templates_of_the_users_headers_are_promoted(self):
        header = ("namespace mine { struct half2x { float low, high; };\n"
                  "template <class T> __device__ T __sum2float(T a, T b) { return T(1.5f) * a + expf(b); } }\n"
                  "#define FACTOR mine::half2x{1.0f, 2.0f}.high\n")
        twin = self.twin(KERNEL.replace("twice(y[i])", "mine::__sum2float(y[i], y[i])"), header)
        self.assertIn("T(1.5) * a + cupilot_twin_expf(b)", twin["source"])
        self.assertIn("double low, high", twin["source"])
        self.assertIn("#define FACTOR mine::half2x{1.0, 2.0}.high", twin["source"])

    def test_types_of_an_instantiation_are_promoted(self):
        kernel = ("#include <cuda_fp16.h>\n#pragma cupilot optimize\n"
                  "template <class T, int N> __global__ void scale(T *y, int n) { y[0] = T(N); }\n"
                  "void run(__half *y, int n) { scale<__half, 4><<<1, 32>>>(y, n); }\n")
        twin = self.twin(kernel, HEADER)
        self.assertEqual(twin["instantiation"], "scale<cupilot_twin___half, 4>")
        self.assertEqual(twin["types"], ["cupilot_twin___half *", "int"])
        self.assertTrue(twin["sixteen"])
        self.assertNotIn("template __global__", twin["source"])

    def test_a_function_in_float_of_a_system_header_has_no_twin(self):
        with project() as folder:
            folder.write("library/scale.h", HEADER)
            folder.write("a.cu", KERNEL.replace('"scale.h"', "<scale.h>"))
            answer = folder.scan_file("a.cu", "-isystem", "library")
            self.assertEqual(answer.specs[0]["twin"], {"missing": "a.cu:6: 'twice' has no counterpart in double"})


class Facts(unittest.TestCase):
    """What the code of another text does, asked with the spec that has this text in the place of the slice."""

    def test_of_a_variant(self):
        with Folder(a_dot_cu=CONVOLUTION) as folder:
            spec = folder.scan_file("a.cu").specs[0]
            original = spec["facts"]
            for fact in ("known", "has_loop", "sums", "multiplies", "has_window", "stores", "named_convolution"):
                self.assertTrue(original[fact], fact)
            for fact in ("has_shared_memory", "has_barrier", "is_two_dimensional"):
                self.assertNotIn(fact, original)

            spec["slice"] = TILED_CONVOLUTION
            answer = folder.run("facts", text=json.dumps(spec))
            self.assertEqual((answer.code, answer.err, answer.out.count("\n")), (0, "", 1))
            told = json.loads(answer.out)
            for fact in ("known", "has_shared_memory", "has_barrier", "sums", "multiplies", "stores"):
                self.assertTrue(told["facts"][fact], fact)
            self.assertNotIn("is_two_dimensional", told["facts"])
            self.assertEqual((told["facts"]["products"], told["facts"]["product_depth"]), (1, 1))
            self.assertEqual({**told, "facts": original}, spec)  # only the facts are new

    def test_of_the_slice_are_those_of_the_scan(self):
        with Folder(a_dot_cu=CONVOLUTION) as folder:
            spec = folder.scan_file("a.cu").specs[0]
            without = {name: value for name, value in spec.items() if name != "facts"}
            answer = folder.run("facts", text=json.dumps(without))
            self.assertEqual(answer.code, 0, answer.err)
            self.assertEqual(json.loads(answer.out), spec)

    def test_of_a_text_that_does_not_parse_are_unknown(self):
        with Folder(a_dot_cu=CONVOLUTION) as folder:
            spec = folder.scan_file("a.cu").specs[0]
            del spec["facts"]
            for text in ("this is no program", TILED_CONVOLUTION[:len(TILED_CONVOLUTION) // 2],
                         TILED_CONVOLUTION.replace("{", "", 1), TILED_CONVOLUTION.replace(";", "", 1)):
                with self.subTest(text):
                    asked = {**spec, "slice": text}
                    answer = folder.run("facts", text=json.dumps(asked))
                    self.assertEqual((answer.code, answer.err), (0, ""))
                    self.assertEqual(json.loads(answer.out), asked)

    def test_of_a_text_with_names_that_only_nvcc_knows_are_known(self):
        with Folder(a_dot_cu=CONVOLUTION) as folder:
            spec = folder.scan_file("a.cu").specs[0]
            spec["slice"] = "__global__ void k(float *x) { for (;;) x[0] += __of_nvcc(x[1]); }\n"
            answer = folder.run("facts", text=json.dumps(spec))
            self.assertTrue(json.loads(answer.out)["facts"]["has_loop"], answer.err)

    def test_what_is_no_spec_is_one_error(self):
        with Folder() as folder:
            for text in ("no spec", "", "[]", "{}", '{"cupilot_spec": 1}', '{"cupilot_spec": 2}'):
                with self.subTest(text):
                    answer = folder.run("facts", text=text)
                    self.assertEqual((answer.code, answer.out, answer.err.count("\n")), (1, "", 1), answer.err)
                    self.assertTrue(answer.err.startswith("cupilot-annotate: error: "), answer.err)


class Identity(unittest.TestCase):
    def test_survives_what_does_not_change_the_kernel(self):
        original = only_id()
        self.assertEqual(original, only_id(KERNEL.replace("  int i", "  // why\n      int i ")))
        self.assertEqual(original, only_id(KERNEL + "int other(int n) { return n; }\n"))
        self.assertEqual(original, only_id(KERNEL, HEADER.replace("return x;", "return x + 1;")))
        self.assertEqual(original, only_id(KERNEL.replace("n = 1000", "n = 2000")))
        self.assertEqual(original, only_id(KERNEL, HEADER, "-DUNRELATED=1", "-O3"))

    def test_changes_with_what_the_kernel_is_made_of(self):
        original = only_id()
        self.assertNotEqual(original, only_id(KERNEL.replace("* FACTOR", "+ FACTOR")))
        self.assertNotEqual(original, only_id(KERNEL, HEADER.replace("2 * x", "x * 2")))
        self.assertNotEqual(original, only_id(KERNEL, HEADER.replace("FACTOR 3", "FACTOR 4")))
        self.assertNotEqual(original, only_id(KERNEL, HEADER, "-DFACTOR=4"))

    def test_workload_id_and_fingerprint(self):
        with project() as folder:
            first = folder.scan_file("a.cu", "-DX").specs[0]
            folder.write("a.cu", KERNEL.replace("n = 1000", "n = 2000"))
            second = folder.scan_file("a.cu").specs[0]
            self.assertNotEqual(first["workload_id"], second["workload_id"])
            self.assertNotEqual(first["fingerprint"]["macros"], second["fingerprint"]["macros"])
            self.assertEqual(second["fingerprint"]["source"], "a.cu")
            self.assertEqual(second["fingerprint"]["files"][1],
                             {"path": "scale.h", "sha256": hashlib.sha256(HEADER.encode()).hexdigest()})

    def test_identify_says_the_same_id_even_when_a_workload_is_wrong(self):
        with project(KERNEL.replace("inout(y[n])", "inout(z[n])")) as folder:
            answer = folder.run("identify", "--root", folder.path, "a.cu", "--", "nvcc", "-std=c++17", "-c", "a.cu")
            self.assertEqual((answer.code, answer.out), (0, f"cupilot_identify 1\nscale\tscale\t{only_id()}\n"))

    def test_a_kernel_in_a_header_is_the_same_in_both_units(self):
        kernel = KERNEL.replace('#include "scale.h"\n', "#pragma once\n#include \"scale.h\"\n")
        with Folder(a_dot_cu='#include "k.cuh"\n', b_dot_cu='int x;\n#include "k.cuh"\n', k_dot_cuh=kernel,
                    scale_dot_h=HEADER) as folder:
            folder.database("nvcc -c a.cu", "nvcc -c b.cu")
            answer = folder.scan("--build", "build", "--jobs", "2")
            self.assertEqual([spec["fingerprint"]["source"] for spec in answer.specs], ["a.cu", "b.cu"])
            self.assertEqual(answer.specs[0]["kernel_id"], answer.specs[1]["kernel_id"])
            self.assertEqual(answer.specs[0]["place"]["file"], "k.cuh")
            folder.write("k.cuh", kernel.replace("inout(y", "inout(q"))
            self.assertEqual(len(folder.scan("--build", "build").diagnostics), 2)  # q unknown, y missing: once each


class Build(unittest.TestCase):
    def refused(self, folder, *words):
        answer = folder.scan(*words)
        self.assertEqual(answer.code, 1, answer.out)
        self.assertEqual(answer.err.count("\n"), 1, answer.err)
        return answer.err

    def test_reads_the_build_folder_and_parses_only_what_has_directives(self):
        with project() as folder:
            folder.write("plain.cu", "#error never parsed\n")
            folder.database("/launcher --x -- nvcc -arch=sm_90a -DNAME=1 -c -o a.o a.cu", "nvcc -c plain.cu", "g++ -c main.cpp")
            answer = folder.scan("--build", "build")
            self.assertEqual((answer.code, answer.done), (0, {"files": 2, "kernels": 1}), answer.err)
            command = answer.specs[0]["command"]
            self.assertEqual((command["compiler"], command["flags"], command["architectures"]),
                             ("nvcc", ["-DNAME=1"], ["sm_90a"]))

    def test_only_the_named_kernels_are_analysed(self):
        both = KERNEL + KERNEL.split("\n", 1)[1].replace("scale(", "stretch(").replace("scale<", "stretch<").replace(
            "void run", "void run_too")
        with Folder(scale_dot_cu=both, scale_dot_h=HEADER) as folder:
            analysed = {}
            for options in ((), ("--kernel", "stretch"), ("--no-analysis",), ("--kernel", "nobody")):
                answer = folder.scan(*options, "scale.cu", "--", "nvcc", "-c", "scale.cu")
                self.assertEqual((answer.code, [spec["name"] for spec in answer.specs]), (0, ["scale", "stretch"]))
                analysed[options] = [spec["name"] for spec in answer.specs if "lifted" in spec]
                self.assertEqual([spec["name"] for spec in answer.specs if spec.get("twin", {}).get("source")],
                                 analysed[options])
        self.assertEqual(list(analysed.values()), [["scale", "stretch"], ["stretch"], [], []])

    def test_only_the_named_files(self):
        with project() as folder:
            folder.database("nvcc -c a.cu")
            self.assertEqual(folder.scan("--build", "build", "a.cu").done["files"], 1)
            self.assertIn("no CUDA compile command for", self.refused(folder, "--build", "build", "b.cu"))

    def test_damaged_builds_get_one_clear_message(self):
        with project() as folder:
            self.assertIn("no compile_commands.json in", self.refused(folder, "--build", "nowhere"))
            folder.write("build/compile_commands.json", "[{")
            self.assertIn("is not a list of compile commands", self.refused(folder, "--build", "build"))
            folder.write("build/compile_commands.json", "[]")
            self.assertIn("contains no compile command", self.refused(folder, "--build", "build"))
            folder.database("nvcc -c gone.cu")
            self.assertIn("is stale: ", self.refused(folder, "--build", "build"))

    def test_an_unreadable_source_does_not_hide_the_others(self):
        with project() as folder:
            (folder.path / "folder.cu").mkdir()
            folder.database("nvcc -c folder.cu", "nvcc -c a.cu")
            answer = folder.scan("--build", "build")
            self.assertEqual((answer.code, len(answer.specs)), (1, 1))
            self.assertIn("folder.cu", answer.err)

    def test_a_directive_error_is_exit_code_1_and_located(self):
        with project(KERNEL.replace("optimize", "optimise")) as folder:
            answer = folder.scan_file("a.cu")
            self.assertEqual(answer.code, 1)
            self.assertEqual(answer.diagnostics[0]["place"], {"file": str(folder.path / "a.cu"), "line": 2, "column": 17})
            self.assertEqual(answer.diagnostics[0]["source_line"], "#pragma cupilot optimise")
            self.assertEqual(answer.done["kernels"], 0)

    def test_bad_usage_is_exit_code_2(self):
        with project() as folder:
            for words in ((), ("scna",), ("scan", "--root", "."), ("scan", "--root"), ("scan", "--what"),
                          ("scan", "--root", ".", "--jobs", "0", "--build", "b"), ("scan", "--root", ".", "--", "nvcc")):
                answer = folder.run(*words)
                self.assertEqual(answer.code, 2, words)
                self.assertIn("usage:", answer.err)
            self.assertEqual(folder.run("--help").code, 0)


if __name__ == "__main__":
    unittest.main()
