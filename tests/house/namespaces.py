#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A folder is a namespace: what a file of the product opens has to follow from where the file is.

  tests/house/namespaces.py     prints every file that opens another one; exit code 1 if there are any

`annotate/support` is `cupilot` itself; `annotate/spec` is `cupilot::spec`, `evolution/judge/time` is
`cupilot::judge::time`, `driver/cli/run` is `cupilot::cli::run`. An inner namespace may follow (`cupilot::log`). A block
that only declares classes of another folder may stand before the file's own. The linker would say nothing of two types of
one name with different members; two folders cannot have one this way.
"""
import re
import sys

sys.dont_write_bytecode = True
import tree  # noqa: E402

OPENING = re.compile(r"^namespace (cupilot[\w:]*) \{\n((?:(?:class|struct|enum class) \w+;\n)+\}  // namespace)?", re.M)
# Folders whose files are one namespace with the folder above them: the families of one registry.
SHARED = ("evolution/emulate/lanes", "evolution/emulate/runtime/api")
# What users' own sources include.
PUBLIC = "driver/launcher/include"


def namespace_of(folder):
    for shared in SHARED:
        if folder.startswith(shared):
            folder = shared.removesuffix("/api")
    if folder == "annotate/support":
        return "cupilot"
    top, *rest = folder.split("/")
    if top == "driver" and rest[0] not in ("cli", "launcher", "watcher"):
        rest = [top, *rest]
    return "::".join(["cupilot", *(rest or [top])])


def main():
    files = {name: tree.text_of(content) for name, content in tree.files_of(".").items()
             if name.startswith(tree.PRODUCT) and name.endswith(tree.SOURCES) and not name.startswith(PUBLIC)}
    wrong = read = 0
    for name, text in files.items():
        space = namespace_of(name.rpartition("/")[0])
        for opened, foreign in OPENING.findall(text):
            read += 1
            if not foreign and opened != space and not opened.startswith(space + "::"):
                wrong += 1
                print(f"{name}: opens {opened}, its folder is {space}")
    print(f"{len(files)} files, {read} namespaces, {wrong} complaints")
    return 1 if wrong or read < 500 else 0


if __name__ == "__main__":
    sys.exit(main())
