# SPDX-License-Identifier: Apache-2.0
"""Runs cupilot-annotate in a folder of its own and reads its JSON lines."""
import json
import os
import pathlib
import subprocess
import tempfile

PROGRAM = os.environ["CUPILOT_ANNOTATE"]


class Answer:
    def __init__(self, done):
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        self.specs = [line["spec"] for line in lines if "spec" in line]
        self.diagnostics = [line["diagnostic"] for line in lines if "diagnostic" in line]
        self.done = next((line["done"] for line in lines if "done" in line), None)


class Folder:
    """A temporary source tree."""

    def __init__(self, **files):
        self.holder = tempfile.TemporaryDirectory(prefix="cupilot-scan-")
        self.path = pathlib.Path(self.holder.name).resolve()
        for name, text in files.items():
            self.write(name.replace("__", "/").replace("_dot_", "."), text)

    def write(self, name, text):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def database(self, *commands):
        entries = [{"directory": str(self.path), "command": command, "file": command.split()[-1]} for command in commands]
        return self.write("build/compile_commands.json", json.dumps(entries))

    def run(self, *words, environment=None, text=""):
        return Answer(subprocess.run([PROGRAM, *map(str, words)], cwd=self.path, input=text, text=True,
                                     capture_output=True, env={**os.environ, **(environment or {})}, check=False))

    def scan(self, *words, **more):
        return self.run("scan", "--root", self.path, *words, **more)

    def scan_file(self, name, *flags):
        return self.scan(name, "--", "nvcc", "-std=c++17", *flags, "-c", name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.holder.cleanup()
