#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The state of the house in figures, for one or more revisions side by side.

  tests/house/table.py [REVISION]...      default: the working tree, which is also called `.`

How each row is counted is said beside its function below; every count reads the sources as text, so that the same
script counts old and new revisions alike.
"""
import collections
import re
import statistics
import sys

sys.dont_write_bytecode = True
import layering
import tree


class Revision:
    def __init__(self, name):
        self.name = name
        self.files = {path: tree.text_of(content) for path, content in tree.files_of(name).items()
                      if path.endswith(tree.SOURCES + (".md", ".sql"))}
        self.sources = {path: text for path, text in self.files.items()
                        if path.startswith(tree.PRODUCT) and path.endswith(tree.SOURCES)}

    def headers(self):
        return {path: text for path, text in self.sources.items() if path.endswith(tree.HEADERS)}


def folder_of(path):
    return path.rpartition("/")[0]


def function_lengths(revision):
    """Lines from the first of the signature to the closing brace; members count, lambdas belong to what is around."""
    return sorted(last - first + 1 for text in revision.sources.values() for first, last in tree.functions(text))


def share(lengths, part):
    return lengths[min(len(lengths) - 1, int(len(lengths) * part))] if lengths else 0


def users(revision):
    """{header: other files of the product that include it}; x.cpp is no other user of x.h."""
    found = collections.defaultdict(set)
    for path, text in revision.sources.items():
        for included in tree.includes(text):
            if included in revision.sources and included.rsplit(".", 1)[0] != path.rsplit(".", 1)[0]:
                found[included].add(path)
    return found


def single_user_headers(revision):
    found = users(revision)
    return [header for header in revision.headers() if len(found[header]) == 1]


def tokenizers(revision):
    """Files that find the ends of comments and of quoted text by hand: code, not comments, that holds the opener of
    a block comment and a quote as character literal."""
    comment = re.compile(r'''"/\*"|'/'.*?'\*'|'\*'.*?'/\'''', re.S)
    found = []
    for path, text in revision.sources.items():
        code = tree.blanked(text, keep_strings=True)
        if path.endswith(".cpp") and comment.search(code) and "'\"'" in code:
            found.append(path)
    return found


KINDS = "softmax|normalisation|scan|stencil|matmul|reduction|elementwise|attention|convolution|gather|sparse"
GIVEN = re.compile(rf'\breturn\s+[\w:"]*\b({KINDS})\b|\b\w+\([^;{{}}]*?[(,&]\s*[\w:"]*\b({KINDS})"?\s*\)\s*;')


def classifiers(revision):
    """Files that decide by themselves which kind a kernel is of: they return at least three of the kinds, or add them
    to what they return; lists of kinds and `case` labels do not count."""
    found = []
    for path, text in revision.sources.items():
        kinds = {first or second for first, second in GIVEN.findall(tree.blanked(text, keep_strings=True))}
        if len(kinds) >= 3:
            found.append(path)
    return found


MAPPING = re.compile(r'\b(?:nlohmann|[Jj]son)\b|"\s*(?:SELECT|INSERT|UPDATE|DELETE)\b')
DESCRIBED = re.compile(r'"[^"\n]*"\s*,\s*&\s*\w+(?:::\w+)+')


def mapping_lines(revision):
    """Lines of functions that handle a JSON value or a statement of SQL, of field tables (a quoted name beside a
    pointer to member), and of schemas. The parser of JSON itself is included where it is ours."""
    total = 0
    for path, text in revision.files.items():
        if not path.startswith(tree.PRODUCT):
            continue
        if path.endswith(".sql"):
            total += sum(1 for line in text.split("\n") if line.strip() and not line.strip().startswith("--"))
        if path not in revision.sources:
            continue
        lines = tree.blanked(text, keep_strings=True).split("\n")
        counted = set()
        for first, last in tree.functions(text):
            body = range(first - 1, last)
            if MAPPING.search("\n".join(lines[index] for index in body)):
                counted.update(index for index in body if lines[index].strip())
        counted.update(index for index, line in enumerate(lines) if DESCRIBED.search(line))
        total += len(counted)
    return total


def comment_share(revision):
    """Of the headers' lines that are not empty, those that hold nothing but a comment, in per cent."""
    comments = code = 0
    for text in revision.headers().values():
        for line, bare in zip(text.split("\n"), tree.blanked(text).split("\n")):
            if bare.strip():
                code += 1
            elif line.strip():
                comments += 1
    return 100 * comments / max(1, comments + code)


