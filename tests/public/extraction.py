#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many kernels of programs that nobody here wrote can be taken out of their sources, none of them annotated: a folder
of programs, each with a Makefile that calls nvcc (HeCBench's form).

  extraction.py FOLDER --annotate P                  specs, and why there are none
  extraction.py FOLDER --annotate P --ptx [--some N] also: nvcc makes the same code of a slice as of its source

--some N: the code of every Nth kernel; of a template, of one instantiation. Prints the counts and the causes; what each kernel gave is in --out.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import sys
import tempfile

import programs


def entries_of(folder):
    """What make would compile, as far as it is CUDA."""
    return [entry for entry in programs.compile_commands(folder)
            if entry["file"].endswith(".cu") or " -x cu " in entry["command"]]


def examined(folder, entry, annotate):
    """One source: its definitions, its specs, and what went wrong."""
    words = [word for word in shlex.split(entry["command"]) if word not in ("-c", "-o", "unused.o")]
    words = [word for word in words if os.path.join(folder, word) != entry["file"]]
    text, error, code = programs.told([annotate, "scan", "--root", folder, "--every-kernel", "--no-analysis", entry["file"], "--",
                                       *words], cwd=entry["directory"], timeout=300)
    found = {"file": entry["file"], "code": code, "error": error.strip()[-300:], "definitions": [], "specs": [], "errors": []}
    for line in text.splitlines():
        line = json.loads(line)
        if "definition" in line:
            found["definitions"].append(line["definition"])
        elif "spec" in line:
            found["specs"].append(line["spec"])
        elif "diagnostic" in line:
            found["errors"].append(line["diagnostic"]["message"])
    return found


def code_of(ptx, symbol):
    """The body of a kernel, without what the compiler numbers through a file; None: it is not there."""
    start = re.search(r"^\.(?:visible |weak )?\.?entry " + re.escape(symbol) + r"\(", ptx, flags=re.M)
    if not start:
        return None
    end = ptx.find("\n}", start.start())
    body = re.sub(r"_INTERNAL_[0-9a-f]{8}_\d+_\w+?_cu_[0-9a-f]{8}(?:_\d+)?", "_INTERNAL", ptx[start.start():end])
    body = re.sub(r"_Z(Z?)N\d+_INTERNAL", r"_Z\1N_INTERNAL", body)
    # Shared memory of a function that only one kernel calls stands in that kernel.
    body = re.sub(r"\n\s*(?:// demoted variable|\.shared [^\n]*|(?=\n))", "", body)
    for prefix in (r"\$L_\w+", r"\$str\w*", r"__unnamed_\d+", r"\$L__BB\d+", r"__local_depot\d+", r"callseq \d+"):
        names = {}
        body = re.sub(prefix + r"\b", lambda one: names.setdefault(one[0], f"{prefix[:4]}{len(names)}"), body)
    return body


def ptx_of(source, flags, folder, out):
    _, error, code = programs.told(["nvcc", *flags, "-ptx", source, "-o", out], cwd=folder, timeout=300)
    return pathlib.Path(out).read_text(errors="replace") if code == 0 else error


def compared(one, some, count):
    """{kernel: "same" | "other" | why not}"""
    with tempfile.TemporaryDirectory(prefix="cupilot-extraction.") as top:
        first = {(spec["place"]["file"], spec["place"]["line"]): spec for spec in reversed(one["specs"])}
        chosen = [spec for i, spec in enumerate(first.values()) if (count + i) % some == 0]
        if not chosen:
            return {}
        command = chosen[0]["command"]
        flags = [*command["flags"], "-arch=sm_90"]
        whole = ptx_of(one["file"], flags, command["folder"], f"{top}/whole.ptx")
        answers = {}
        for i, spec in enumerate(chosen):
            slice_file = pathlib.Path(top, f"slice{i}.cu")
            slice_file.write_text(spec["slice"])
            alone = ptx_of(str(slice_file), [f"-I{os.path.dirname(one['file'])}", *flags], command["folder"], f"{top}/{i}.ptx")
            # the symbols that nvcc makes of kernels without linkage differ from Clang's
            symbol = lambda text: next((found for found in re.findall(r"\.entry (\w+)\(", text)
                                        if re.sub(r"\d+_INTERNAL_\w+?_cu_[0-9a-f]{8}(_\d+)?", "12_GLOBAL__N_1", found) ==
                                        re.sub(r"^_ZL", "_Z", spec["symbol"]) or found == spec["symbol"]), spec["symbol"])
            a, b = code_of(whole, symbol(whole)), code_of(alone, symbol(alone))
            answers[spec["name"]] = ("its source does not compile" if ".version" not in whole else
                                     "its slice does not compile: " + alone.strip()[-300:] if ".version" not in alone else
                                     "not in the code" if a is None or b is None else "same" if a == b else "other")
        return answers


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--annotate", required=True, metavar="P", help="cupilot-annotate")
    parser.add_argument("--ptx", action="store_true")
    parser.add_argument("--some", type=int, default=1, metavar="N")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    options.annotate = os.path.abspath(options.annotate)
    folders = sorted(path.resolve() for path in options.folder.iterdir() if (path / "Makefile").exists())
    files = [(folder, entry) for folder in folders for entry in entries_of(folder)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda one: examined(*one, options.annotate), files))
        counts = [sum(len(one["specs"]) for one in results[:i]) for i in range(len(results))]
        if options.ptx:
            for one, answers in zip(results, pool.map(lambda i: compared(results[i], options.some, counts[i]),
                                                      range(len(results)))):
                one["ptx"] = answers
    causes, broken, same = collections.Counter(), collections.Counter(), collections.Counter()
    definitions = {}  # of one in a header there is one for each source
    for one in results:
        # Something was wrong with the source itself, not with a kernel.
        if one["code"] not in (0, 1) or not one["definitions"] and one["error"]:
            broken[programs.cause_of(one["error"] or f"exit code {one['code']}")] += 1
        with_spec = {(spec["place"]["file"], spec["place"]["line"]) for spec in one["specs"]}
        for each in one["definitions"]:
            beginning = (each["beginning"]["file"], each["beginning"]["line"], each["beginning"].get("column"))
            got = (each["place"]["file"], each["place"]["line"]) in with_spec
            problem = "" if got and not each.get("problem") else each.get("problem", "no spec, and no reason")
            if definitions.get(beginning, "unseen") != "":
                definitions[beginning] = problem
        same.update("same" if answer == "same" else answer.split(":")[0] for answer in one.get("ptx", {}).values())
    causes.update(programs.cause_of(problem) for problem in definitions.values() if problem)
    good = sum(not problem for problem in definitions.values())
    print(f"{len(folders)} programs, {len(results)} sources, {len(definitions)} kernels, {good} with a spec "
          f"({100 * good / max(len(definitions), 1):.1f} %), {sum(len(one['specs']) for one in results)} specs")
    for title, counter in (("without a spec", causes), ("sources that could not be read", broken), ("code", same)):
        if counter:
            print(f"{title}:")
        for cause, count in counter.most_common():
            print(f"  {count:4}  {cause}")
    if options.out:
        for one in results:
            one["specs"] = [spec["name"] for spec in one["specs"]]
        options.out.write_text(json.dumps(results, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
