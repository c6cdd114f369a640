# SPDX-License-Identifier: Apache-2.0
"""Programs of this folder and what their heads promise.

A cheat's head, after the licence line:
    // A4: what it does and why a naive harness is fooled.
    // seeds: 49                                     of a published kernel with this idea
    // on: gpu                                       only where there is a GPU (or: cpu)
    // caught: correct wrong "output 'm'"            stage, verdict, a word of the reason; several lines: any of them
    // open: why                                     a known gap: told as such in the table, and no failure
In a folder of one's own (run.py --programs) a cheat may have no head, or none of these lines: without `caught` lines
every verdict that does not accept it is good.
An honest variant's head is one sentence; it may have `// on:` too, and `// declines` when it is made for
other shapes than the workload's.
"""
import dataclasses
import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parent
CAUGHT = re.compile(r'caught:\s+(\w+)\s+(\w+)\s+"(.*)"$')
LINE = re.compile(r'([A-E]\d+):\s+(.*)')


class BadProgram(Exception):
    pass


@dataclasses.dataclass
class Expectation:
    stage: str
    kind: str
    word: str

    def met_by(self, verdict):
        return (verdict.get("stage"), verdict.get("verdict")) == (self.stage, self.kind) and \
            self.word.lower() in verdict.get("reason", "").lower()


@dataclasses.dataclass
class Program:
    kernel: str
    name: str
    text: str
    line: str = ""       # of the catalogue
    idea: str = ""
    seeds: str = ""      # the published kernel's number
    on: str = "both"
    large: bool = False  # the CPU gets the workload `large`, too
    declines: bool = False
    open: str = ""       # why the judge does not catch it so far
    expected: list = dataclasses.field(default_factory=list)

    def runs_on(self, executor):
        return self.on == "both" or self.on == ("cpu" if executor == "cpu" else "gpu")


def head_of(text):
    lines = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        lines.append(line[2:].strip())
    return [line for line in lines if not line.startswith("SPDX-License-Identifier:")]


def read_program(path, cheat, heads_needed=True):
    program = Program(path.parent.name, path.stem, path.read_bytes().decode())  # line ends as they are
    idea = []
    for line in head_of(program.text):
        if caught := CAUGHT.match(line):
            program.expected.append(Expectation(*caught.groups()))
        elif line.startswith("caught:"):
            raise BadProgram(f'{path}: write `// caught: stage verdict "word"`')
        elif line.startswith("seeds:"):
            program.seeds = line.split(":", 1)[1].strip()
        elif line.startswith("on:"):
            program.on = line.split(":", 1)[1].strip()
        elif line == "with: large":
            program.large = True
        elif line.startswith("open:"):
            program.open = line.split(":", 1)[1].strip()
        elif line.startswith("declines"):
            program.declines = True
        else:
            idea.append(line)
    program.idea = " ".join(idea)
    if cheat:
        named = LINE.match(program.idea)
        if heads_needed and (not named or not program.expected):
            raise BadProgram(f"{path}: its head names no catalogue line or not how it is caught")
        if named:
            program.line, program.idea = named.groups()
    return program


def read_programs(folder, cheat, heads_needed=True):
    """Those of a folder of this one, or of any other folder when its path is absolute."""
    return [read_program(path, cheat, heads_needed) for path in sorted((FOLDER / folder).glob("*/*.cuh"))]
