#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds public CUDA programs and runs them without a GPU; prints which pass the check they bring along.

Usage: programs.py FOLDER --library build/dev/lib/cupilot/libcupilot-cudart.so [--only NAME,...] [--sample N] [--json FILE]
FOLDER is searched for folders with .cu files of which one has main(). A Makefile beside them gives sources, flags
and the arguments of `run:`; a last argument that the source calls repetitions is made 1.
Table: program, built, ran (exit code or why not), self-check (pass, FAIL, none), cause when not passed.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile

PASSED = re.compile(r"\b(PASS(ED)?|returned OK|Errors?: 0|SUCCESS(FUL|FULLY)?|Test passed|verified|VALID|correct)\b", re.I)
FAILED = re.compile(r"\b(FAIL(ED(?! as expected)|URE)?|INCORRECT|mismatch|wrong|not (correct|equal|verified))\b", re.I)
CHECKED = re.compile(r"\b(PASS|FAIL|Test passed|verif|mismatch|incorrect)", re.I)
CAUSES = (  # of what a program printed, the first that fits
    (r"not supported: (.{1,80})", "instruction not supported: {0}"),
    (r"(cuda\w+) is not supported", "function not supported: {0}"),
    (r"cupilot: error: (.{1,120})", "{0}"),
    (r"(\S+:\d+): error: ([a-z-]+): (.{1,100})", "finding {1} at {0}: {2}"),
    (r"\[(\w+\.\w+)\]: No such file|(?:open|read|find).{0,40}?([\w./]+\.\w{2,4})", "data file missing: {0}{1}"),
)
SKIPPED_LIBRARIES = re.compile(r"-l(cublas|cusparse|cusolver|cufft|curand|cudnn|nccl|mpi|nvjpeg|npp)")


def sources_in(folder):
    files = [file for pattern in ("*.cu", "*.cpp", "*.cc") for file in sorted(folder.glob(pattern))]
    return files if any(file.suffix == ".cu" for file in files) else []


def expand(text, variables, depth=0):
    if depth > 8:
        return text
    return re.sub(r"\$[({]([\w.]+)(?::[^)]*)?[)}]", lambda m: expand(variables.get(m[1], ""), variables, depth + 1), text)


def read_makefile(folder):
    """Variables, and the arguments `run` gives to the program."""
    file = folder / "Makefile"
    if not file.exists():
        return {}, []
    text = file.read_text(errors="replace").replace("\\\n", " ")
    variables = {m[1]: m[2].strip() for m in re.finditer(r"^(\w+)\s*[:?]?=\s*(.*)$", text, re.M)}
    run = re.search(r"^run\s*:.*\n\t(.*)$", text, re.M)
    words = shlex.split(expand(run[1], variables)) if run else []
    program = next((i for i, word in enumerate(words) if word.startswith("./")), None)
    return variables, words[program + 1:] if program is not None else []


def few_repetitions(arguments, text):
    repeats = re.search(r"argv\[(\d+)\]\s*\)?\s*;?[^\n]*(repeat|iter|loop|ntimes|nreps)|(repeat|iter\w*|loops?|nreps)\s*=\s*\w+\(argv\[(\d+)\]", text)
    if not repeats:
        return arguments
    index = int(repeats[1] or repeats[4]) - 1
    return [("1" if i == index and word.isdigit() else word) for i, word in enumerate(arguments)]


def describe(folder):
    variables, arguments = read_makefile(folder)
    named = expand(variables.get("source", ""), variables).split()
    sources = [folder / name for name in named if (folder / name).exists()] or sources_in(folder)
    if not named:
        mains = [file for file in sources if re.search(r"\bmain\s*\(", file.read_text(errors="replace"))]
        sources = [file for file in sources if file not in mains[1:]]
        if not mains:
            return None
    text = "\n".join(file.read_text(errors="replace") for file in sources)
    flags = expand(variables.get("EXTRA_CFLAGS", "") + " " + variables.get("CFLAGS", ""), variables).split()
    keep = [flag for flag in flags if flag.startswith(("-D", "-I", "-U"))]
    libraries = SKIPPED_LIBRARIES.findall(expand(variables.get("LDFLAGS", ""), variables))
    return {"sources": sources, "flags": keep, "arguments": few_repetitions(arguments, text), "text": text,
            "libraries": libraries}


def cause_of(text):
    for pattern, words in CAUSES:
        if found := re.search(pattern, text):
            return words.format(*(group or "" for group in found.groups()))
    return ""


