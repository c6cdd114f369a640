# SPDX-License-Identifier: Apache-2.0
"""Honest variants: every rule of cupilot-annotate on every kernel, at every value of every knob, and hand-written
ones of honest/."""
import concurrent.futures
import dataclasses
import json
import os
import re
import subprocess

from programs import Program, read_programs

KNOB = re.compile(r"^(constexpr \w+ (\w+) = )(-?\d+)(;\s*// knob: )([-\d ]+)$", re.MULTILINE)
PAIRS = [["wide-access", "block-size"], ["grid-stride", "block-size"], ["warp-per-row", "block-size"]]


def rewritten(annotate, spec, rules):
    request = json.dumps({"cupilot_rewrite": 1, "spec": spec, "rules": rules})
    done = subprocess.run([annotate, "rewrite"], input=request, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout).get("variant")


def with_knobs(variant):
    """The variant as it is, and with one knob at each of its other values."""
    yield "", variant
    for knob in KNOB.finditer(variant):
        for value in knob[5].split():
            if value != knob[3]:
                yield f"-{knob[2]}{value}", variant[:knob.start(3)] + value + variant[knob.end(3):]


def by_rules(annotate, specs):
    rules = json.loads(subprocess.run([annotate, "rules"], stdout=subprocess.PIPE, text=True, check=True).stdout)
    chains = [[rule] for rule in rules["rules"]] + PAIRS
    wanted = [(kernel, chain) for kernel in sorted(specs) for chain in chains]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        variants = pool.map(lambda one: rewritten(annotate, specs[one[0]], one[1]), wanted)
        for (kernel, chain), variant in zip(wanted, variants):
            if not variant:
                continue
            for knobs, text in with_knobs(variant):
                yield Program(kernel, "+".join(chain).replace("+", ".") + knobs, text)


def by_hand():
    for program in read_programs("honest", cheat=False):
        for knobs, text in with_knobs(program.text):
            yield dataclasses.replace(program, name=program.name + knobs, text=text)


def variants(annotate, specs, words):
    """`words` as --only says them; a kernel none of them can mean is not rewritten, which takes its time."""
    def meant(kernel):
        return not words or any("/" not in word or kernel.endswith(word.split("/")[0]) for word in words)
    return list(by_hand()) + list(by_rules(annotate, {kernel: spec for kernel, spec in specs.items() if meant(kernel)}))
