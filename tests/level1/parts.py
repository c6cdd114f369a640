#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What each part of `sce` is worth: the same kernels, budget and model with retrieval off, with guidance by the
roofline off, and with strategy crossover replaced by code crossover, repeated with other seeds.

  parts.py run --work W --prefix P --results R -- --mailbox 'W/mail/{run}' --executor folder --folder W/out --arch sm_90
                            every search at once, each in a project of its own; a recording of each is left in R
  parts.py table R          the table from the recordings in R; needs no GPU and no model

What stands behind `--` goes to every `cupilot tune`; {run} is a number of the search that names no condition, so who
answers a prompt does not see under which condition it was asked. Interrupted? The same command goes on.
Exit codes: 0 done, 1 a search failed, 2 a mistake on the command line.
"""
import argparse
import concurrent.futures
import json
import lzma
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from measuring.report import geometric_mean  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parent
CONDITIONS = {"plain": [], "no retrieval": ["--no-retrieval"], "no guidance": ["--no-guidance"],
              "code crossover": ["--code-crossover"]}
POPULATION = 4
SEARCH = ["--policy", "sce", "--population", str(POPULATION), "--generations", "2", "--epochs", "1", "--candidates", "20"]
#: A judge needs seconds, not half a minute, for a candidate of a running sum of an eighth of these rows.
CUTS = {"cumsum": [("workload(kernelbench_part) set(rows = 4096,", "workload(large) set(rows = 1024,"),
                   ("set(rows = 32768, cols = 512)", "set(rows = 4096, cols = 512)"),
                   ("set(rows = 1000, cols = 20480)", "set(rows = 500, cols = 20480)")]}
COMMENT_ON_SIZES = re.compile(r"//\n// The judge keeps every output.*?\n\n", re.DOTALL)


def plan(kernels, repeats):
    """(number, kernel, condition, repeat); repeat and kernel of one number are the same for all conditions' searches."""
    rows = [(kernel, condition, repeat) for repeat in range(1, repeats + 1) for condition in CONDITIONS
            for kernel in kernels]
    return [(number, *row) for number, row in enumerate(rows, 1)]