def build(program, folder, output, options):
    command = [options.nvcc, "-O3", "-std=c++17", f"-arch={options.arch}", "-w", "-lineinfo", "-x", "cu", *program["flags"],
               *(f"-I{path}" for path in options.include), *map(str, program["sources"]), "-o", str(output)]
    return subprocess.run(command, cwd=folder, text=True, capture_output=True, timeout=300, errors="replace")


def first_error(text):
    lines = [line for line in text.splitlines() if "error" in line.lower() or "undefined reference" in line]
    return (lines or text.splitlines() or ["?"])[0].strip()[-120:]


def judge(done, program):
    text = done.stdout + "\n" + done.stderr
    good = done.returncode == 0
    if good and PASSED.search(done.stdout) and not FAILED.search(done.stdout):
        return "pass", ""
    if FAILED.search(done.stdout) or not good:
        words = [line.strip() for line in text.splitlines() if line.strip()]
        return "FAIL", cause_of(text) or f"exit code {done.returncode}, last words: {words[-1][-100:] if words else ''}"
    return ("none" if not CHECKED.search(program["text"]) else "silent"), cause_of(done.stderr)


def try_program(folder, options):
    row = {"program": str(folder.relative_to(options.folder)), "built": "no", "ran": "", "check": "", "cause": ""}
    program = describe(folder)
    if not program:
        return None
    if program["libraries"]:
        row["cause"] = "needs lib" + program["libraries"][0]
        return row
    with tempfile.TemporaryDirectory(dir=options.work) as work:
        output = pathlib.Path(work) / "program"
        try:
            built = build(program, folder, output, options)
            if built.returncode:
                row["cause"] = first_error(built.stderr + built.stdout)
                return row
            row["built"] = "yes"
            done = subprocess.run([str(output), *program["arguments"]], cwd=folder, text=True, capture_output=True,
                                  timeout=20 * options.limit, errors="replace", stdin=subprocess.DEVNULL,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (options.limit,) * 2),
                                  env={**os.environ, "LD_PRELOAD": str(options.library), "CUPILOT_EMULATE_THREADS": "1",
                                       "CUPILOT_EMULATE_ARCH": options.arch})
        except subprocess.TimeoutExpired as late:
            row["ran" if row["built"] == "yes" else "built"] = "too slow"
            row["cause"] = cause_of((late.stderr or b"").decode(errors="replace")) or f"more than {options.limit} s"
            return row
        if -done.returncode in (signal.SIGXCPU, signal.SIGKILL):  # as the limit of processor time ends it
            row["ran"], row["cause"] = "too slow", f"more than {options.limit} s"
            return row
        row["ran"] = str(done.returncode)
        row["check"], row["cause"] = judge(done, program)
    return row


def show(rows):
    widths = [max(len(row[key]) for row in rows) for key in ("program", "built", "ran", "check")]
    for row in rows:
        cells = [row[key].ljust(width) for key, width in zip(("program", "built", "ran", "check"), widths)]
        print("  ".join(cells), row["cause"], sep="  ")
    built = [row for row in rows if row["built"] == "yes"]
    judged = [row for row in built if row["check"] in ("pass", "FAIL")]
    
    def count(key, value):
        return sum(row[key] == value for row in rows)

    print(f"\n{len(rows)} programs: {len(built)} built; of these {count('ran', 'too slow')} too slow, "
          f"{count('check', 'pass')} of {len(judged)} with a verdict of their own pass, "
          f"{count('check', 'none') + count('check', 'silent')} ended well without a verdict")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--only", default="", help="names of folders, separated by commas")
    parser.add_argument("--with-check", action="store_true", help="only programs whose source has a check")
    parser.add_argument("--sample", type=int, default=0, help="that many, chosen by --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=40, help="seconds of processor time a program may take")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--work", default=None)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    options.folder, options.library = options.folder.resolve(), options.library.resolve()
    options.work = pathlib.Path(options.work or tempfile.gettempdir()).resolve()
    options.include = [pathlib.Path(path).resolve() for path in options.include]
    if not options.library.exists():
        sys.exit(f"no library '{options.library}'")
    folders = sorted({file.parent for file in options.folder.rglob("*.cu")})
    if options.only:
        folders = [folder for folder in folders if folder.name in options.only.split(",")]
    if options.with_check:
        folders = [f for f in folders if any(CHECKED.search(s.read_text(errors="replace")) for s in sources_in(f))]
    if options.sample and options.sample < len(folders):
        folders = sorted(random.Random(options.seed).sample(folders, options.sample))
    rows = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for row in pool.map(lambda folder: try_program(folder, options), folders):
            if row:
                rows.append(row)
                print(row["program"], row["check"] or row["ran"] or row["built"], file=sys.stderr, flush=True)
    if not rows:
        sys.exit(f"no programs below '{options.folder}'")
    show(rows)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


main()
