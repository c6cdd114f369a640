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


def in_turn(groups, part):
    """All variants of all groups; with a part (I, N) one of every N-th group from the I-th: which one turns with the
    group and with I."""
    for number, group in enumerate(groups):
        choices = list(group)
        if not part:
            yield from choices
        elif choices:
            yield choices[(part[0] // part[1] + number) % len(choices)]


def of_part(groups, part):
    return groups[part[0] % part[1]::part[1]] if part else groups


def by_rules(annotate, specs, part):
    rules = json.loads(subprocess.run([annotate, "rules"], stdout=subprocess.PIPE, text=True, check=True).stdout)
    chains = [[rule] for rule in rules["rules"]] + PAIRS
    wanted = of_part([(kernel, chain) for kernel in sorted(specs) for chain in chains], part)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        variants = pool.map(lambda one: rewritten(annotate, specs[one[0]], one[1]), wanted)
        groups = ([Program(kernel, ".".join(chain) + knobs, text) for knobs, text in with_knobs(variant)]
                  for (kernel, chain), variant in zip(wanted, variants) if variant)
        yield from in_turn(groups, part)


def by_hand(part):
    groups = ([dataclasses.replace(program, name=program.name + knobs, text=text)
               for knobs, text in with_knobs(program.text)]
              for program in of_part(list(read_programs("honest", cheat=False)), part))
    yield from in_turn(groups, part)


def variants(annotate, specs, words, part):
    """`words` as --only says them, `part` as --part: what they do not mean is not rewritten, which takes its time."""
    def meant(kernel):
        return not words or any("/" not in word or kernel.endswith(word.split("/")[0]) for word in words)
    meant_specs = {kernel: spec for kernel, spec in specs.items() if meant(kernel)}
    return list(by_hand(part)) + list(by_rules(annotate, meant_specs, part))
