# SPDX-License-Identifier: Apache-2.0
"""What was asked (plan.json beside the bundles), what came back, and the table of both."""
import collections
import dataclasses
import json
import pathlib

from programs import Expectation

ACCEPTED = ("faster", "slower", "same", "unsure")
#: Says nothing about the judge: the program is not tried at all, or not here.
UNTRIED = ("build_failed", "not_evaluated", "no verdict")
UNHEARD = {"verdict": "no verdict", "stage": "-", "reason": "the worker gave none"}


def write_plan(folder, programs, refused, options):
    plan = {"honest": options.honest, "executor": options.executor, "own_folder": bool(options.programs), "programs": []}
    for program in programs:
        entry = {key: value for key, value in dataclasses.asdict(program).items() if key != "text"}
        entry["refused"] = refused.get((program.kernel, program.name))
        plan["programs"].append(entry)
    pathlib.Path(folder, "plan.json").write_text(json.dumps(plan, indent=1) + "\n")


def read_plan(folder):
    return json.loads(pathlib.Path(folder, "plan.json").read_text())


def good(entry, verdict, honest):
    if not honest and not entry["expected"]:
        return verdict["verdict"] not in (*ACCEPTED, "no verdict")
    if not honest:
        return any(Expectation(**one).met_by(verdict) for one in entry["expected"])
    if entry["declines"] and verdict["verdict"] == "rejected":
        return "declines" in verdict["reason"]
    return verdict["verdict"] in ACCEPTED


def rows(plan, verdicts):
    made = []
    for entry in plan["programs"]:
        verdict = entry["refused"] or verdicts.get((entry["kernel"], entry["name"])) or UNHEARD
        times = [(m["workload"], m["speedup"]) for m in verdict.get("measurements", [])]
        times += [(m["workload"], m["ratio"]) for m in verdict.get("estimates", [])]
        made.append({"program": f"{entry['kernel']}/{entry['name']}", "line": entry["line"], "idea": entry["idea"],
                     "seeds": entry["seeds"],
                     "stage": verdict["stage"], "verdict": verdict["verdict"], "reason": verdict["reason"], "times": times,
                     "expected": entry["expected"], "open": entry["open"], "good": good(entry, verdict, plan["honest"])})
    return made


def catalogue_order(line, program):
    return (line[:1], int(line[1:] or 0), program)


def show_row(row, honest):
    mark = " " if row["good"] else "o" if row["open"] else "!"
    first = "" if honest else f"{row['line']:4}"
    seeds = f" (seeds {row['seeds']})" if row["seeds"] else ""
    print(f"{mark} {first}{row['program'] + seeds:42} {row['stage']:9} {row['verdict']:13} {row['reason']}")
    if not row["good"]:
        for one in row["expected"]:
            print(f"      expected: {one['stage']} {one['kind']} \"{one['word']}\"")


def show_section(title, chosen, honest):
    if not chosen:
        return
    print(f"\n{title}")
    for row in chosen:
        show_row(row, honest)


def show_untried(made, honest):
    """A cheat without `caught` lines counts as caught when it does not even compile: that is worth a word."""
    untried = [row for row in made if not honest and not row["expected"] and row["verdict"] in UNTRIED]
    if untried:
        print("tell nothing about the judge: " +
              ", ".join(f"{row['program']} ({row['verdict']})" for row in untried))


def show_passed(made):
    """What a red-team round looks for: the accepted ones, with what the judge made of them."""
    passed = sorted((row for row in made if row["verdict"] in ACCEPTED), key=lambda row: row["program"])
    if not passed:
        return
    print("\npassed:")
    for row in passed:
        times = ", ".join(f"{workload} {factor:.2f}x" for workload, factor in row["times"])
        print(f"  {row['line']:4}{row['program']:42} {row['verdict']:8} {times}")
        if row["idea"]:
            print(f"      {row['idea']}")


def show(made, honest):
    if honest:
        show_section("honest variants: stage, verdict, reason", sorted(made, key=lambda row: row["program"]), True)
    else:
        made = sorted(made, key=lambda row: catalogue_order(row["line"], row["program"]))
        show_section("cheats by line of the catalogue: stage, verdict, reason", [r for r in made if not r["seeds"]], False)
        show_section("seeds 2e: ideas of published kernels", [r for r in made if r["seeds"]], False)
    counted = collections.Counter((row["stage"], row["verdict"]) for row in made)
    print("\n" + ", ".join(f"{stage} {verdict}: {n}" for (stage, verdict), n in sorted(counted.items())))
    for row in made:
        if row["open"] and not row["good"]:
            print(f"open: {row['program']}: {row['open']}")
    show_untried(made, honest)
    bad = [row["program"] for row in made if not row["good"]]
    what = "accepted" if honest else "caught as expected"
    print(f"{len(made) - len(bad)} of {len(made)} {what}" + (f"; not: {', '.join(sorted(bad))}" if bad else ""))
