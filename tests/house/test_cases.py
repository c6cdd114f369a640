#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No test case gets lost: the test cases of one revision that another one lacks.

  tests/house/test_cases.py OLD NEW       revisions; `.` is the working tree
  tests/house/test_cases.py REVISION      the list itself

Counted are the tests of GoogleTest and their instances, the names of CTest, the benchmarks, the tests of Python, the
runs and the expected faults of the corpus, and every file below tests/ that is no program text: cases, cheats,
recordings, old databases. A case that was renamed, split or moved into another one stands in renamed.txt, which says
how it is written. Exit codes: 0 nothing is lost, 1 something is, 2 bad usage.
"""
import collections
import fnmatch
import pathlib
import re
import sys

sys.dont_write_bytecode = True
import tree

PATTERNS = [  # (kind, files, pattern); what the pattern's groups say, joined by dots, is the name
    ("gtest", r"\.(cpp|cu)$", r"^[ \t]*(?:TEST|TEST_F|TEST_P|TYPED_TEST)\(\s*(\w+)\s*,\s*(\w+)\s*\)"),
    ("gtest-instance", r"\.(cpp|cu)$", r"\bINSTANTIATE_(?:TYPED_)?TEST_SUITE_P\(\s*(\w*)\s*,\s*(\w+)"),
    ("benchmark", r"\.(cpp|cu)$", r"^[ \t]*BENCHMARK\(\s*(\w+)\s*\)"),
    ("ctest", r"CMakeLists\.txt$", r"\badd_test\(\s*NAME\s+\"?([^\s\"()]+)"),
    ("ctest", r"CMakeLists\.txt$", r"\bcupilot_\w*test\(\s*([\w$\{}/.-]+)"),
    ("python", r"\.py$", r"^[ \t]*def (test_\w+)\("),
    ("corpus-run", r"tests/emulate/corpus/.*\.cu$", r"^// run: (.*?)\s*$"),
    ("corpus-fault", r"tests/emulate/corpus/.*\.cu$", r"// expect: (\S+)"),
]
PROGRAM_TEXT = re.compile(r"\.(cpp|h|py|cmake|sh)$|CMakeLists\.txt$")


def cases_of(revision):
    """Counter of "kind name"; a name that stands twice counts twice."""
    found = collections.Counter()
    for path, content in tree.files_of(revision).items():
        if not path.startswith("tests/") or path.startswith("tests/house/"):
            continue
        if not PROGRAM_TEXT.search(path):
            found[f"file {path.removeprefix('tests/')}"] += 1
        for kind, files, pattern in PATTERNS:
            if re.search(files, path):
                for match in re.finditer(pattern, tree.text_of(content), re.M):
                    found[f"{kind} {'.'.join(match.groups())}"] += 1
    return found


def renames():
    """[(old, [new])] of renamed.txt."""
    listed = []
    for number, line in enumerate((pathlib.Path(__file__).parent / "renamed.txt").read_text().split("\n"), 1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        old, arrow, new = line.partition(" -> ")
        if not arrow or not new.strip():
            raise SystemExit(f"renamed.txt:{number}: expected 'OLD -> NEW', not '{line}'")
        listed.append((old.strip(), [one.strip() for one in new.split(", ")]))
    return listed


def renamed(case, listed):
    """The names a case may have now, by the first line that fits; `*` stands for the same text on both sides."""
    for old, new in listed:
        if fnmatch.fnmatchcase(case, old):
            head, star, tail = old.partition("*")
            kept = case[len(head):len(case) - len(tail)] if star else ""
            return [one.replace("*", kept) for one in new]
    return []


def lost_cases(old, new, listed):
    """What `old` has and `new` has not: [(case, what it should be called now)]."""
    lost = []
    for case, count in sorted((old - new).items()):
        now = renamed(case, listed)
        missing = [one for one in now if new[one] == 0]
        if not now or missing:
            lost.extend([(case, missing)] * count)
    return lost


def main():
    words = sys.argv[1:]
    if len(words) not in (1, 2) or any(word.startswith("-") for word in words):
        print(__doc__, file=sys.stderr)
        return 2
    old = cases_of(words[0])
    if len(words) == 1:
        print("\n".join(sorted(old.elements())))
        return 0
    new = cases_of(words[1])
    lost = lost_cases(old, new, renames())
    for case, missing in lost:
        print(f"lost: {case}" + (f" (renamed.txt says it is now {', '.join(missing)}, which is not there)" if missing else ""))
    print(f"{words[0]}: {sum(old.values())} test cases; {words[1]}: {sum(new.values())}; lost: {len(lost)}; "
          f"new: {sum((new - old).values())}")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