def project(folder, kernel):
    """A copy of this folder's project whose path says nothing of the condition."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in [*FOLDER.glob("*.cu"), FOLDER / "level1.h", FOLDER / "main.cpp", FOLDER / "CMakeLists.txt"]:
        shutil.copy(name, folder)
    if kernel in CUTS:
        source = next(folder.glob(f"*_{kernel}.cu"))
        text = COMMENT_ON_SIZES.sub("\n", source.read_text())
        for before, after in CUTS[kernel]:
            if before not in text:
                raise SystemExit(f"parts.py: error: {source.name} has no '{before}' any more")
            text = text.replace(before, after)
        source.write_text(text)


def search(row, options):
    number, kernel, condition, repeat = row
    home = options.work / str(number)
    source, build = home / "source", home / "build"
    with open(options.work / f"{number}.log", "a", encoding="utf-8") as log:
        def run(*argv, **more):
            return subprocess.run([str(word) for word in argv], stderr=log, text=True, check=False, **more)

        if not (build / "CMakeCache.txt").exists():
            project(source, kernel)
            if run("cmake", "-S", source, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={options.prefix}",
                   "-DCMAKE_CUDA_ARCHITECTURES=90", stdout=log).returncode:
                return f"{number}: cmake failed"
        asked = [word.replace("{run}", str(number)) for word in options.rest]
        tuned = run(options.cupilot, "tune", build, "--kernel", kernel, *SEARCH, "--seed", repeat,
                    *CONDITIONS[condition], *asked, "--progress", "plain", "--json", stdout=log,
                    env=dict(os.environ, CUPILOT_DATA=str(home / "data")))
        target = options.results / f"{kernel}.{condition.replace(' ', '-')}.{repeat}.jsonl"
        target.unlink(missing_ok=True)
        done = run(options.cupilot, "log", build, "--export", target, stdout=log)
    if tuned.returncode or done.returncode:
        return f"{number} ({kernel}, {condition}, {repeat}): exit code {tuned.returncode or done.returncode}"
    return ""


def run_all(options):
    options.work, options.results = options.work.resolve(), options.results.resolve()
    options.results.mkdir(parents=True, exist_ok=True)
    options.work.mkdir(parents=True, exist_ok=True)
    rows = plan(options.kernels.split(","), options.repeats)
    (options.work / "plan.json").write_text(json.dumps(rows))
    with concurrent.futures.ThreadPoolExecutor(len(rows)) as pool:
        problems = [problem for problem in pool.map(lambda row: search(row, options), rows) if problem]
    for problem in problems:
        print(f"parts.py: {problem}; see {options.work}/<number>.log", file=sys.stderr)
    return 1 if problems else 0


def lines_of(path):
    data = path.read_bytes()
    text = lzma.decompress(data) if path.suffix == ".xz" else data
    return [json.loads(line) for line in text.splitlines()]


def result_of(path):
    """Best measured speed-up, of all and of the first population; every speed-up; what was lost; what it took."""
    best, first, speedups, lost, seen = 1.0, 1.0, [], 0, set()
    questions = repairs = 0
    lines = lines_of(path)
    # The original is asked for as a variant, too, where its counters are wanted.
    population = POPULATION + ("guidance=no" not in lines[0]["options"])
    for line in lines:
        if "question" in line:
            questions += 1
            repairs += line["role"] == "revisor"
        if "verdict" not in line or line["verdict"]["stage"] == "finalist" or line["variant"] in seen:
            continue
        seen.add(line["variant"])
        verdict = line["verdict"]
        lost += verdict["verdict"] not in ("faster", "same", "slower", "unsure")
        speedup = verdict["measurements"][0]["speedup"] if verdict["verdict"] == "faster" else 1.0
        if len(seen) <= population:
            first = max(first, speedup)
        best = max(best, speedup)
        if verdict["verdict"] == "faster":
            speedups.append(speedup)
    return {"best": best, "first": first, "speedups": speedups, "candidates": len(seen), "lost": lost,
            "repairs": repairs, "questions": questions}


def table(folder):
    found = {}
    for path in sorted(folder.glob("*.jsonl*")):
        kernel, condition, repeat = path.name.split(".")[:3]
        found.setdefault((kernel, condition.replace("-", " ")), []).append((int(repeat), result_of(path)))
    if not found:
        raise SystemExit(f"parts.py: error: no recording lies in {folder}")
    print(f"{'kernel':<12} {'condition':<15} {'best of each repeat':<22} {'first population':<18} {'geomean':>8} "
          f"{'of all faster':>14} {'lost':>5} {'repairs':>7} {'questions':>9}")
    for (kernel, condition), rows in sorted(found.items(), key=lambda one: (one[0][0], list(CONDITIONS).index(one[0][1]))):
        results = [result for _, result in sorted(rows, key=lambda row: row[0])]
        bests, firsts = ("  ".join(f"{one[part]:.2f}x" for one in results) for part in ("best", "first"))
        mean = geometric_mean([one["best"] for one in results])
        of_all = geometric_mean([speedup for one in results for speedup in one["speedups"]]) or 1
        print(f"{kernel:<12} {condition:<15} {bests:<22} {firsts:<18} {mean:>7.2f}x "
              f"{of_all:>13.2f}x {sum(one['lost'] for one in results):>2}/{sum(one['candidates'] for one in results):<2} "
              f"{sum(one['repairs'] for one in results):>7} {sum(one['questions'] for one in results):>9}")
    return 0


def main():
    words = sys.argv[1:]
    mine, rest = (words[:words.index("--")], words[words.index("--") + 1:]) if "--" in words else (words, [])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("run", help="search under every condition")
    command.add_argument("--work", type=pathlib.Path, required=True, metavar="FOLDER")
    command.add_argument("--results", type=pathlib.Path, required=True, metavar="FOLDER")
    command.add_argument("--prefix", required=True, help="installed cupilot")
    command.add_argument("--cupilot", default="cupilot", help="the program; default: the one on PATH")
    command.add_argument("--kernels", default="layer_norm,cumsum", help="default: layer_norm,cumsum")
    command.add_argument("--repeats", type=int, default=2)
    command = commands.add_parser("table", help="the table of recordings")
    command.add_argument("results", type=pathlib.Path, metavar="FOLDER")
    options = parser.parse_args(mine)
    if options.command == "table":
        return table(options.results)
    options.rest = rest
    return run_all(options)


if __name__ == "__main__":
    sys.exit(main())
