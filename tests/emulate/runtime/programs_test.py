#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds features.cu and faults.cu in every form a CUDA program is linked in, runs them on the stand-in runtime.

A form whose compiler is missing is left out and said; without nvcc all is skipped (77)."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
FAULTS = {  # name: error at the launch, kind of the finding; the source marks the line
    "past_the_end": (700, "out-of-bounds"),
    "misaligned": (716, "misaligned"),
    "asserts": (710, "assertion"),
    "traps": (719, "trap"),
    "endless": (702, "endless-loop"),
    "races": (0, "shared-race"),
    "null_pointer": (700, "out-of-bounds"),
}
failures = []


def check(good, what):
    if not good:
        print("FAILED:", what)
        failures.append(what)


def line_of(fault):
    lines = (HERE / "faults.cu").read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.endswith("// " + fault))


def run(command, **variables):
    return subprocess.run([str(word) for word in command], text=True, capture_output=True, timeout=900,
                          env={**os.environ, **variables})


def build(command, what):
    done = run(command)
    check(done.returncode == 0, f"{what} builds: {done.stdout}{done.stderr}")
    return done.returncode == 0


def forms(options):
    """Name, build command, command that runs it, whether it needs the preloaded library."""
    features, work = HERE / "features.cu", options.work
    nvcc = [options.nvcc, "-std=c++17", "-arch=sm_90", features]
    for name, flags in {"static": [], "shared": ["-cudart", "shared", "-default-stream", "per-thread"],
                        "relocatable": ["-rdc=true", "-compress-mode=speed", HERE / "second.cu"]}.items():
        yield name, [*nvcc, *flags, "-o", work / name], [work / name], True
    library = work / "none.so"
    yield ("none", [*nvcc, "-cudart", "none", "-shared", "-Xcompiler", "-fPIC", "-o", library],
           [options.host, library], False)
    if options.clang and pathlib.Path(options.clang).exists():
        cuda = pathlib.Path(shutil.which(options.nvcc)).resolve().parent.parent
        # The new driver links by a program of another package (clang-tools); the old one by the toolkit's own.
        yield ("clang", [options.clang, "--no-offload-new-driver", "-x", "cuda", "-std=c++17", "-O2", "--cuda-gpu-arch=sm_90", "--cuda-include-ptx=all", f"--cuda-path={cuda}",
                         f"-I{cuda}/include/cccl", "-Wno-unknown-cuda-version", features, "-o", work / "clang",
                         f"-L{cuda}/lib64", "-lcudart_static", "-ldl", "-lrt", "-lpthread"], [work / "clang"], True)
    else:
        print("left out: no clang++-22")


def test_features(options):
    for name, command, program, preload in forms(options):
        if not build(command, name):
            continue
        done = run(program, **({"LD_PRELOAD": str(options.library)} if preload else {}))
        check(done.returncode == 0 and "0 failed" in done.stdout, f"{name}: {done.stdout}{done.stderr}")
        check("device says 17 words 8.50" in done.stdout, f"{name}: printf of a kernel")
        print(f"{name}: {done.stdout.splitlines()[-1] if done.stdout else done.returncode}")


def test_only_log(options):
    done = run([options.work / "static", "saxpy"], LD_PRELOAD=str(options.library), CUPILOT_EMULATE_ONLY_LOG="1")
    check("launch saxpy(float, float const*, float*, int) grid 4,1,1 block 256,1,1 shared 0 (not run)" in done.stderr,
          f"only log: {done.stderr}")
    check("saxpy: FAILED" in done.stdout, "a launch that is only logged changes nothing")


def test_faults(options):
    program = options.work / "faults"
    if not build([options.nvcc, "-std=c++17", "-arch=sm_90", "-lineinfo", HERE / "faults.cu", "-o", program], "faults"):
        return
    for name, (code, kind) in FAULTS.items():
        done = run([program, name], LD_PRELOAD=str(options.library), CUPILOT_EMULATE_CHECKS="races",
                   CUPILOT_EMULATE_BUDGET="100000")
        check(f"{name}: {code} {code}\nafter a reset: 0\n" in done.stdout, f"{name}: {done.stdout}{done.stderr}")
        check(f"faults.cu:{line_of(name)}: error: {kind}: " in done.stderr, f"{name}: {done.stderr}")


def test_without_ptx(options):
    program = options.work / "no_ptx"
    if not build([options.nvcc, "-gencode", "arch=compute_90,code=sm_90", HERE / "faults.cu", "-o", program], "no PTX"):
        return
    done = run([program, "traps"], LD_PRELOAD=str(options.library))
    check("machine code for sm_90 only" in done.stderr and "-gencode arch=compute_90,code=compute_90" in done.stderr,
          f"no PTX: {done.stderr}")
    check("traps: 209 0" in done.stdout, f"no PTX: {done.stdout}")
    if build(["strip", "-o", options.work / "stripped", program], "strip"):
        done = run([options.work / "stripped"], LD_PRELOAD=str(options.library))
        check(done.returncode == 2 and "link it with -cudart shared" in done.stderr, f"stripped: {done.stderr}")


def test_verb(options):
    if not options.cupilot:
        print("left out: cupilot is not built")
        return
    report, environment = options.work / "findings.json", {"CUPILOT_CUDART": str(options.library)}
    emulate = [options.cupilot, "emulate"]
    done = run([*emulate, "--", options.work / "static", "saxpy"], **environment)
    check(done.returncode == 0 and "saxpy: ok" in done.stdout, f"emulate: {done.stdout}{done.stderr}")
    done = run([*emulate, "--checks", "all", "--json", report, "--", options.work / "faults", "races"], **environment)
    check(done.returncode == 1 and "1 finding: 1 shared-race" in done.stderr, f"emulate: {done.stderr}")
    findings = json.loads(report.read_text())["findings"]
    check([(f["kind"], f["line"]) for f in findings] == [("shared-race", line_of("races"))], f"JSON: {findings}")
    done = run([*emulate, "--arch", "sm_11", "--", options.work / "static"], **environment)
    check(done.returncode == 2 and "the architecture 'sm_11' cannot be emulated" in done.stderr, f"emulate: {done.stderr}")
    check(run(emulate, **environment).returncode == 2, "emulate without a program")
    check(run([*emulate, "--", "/nowhere/at/all"], **environment).returncode == 2, "emulate of a program that is not there")
    check(run([*emulate, "--", "sh", "-c", "exit 7"], **environment).returncode == 7, "the program's exit code")


def main():
    parser = argparse.ArgumentParser()
    for name in ("library", "host", "nvcc", "clang", "work", "cupilot"):
        parser.add_argument("--" + name, default="")
    options = parser.parse_args()
    if not options.nvcc or not shutil.which(options.nvcc):
        print("skipped: no nvcc here")
        sys.exit(77)
    options.work = pathlib.Path(options.work)
    options.work.mkdir(parents=True, exist_ok=True)
    for test in (test_features, test_only_log, test_faults, test_without_ptx, test_verb):
        test(options)
    print(f"{len(failures)} failed")
    sys.exit(1 if failures else 0)


main()
