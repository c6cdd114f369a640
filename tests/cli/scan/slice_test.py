# SPDX-License-Identifier: Apache-2.0
"""Slices are self-contained: alone they compile with the command's flags, and the kernel's PTX is the original's."""
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from annotate import Folder

SOURCES = pathlib.Path(__file__).parent / "sources"
NVCC = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"


def ptx(folder, source, flags):
    output = folder / (pathlib.Path(source).name + ".ptx")
    subprocess.run([NVCC, "-ptx", "-arch=sm_80", *flags, str(source), "-o", str(output)], cwd=folder, check=True)
    return output.read_text()


def body(text, kernel):
    """The kernel's PTX without what depends on the file's name (anonymous namespaces) or on its other kernels."""
    text = re.sub(r"\w*_GLOBAL__N_\w*?(?=" + kernel + "|[^\\w])", "anonymous", text)
    text = re.sub(r"L__BB\d+_", "L__BB_", text)
    found = re.search(r"\.entry \w*" + kernel + r"\w*\(.*?^}", text, re.S | re.M)
    return found and found.group(0)


class Slices(unittest.TestCase):
    def check(self, name, kernels, *flags):
        with Folder() as folder:
            for source in SOURCES.iterdir():
                shutil.copy(source, folder.path)
            answer = folder.scan_file(name, *flags)
            self.assertEqual(answer.code, 0, answer.diagnostics)
            original = ptx(folder.path, name, [*flags, "-std=c++17"])
            self.assertEqual(sorted(spec["name"] for spec in answer.specs), sorted(kernels))
            for spec in answer.specs:
                with self.subTest(spec["name"]), Folder(slice_dot_cu=spec["slice"]) as alone:
                    self.assertNotIn("#pragma cupilot", spec["slice"])
                    sliced = ptx(alone.path, "slice.cu", spec["command"]["flags"])
                    key = re.escape(kernels[spec["name"]])
                    self.assertIsNotNone(body(original, key))
                    self.assertEqual(body(original, key), body(sliced, key))
            return answer.specs

    def test_textbook_kernels(self):
        self.check("textbook.cu", {"transpose": "transpose", "rms_norm": "rms_norm", "scale_half": "scale_half",
                                   "saxpy": "saxpy"})

    def test_template_instantiations(self):
        specs = self.check("reduce.cu", {"reduce.float.256": "reduceIfLi256", "reduce.int.64": "reduceIiLi64",
                                         "map.ns.Square": "mapIN2ns6Square"})
        self.assertIn("template __global__ void reduce<float, 256>(const float *, float *, int);",
                      "".join(spec["slice"] for spec in specs))

    def test_parentheses_and_annotated_parameters(self):
        specs = self.check("initialised.cu", {"counted.int": "countedIi", "scaled": "scaled"})
        slices = "".join(spec["slice"] for spec in specs)
        self.assertIn("constexpr unsigned kHalf((kRows) / (2));", slices)
        self.assertNotIn("kAlone", slices)
        self.assertIn("(int *, const __grid_constant__ Sizes<int>);", slices)

    def test_headers_namespaces_globals_and_conditions(self):
        specs = self.check("scattered.cu", {"deep.inner.stencil": "stencil", "c_name": "c_name"}, "-DWIDTH=4")
        stencil = next(spec for spec in specs if spec["name"] == "deep.inner.stencil")
        self.assertEqual(stencil["device_globals"], ["weights"])
        self.assertEqual(stencil["namespaces"], ["deep", "inner", ""])
        self.assertNotIn("host_only", stencil["slice"])
        self.assertNotIn("scattered.cuh\"\n#include", stencil["slice"])


if __name__ == "__main__":
    if not pathlib.Path(NVCC).exists():
        print("skipped: no nvcc")
        sys.exit(77)
    unittest.main()
