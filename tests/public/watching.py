#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`cupilot profile`, `capture` and `tune` on programs as they are, with nothing annotated: what is seen against CUPTI's
own count, what watching costs, and what tuning from what was seen gives. Needs a GPU and nvcc.

  watching.py FOLDER OUT --cupilot P [--tune MINUTES]

FOLDER has a folder for each program: with a Makefile that calls nvcc and has a target `run`, or with a file RUN (the
command, in the build folder) and a CMakeLists.txt. A file SETUP has a command to call once before. Copies are made in OUT.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

from programs import build_folder, make, run_line, told, write_target

HERE = pathlib.Path(__file__).resolve().parent
PLAIN_RUNS = 3


class Program:
    def __init__(self, folder, out):
        self.name, self.folder = folder.name, out / folder.name
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(folder, self.folder)
        setup = self.folder / "SETUP"
        if setup.exists():
            told(["bash", "-c", setup.read_text()], cwd=self.folder)
        self.cmake = (self.folder / "RUN").exists()
        self.build = self.folder / "build" if self.cmake else None
        self.where = self.build or self.folder

    def make(self):
        """What is wrong; "": nothing."""
        if self.cmake:
            _, error, code = told(["cmake", "-S", self.folder, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                                   "-DCMAKE_CUDA_ARCHITECTURES=90", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"])
            if code:
                return error[-300:]
            out, error, code = told(["ninja", "-C", self.build])
            sources = [entry["file"] for entry in json.loads((self.build / "compile_commands.json").read_text())]
            write_target(self.build, self.folder, sources)
            self.line = (self.folder / "RUN").read_text().strip()
            return (out + error)[-300:] if code else ""
        self.line, self.build = run_line(self.folder), build_folder(self.folder)  # make tells nothing once all is made
        _, error, code = make(self.folder, "-j8")
        return error[-300:] if code else ""

    def run(self, **environment):
        """(seconds, exit code, output)"""
        began = time.monotonic()
        done = subprocess.run(["bash", "-c", "exec " + self.line], cwd=self.where, stdout=subprocess.PIPE, text=True,
                              errors="replace", stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=100,
                              env={**os.environ, **environment})
        return time.monotonic() - began, done.returncode, done.stdout


def base_name(name):
    """'k' of 'void a::k<float, 4>(float*)', and of 'k.float.4', as a profile calls instantiations."""
    depth, kept = 0, ""
    for c in re.sub(r"\(anonymous namespace\)::", "", name).removeprefix("void "):
        if c == "(" and depth == 0:
            break
        depth += (c == "<") - (c == ">")
        kept += c if depth == 0 and c != ">" else ""
    return kept.split("::")[-1].split(".")[0]


def counted(library, program, out):
    file = out / f"{program.name}.counts"
    program.run(CUDA_INJECTION64_PATH=str(library), COUNT_FILE=str(file))
    lines = [line.split(" ", 1) for line in file.read_text().splitlines()] if file.exists() else []
    names = subprocess.run(["c++filt"], input="\n".join(name for _, name in lines), capture_output=True, text=True).stdout
    counts = collections.Counter()
    for (count, _), name in zip(lines, names.splitlines()):
        counts[base_name(name)] += int(count)
    return counts


def watch(verb, program, options, plain):
    """What cupilot saw, and how the program fared: ({kernels}, {...})"""
    folder = options.out / f"{program.name}.{verb}"
    shutil.rmtree(folder, ignore_errors=True)
    began = time.monotonic()
    _, error, code = told([options.cupilot, verb, program.build, "--prepare", folder])
    prepared = time.monotonic() - began
    if code:
        return {}, {"error": error[-300:]}
    seconds, code, output = program.run(CUPILOT_CAPTURE=str(folder), CUPILOT_ORIGINAL="1",
                                        CUDA_INJECTION64_PATH=str(options.watcher))
    text, error, _ = told([options.cupilot, verb, program.build, "--read", folder, "--json"])
    found = {"prepared_s": prepared, "seconds": seconds, "same_code": code == plain[1],
             "complaint": [line for line in output.splitlines() if line.startswith("cupilot:")]}
    try:
        return json.loads(text), found
    except ValueError:
        return {}, {**found, "error": error[-300:]}


def measure(folder, options, library):
    program = Program(folder, options.out)
    trouble = program.make()
    if trouble:
        return {"program": program.name, "error": trouble}
    runs = [program.run() for _ in range(PLAIN_RUNS)]
    plain = sorted(runs)[PLAIN_RUNS // 2]
    found = {"program": program.name, "plain_s": plain[0], "code": plain[1], "counts": counted(library, program, options.out)}
    profile, found["profile"] = watch("profile", program, options, plain)
    found["kernels"] = profile.get("kernels", [])
    seen = collections.Counter()
    for one in found["kernels"]:
        seen[base_name(one["kernel"])] += one["launches"]
    found["seen"] = seen
    # the way of a user: the kernels worth it get pragmas, then their launches become workloads
    _, error, _ = told([options.cupilot, "profile", program.build, "--read", options.out / f"{program.name}.profile",
                        "--annotate", "--yes"])
    found["annotated"] = error[-200:]
    capture, found["capture"] = watch("capture", program, options, plain)
    found["workloads"] = {one["kernel"]: one["workloads"] for one in capture.get("kernels", [])}
    if options.tune:
        text, error, _ = told([options.cupilot, "tune", program.build, "--minutes", options.tune, "--json", "--progress", "none"],
                              timeout=400)
        try:
            found["tuned"] = [{key: one.get(key) for key in ("kernel", "result", "error", "measurements")}
                              for one in json.loads(text)["kernels"]]
        except ValueError:
            found["tuned"] = error[-300:]
    return found


def row(one):
    if "error" in one:
        return [one["program"], one["error"][:80].replace("\n", " ")]
    ours, theirs = sum(one["seen"].values()), sum(one["counts"].values())
    other = [name for name in one["counts"] if one["seen"].get(name, 0) != one["counts"][name]]
    kernels = [f"{k['kernel']} {k['share']:.0%}" if k["share"] <= 1 else f"{k['kernel']} {k['share']:.0f} %"
               for k in one["kernels"][:2]]
    tuned = one.get("tuned")
    gains = [f"{k['kernel']} {k['measurements'][0]['speedup']:.2f}x" for k in tuned or []
             if isinstance(k, dict) and k["result"] == "published"]
    return [one["program"], f"{one['plain_s']:.2f} s"] + [
        f"{one[verb].get('seconds', 0) / one['plain_s']:.2f}x" for verb in ("profile", "capture")] + [
        str(theirs), str(ours), ", ".join(other) or "none", ", ".join(kernels),
        f"{sum(bool(w) for w in one['workloads'].values())} of {len(one['workloads'])}", ", ".join(gains)]


HEAD = ["program", "unwatched", "profiled", "captured", "CUPTI", "seen", "kernels counted otherwise", "most time",
        "with workloads", "tuned"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--cupilot", type=pathlib.Path, required=True)
    parser.add_argument("--tune", type=float, metavar="MINUTES", help="of search for each kernel; default: do not tune")
    parser.add_argument("--cuda", type=pathlib.Path, default=pathlib.Path("/usr/local/cuda"))
    options = parser.parse_args()
    options.out, options.cupilot = options.out.resolve(), options.cupilot.resolve()
    options.watcher = options.cupilot.parents[1] / "lib/cupilot/libcupilot-watcher.so"
    options.out.mkdir(parents=True, exist_ok=True)
    library = options.out / "libcount.so"
    cupti = options.cuda / "extras/CUPTI"
    _, error, code = told(["g++", "-std=c++17", "-O2", "-shared", "-fPIC", HERE / "count_launches.cpp", "-o", library,
                           "-I", options.cuda / "include", "-I", cupti / "include", "-L", cupti / "lib64", "-L",
                           options.cuda / "lib64", f"-Wl,-rpath,{cupti / 'lib64'}", "-lcupti"])
    if code:
        sys.exit(f"watching.py: error: {error[-400:]}")
    done = []
    print("| " + " | ".join(HEAD) + " |\n|" + "---|" * len(HEAD))
    for folder in sorted(path for path in options.folder.iterdir() if path.is_dir()):
        done.append(measure(folder, options, library))
        (options.out / "watched.json").write_text(json.dumps(done, indent=1))
        print("| " + " | ".join(row(done[-1])) + " |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
