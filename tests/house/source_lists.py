#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lists of sources in our CMakeLists.txt stand one source a line, sorted, those of other folders last.

  tests/house/source_lists.py [--write]     names the lists that do not; --write sets them
"""
import re
import sys

sys.dont_write_bytecode = True
import tree  # noqa: E402

CALL = re.compile(r"^([ \t]*)(cupilot_library|cupilot_test|add_executable|add_library|set)\(([^()#]*)\)", re.M)
SOURCE = re.compile(r'"?(?:\$\{\w+\}/)?[\w./-]+\.(?:cpp|cu)"?')
KEYWORDS = {"SOURCES", "LINKS", "PRIVATE_LINKS", "LABEL"}


def set_call(match):
    indent, command, body = match.groups()
    words = re.findall(r'"[^"]*"|\S+', body)
    places = [number for number, word in enumerate(words) if SOURCE.fullmatch(word)]
    if len(places) < 2 or places != list(range(places[0], places[-1] + 1)):
        return match[0]
    before, after = words[:places[0]], words[places[-1] + 1:]
    sources = sorted(words[places[0]:places[-1] + 1], key=lambda word: (word.startswith('"'), word))
    lines_of_sources = [line.strip() for line in body.split("\n") if SOURCE.search(line)]
    if [line.strip(")") for line in lines_of_sources] == sources:
        return match[0]
    lines, deeper = [], "  "
    for word in before + [None] + after:
        if word is None:
            lines += [f"{deeper}{source}" for source in sources]
        elif word in KEYWORDS:
            lines.append(f"  {word}")
            deeper = "    " if word == "SOURCES" else deeper
        elif not lines:
            lines.append(f"{command}({word}")
        elif lines[-1].strip() in sources:
            lines.append(f"  {word}")
        else:
            lines[-1] += f" {word}"
    return "\n".join(indent + line for line in lines) + ")"


def main():
    if sys.argv[1:] not in ([], ["--write"]):
        print(__doc__, file=sys.stderr)
        return 2
    wrong = 0
    for path, content in tree.files_of(".").items():
        if not path.endswith("CMakeLists.txt"):
            continue
        text = tree.text_of(content)
        as_it_should_be = CALL.sub(set_call, text)
        if text != as_it_should_be:
            wrong += 1
            print(f"{path}: a list of sources is not one a line and sorted")
            if sys.argv[1:]:
                (tree.ROOT / path).write_text(as_it_should_be)
    return 1 if wrong and not sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
