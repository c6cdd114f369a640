#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the strategies of Kernel Tuner (pip install kernel-tuner) need of one schedule's space, in its simulation mode:
it searches, and the file of space_of.py answers for the GPU.

  kernel_tuner_beside.py spaces/K.json SCHEDULE [--seeds 25]

Prints for every strategy how many settings it measures until one is within 5 % of the best: the median of all seeds,
and how many got there with at most as many measurements as there are settings. `spaces --anywhere` prints the same of
the search here, begun at every setting in turn.
"""
import argparse
import contextlib
import io
import json
import pathlib
import random
import statistics
import tempfile
import warnings

import numpy

from space_of import settings_of

NEAR = 0.95
STRATEGIES = ["random_sample", "simulated_annealing", "genetic_algorithm", "greedy_ils", "mls", "pso",
              "bayes_opt"]


def cache_of(space, structure):
    """Kernel Tuner's cache file: milliseconds by setting, relative to an original of one."""
    names = [knob["name"] for knob in structure["knobs"]]
    values = {knob["name"]: knob["values"] for knob in structure["knobs"]}
    cache = {}
    for setting, speedup in zip(settings_of(values), structure["speedups"]):
        timed = dict(zip(names, setting))
        timed["time"] = 1 / speedup if speedup > 0 else "RuntimeFailedConfig"
        if speedup <= 0:
            timed["__error__"] = "RuntimeFailedConfig"
        for part in ("compile_time", "verification_time", "benchmark_time", "strategy_time", "framework_time"):
            timed[part] = 0
        timed["timestamp"] = "2026-01-01 00:00:00+00:00"
        cache[",".join(map(str, setting))] = timed
    return values, {"device_name": space["device"], "kernel_name": space["kernel"], "problem_size": [1, 1, 1],
                    "tune_params_keys": names, "tune_params": values, "objective": "time", "cache": cache}


def needed(strategy, seed, space, values, file, best):
    """Settings measured until one is near the best; None: none of them was."""
    import kernel_tuner
    random.seed(seed)
    numpy.random.seed(seed)
    size = len(json.loads(pathlib.Path(file).read_text())["cache"])
    with contextlib.redirect_stdout(io.StringIO()):
        results, _ = kernel_tuner.tune_kernel(
            space["kernel"], f"__global__ void {space['kernel']}() {{}}", (1, 1, 1), [], values, lang="CUDA",
            simulation_mode=True, cache=file, strategy=strategy, strategy_options={"max_fevals": size},
            restrictions=[], verbose=False, quiet=True)
    seen = set()
    for one in results:
        seen.add(tuple(one[name] for name in values))
        if isinstance(one["time"], float) and 1 / one["time"] >= NEAR * best:
            return len(seen)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("space", type=pathlib.Path)
    parser.add_argument("schedule")
    parser.add_argument("--seeds", type=int, default=25)
    parser.add_argument("--strategies", default=",".join(STRATEGIES))
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # of a kernel without blocks and arguments: nothing is launched
    space = json.loads(options.space.read_text())
    structure = next(one for one in space["structures"] if one["id"] == options.schedule)
    best, size = max(structure["speedups"]), len(structure["speedups"])
    values, cache = cache_of(space, structure)
    print(f"{space['kernel']}, {options.schedule}: {size} settings, "
          f"{sum(one >= NEAR * best for one in structure['speedups'])} within 5 % of the best")
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/cache.json"
        pathlib.Path(file).write_text(json.dumps(cache))
        for strategy in options.strategies.split(","):
            counts = [needed(strategy, seed, space, values, file, best) for seed in range(options.seeds)]
            reached = sum(one is not None for one in counts)
            median = statistics.median(size + 1 if one is None else one for one in counts)
            print(f"{strategy:22} {median:6.1f} ({reached} of {options.seeds})", flush=True)


if __name__ == "__main__":
    main()
