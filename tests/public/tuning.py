#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `cupilot tune` makes of kernels that nobody here wrote, from the workloads that programs.py found in their
programs: no clause is written by hand, no model is asked.

  tuning.py tune OUT --cupilot P     tunes the kernels that have a workload, those of several programs at a time
  tuning.py check OUT --cupilot P    builds the programs with their variants swapped in; runs them with and without
  tuning.py table OUT --cupilot P    the table: lifted, faster, by how much, and why not; needs no GPU

OUT is the folder of programs.py. A kernel that OUT/tuned.json has already is not tuned again, so a run may be made in
several pieces (--until). A program may run for long: after --seconds it is ended, and only what it said is compared.
"""
import argparse
import collections
import concurrent.futures
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import threading
import time

from programs import build_folder, cause_of, make, run_line, told

PATIENCE_SECONDS = 240  # beside the search


def order_of(concluded, seed, most):
    """(program, kernel) of those with a workload: one of each program before a second of any, in a random order."""
    shuffle, by_program = random.Random(seed), {}
    for program, kernels in sorted(concluded.items()):
        if not isinstance(kernels, str):
            names = [one["kernel"] for one in kernels if one["workloads"]]
            shuffle.shuffle(names)
            by_program[program] = names
    names = sorted(by_program)
    shuffle.shuffle(names)
    rounds = max(map(len, by_program.values()), default=0)
    order = [(name, by_program[name][i]) for i in range(rounds) for name in names if i < len(by_program[name])]
    return order[:most] if most else order


def tune_one(out, program, kernel, options):
    began, build = time.monotonic(), build_folder(out / "programs" / program)
    text, error, code = told([options.cupilot, "tune", build, "--kernel", kernel, "--minutes", options.minutes, "--json",
                              "--progress", "none", "--jobs", max(2, (os.cpu_count() or 1) // options.jobs),
                              *options.options.split()], timeout=PATIENCE_SECONDS + 60 * options.minutes)
    found = {"program": program, "kernel": kernel, "seconds": round(time.monotonic() - began, 1)}
    try:
        entry = json.loads(text)["kernels"][0]
    except (ValueError, IndexError, KeyError):
        return {**found, "result": "failed", "error": error.strip()[-400:] or f"exit code {code}"}
    found |= {key: entry.get(key) for key in ("result", "error", "counts", "measurements", "estimates")}
    found["tried"] = [{key: one.get(key) for key in ("verdict", "reason", "strategies")} for one in entry.get("tried", [])]
    found["strategies"] = next((one["strategies"] for one in entry.get("tried", []) if one.get("won")), [])
    return found


def tune(options):
    out, began, lock = options.out.resolve(), time.monotonic(), threading.Lock()
    path = out / "tuned.json"
    done = json.loads(path.read_text()) if path.exists() else []
    known = {(one["program"], one["kernel"]) for one in done}
    left = [one for one in order_of(json.loads((out / "concluded.json").read_text()), options.seed, options.most)
            if one not in known]
    busy = set()  # a build folder is tuned by one at a time

    def take():
        with lock:
            for one in left:
                if one[0] not in busy:
                    left.remove(one)
                    busy.add(one[0])
                    return one
        return None

    def work():
        while time.monotonic() - began < options.until and (one := take()):
            found = tune_one(out, *one, options)
            with lock:
                busy.discard(one[0])
                done.append(found)
                path.write_text(json.dumps(done, indent=1))
            print(" ".join(row(found)), f"({found['seconds']:.0f} s, after {time.monotonic() - began:.0f} s)",
                  file=sys.stderr, flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for one in [pool.submit(work) for _ in range(options.jobs)]:
            one.result()
    return 0


# ---- the programs with their variants ----

def said(text):
    """Without what differs from run to run: times, rates, addresses."""
    kept = [line for line in text.splitlines()
            if not re.search(r"time|second|\b[num]?s\b|GB/s|GFLOP|FPS|throughput|bandwidth|rate|speed", line, re.I)]
    return re.sub(r"0x[0-9a-f]+", "0x", "\n".join(kept))


def run_program(folder, line, seconds, environment):
    try:
        done = subprocess.run(["bash", "-c", "exec " + line], cwd=folder, stdout=subprocess.PIPE, text=True, errors="replace",
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=seconds,
                              env={**os.environ, **environment})
        return done.returncode, said(done.stdout)
    except subprocess.TimeoutExpired:
        return "ended after the time", ""


def check_one(out, program, options):
    folder = out / "programs" / program
    launcher = pathlib.Path(options.cupilot).resolve().parent / "cupilot-cc"
    make(folder, "clean")
    _, error, code = make(folder, "-j2", f"CC={launcher} --records {folder / 'tuned'} -- nvcc", timeout=400,
                          env={**os.environ, "CUPILOT_EXPLAIN": "1"})
    found = {"program": program, "built": not code,
             "used": sorted(set(re.findall(r"tuned/([^/\n]+)/[^:\n]*: used", error))), "explained": error[-1500:]}
    line = run_line(folder)
    if code or not line:
        return found
    log = folder / "launches.log"
    for name, environment in (("original", {"CUPILOT_ORIGINAL": "1"}), ("again", {"CUPILOT_ORIGINAL": "1"}),
                              ("variants", {"CUPILOT_LOG": str(log)})):
        log.unlink(missing_ok=True)
        found[name] = run_program(folder, line, options.seconds, environment)
    found["launches"] = collections.Counter(log.read_text(errors="replace").splitlines()).most_common(8) if log.exists() else []
    return found


def check(options):
    out = options.out.resolve()
    done = json.loads((out / "tuned.json").read_text())
    programs = sorted({one["program"] for one in done if one["result"] == "published"})
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        checked = []
        for one in pool.map(lambda program: check_one(out, program, options), programs):
            checked.append(one)
            print(f"{one['program']}: {outcome(one)}", file=sys.stderr, flush=True)
            (out / "checked.json").write_text(json.dumps(checked, indent=1))
    return 0


def outcome(one):
    """What a program with its variants says, against twice the original."""
    if not one["built"]:
        return "does not build"
    if "variants" not in one:
        return "its Makefile runs nothing"
    original, again, variants = (tuple(one[name]) for name in ("original", "again", "variants"))
    if isinstance(original[0], str):
        return "runs for too long"
    if original == variants:
        return "the same output"
    return "differs from itself" if original != again else "other output"


# ---- the table ----

def speedup(one):
    """Of the first workload, which has most of the time; 1 where nothing is swapped."""
    measured = next(iter(one.get("measurements") or one.get("estimates") or []), None)
    return (measured.get("speedup") or measured["ratio"]) if measured and one["result"] == "published" else 1


def row(one):
    return [one["program"].removesuffix("-cuda"), one["kernel"], one["result"],
            f"{speedup(one):.2f}x" if one["result"] == "published" else "", " + ".join(one.get("strategies") or []),
            str(one.get("error") or one.get("missing") or "")[:100].replace("\n", " ")]


def explain(out, program, kernels, options):
    """{kernel: why it is not lifted, or ""}"""
    text, _, _ = told([options.cupilot, "explain", build_folder(out / "programs" / program), "--json", "--on",
                       options.on, *[word for one in kernels for word in ("--kernel", one)]], timeout=400)
    try:
        return {one["kernel"]: (one["lifted"].get("missing") or {}).get("reason", "")
                for one in json.loads(text)["kernels"]}
    except ValueError:
        return {}


def table(options):
    out = options.out.resolve()
    done = json.loads((out / "tuned.json").read_text())
    programs = collections.defaultdict(list)
    for one in done:
        programs[one["program"]].append(one)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        explained = dict(zip(programs, pool.map(
            lambda name: explain(out, name, [one["kernel"] for one in programs[name]], options), programs)))
    for one in done:
        one["missing"] = explained[one["program"]].get(one["kernel"], "is not explained")
    (out / "tuned.json").write_text(json.dumps(done, indent=1))
    print("| program | kernel | result | speed-up | by | why not |\n|" + "---|" * 6)
    for one in sorted(done, key=speedup, reverse=True):
        print("| " + " | ".join(row(one)) + " |")
    lifted = [one for one in done if not one["missing"]]
    faster = [one for one in done if one["result"] == "published"]
    mean = math.exp(sum(math.log(max(speedup(one), 1)) for one in done) / max(1, len(done)))
    print(f"\n{len(done)} kernels of {len(programs)} programs: {share(lifted, done)} lift, {share(faster, done)} are faster, "
          f"geometric mean of all {mean:.2f}x, of those that lift "
          f"{math.exp(sum(math.log(speedup(one)) for one in lifted) / max(1, len(lifted))):.2f}x")
    for title, words in (("results", [one["result"] for one in done]),
                         ("not lifted", [cause_of(one["missing"]) for one in done if one["missing"]]),
                         ("failed", [cause_of(str(one["error"]).splitlines()[0]) for one in done if one.get("error")])):
        print(f"{title}:")
        for word, count in collections.Counter(words).most_common():
            print(f"  {count:4}  {word}")
    if (out / "checked.json").exists():
        print("programs with their variants:")
        for word, count in collections.Counter(map(outcome, json.loads((out / "checked.json").read_text()))).most_common():
            print(f"  {count:4}  {word}")
    return 0


def share(some, all_of_them):
    return f"{len(some)} ({100 * len(some) / max(1, len(all_of_them)):.0f} %)"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("out", type=pathlib.Path)
    common.add_argument("--cupilot", required=True)
    common.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 1) // 2))
    one = verbs.add_parser("tune", parents=[common])
    one.add_argument("--minutes", type=float, default=1, help="of search for each kernel; default: 1")
    one.add_argument("--most", type=int, help="this many kernels; default: all")
    one.add_argument("--until", type=float, default=math.inf, metavar="SECONDS", help="begin no kernel after these")
    one.add_argument("--seed", type=int, default=1, help="of the order")
    one.add_argument("--options", default="", help="more options of `cupilot tune`")
    one.set_defaults(does=tune)
    one = verbs.add_parser("check", parents=[common])
    one.add_argument("--seconds", type=float, default=20, help="of each run; default: 20")
    one.set_defaults(does=check)
    one = verbs.add_parser("table", parents=[common])
    one.add_argument("--on", default="sm_90", help="the device; default: sm_90")
    one.set_defaults(does=table)
    options = parser.parse_args()
    return options.does(options)


if __name__ == "__main__":
    sys.exit(main())
