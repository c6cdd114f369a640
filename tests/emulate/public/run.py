#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which share of other people's kernels decodes.

Compiles every .cu below FOLDER to PTX (their sources are read, never changed or kept), decodes all kernels with
emulate_preflight and prints the share that decodes, and why the others do not. Files that do not compile (missing
libraries, other machines) are counted, and left out of the share.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

COMPILERS = {
    "nvcc": ["nvcc", "-ptx", "-w", "-lineinfo", "-std=c++17"],
    "clang": ["clang++-22", "-x", "cuda", "--cuda-device-only", "-S", "-O2", "-w", "-std=c++17",
              "-Wno-unknown-cuda-version"],
}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--preflight", default="emulate_preflight", help="the program, from a build tree's bin/")
    parser.add_argument("--compiler", choices=COMPILERS, default="nvcc")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=int, default=120, help="for one file's compilation")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="a sample: each Nth file")
    parser.add_argument("--include", action="append", default=[], help="one more include folder")
    parser.add_argument("--keep", type=pathlib.Path, help="keep the PTX here; what is there is not compiled again")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def include_folders(source, root, extra):
    """Where programs of collections keep their headers: beside, above, and in folders called include or common."""
    folders = []
    for folder in [source.parent, *source.parent.parents]:
        folders.append(folder)
        folders += [folder / name for name in ("include", "inc", "common", "Common", "common/inc", "src", "util")]
        if folder == root:
            break
    return [f for f in folders if f.is_dir()] + [pathlib.Path(f) for f in extra]


def compile_one(source, ptx, options):
    """The reason why there is no PTX, or nothing."""
    if ptx.exists():
        return ""
    command = list(COMPILERS[options.compiler])
    if options.compiler == "nvcc":
        command.append("-arch=" + options.arch)
    else:
        toolkit = pathlib.Path(shutil.which("nvcc")).resolve().parent.parent
        command += ["--cuda-gpu-arch=" + options.arch, f"--cuda-path={toolkit}", f"-I{toolkit}/include/cccl"]
    command += [f"-I{folder}" for folder in include_folders(source, options.folder, options.include)]
    partial = ptx.with_suffix(".partial")
    try:
        done = subprocess.run(command + [str(source), "-o", str(partial)], capture_output=True, text=True,
                              timeout=options.seconds, errors="replace", stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return "compiling took too long"
    if done.returncode != 0 or not partial.exists():
        errors = re.findall(r"(?:fatal )?error:? (.*)", done.stderr)
        return errors[0][:100] if errors else "does not compile"
    partial.rename(ptx)
    return ""


def preflight(ptx, options):
    """[(kernel, [reasons])] or the text of an error."""
    try:
        done = subprocess.run([options.preflight, str(ptx)], capture_output=True, text=True, errors="replace",
                              timeout=options.seconds)
    except subprocess.TimeoutExpired:
        return "decoding took too long"
    kernels = collections.defaultdict(list)
    for line in done.stdout.splitlines():
        fields = line.split("\t")
        if fields[2] == "error":
            return fields[3]
        kernels[fields[1]] += [fields[3]] if fields[2] == "unsupported" else []
    return f"exit status {done.returncode}" if done.returncode else sorted(kernels.items())


def one_file(source, folder, options):
    name = str(source.relative_to(options.folder))
    ptx = folder / (re.sub(r"[^\w.-]", "_", name) + f".{options.compiler}.ptx")
    failure = compile_one(source, ptx, options)
    return {"file": name, "not_compiled": failure} if failure else {"file": name, "kernels": preflight(ptx, options)}


def summary(results):
    compiled = [r for r in results if "kernels" in r]
    refused = [r for r in compiled if isinstance(r["kernels"], str)]
    kernels = [(r["file"], *k) for r in compiled if not isinstance(r["kernels"], str) for k in r["kernels"]]
    reasons = collections.Counter()
    for _, _, why in kernels:
        reasons.update({re.sub(r"\b\d{4,}\b", "N", w) for w in why})
    decoded = sum(1 for k in kernels if not k[2])
    return {
        "files": len(results), "compiled": len(compiled), "refused": [[r["file"], r["kernels"]] for r in refused],
        "kernels": len(kernels), "decoded": decoded, "share": decoded / len(kernels) if kernels else 0,
        "reasons": reasons.most_common(),
        "unsupported": [list(k) for k in kernels if k[2]],
        "not_compiled": [[r["file"], r["not_compiled"]] for r in results if "not_compiled" in r],
    }


def print_summary(total):
    print(f"{total['files']} files, {total['compiled']} compile, {len(total['refused'])} of these are refused")
    print(f"{total['decoded']} of {total['kernels']} kernels decode ({100 * total['share']:.2f} %)")
    for file, text in total["refused"]:
        print(f"refused: {file}: {text}")
    if total["reasons"]:
        print("kernels  what is not supported")
    for reason, count in total["reasons"]:
        print(f"{count:7}  {reason}")


def main():
    options = arguments()
    options.folder = options.folder.resolve()
    sources = sorted(p for p in options.folder.rglob("*.cu") if p.is_file())[::options.every]
    if not sources:
        sys.exit(f"run.py: no .cu file below {options.folder}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            results = list(pool.map(lambda s: one_file(s, folder, options), sources))
    total = summary(results)
    print(json.dumps(total, indent=1)) if options.json else print_summary(total)


if __name__ == "__main__":
    main()
