#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `cupilot capture` finds in programs that nobody here wrote: a folder of programs, each with a Makefile that calls
nvcc and has a target `run` (HeCBench's form), of which every kernel is annotated by this script.

  programs.py prepare FOLDER OUT --cupilot P   annotates copies of the programs; writes what the watcher needs
  programs.py run OUT --watcher LIBRARY        builds and runs them, watched, several at a time; needs no cupilot
  programs.py conclude OUT --cupilot P         workloads from what was seen; prints the table of kernels, by cause

LIBRARY is libcupilot-watcher.so on a machine with a GPU, libcupilot-cudart.so on one without. The three may be done on
different machines; OUT goes from one to the other. A program is ended after --seconds; what was seen until then counts.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys

SOURCES = (".cu", ".cuh", ".h", ".hpp", ".cpp", ".inc")


def without_comments(text):
    """The same length; comments and what strings hold are blank."""
    return re.sub(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', lambda found: re.sub(r"[^\n]", " ", found[0]), text,
                  flags=re.S)


def annotated(text):
    """A pragma before each definition of a kernel; and how many there are."""
    plain, places = without_comments(text), []
    for found in re.finditer(r"\b__global__\b", plain):
        rest = plain[found.end():]
        stop = re.search(r"[;{]", rest)
        if not stop or stop[0] == ";":
            continue
        # a declaration begins behind the end of the one before it, or behind a line of the preprocessor
        before = plain[:found.start()]
        begin = max(before.rfind(c) for c in ";{}") + 1
        for line in re.finditer(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*\n", before, flags=re.M):
            begin = max(begin, line.end())
        begin += len(plain[begin:]) - len(plain[begin:].lstrip())
        places.append(text.rfind("\n", 0, begin) + 1 if not plain[text.rfind("\n", 0, begin) + 1:begin].strip() else begin)
    for place in reversed(sorted(set(places))):
        lead = "" if place == 0 or text[place - 1] == "\n" else "\n"
        text = text[:place] + lead + "#pragma cupilot optimize\n" + text[place:]
    return text, len(set(places))


def told(argv, **more):
    try:
        done = subprocess.run(list(map(str, argv)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              errors="replace", **more)
        return done.stdout, done.stderr, done.returncode
    except subprocess.TimeoutExpired:
        return "", "it took too long", 124


def make(folder, *words, **more):
    return told(["make", "ARCH=sm_90", *words], cwd=folder, **more)


def compile_commands(folder):
    """[{"directory", "file", "command"}] from what make would call."""
    entries = {}
    for line in make(folder, "-n")[0].replace("\\\n", " ").splitlines():
        try:
            words = shlex.split(line)
        except ValueError:
            continue
        if not words or not words[0].endswith("nvcc"):
            continue
        sources = [w for w in words if w.endswith(".cu") or (w.endswith((".cpp", ".c", ".cc")) and "cu" in words)]
        flags, skip = [], False
        for word in words[1:]:
            if skip or word in sources or word in ("-c", "-dc") or word.endswith((".o", ".a")):
                skip = False
            elif word == "-o":
                skip = True
            elif not word.startswith("-l"):
                flags.append(word)
        for source in sources:
            path = (folder / source).resolve()
            entries[str(path)] = {"directory": str(folder), "file": str(path),
                                  "command": shlex.join([words[0], *flags, "-c", source, "-o", "unused.o"])}
    return list(entries.values())


def write_target(build, folder, sources):
    """What cupilot_tune() would write for all sources of a project in `folder`."""
    (build / "cupilot").mkdir(parents=True, exist_ok=True)
    (build / "cupilot" / "app.json").write_text(json.dumps(
        {"cupilot_target": 1, "target": "app", "sources": sources, "records": str(folder / "tuned")}))


def build_folder(folder):
    build = folder / "cupilot-build"
    entries = compile_commands(folder)
    write_target(build, folder, [e["file"] for e in entries])
    (build / "CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={folder}\n")
    (build / "compile_commands.json").write_text(json.dumps(entries))
    return build


def prepare_one(folder, out, cupilot):
    copy = out / "programs" / folder.name
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder, copy, symlinks=True)
    kernels = 0
    for path in copy.rglob("*"):
        if path.suffix in SOURCES and path.is_file() and not path.is_symlink():
            text, count = annotated(path.read_text(errors="surrogateescape"))
            if count:
                path.write_text(text, errors="surrogateescape")
            kernels += count
    found = {"program": folder.name, "kernels_in_text": kernels, "error": ""}
    build = build_folder(copy)
    scan, error, _ = told([cupilot, "scan", build, "--json", "--jobs", 1], timeout=300)
    try:
        scan = json.loads(scan)
        found["kernels"] = [one["kernel"] for one in scan["kernels"]]
        found["diagnostics"] = [one["message"] for one in scan["diagnostics"] if one["severity"] == "error"]
    except ValueError:
        found.update(kernels=[], diagnostics=[], error=error.strip()[-300:])
    return found


def prepare(options):
    out, made = options.out.resolve(), []
    folders = sorted(path for path in options.folder.iterdir() if (path / "Makefile").exists())
    (out / "programs").mkdir(parents=True, exist_ok=True)
    for extra in options.beside:
        shutil.copytree(options.folder / extra, out / "programs" / extra, dirs_exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for one in pool.map(lambda folder: prepare_one(folder, out, options.cupilot), folders):
            made.append(one)
            print(f"{one['program']}: {len(one['kernels'])} kernels; {one['error']}", file=sys.stderr)
    watch_all(out, made, options)
    return 0


def watch_all(out, made, options):
    """A capture per program, which has mistakes of its own in no other's way."""
    def one(program):
        seen = out / "seen" / program["program"]
        seen.mkdir(parents=True, exist_ok=True)
        _, error, code = told([options.cupilot, "capture", out / "programs" / program["program"] / "cupilot-build",
                               "--prepare", seen, "--contents", options.contents], timeout=300)
        if code:
            program["error"] = program["error"] or error.strip()[-300:]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, [program for program in made if program["kernels"]]))
    (out / "prepared.json").write_text(json.dumps(made, indent=1))


def run_line(folder):
    lines = [line.strip() for line in make(folder, "-n", "run")[0].replace("\\\n", " ").splitlines()]
    lines = [line for line in lines if re.match(r"\./", line)]
    return lines[0] if lines else None


def run_one(out, name, options):
    folder, seen = out / "programs" / name, out / "seen" / name
    found = {"program": name, "built": False, "code": None, "plain_code": None, "error": ""}
    _, error, code = make(folder, "-j4", timeout=240)
    if code:
        return {**found, "error": error.strip()[-400:]}
    found["built"] = True
    line = run_line(folder)
    if not line:
        return {**found, "error": "its Makefile runs nothing"}
    library = str(options.watcher.resolve())
    inside = "CUDA_INJECTION64_PATH" if "watcher" in library else "LD_PRELOAD"
    for key, environment in (("plain_code", {} if inside == "CUDA_INJECTION64_PATH" else {"LD_PRELOAD": library}),
                             ("code", {inside: library, "CUPILOT_CAPTURE": str(seen)})):
        if key == "plain_code" and options.only_watched:
            continue
        process = subprocess.Popen(["bash", "-c", "exec " + line], cwd=folder, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                   stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True,
                                   env={**os.environ, **environment})
        try:
            text, _ = process.communicate(timeout=options.seconds)
            found[key] = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            text, _ = process.communicate()
            found[key] = "ended after the time"
        found[key.replace("code", "last")] = text[-200:]
    return found


def run(options):
    out = options.out.resolve()
    names = [one["program"] for one in json.loads((out / "prepared.json").read_text()) if one["kernels"]]
    done = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for one in pool.map(lambda name: run_one(out, name, options), names):
            done.append(one)
            print(f"{one['program']}: {one['code']} {one['error'][-100:]}", file=sys.stderr)
            (out / "ran.json").write_text(json.dumps(done, indent=1))
    return 0


def cause_of(text):
    """The message without what is the program's own."""
    text = re.sub(r"'[^']*'", "'...'", text)
    return re.sub(r"-?\d[\d.e+-]*", "N", text)


def conclude(options):
    out = options.out.resolve()
    prepared = {one["program"]: one for one in json.loads((out / "prepared.json").read_text())}
    ran = {one["program"]: one for one in json.loads((out / "ran.json").read_text())}

    def one(name):
        # the folder may have been prepared on another machine, at another place
        build = build_folder(out / "programs" / name)
        text, error, _ = told([options.cupilot, "capture", build, "--read", out / "seen" / name, "--json"], timeout=600)
        try:
            return name, json.loads(text)["kernels"]
        except ValueError:
            return name, error.strip()[-300:]
    launched, found, causes, notes, dead = 0, 0, collections.Counter(), collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = dict(pool.map(one, [name for name, program in ran.items() if program["built"]]))
    for name, kernels in results.items():
        if isinstance(kernels, str):
            dead[cause_of(kernels)] += 1
            continue
        for kernel in kernels:
            if kernel["launches"] == 0:
                continue
            launched += 1
            found += bool(kernel["workloads"])
            if kernel["missing"]:
                causes[cause_of(kernel["missing"])] += 1
            notes.update(cause_of(note) for note in kernel["notes"])
    (out / "concluded.json").write_text(json.dumps(results, indent=1))
    codes = collections.Counter("not built" if not p["built"] else "no run" if p["code"] is None else
                                "ended after the time" if isinstance(p["code"], str) else
                                "as unwatched" if p["code"] == p["plain_code"] or p["plain_code"] is None else
                                "other exit code" for p in ran.values())
    print(f"{len(prepared)} programs, {sum(len(p['kernels']) for p in prepared.values())} kernels with a spec of "
          f"{sum(p['kernels_in_text'] for p in prepared.values())} in the text; "
          + ", ".join(f"{count} {word}" for word, count in codes.most_common()))
    print(f"{launched} kernels launched, {found} with a workload ({100 * found / max(launched, 1):.0f} %)")
    for title, counter in (("no workload", causes), ("notes", notes), ("programs that could not be concluded", dead)):
        print(f"{title}:")
        for cause, count in counter.most_common():
            print(f"  {count:4}  {cause}")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--jobs", type=int, default=os.cpu_count())
    one = verbs.add_parser("prepare", parents=[common])
    one.add_argument("folder", type=pathlib.Path)
    one.add_argument("out", type=pathlib.Path)
    one.add_argument("--cupilot", required=True)
    one.add_argument("--contents", type=int, default=64, metavar="MIB", help="of each buffer; default: 64")
    one.add_argument("--beside", nargs="*", default=[], metavar="NAME", help="folders that the programs include from")
    one.set_defaults(does=prepare)
    one = verbs.add_parser("run", parents=[common])
    one.add_argument("out", type=pathlib.Path)
    one.add_argument("--watcher", type=pathlib.Path, required=True)
    one.add_argument("--seconds", type=float, default=30, help="of each run; default: 30")
    one.add_argument("--only-watched", action="store_true", help="do not run it unwatched, too")
    one.set_defaults(does=run)
    one = verbs.add_parser("conclude", parents=[common])
    one.add_argument("out", type=pathlib.Path)
    one.add_argument("--cupilot", required=True)
    one.set_defaults(does=conclude)
    options = parser.parse_args()
    return options.does(options)


if __name__ == "__main__":
    sys.exit(main())
