#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A space that was judged exhaustively, written small for `spaces` and for kernel_tuner_beside.py.

  cupilot tune BUILD --kernel K --policy exhaustive --candidates 5000 --minutes 60 --no-publish
  cupilot log BUILD --kernel K --json > log.json
  space_of.py log.json > spaces/K.json

For every schedule its knobs with their values and where the schedule sets them, the gain that the pool says, and a
speed-up for every setting, the first knob's values changing fastest; 0 where nothing correct came of it.
Exit codes: 0 written, 1 a setting was not judged, 2 a mistake on the command line.
"""
import argparse
import itertools
import json
import math
import pathlib
import sys

POOL = pathlib.Path(__file__).resolve().parents[2] / "evolution/strategy/pool"


def gains():
    """Of every strategy in the pool, by its id."""
    known = {}
    for path in POOL.glob("*.txt"):
        lines = dict(line.split(": ", 1) for line in path.read_text().splitlines() if ": " in line)
        known[path.stem] = float(lines.get("gain", 1))
    return known


def settings_of(knobs):
    """Every setting of `knobs`, values by name, the first one's changing fastest."""
    return [setting[::-1] for setting in itertools.product(*[knobs[name] for name in reversed(knobs)])]


def structure_of(strategy, individuals, gain):
    first = individuals[0]["knobs"]
    values = {name: sorted({one["knobs"][name] for one in individuals}) for name in first}
    judged = {tuple(one["knobs"].values()): one["speedup"] for one in individuals if one["verdict"]}
    settings = settings_of(values)
    missing = [setting for setting in settings if setting not in judged]
    if missing:
        sys.exit(f"space_of.py: error: {len(missing)} of {len(settings)} settings of {strategy} were not judged")
    return {"id": strategy, "gain": gain,
            "knobs": [{"name": name, "values": values[name], "start": first[name]} for name in first],
            "speedups": [round(judged[setting] or 0, 4) for setting in settings]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("log", type=pathlib.Path)
    parser.add_argument("--device", default="", help="what it was judged on")
    options = parser.parse_args()
    run = json.loads(options.log.read_text())["runs"][-1]
    known, by_strategy = gains(), {}
    for one in run["individuals"]:
        by_strategy.setdefault(" ".join(one["strategies"]), []).append(one)
    structures = [structure_of(name, own, known.get(name, 1)) for name, own in by_strategy.items()]
    size = sum(math.prod(len(knob["values"]) for knob in one["knobs"]) for one in structures)
    print("{" + f'"cupilot_space": 1, "kernel": {json.dumps(run["kernel"])}, "device": {json.dumps(options.device)},')
    print(f' "settings": {size}, "structures": [')
    print(",\n".join("  " + json.dumps(one) for one in structures))
    print("]}")


if __name__ == "__main__":
    main()
