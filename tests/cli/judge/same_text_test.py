# SPDX-License-Identifier: Apache-2.0
"""Publishing with the real cupilot-annotate, cupilot-cc and nvcc; only the verdict comes from a fake worker. A
variant that is something else in the user's file than in the judge's slice of it must not be published.
--all: what is the same is published with each of the flags, not with one of them.

From the environment: CUPILOT, CUPILOT_ANNOTATE, FAKE_WORKER, CUPILOT_STRATEGIES. 77: there is no nvcc.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = """\
#include <cuda_runtime.h>
#include <cmath>
{before}
#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 4096) in(x[n]) out(y[n])
__global__ void scale(const float *x, float *y, int n) {{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = {body};
}}
{after}
void run(const float *x, float *y, int n, cudaStream_t stream) {{
  scale<<<(n + 255) / 256, 256, 0, stream>>>(x, y, n);
}}
{end}
"""

VARIANT = """\
// fake: speedup 2
{before}
__global__ void mine(const float *x, float *y, int n) {{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = {body};
}}
bool launch(const cupilot::Launch &l, const float *x, float *y, int n) {{
  mine<<<{grid}, 256, 0, l.stream>>>(x, y, n);
  return true;
}}
"""

# name: the user's file before, in and after the kernel; the variant before its kernel, in it, and its grid; a
# word of the refusal
CHEATS = {
    "a function found by its argument": (
        "namespace lib { struct Number { float value; };\n"
        "__device__ inline Number number(float x) { return {x}; } }",
        "2 * lib::number(x[i]).value",
        "namespace lib { __device__ float twice(Number x) { return 3 * x.value; } }",
        "template <class T> __device__ float twice(T x) { return 2 * x.value; }",
        "twice(lib::number(x[i]))", "(n + 255) / 256", "in 'float cupilot_variant::twice<lib::Number>(lib::Number)' it was"),
    "a function of CUDA that the file has, too": (
        "namespace mine_too {", "2 * x[i]", "__device__ inline float fabsf(float x) { return x; }",
        "", "x[i] < 0 ? -2 * fabsf(x[i]) : 2 * fabsf(x[i])", "(n + 255) / 256", "other code in a.cu"),
    "the same on the host": (
        "namespace mine_too {", "2 * x[i]", "inline int max(int a, int b) { return a < b ? a : b; }",
        "", "2 * x[i]", "max(1, (n + 255) / 256)", "other code in a.cu"),
    "a trait": (
        "#include <type_traits>\nstruct Number { float value; };", "2 * Number{x[i]}.value",
        "template <> struct std::is_empty<Number> : std::true_type {};",
        "", "(std::is_empty<Number>::value ? 3 : 2) * x[i]", "(n + 255) / 256", "other code in a.cu"),
}

HONEST = {
    "plain": ("", "2 * x[i]", "", "", "2 * x[i]", "(n + 255) / 256"),
    "helpers of the file": (
        "namespace lib { __host__ __device__ constexpr int up(int a, int b) { return (a + b - 1) / b; }\n"
        "template <class T> __device__ T twice(T x) { return x + x; } }", "lib::twice(x[i]) * lib::up(1, 2)",
        "#define mine_too 3\nnamespace lib { inline int unused(float) { return 1; } }",
        "__device__ __forceinline__ float again(float x) { return lib::twice(x); }",
        "again(x[i])", "lib::up(n, 256)"),
    "overloads, specializations and macros that the slice has": (
        "__device__ float by(float x, float f) { return x * f; }\nconstexpr int width = 4;\n"
        "template <class T> struct Factor { static constexpr float value = 2; };",
        "by(x[i], Factor<float>::value) + width",
        "__device__ float by(float x, int f) { return x * f + 1; }\n#define width 8\n"
        "template <> struct Factor<int> { static constexpr float value = 3; };\n#pragma pack(1)",
        "struct Pair { char c; float f; };", "sizeof(Pair) + by(x[i], 2) + by(x[i], Factor<int>::value) + width", "(n + width) / width"),
    "an assertion in the file's helper": (
        "#include <cassert>\n__host__ __device__ inline float checked(float x) { assert(x == x); return x; }",
        "2 * checked(x[i])", "", "", "2 * checked(x[i])", "checked(2) == 2 ? (n + 255) / 256 : 1"),
    "statics, tables, lambdas and shared memory": (
        "__constant__ float table[4] = {1, 2, 3, 4};", "x[i] * table[1]", "static int other;",
        "static __device__ constexpr float kTwo[2] = {2, 2};\nstatic __device__ float two() { return kTwo[1]; }\n"
        "int blocks(int n) { switch (n % 7) { case 0: return n; case 1: return n + 1; case 2: return 9;"
        " case 3: return 4; case 4: return 5; case 5: return 8; default: return (n + 255) / 256; } }",
        "[](float v) { __shared__ float s[256]; s[threadIdx.x] = v; return s[threadIdx.x] * two() * table[0]; }(x[i])", "blocks(n)"),
}


FLAGS = [("-O3",), ("-O2", "-lineinfo", "-Xcompiler=-fPIC", "-Werror=all-warnings"), ("-G", "-g"), ("-rdc=true",),
         ("--default-stream=per-thread", "--use_fast_math")]
ALL = "--all" in sys.argv


class Project:
    def __init__(self, before, body, after, flags=("-O3",)):
        self.kernel = "mine_too.scale" if before.startswith("namespace mine_too") else "scale"
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="cupilot-same-text."))
        self.source, self.build = self.top / "src", self.top / "build"
        self.records = self.source / "tuned"
        (self.build / "cupilot").mkdir(parents=True)
        self.source.mkdir()
        file = self.source / "a.cu"
        file.write_text(SOURCE.format(before=before, body=body, after=after, end="}" if before.endswith("{") else ""))
        (self.source / "CMakeLists.txt").write_text("cupilot_tune(app)\n")
        (self.build / "CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={self.source}\n")
        (self.build / "compile_commands.json").write_text(json.dumps([
            {"directory": str(self.build), "file": str(file),
             "command": f"{shutil.which('nvcc')} -arch=sm_90 -std=c++17 {' '.join(flags)} -c {file} -o a.o"}]))
        (self.build / "cupilot" / "app.json").write_text(json.dumps(
            {"cupilot_target": 1, "target": "app", "sources": [str(file)], "records": str(self.records)}))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.top, ignore_errors=True)

    def publish(self, before, body, grid):
        variant = self.source / "mine.cuh"
        variant.write_text(VARIANT.format(before=before, body=body, grid=grid))
        environment = dict(os.environ, CUPILOT_WORKER=os.environ["FAKE_WORKER"], CUPILOT_DATA=str(self.top / "data"))
        return subprocess.run(
            [os.environ["CUPILOT"], "judge", str(self.source / "a.cu"), "--kernel", self.kernel, "--variant", str(variant),
             "--build", str(self.build), "--arch", "sm_90", "--publish"],
            env=environment, text=True, capture_output=True, timeout=900, check=False)


class SameText(unittest.TestCase):
    def test_what_is_something_else_in_the_file_is_not_published(self):
        for name, (before, body, after, own, own_body, grid, word) in CHEATS.items():
            with self.subTest(name), Project(before, body, after) as project:
                done = project.publish(own, own_body, grid)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertIn("not published: swap into a.cu fails", done.stderr)
                self.assertIn(word, done.stderr)
                self.assertFalse((project.records / project.kernel).exists())

    def test_what_is_the_same_is_published(self):
        for i, flags in enumerate(FLAGS):
            for name, (before, body, after, own, own_body, grid) in HONEST.items():
                if not ALL and list(HONEST).index(name) != i:
                    continue
                with self.subTest(name, flags=flags), Project(before, body, after, flags) as project:
                    done = project.publish(own, own_body, grid)
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                    record = json.loads((project.records / "scale/sm_90/record.json").read_text())
                    swap = [check for check in record["judge"]["finalist"] if check["name"] == "swap into a.cu"]
                    self.assertEqual([check["outcome"] for check in swap], ["passed"], swap)
                    self.assertIn("those that were judged", swap[0]["detail"])


if __name__ == "__main__":
    if not shutil.which("nvcc"):
        print("skipped: no nvcc")
        sys.exit(77)
    unittest.main(argv=[word for word in sys.argv if word != "--all"], verbosity=2)
