# SPDX-License-Identifier: Apache-2.0
"""A user's project for tests that drive the real `cupilot`: a source folder, a build folder as cmake leaves it, and
the fakes for cupilot-annotate and cupilot-worker. No Clang, no GPU, no compiler.

From the environment: CUPILOT (the program), FAKES (tests/fakes of the source tree), FAKE_WORKER (the program),
CUPILOT_STRATEGIES (the pool of the source tree).
"""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

CUPILOT = os.environ["CUPILOT"]
FAKES = pathlib.Path(os.environ["FAKES"])


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


class Project:
    """`with Project() as project:`; everything lies below project.top and goes away with it."""

    def __init__(self, kernels=("scale",)):
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="cupilot-cli-test."))
        self.source, self.build = self.top / "src", self.top / "build"
        self.records, self.run = self.source / "tuned", self.build / "cupilot" / "run"
        self.fake_annotate, self.fake_worker = self.top / "fake-annotate", self.top / "fake-worker"
        for folder in (self.source, self.build / "cupilot", self.fake_annotate, self.fake_worker, self.top / "bin",
                       self.top / "elsewhere"):
            folder.mkdir(parents=True)
        (self.source / "CMakeLists.txt").write_text("cupilot_tune(app)\n")
        (self.source / "a.cu").write_text("#pragma cupilot optimize\n")
        self.configure()
        self.annotate([{"spec": self.spec(name)} for name in kernels])
        self.write_nvcc()
        self.environment = dict(
            os.environ,
            CUPILOT_ANNOTATE=str(FAKES / "annotate" / "cupilot-annotate"),
            CUPILOT_WORKER=os.environ["FAKE_WORKER"], CUPILOT_EMULATE_PROGRAM=os.environ["FAKE_WORKER"],
            CUPILOT_FAKE_ANNOTATE=str(self.fake_annotate), CUPILOT_DATA=str(self.top / "data"),
            PATH=f"{self.top / 'bin'}:/usr/bin:/bin")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run(["chmod", "-R", "u+w", str(self.top)], check=False)
        shutil.rmtree(self.top, ignore_errors=True)

    def configure(self):
        """What `cmake` and cupilot_tune() write."""
        source = str(self.source / "a.cu")
        (self.build / "CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={self.source}\n")
        (self.build / "compile_commands.json").write_text(json.dumps(
            [{"directory": str(self.build), "file": source, "command": f"nvcc -arch=sm_90 -c {source} -o a.o"}]))
        (self.build / "cupilot" / "app.json").write_text(json.dumps(
            {"cupilot_target": 1, "target": "app", "sources": [source], "records": str(self.records)}))

    def annotate(self, lines):
        """What cupilot-annotate will say."""
        (self.fake_annotate / "scan.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))

    def write_nvcc(self):
        nvcc = self.top / "bin" / "nvcc"
        nvcc.write_text("#!/bin/sh\necho 'Cuda compilation tools, release 13.0, V13.0.88'\n")
        nvcc.chmod(0o755)

    def spec(self, name, kernel_id=None):
        place = {"file": str(self.source / "a.cu"), "line": 2, "column": 1}
        fill = {"kind": "automatic", "a": 0, "b": 1}
        launch = {"grid": ["(n + 255) / 256", "1", "1"], "block": ["256", "1", "1"], "shared_bytes": "0"}
        pointer = {"pointer": True, "restrict": False, "element": "f32", "element_type": "float", "element_bytes": 4}
        workload = {
            "id": "large", "set": [{"name": "n", "expression": "1 << 20"}], "check": False, "place": place,
            "buffers": [{"parameter": p, "role": role, "extent": "n", "fill": fill, "place": place}
                        for p, role in (("x", "in"), ("y", "out"))],
            "launch": launch}
        body = f"__global__ void {name}(const float *x, float *y, int n) {{ y[threadIdx.x] = 2 * x[threadIdx.x]; }}\n"
        return {
            "cupilot_spec": 1, "name": name, "qualified_name": name, "instantiation": name, "namespaces": [],
            "symbol": f"_Z{len(name)}{name}PKfPfi", "place": place, "precision": "same",
            "parameters": [
                {"name": "x", "type": "const float *", "const_pointee": True, **pointer},
                {"name": "y", "type": "float *", "const_pointee": False, **pointer},
                {"name": "n", "type": "int", "pointer": False, "const_pointee": False, "restrict": False,
                 "element": "i32", "element_type": "int", "element_bytes": 4}],
            "workloads": [workload],
            "launches": [{"place": place, "kind": "<<<>>>", "caught": True}],
            "device_globals": [], "slice": body, "kernel_id": kernel_id or sha(body), "workload_id": sha("large"),
            "fingerprint": {"source": "a.cu", "macros": sha(""),
                            "files": [{"path": "a.cu", "sha256": sha("#pragma cupilot optimize\n")}]},
            "command": {"folder": str(self.build), "source": str(self.source / "a.cu"), "compiler": "nvcc",
                        "flags": ["-O3", "-ccbin", "/opt/here/g++", "-isystem", "/opt/here/include",
                                  f"-I{self.source}/include", "-DN=4"], "architectures": ["sm_90"]}}

    def command(self, *arguments):
        return [CUPILOT, *map(str, arguments)]

    def cupilot(self, *arguments, cwd=None, **environment):
        """Runs it to the end, in an empty folder unless told; stdout and stderr are text."""
        return subprocess.run(self.command(*arguments), env={**self.environment, **environment}, text=True,
                              capture_output=True, timeout=900, check=False, cwd=cwd or self.top / "elsewhere")

    def start(self, *arguments, **environment):
        """Starts it in a session of its own and leaves it running."""
        return subprocess.Popen(self.command(*arguments), env={**self.environment, **environment}, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)

    def tune_arguments(self, *more):
        """On a machine without a GPU the architecture has to be said."""
        return ("tune", self.build, "--arch", "sm_90", "--progress", "plain", *more)
