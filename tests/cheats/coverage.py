#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How much of right variants the judge executes: share of lines and conditions, and what stays uncovered.

  coverage.py --annotate A --writer W --keep FOLDER      judges honest variants and committed records on the CPU
  coverage.py --show FOLDER                              prints the figures of judged bundles again
--sets parts them: hand (tests/cheats/honest), records (examples and tests/level1), rules (every --every'th rewriting).
"""
import argparse
import json
import pathlib
import shutil

import bundles
import honest
import run
from programs import FOLDER, Program

ROOT = FOLDER.parents[1]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--annotate")
    parser.add_argument("--writer")
    parser.add_argument("--worker")
    parser.add_argument("--sets", default="hand,records,rules")
    parser.add_argument("--only", default="", help="only programs whose `kernel/name` contains one of these words")
    parser.add_argument("--every", type=int, default=7, help="of the rewritings by rules")
    parser.add_argument("--keep", metavar="FOLDER")
    parser.add_argument("--show", metavar="FOLDER")
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


def level1_specs(annotate):
    specs = {}
    folder = ROOT / "tests" / "level1"
    for source in sorted(folder.glob("*.cu")):
        specs.update(bundles.scan(annotate, [source], folder))
    return specs


def records(specs):
    """The committed variants, by the kernel their folder names."""
    found = []
    for path in sorted([*ROOT.glob("examples/*/tuned/*/*/variant.cuh"), *ROOT.glob("tests/level1/evolved/*/*/variant.cuh")]):
        name = path.parents[1].name
        kernel = next((k for k in specs if k in (name, f"{name}_kernel")), None)
        if kernel:
            found.append(Program(kernel, "record", path.read_text()))
    return found


def programs_of(options, annotate):
    """Programs by set, and the specs of each set: level-1 kernels have names of their own."""
    cheat_specs, level1 = bundles.all_specs(annotate), level1_specs(annotate)
    sets = {}
    if "hand" in options.sets:
        sets["hand"] = (cheat_specs, list(honest.by_hand(None)))
    if "records" in options.sets:
        examples = {name: spec for name, spec in cheat_specs.items() if name.endswith("_kernel")}
        sets["examples"] = (examples, records(examples))
        sets["level1"] = (level1, records(level1))
    if "rules" in options.sets:
        sets["rules"] = (cheat_specs, list(honest.by_rules(annotate, cheat_specs, (0, options.every))))
    words = [word for word in options.only.split(",") if word]
    return {name: (specs, [p for p in programs if p.runs_on("cpu") and
                           (not words or any(w in f"{p.kernel}/{p.name}" for w in words))])
            for name, (specs, programs) in sets.items()}


def judge(options):
    annotate = run.found("cupilot-annotate", options.annotate, options.writer)
    writer = run.found("cheat_bundles", options.writer, None)
    worker = run.found("cupilot-emulate", options.worker, options.writer)
    folder = pathlib.Path(options.keep)
    waiting = []
    for name, (specs, programs) in programs_of(options, annotate).items():
        written, refused = bundles.write(writer, specs, programs, folder / name)
        waiting += written
        for (kernel, program), verdict in refused.items():
            print(f"{name} {kernel}/{program}: refused by the static check: {verdict['reason']}")
    for complaint in bundles.judge([worker, "judge"], waiting, options.jobs):
        print(complaint)


def show(folder):
    print(f"{'set':9} {'variants':>8} {'lines':>12} {'share':>7} {'conditions':>12} {'share':>7} {'made':>5} {'refused':>8}")
    uncovered = []
    for place in sorted(path for path in pathlib.Path(folder).iterdir() if path.is_dir()):
        sums, count, refused = dict.fromkeys(("lines", "lines_covered", "conditions", "conditions_covered", "made_cases"), 0), 0, 0
        for (kernel, name), verdict in sorted(bundles.verdicts_in(place).items()):
            coverage = verdict.get("coverage")
            if not coverage:
                uncovered.append(f"{place.name} {kernel}/{name}: {verdict['stage']} {verdict['verdict']}: {verdict['reason'][:150]}")
                continue
            count += 1
            refused += verdict["stage"] == "coverage"
            for key in sums:
                sums[key] += coverage.get(key, 0)
            uncovered += [f"{place.name} {kernel}/{name}: {'REFUSED ' if verdict['stage'] == 'coverage' else ''}{text}"
                          for text in coverage.get("uncovered", []) + coverage.get("unknown", [])]
        lines, conditions = f"{sums['lines_covered']}/{sums['lines']}", f"{sums['conditions_covered']}/{sums['conditions']}"
        print(f"{place.name:9} {count:8} {lines:>12} {sums['lines_covered'] / max(1, sums['lines']):7.1%} {conditions:>12} "
              f"{sums['conditions_covered'] / max(1, sums['conditions']):7.1%} {sums['made_cases']:5} {refused:8}")
    print("\n".join(uncovered))


def main():
    options = arguments()
    if options.keep:
        shutil.rmtree(options.keep, ignore_errors=True)
        judge(options)
    show(options.keep or options.show)


if __name__ == "__main__":
    main()
