#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which folder may include which: a complete list, and the includes as they are.

  tests/house/layering.py [--write]     checks; --write prints the lines as they would have to be

layering.txt in tests/, and a layering.txt in any folder of the tree for the folders below it, hold a line
`FOLDER: FOLDER... OWNER...` for each folder with sources; an indented line goes on with the one before. An include that its line does not allow is an error, and so
is a folder without a line, a word of a line that no include needs, and a circle of folders. OWNER stands for a third
party's headers (THIRD_PARTY); the headers of C++ and of the system are free. Exit codes: 0 all is as it says, 1 not.
"""
import collections
import pathlib
import re
import sys
import textwrap

sys.dont_write_bytecode = True
import tree  # noqa: E402

THIRD_PARTY = {
    "clang": r"(?:clang|llvm)/",
    "cli11": r"CLI/",
    "cuda": r"cuda(?:_\w+)?\.h$",
    "cupti": r"(?:cupti|(?:cupti|nvperf)_\w+)\.h$",
    "curl": r"curl/",
    "dtl": r"dtl[./]",
    "fmt": r"fmt/",
    "lz4": r"lz4\.h$",
    "nlohmann": r"nlohmann/",
    "seccomp": r"seccomp\.h$",
    "sqlite": r"sqlite3\.h$",
    "zstd": r"zstd\.h$",
}
SYSTEM = re.compile(r"[a-z_]+$|(?:arpa|linux|net|netinet|sys)/\w+\.h$|(?:cxxabi|dirent|dlfcn|elf|fcntl|immintrin|link|"
                    r"poll|pwd|sched|signal|spawn|stdio|ucontext|unistd)\.h$")


def target_of(path, included, sources):
    """The folder or owner that an include leads to; "" for what is free, None for what is unknown."""
    folder = path.rpartition("/")[0]
    if included.startswith(tree.PRODUCT):
        to = included.rpartition("/")[0]
        return "" if to == folder else to
    if "/" not in included and any(f"{folder}/{included}{suffix}" in sources for suffix in ("", ".in")):
        return ""
    for owner, pattern in THIRD_PARTY.items():
        if re.match(pattern, included):
            return owner
    return "" if SYSTEM.match(included) else None


def used_by(sources):
    """{folder: {folder or owner: "file includes header"}} and the complaints about headers that nobody knows."""
    graph, complaints = collections.defaultdict(dict), []
    for path, text in sources.items():
        if not path.endswith(tree.SOURCES):
            continue
        uses = graph[path.rpartition("/")[0]]
        for included in tree.includes(text):
            to = target_of(path, included, sources)
            if to is None:
                complaints.append(f"{path} includes {included}: neither the system's nor a third party's of layering.py")
            elif to:
                uses.setdefault(to, f"{path} includes {included}")
    return graph, complaints


def folder_graph(sources):
    return {folder: {to for to in uses if "/" in to or to in ("annotate", "evolution", "driver")}
            for folder, uses in used_by(sources)[0].items()}


def reachable(graph, folder):
    seen, todo = set(), [folder]
    while todo:
        for to in graph.get(todo.pop(), ()):
            if to not in seen:
                seen.add(to)
                todo.append(to)
    return seen


def circles(graph):
    """Sets of folders that reach one another."""
    reach = {folder: reachable(graph, folder) for folder in graph}
    found = {frozenset(other for other in reach[folder] if folder in reach.get(other, ()))
             for folder in reach if folder in reach[folder]}
    return [set(one) for one in sorted(found, key=sorted)]


def read_table(text, name, base=""):
    """({folder: {folder or owner}}, complaints). Names in a folder's own table may leave the folder's path out, and a
    third party may stand there by the header, `<lz4.h>`, with the system's headers beside it."""
    def full(word):
        if not base or word in THIRD_PARTY or word.startswith(tree.PRODUCT):
            return word
        owners = [owner for owner, pattern in THIRD_PARTY.items() if re.match("<" + pattern.replace("$", ">"), word)]
        return owners[0] if owners else f"{base}/{word}"

    table, complaints = {}, []
    for line in re.sub(r"\n[ \t]+(?=\S)", " ", re.sub(r"[ \t]*#.*", "", text)).split("\n"):
        folder, colon, allowed = line.strip().partition(":")
        if not folder:
            continue
        if not colon or " " in folder:
            complaints.append(f"{name}: expected 'FOLDER: FOLDER... OWNER...', not '{line}'")
        elif full(folder) in table:
            complaints.append(f"{name}: {folder} has a line already")
        else:
            table[full(folder)] = {full(word) for word in allowed.split() if not SYSTEM.match(word.strip("<>")) or "<" not in word}
    return table, complaints


def complaints_about(sources, table):
    graph, complaints = used_by(sources)
    for folder in sorted(graph.keys() | table.keys()):
        uses = graph.get(folder, {})
        if folder not in graph:
            complaints.append(f"{folder} has a line in the table and no sources")
        elif folder not in table:
            complaints.append(f"{folder} has no line in the table; as it is: {folder}: {' '.join(sorted(uses))}")
        else:
            complaints += [f"{uses[to]}: {folder} may not include {to}" for to in sorted(uses.keys() - table[folder])]
            complaints += [f"{folder} may include {to}, but no file there does: remove it from the table"
                           for to in sorted(table[folder] - uses.keys())]
    complaints += [f"a circle of folders: {' '.join(sorted(circle))}" for circle in circles(folder_graph(sources))]
    return complaints


def main():
    sources = {path: tree.text_of(content) for path, content in tree.files_of(".").items()
               if path.startswith(tree.PRODUCT) and path.endswith(tree.SOURCES + (".in",))}
    if sys.argv[1:] == ["--write"]:
        for folder, uses in sorted(used_by(sources)[0].items()):
            words = " ".join(sorted(uses, key=lambda to: ("/" not in to, to)))
            print(textwrap.fill(f"{folder}: {words}", 110, subsequent_indent="  ", break_on_hyphens=False).rstrip())
        return 0
    if sys.argv[1:]:
        print(__doc__, file=sys.stderr)
        return 2
    table, complaints = {}, []
    tables = [tree.ROOT / "tests/layering.txt",
              *(place for top in tree.PRODUCT for place in sorted((tree.ROOT / top).rglob("layering.txt")))]
    for place in tables:
        base = place.parent.relative_to(tree.ROOT).as_posix()
        lines, wrong = read_table(place.read_text(), place.relative_to(tree.ROOT), "" if base == "tests" else base)
        complaints += wrong + [f"{folder} has a line in two tables" for folder in sorted(lines.keys() & table.keys())]
        table |= lines
    complaints += complaints_about(sources, table)
    for complaint in complaints:
        print(complaint)
    print(f"{len(sources)} files in {len(table)} folders, {len(complaints)} complaints")
    return 1 if complaints or len(sources) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
