#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a build of whole libraries at once does not see: clang-tidy's findings, and sources or headers that only compile
because of what happened to be included before them.

  check_sources.py tidy  BUILD [--all | --since REVISION] [--jobs N]    clang-tidy 22 with the checks of .clang-tidy
  check_sources.py alone BUILD [--all | --since REVISION] [--jobs N]    every source and every header compiled by itself

BUILD is a configured folder; nothing needs to be built in it. Without --all it is what changed: since REVISION, else
since the branch left the main one, else in the last ten commits, and what is not committed. Where git knows no earlier
commit it is a part of the tree that the commit's name picks. What is checked is printed. Exit codes: 0 no finding,
1 findings, 2 bad usage or a missing program.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import tree  # noqa: E402

LAST_COMMITS = 10
PARTS = 16            # of the tree, where there is no history
MOST = {"tidy": 24, "alone": 60}  # compilations for a change, the newest first: a test must come to its end
# A header of dtl 1.20 that g++ takes is an error for Clang (Diff.hpp: a const function assigns).
NOT_FOR_CLANG = {"driver/cli/text/unified_diff.cpp", "driver/cli/text/unified_diff.h"}
CODE = re.compile(r"(?:annotate|evolution|driver|tests)/.*\.(?:cpp|h)$")


class Unit:
    """One compiler's command: a source, or the sources of a library that CMake put together."""

    def __init__(self, entry):
        self.file = pathlib.Path(entry["file"])
        self.folder = entry["directory"]
        self.command = shlex.split(entry["command"])
        self.joined = "/Unity/" in entry["file"]
        found = re.findall(r'^#include "(.*\.cpp)"', self.file.read_text(), re.M) if self.joined else [entry["file"]]
        self.sources = [os.path.relpath(source, tree.ROOT) for source in found]

    def compile(self, source):
        """The command that checks a source, or a header, with this unit's options."""
        words = [word for word in self.command if word != str(self.file)]
        words[words.index("-o"):words.index("-o") + 2] = []
        words.remove("-c")
        if "ccache" in words[0]:
            words.pop(0)
        whole = ["-include", source, "/dev/null"] if source.endswith(".h") else [source]
        return [*words, "-fsyntax-only", "-x", "c++", *whole]


def units_of(build):
    place = pathlib.Path(build) / "compile_commands.json"
    if not place.is_file():
        raise SystemExit(f"'{place}' is missing: configure a preset first")
    units = [Unit(entry) for entry in json.loads(place.read_text()) if entry["file"].endswith((".cpp", ".cxx"))]
    seen = set()
    return [unit for unit in units if not (unit.file in seen or seen.add(unit.file))]


def git(*words):
    done = subprocess.run(["git", "-C", str(tree.ROOT), *words], capture_output=True, text=True)
    return done.stdout.split("\n")[:-1] if done.returncode == 0 else None


def base_of(since):
    """(the revision that changes are counted from, how it is called), or (None, why there is none)."""
    if since:
        return since, since
    head = git("rev-parse", "HEAD")
    if not head:
        return None, "git knows no commit here"
    for main in ("origin/HEAD", "origin/main", "main"):
        base = git("merge-base", "HEAD", main)
        if base and base != head:
            return base[0], f"the branch left {main}"
    commits = git("rev-list", "--first-parent", f"--max-count={LAST_COMMITS + 1}", "HEAD")
    if len(commits) == 1:
        return None, "git knows one commit only"
    return commits[-1], f"{len(commits) - 1} commits ago"


def changed_files(base):
    """Paths, the newest change first."""
    now = (git("diff", "--name-only", "HEAD") or []) + (git("ls-files", "--others", "--exclude-standard") or [])
    since = git("log", "--first-parent", "-m", "--name-only", "--format=", f"{base}..HEAD")
    if since is None:
        raise SystemExit(f"git knows no revision '{base}'")
    return [path for path in dict.fromkeys(now + since) if (tree.ROOT / path).is_file()]


def picked(paths):
    """A part of the paths; another commit picks another one."""
    commit = (git("rev-parse", "HEAD") or [""])[0]
    number = lambda text: int(hashlib.sha256(text.encode()).hexdigest(), 16)
    return [path for path in paths if number(path) % PARTS == number(commit) % PARTS]


def chosen(options, everything):
    """The paths to check and a word on how they were chosen."""
    if options.all:
        return everything, "the whole tree"
    base, why = base_of(options.since)
    if base is None:
        return picked(everything), f"{why}: one part of {PARTS} of the tree"
    known = set(everything)
    paths = changed_files(base)
    return [path for path in paths if path in known], f"what changed since {why} ({len(paths)} files of any kind)"


def newest(options, found, how):
    most = len(found) if options.all else MOST[options.what]
    return found[:most], how if len(found) <= most else f"{how}; the newest {most} of {len(found)}"


def unit_for(path, units):
    """The unit of a source; of a header one with the same folder's options, or else of a source that includes it."""
    for unit in units:
        if path in unit.sources:
            return unit
    folder = os.path.dirname(path)
    while folder:
        for unit in units:
            if any(os.path.dirname(source) == folder for source in unit.sources):
                return unit
        folder = os.path.dirname(folder)
    return units[0]


def run(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return done.returncode, (done.stdout + (done.stderr if done.returncode else "")).strip()


def tidy_jobs(options, units):
    program = shutil.which("clang-tidy-22")
    if not program:
        raise SystemExit("clang-tidy-22 is missing: cmake/bootstrap.sh installs it (package clang-tidy-22)")
    known = sorted({source for unit in units for source in unit.sources})
    headers = [path for path in tree.files_of(".") if CODE.match(path) and path.endswith(".h")]
    paths, how = chosen(options, sorted({*known, *headers} - NOT_FOR_CLANG))
    wanted, how = newest(options, list(dict.fromkeys(unit_for(path, units) for path in paths)), how)
    config = lambda unit: "tests/.clang-tidy" if unit.sources[0].startswith("tests/") else ".clang-tidy"
    return how, [(", ".join(unit.sources), [program, "-p", options.build, "--quiet", f"--config-file={tree.ROOT}/{config(unit)}",
                                            str(unit.file)], str(tree.ROOT)) for unit in wanted]


def alone_jobs(options, units):
    known = sorted({source for unit in units for source in unit.sources})
    headers = [path for path in tree.files_of(".") if CODE.match(path) and path.endswith(".h")]
    paths, how = chosen(options, sorted([*known, *headers]))
    paths, how = newest(options, paths, how)
    jobs = []
    for path in paths:
        unit = unit_for(path, units)
        jobs.append((path, unit.compile(str(tree.ROOT / path)), unit.folder))
    return how, jobs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["tidy", "alone"])
    parser.add_argument("build")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--since", metavar="REVISION")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    how, jobs = {"tidy": tidy_jobs, "alone": alone_jobs}[options.what](options, units_of(options.build))
    print(f"{options.what}: {how}: {len(jobs)} compilations", flush=True)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (name, _, _), (code, text) in zip(jobs, pool.map(lambda job: run(*job[1:]), jobs)):
            print(("FAILED " if code else "ok ") + name, flush=True)
            if code:
                failed += 1
                print(text, flush=True)
    print(f"{options.what}: {failed} of {len(jobs)} have findings")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except SystemExit as error:
        if isinstance(error.code, str):
            print(error.code, file=sys.stderr)
            sys.exit(2)
        raise