def circles(revision):
    return [sorted(circle) for circle in layering.circles(layering.folder_graph(revision.sources))]


def longest(lines):
    return max(((len(line), place) for place, line in lines), default=(0, ""))


def longest_source_line(revision):
    return longest((f"{path}:{number}", line) for path, text in revision.sources.items()
                   for number, line in enumerate(text.split("\n"), 1))


def longest_readme_line(revision):
    return longest((f"README.md:{number}", line)
                   for number, line in enumerate(revision.files.get("README.md", "").split("\n"), 1))


def rooms(revision):
    """{folder: [files, lines]}; of tests one row for each folder below tests/."""
    found = collections.defaultdict(lambda: [0, 0])
    for path, text in revision.files.items():
        if not path.endswith(tree.SOURCES) or not path.startswith(tree.PRODUCT + ("tests/",)):
            continue
        folder = "/".join(path.split("/")[:2]) if path.startswith("tests/") else folder_of(path)
        found[folder][0] += 1
        found[folder][1] += text.count("\n")
    return found


def figures(revision):
    """[(row, value, the list behind it)]"""
    lengths = function_lengths(revision)
    files = len(revision.sources)
    lines = sum(text.count("\n") for text in revision.sources.values())
    alone, words, kinds, rings = (single_user_headers(revision), tokenizers(revision), classifiers(revision),
                                  circles(revision))
    largest = max(rooms(revision).items(), key=lambda room: room[1][0] * (not room[0].startswith("tests/")))
    source, readme = longest_source_line(revision), longest_readme_line(revision)
    return [
        ("files of the product", files, []),
        ("lines of the product", lines, []),
        ("lines a file, mean", round(lines / max(1, files)), []),
        ("files in the largest folder", largest[1][0], [largest[0]]),
        ("functions of the product", len(lengths), []),
        ("lines a function, median", statistics.median(lengths) if lengths else 0, []),
        ("lines a function, p99", share(lengths, 0.99), []),
        ("lines of the longest function", lengths[-1] if lengths else 0, []),
        ("headers", len(revision.headers()), []),
        ("headers with exactly one other user", len(alone), []),
        ("home-made tokenizers, files", len(words), words),
        ("classifiers of kernels, files", len(kinds), kinds),
        ("mapping lines (struct to JSON or SQL)", mapping_lines(revision), []),
        ("comment lines of headers, %", f"{comment_share(revision):.1f}", []),
        ("circles of folders", len(rings), [" <-> ".join(ring) for ring in rings]),
        ("longest line of README.md", readme[0], [readme[1]]),
        ("longest line of a source", source[0], [source[1]]),
        ("lines of README.md", revision.files.get("README.md", "").count("\n"), []),
    ]


def print_rows(head, rows):
    widths = [max(len(str(row[column])) for row in [head, *rows]) for column in range(len(head))]
    for row in [head, *rows]:
        print("  ".join(str(cell).ljust(width) if column == 0 else str(cell).rjust(width)
                        for column, (cell, width) in enumerate(zip(row, widths))).rstrip())
    print()


def main():
    if any(word.startswith("-") for word in sys.argv[1:]):
        print(__doc__, file=sys.stderr)
        return 2
    revisions = [Revision(name) for name in sys.argv[1:] or ["."]]
    names = [revision.name for revision in revisions]
    each = [figures(revision) for revision in revisions]
    print_rows(["", *names], [[row[0][0], *(one[1] for one in row)] for row in zip(*each)])
    for name, rows in zip(names, each):
        for row, _, listed in rows:
            if listed:
                print(f"{name}: {row}: {', '.join(listed)}")
    print()
    folders = [rooms(revision) for revision in revisions]
    print_rows(["folder (files, lines)", *names],
               [[folder, *("{:3} {:6}".format(*room[folder]) if folder in room else "-" for room in folders)]
                for folder in sorted(set().union(*folders))])
    return 0


if __name__ == "__main__":
    sys.exit(main())
