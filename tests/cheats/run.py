#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of cheats: which stage of the judge caught each, with which words; or of honest variants.

  run.py --annotate A --writer W --worker P --executor cpu          here, on the CPU
  run.py --annotate A --writer W --executor gpu --write FOLDER      bundles for a machine with a GPU
  run.py --judge FOLDER --worker cupilot-worker                     judges written bundles there
  run.py --programs FOLDER ...                                      cheats of another folder: README.md
Exit codes: 0 all cheats are caught as their heads say, but those that are marked open (--honest: none is called wrong), 1 not, 2 bad usage.
"""
import argparse
import json
import os
import pathlib
import shutil
import sys

import bundles
import honest
import programs
import table


class Skipped(Exception):
    pass


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--executor", choices=["cpu", "gpu"], default="cpu")
    parser.add_argument("--worker", help="cupilot-emulate or cupilot-worker; default: beside --writer, else in PATH")
    parser.add_argument("--annotate", help="cupilot-annotate")
    parser.add_argument("--writer", help="cheat_bundles, which is built from this folder")
    parser.add_argument("--honest", action="store_true", help="honest variants instead of cheats")
    parser.add_argument("--programs", metavar="FOLDER", help="cheats FOLDER/KERNEL/NAME.cuh instead of those of this "
                        "folder, against its kernels; heads are optional, and a table of what passed is printed")
    parser.add_argument("--only", help="programs whose `kernel/name` contains one of these words, parted by commas")
    parser.add_argument("--part", help="I/N: every N-th cheat of the catalogue's order from the I-th; with --honest "
                        "every N-th rewriting, at one value of its knobs")
    parser.add_argument("--write", metavar="FOLDER", help="write bundles and stop")
    parser.add_argument("--judge", metavar="FOLDER", help="judge written bundles; needs neither Clang nor --writer")
    parser.add_argument("--json", metavar="FILE", help="the table as JSON too")
    parser.add_argument("--repeat", type=int, default=1, help="judge this often, with fresh data each time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--secret", type=int, help="the secret of every bundle, so that all draws are the same "
                        "again; default: drawn for each")
    parser.add_argument("--finalist", action="store_true", help="with the last stage: sanitizers, streams, repeats")
    parser.add_argument("--keep", metavar="FOLDER", help="keep the bundles there")
    parser.add_argument("--jobs", type=int, default=0, help="workers at a time; default 2 on the CPU, 1 on a GPU")
    return parser.parse_args()


def found(name, given, beside):
    """A program: as given, from the environment, beside the writer, in PATH."""
    place = given or os.environ.get("CUPILOT_" + name.removeprefix("cupilot-").upper())
    if not place and beside and (pathlib.Path(beside).parent / name).exists():
        place = str(pathlib.Path(beside).parent / name)
    place = shutil.which(place or name)
    if not place:
        raise bundles.Failed(f"where is {name}? Give its place on the command line or set PATH")
    return place


def folder_of(given):
    folder = pathlib.Path(given).resolve()
    if not folder.is_dir():
        raise bundles.Failed(f"--programs: there is no folder {given}")
    return folder


def part_of(text):
    """(I, N) of "I/N"."""
    numbers = text.split("/")
    if len(numbers) != 2 or not all(number.isdecimal() for number in numbers) or int(numbers[1]) == 0:
        raise bundles.Failed(f"--part: '{text}' is not I/N, as in 0/3")
    return int(numbers[0]), int(numbers[1])


def chosen(options, annotate, specs):
    words = options.only.split(",") if options.only else []
    part = part_of(options.part) if options.part else None
    if options.honest:
        all_programs = honest.variants(annotate, specs, words, part)
    elif options.programs:
        all_programs = programs.read_programs(folder_of(options.programs), cheat=True, heads_needed=False)
    else:
        all_programs = programs.read_programs("programs", cheat=True)
    kept = [p for p in all_programs if p.runs_on(options.executor)]
    if words:
        kept = [p for p in kept if any(word in f"{p.kernel}/{p.name}" for word in words)]
    if part and not options.honest:
        kept = sorted(kept, key=lambda p: table.catalogue_order(p.line, f"{p.kernel}/{p.name}"))[part[0] % part[1]::part[1]]
    if not kept:
        raise bundles.Failed("no program is left to judge")
    return kept


def write(options, folder):
    """Bundles with all that judging them elsewhere and the table need."""
    annotate = found("cupilot-annotate", options.annotate, options.writer)
    specs = bundles.all_specs(annotate)
    kept = chosen(options, annotate, specs)
    writer = found("cheat_bundles", options.writer, None)
    _, refused = bundles.write(writer, specs, kept, folder, executor=options.executor, seed=options.seed,
                               secret=options.secret, finalist=options.finalist)
    table.write_plan(folder, kept, refused, options)


def judge(options, folder):
    plan = table.read_plan(folder)
    cpu = plan["executor"] == "cpu"
    if not shutil.which(os.environ.get("CUPILOT_NVCC", "nvcc")):
        raise Skipped("no nvcc here (PATH or CUPILOT_NVCC)")
    worker = found("cupilot-emulate" if cpu else "cupilot-worker", options.worker, options.writer)
    argv = [worker, "judge"] if cpu else [worker]
    waiting = sorted(path.parent for path in folder.glob("*/bundle.json"))
    # One GPU times one thing at a time.
    complaints = bundles.judge(argv, waiting, options.jobs or (2 if cpu else 1))
    for complaint in complaints:
        print(f"run.py: {complaint}", file=sys.stderr)
    rows = table.rows(plan, bundles.verdicts_in(folder))
    table.show(rows, plan["honest"])
    if plan.get("own_folder"):
        table.show_passed(rows)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps({"honest": plan["honest"], "rows": rows}, indent=1) + "\n")
    return all(row["good"] or row["open"] for row in rows)


def judged_once(options):
    if options.judge:
        return judge(options, pathlib.Path(options.judge))
    if options.keep:
        folder = pathlib.Path(options.keep)
        write(options, folder)
        return judge(options, folder)
    with bundles.scratch() as scratch:
        write(options, pathlib.Path(scratch))
        return judge(options, pathlib.Path(scratch))


def main():
    options = arguments()
    try:
        if options.write:
            write(options, pathlib.Path(options.write))
            return 0
        # A worker skips what has a verdict, so written bundles are judged once.
        results = [judged_once(options) for _ in range(1 if options.judge else options.repeat)]
        return 0 if all(results) else 1
    except Skipped as reason:
        print(f"run.py: skipped: {reason}", file=sys.stderr)
        return 77
    except (bundles.Failed, programs.BadProgram, OSError) as error:
        print(f"run.py: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
