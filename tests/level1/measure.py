#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Original kernels, tuned ones, PyTorch eager and torch.compile on the eight problems, in one run on one GPU.

  measure.py --prefix P --rules FOLDER --evolved FOLDER --json FILE     everything, table on stdout
  measure.py --table FILE                                               the table of a JSON again; needs no GPU

P is an installed cupilot (component `launcher` is enough); FOLDER holds records as <kernel>/<architecture>/..., and
both may be left out. The records are swapped in by the real launcher, so what is measured is what a user would get;
on an unchanged tree that needs no Clang. All times: cold cache, taken in turn, CUDA events, TF32 off. Each problem
has a process of its own; one that ends or hangs is tried again without the contender that did it. Results are
written after every problem.
Exit codes: 0 all were measured and right, 1 not, 2 a mistake on the command line.
"""
import argparse
import importlib.util
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from measuring import libraries, report  # noqa: E402
from measuring.program import mistake, note, write  # noqa: E402

PROBLEMS = {"matmul": "1", "upper_matmul": "14", "softmax": "23", "rms_norm": "36", "layer_norm": "40",
            "sum_over_rows": "47", "cumsum": "89", "cross_entropy": "95"}
#: Of one problem's process, beside the timing: PyTorch's start, torch.compile, float64.
PATIENCE_SECONDS = 240


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefix", help="installed cupilot; default: where CMake finds one")
    parser.add_argument("--rules", metavar="FOLDER", help="records that rules alone found")
    parser.add_argument("--evolved", metavar="FOLDER", help="records of the search with a model")
    parser.add_argument("--json", metavar="FILE", default="level1.json", help="results; default: level1.json")
    parser.add_argument("--table", metavar="FILE", help="print the table of this JSON and stop")
    parser.add_argument("--only", help="kernels or problem numbers, parted by commas")
    parser.add_argument("--quick", action="store_true", help="an eighth of each problem, two seconds each: a trial")
    parser.add_argument("--part", type=int, default=1, metavar="N", help="an N-th of each problem")
    parser.add_argument("--seconds", type=float, default=10, help="of timing for each problem; default: 10")
    parser.add_argument("--arch", default="90", help="CMAKE_CUDA_ARCHITECTURES, 90a-real for wgmma; default: 90")
    parser.add_argument("--accept-estimates", action="store_true", help="swap in records that were never measured, too")
    parser.add_argument("--no-compile", action="store_true", help="leave torch.compile out")
    parser.add_argument("--work", default="build/level1", metavar="FOLDER", help="of the builds; default: build/level1")
    parser.add_argument("--child", metavar="KERNEL", help=argparse.SUPPRESS)
    parser.add_argument("--without", default="", help=argparse.SUPPRESS)
    return parser.parse_args()


def build_libraries(options, run):
    """One that does not build is noted and left out."""
    given = [f"-DCMAKE_CUDA_ARCHITECTURES={options.arch}"]
    given += [f"-DCMAKE_PREFIX_PATH={pathlib.Path(options.prefix).resolve()}"] if options.prefix else []
    given += ["-DCUPILOT_ACCEPT_ESTIMATES=1"] if options.accept_estimates else []
    work = pathlib.Path(options.work).resolve()
    for name, folder in (("original", None), ("rules", options.rules), ("evolved", options.evolved)):
        try:
            if name == "original" or folder:
                libraries.build(name, folder, work, given)
                note(f"built {name}")
            else:
                libraries.forget(name, work)
        except (libraries.Failed, OSError) as error:
            libraries.forget(name, work)
            run["errors"].append(f"{name} is left out: {error}")
            note(run["errors"][-1])


def child_argv(options, kernel, without, path):
    argv = [sys.executable, __file__, "--child", kernel, "--without", ",".join(without), "--json", str(path),
            "--work", options.work, "--part", str(options.part), "--seconds", str(options.seconds)]
    for name in ("rules", "evolved"):
        argv += [f"--{name}", getattr(options, name)] if getattr(options, name) else []
    return argv + (["--no-compile"] if options.no_compile else [])


def one_process(options, kernel, without, path):
    """What the problem's process told, and why it ended early if it did."""
    path.unlink(missing_ok=True)
    try:
        code = subprocess.run(child_argv(options, kernel, without, path),
                              timeout=PATIENCE_SECONDS + 2 * options.seconds).returncode
        ended = f"its process ended with {code}" if code else ""
    except subprocess.TimeoutExpired:
        ended = "its process did not end in time"
    found = json.loads(path.read_text()) if path.exists() else {"number": int(PROBLEMS[kernel]), "contenders": {}}
    if ended:
        found.setdefault("error", ended)
    return found


def measured(options, kernel, path):
    """Again without whoever ended it, as long as somebody is left."""
    failed = {}
    while True:
        found = one_process(options, kernel, list(failed), path)
        culprit = found.pop("doing", None)
        if "error" not in found or culprit in (None, "eager") or culprit in failed:
            break
        failed[culprit] = found["error"]
        note(f"{kernel}: again without {culprit}: {found['error'][:300]}")
    for name, error in failed.items():
        found["contenders"][name] = {"error": error}
    return found


def chosen(only):
    words = only.split(",") if only else list(PROBLEMS)
    if unknown := [word for word in words if word not in PROBLEMS and word not in PROBLEMS.values()]:
        mistake(f"--only: no problem is called '{unknown[0]}'; known: {', '.join(PROBLEMS)}")
    return [name for name, number in PROBLEMS.items() if name in words or number in words]


def good(run):
    every = [one for problem in run["problems"].values() for one in problem["contenders"].values()]
    return not run["errors"] and all("error" not in problem for problem in run["problems"].values()) and \
        all(one.get("ok", True) and "error" not in one for one in every)


def parent(options):
    for folder in (options.rules, options.evolved, options.prefix):
        if folder and not pathlib.Path(folder).is_dir():
            mistake(f"'{folder}' is no folder")
    if not importlib.util.find_spec("torch"):
        mistake("this Python has no PyTorch; --table FILE prints the table of a run made elsewhere")
    kernels, path = chosen(options.only), pathlib.Path(options.json)
    path.parent.mkdir(parents=True, exist_ok=True)
    pathlib.Path(options.work).mkdir(parents=True, exist_ok=True)
    run = {"level1": 1, "command": sys.argv[1:], "part": options.part, "allow_tf32": False, "errors": [], "problems": {}}
    build_libraries(options, run)
    for kernel in kernels:
        note(kernel)
        run["problems"][kernel] = measured(options, kernel, pathlib.Path(options.work) / f"{kernel}.json")
        write(run, path)
    print(report.text(run), end="")
    return 0 if good(run) else 1


def main():
    options = arguments()
    if options.table:
        print(report.text(json.loads(pathlib.Path(options.table).read_text())), end="")
        return 0
    if options.quick:
        options.part, options.seconds = max(options.part, 8), min(options.seconds, 2)
    if options.child:
        from measuring import contest  # needs PyTorch
        contest.run_child(options.child, options, options.without.split(","),
                          lambda found: write(found, pathlib.Path(options.json)))
        return 0
    return parent(options)


if __name__ == "__main__":
    sys.exit(main())
