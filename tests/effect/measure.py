#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a user gets without a model, kernel by kernel, in one run: original, tuned, the least the device would take, how
much of the room between them is closed, and what one would call instead (PyTorch: cuBLAS, cuDNN, CUB; torch.compile).

  measure.py WHAT... --prefix P --out FOLDER     tunes WHAT, and prints the table
  measure.py --table FILE                        the table of a run's JSON again; needs no GPU

WHAT is `plain`, `reach` or `level1` (folders of tests), the name of an example, or one kernel of these: `plain/gelu`.
P is an installed cupilot. Every GPU of the machine tunes kernels of its own, --together of them at a time: the judges
take turns, so that each timing has its GPU alone. Records are published to FOLDER/records. A kernel that
FOLDER/results.json has already is not tuned again; --until SECONDS begins none after that time, so that a run may be
made in several pieces. PyTorch is timed when no tuning runs any more.
Exit codes: 0 every kernel was tuned or has nothing to gain, 1 one failed or is left, 2 a mistake on the command line.
"""
import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import queue
import re
import shutil
import subprocess
import sys
import textwrap
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests/level1"))
from measuring.program import mistake, note, write  # noqa: E402
from measuring.report import geometric_mean  # noqa: E402

FOLDERS = {"plain": ROOT / "tests/plain", "reach": ROOT / "tests/cases/reach", "level1": ROOT / "tests/level1"}
PATIENCE_SECONDS = 300  # beside the search: what leads to it, the judging of the winner, publishing


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", metavar="WHAT")
    parser.add_argument("--prefix", metavar="P", help="installed cupilot; default: the one in PATH")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/effect"), metavar="FOLDER")
    parser.add_argument("--minutes", type=float, default=1, help="of search for each kernel; default: 1")
    parser.add_argument("--gpus", type=int, help="how many to use; default: all that nvidia-smi lists")
    parser.add_argument("--together", type=int, default=1, metavar="N", help="kernels at a time on each; default: 1")
    parser.add_argument("--until", type=float, default=math.inf, metavar="SECONDS", help="begin no kernel after these")
    parser.add_argument("--arch", default="90", help="CMAKE_CUDA_ARCHITECTURES; default: 90")
    parser.add_argument("--no-peers", action="store_true", help="leave PyTorch out")
    parser.add_argument("--options", default="", help="more options of `cupilot tune`")
    parser.add_argument("--table", metavar="FILE", help="print the table of this JSON and stop")
    return parser.parse_args()


def source_of(folder):
    source = FOLDERS.get(folder, ROOT / "examples" / folder)
    if not (source / "CMakeLists.txt").exists():
        mistake(f"there is no folder called '{folder}'; known: {', '.join([*FOLDERS, *examples()])}")
    return source


def examples():
    return sorted(path.parent.name for path in (ROOT / "examples").glob("*/tuned"))


def told(argv, **more):
    done = subprocess.run(list(map(str, argv)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
    return done.stdout, done.stderr, done.returncode


class Machine:
    """Places to tune, and build folders, one for each place and source: a `cupilot tune` has its build folder alone."""

    def __init__(self, options):
        self.options, self.prefix = options, pathlib.Path(options.prefix).resolve() if options.prefix else None
        program = self.prefix / "bin/cupilot" if self.prefix else shutil.which("cupilot")
        if not program or not pathlib.Path(program).exists():
            mistake("no cupilot in PATH; say --prefix")
        self.program, self.lock, self.configured = str(program), threading.Lock(), {}
        listed = told(["nvidia-smi", "-L"])[0].splitlines() if shutil.which("nvidia-smi") else []
        gpus = range(options.gpus or len(listed) or 1)
        self.places = [(gpu, place) for place in range(options.together) for gpu in gpus]

    def environment(self, gpu):
        return {**os.environ, "CUDA_VISIBLE_DEVICES": str(gpu)}

    def build(self, folder, place):
        with self.lock:
            if (folder, place) not in self.configured:
                build = self.options.out / "builds" / f"{folder}-{place[0]}-{place[1]}"
                given = [f"-DCMAKE_PREFIX_PATH={self.prefix}"] if self.prefix else []
                out, error, code = told(["cmake", "-S", source_of(folder), "-B", build, "-G", "Ninja", *given,
                                         f"-DCMAKE_CUDA_ARCHITECTURES={self.options.arch}", "-DCUPILOT_DISABLE=1"])
                if code:
                    raise RuntimeError(f"'{folder}' does not configure: {error.strip()[-500:]}")
                self.configured[folder, place] = build
            return self.configured[folder, place]

    def kernels(self, folder):
        """{name: (file, line)}"""
        out, error, code = told([self.program, "scan", self.build(folder, (0, 0)), "--json"])
        if code:
            mistake(f"'{folder}': {error.strip()[-500:]}")
        return {one["kernel"]: (source_of(folder) / one["place"]["file"], one["place"]["line"])
                for one in json.loads(out)["kernels"]}


def sizes_of(file, line, workload):
    """The set(...) of a kernel's workload, from the pragmas before its line."""
    text = re.sub(r"\\\n", " ", "\n".join(file.read_text().splitlines()[:line]))
    found = [m for m in re.finditer(r"workload\((\w+)\)\s*set\(", text) if m[1] == workload]
    if not found:
        return {}
    at, depth = found[-1].end(), 1
    while depth:
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    sizes = {}
    for one in re.findall(r"(\w+)\s*=\s*([^,]+)", text[found[-1].end():at - 1]):
        value = re.sub(r"(?<=[\d.])f\b", "", one[1])
        sizes[one[0]] = eval(value, {"__builtins__": {}}, dict(sizes))  # arithmetic of our own sources
    return sizes


def on_device(device):
    return "NVIDIA H200" if "H200" in device else "NVIDIA H100" if "H100" in device else "sm_90"


def lines_of(variant):
    """Without empty lines and comments that stand alone."""
    return sum(bool(line.strip()) and not line.strip().startswith("//") for line in variant.read_text().splitlines())


def tune(machine, place, folder, kernel, source):
    options, began = machine.options, time.monotonic()
    build, records = machine.build(folder, place), options.out / "records" / folder
    found = {"folder": folder, "kernel": kernel}
    # the name of an instantiation holds what a shell or a path would not like, but this is neither
    out, error, code = told([machine.program, "tune", build, "--kernel", kernel, "--minutes", options.minutes,
                             "--records", records.resolve(), "--progress", "none", "--json",
                             "--jobs", max(4, (os.cpu_count() or 1) // len(machine.places)), *options.options.split()],
                            env=machine.environment(place[0]), timeout=PATIENCE_SECONDS + 60 * options.minutes)
    log = options.out / "logs" / f"{folder}-{re.sub('[^A-Za-z0-9_.]', '_', kernel)}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text(error + "\n" + out)
    if not out.strip():
        return {**found, "error": error.strip()[-300:], "seconds": time.monotonic() - began}
    entry = json.loads(out)["kernels"][0]
    found |= {key: entry.get(key) for key in ("result", "error", "judged", "counts", "measurements", "estimates")}
    found["device"] = (entry.get("device") or {}).get("name", "")
    won = [one for one in entry.get("tried", []) if one.get("won")]
    found["strategies"] = won[0]["strategies"] if won else []
    if entry.get("record"):
        variant = pathlib.Path(entry["record"])
        variant = (variant if variant.is_dir() else variant.parent) / "variant.cuh"
        found["lines"] = lines_of(variant) if variant.exists() else None
    out, error, code = told([machine.program, "explain", build, "--kernel", kernel, "--on", on_device(found["device"]),
                             "--json"])
    if not code:
        explained = json.loads(out)["kernels"][0]
        found["workloads"] = explained["workloads"]
        missing = explained["lifted"].get("missing") or {}
        found["lifts"], found["why_not"] = not missing, missing.get("reason")
    if timed := main_measurement(found):
        found["sizes"] = sizes_of(*source, timed["workload"])
    return {**found, "seconds": time.monotonic() - began}


def add_peers(machine, results, path):
    """PyTorch for the kernels that were timed and have none yet, one after the other."""
    wanted = {name: one["sizes"] for name, one in results["kernels"].items() if "sizes" in one and "peer" not in one}
    if not wanted:
        return
    process = subprocess.Popen([sys.executable, HERE / "peers.py", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               text=True, env=machine.environment(0))
    process.stdin.write(json.dumps(wanted))
    process.stdin.close()
    for line in process.stdout:
        found = json.loads(line)
        results["kernels"][found.pop("name")]["peer"] = found
        write(results, path)
    process.wait()


def run(options):
    machine, began = Machine(options), time.monotonic()
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / "results.json"
    fresh = {"effect": 1, "minutes": options.minutes, "kernels": {}}
    results = json.loads(path.read_text()) if path.exists() else fresh
    places, wanted = {}, queue.SimpleQueue()
    for what in options.what:
        folder, _, only = what.partition("/")
        if folder not in places:
            places[folder] = machine.kernels(folder)
        chosen = [kernel for kernel in places[folder] if only in ("", kernel, kernel.split(".")[0])]
        if not chosen:
            mistake(f"'{folder}' has no kernel '{only}'; it has {', '.join(places[folder])}")
        for kernel in chosen:
            if f"{folder}/{kernel}" not in results["kernels"]:
                wanted.put((folder, kernel))

    def work(at):
        while time.monotonic() - began < options.until:
            try:
                folder, kernel = wanted.get_nowait()
            except queue.Empty:
                return
            try:
                found = tune(machine, at, folder, kernel, places[folder][kernel])
            except (subprocess.TimeoutExpired, RuntimeError, OSError, ValueError, KeyError, IndexError) as error:
                found = {"folder": folder, "kernel": kernel, "error": f"{type(error).__name__}: {error}"[:400]}
            with machine.lock:
                results["kernels"][f"{folder}/{kernel}"] = found
                write(results, path)
            note(" ".join(row(found)) + f" ({found.get('seconds', 0):.0f} s on GPU {at[0]})")

    with concurrent.futures.ThreadPoolExecutor(len(machine.places)) as pool:
        for done in [pool.submit(work, at) for at in machine.places]:
            done.result()
    if not options.no_peers:
        add_peers(machine, results, path)
    print(table(results))
    left = wanted.qsize()
    if left:
        note(f"{left} kernels are left for another call")
    return 1 if left or any(failed(one) for one in results["kernels"].values()) else 0


# ---- the table ----

def failed(one):
    return bool(one.get("error")) or one.get("result") in (None, "failed", "interrupted")


def main_measurement(one):
    return next(iter(one.get("measurements") or []), None)


def least_us(one, measured):
    """What moving the buffers once takes at the copy bandwidth that the judge measured, or the arithmetic, computed."""
    workload = next((w for w in one.get("workloads") or [] if w["id"] == measured["workload"]), None)
    memory = measured["tuned_us"] * measured["copy_bandwidth_share"]
    return max(memory, workload["floor_us"] if workload and workload["bound"] == "arithmetic" else 0)


def closed(one):
    """log(original / tuned) / log(original / least), and 1 where the original is within 5 % of the least."""
    measured = main_measurement(one)
    if not measured or not least_us(one, measured):
        return None
    room = math.log(measured["original_us"] / least_us(one, measured))
    return 1 if room < math.log(1.05) else max(0, math.log(measured["speedup"])) / room


def peers_us(one):
    """PyTorch eager and compiled."""
    peer = one.get("peer") or {}
    return [peer.get("eager_us"), peer.get("compile_us")]


def us(value):
    return "" if not value else f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def row(one):
    measured = main_measurement(one)
    name = f"{one['folder']}/{one['kernel']}"
    if not measured:
        return [name, "", "", (one.get("result") or "failed").replace("_", " "), "", "", "", "", "", "",
                str(one.get("error") or one.get("why_not") or "")[:80]]
    share, won = closed(one), one.get("result") != "nothing_faster"
    return [name, us(measured["original_us"]), us(measured["tuned_us"]) if won else "",
            f"{measured['speedup']:.2f} ({measured['speedup_low']:.2f} to {measured['speedup_high']:.2f})" if won else
            "nothing faster", us(least_us(one, measured)),
            f"{measured['copy_bandwidth_share'] * 100:.0f} %" if won else "",
            "" if share is None else f"{share:.2f}", str(one.get("lines") or ""), *map(us, peers_us(one)),
            " + ".join(one.get("strategies") or [])]


HEAD = ["kernel", "original us", "tuned us", "speed-up", "least us", "of copy", "room closed", "lines", "eager us",
        "compile us", "by"]


def table(results):
    """Markdown. The speed-up is that of the first workload, beside which PyTorch was measured, too."""
    kernels = list(results["kernels"].values())
    gains = [max(1, m["speedup"]) if (m := main_measurement(one)) else 1 for one in kernels if not failed(one)]
    shares = [share for one in kernels if (share := closed(one)) is not None]
    eager = [e / min(m["tuned_us"], m["original_us"]) for one in kernels
             if (m := main_measurement(one)) and (e := peers_us(one)[0])]
    devices = sorted({one["device"] for one in kernels if one.get("device")})
    lines = ["| " + " | ".join(HEAD) + " |", "|" + "---|" * len(HEAD)]
    lines += ["| " + " | ".join(row(one)) + " |" for one in kernels]
    mean_gain, mean_eager = (geometric_mean(values) or math.nan for values in (gains, eager))
    mean_share = sum(shares) / max(1, len(shares))
    said = (f"{len(kernels)} kernels on {', '.join(devices) or 'no device'}, at most {results['minutes']:g} min of search "
            f"each: geometric mean {mean_gain:.2f}, room closed {mean_share:.2f} in the mean and at least 0.6 for "
            f"{sum(s >= 0.6 for s in shares)} of {len(shares)} (of the others nothing was right, so nothing was timed)."
            f" PyTorch eager (TF32 off) takes {mean_eager:.2f} times as long ({len(eager)} kernels).")
    lines += ["", *textwrap.wrap(said, 118)]
    return "\n".join(lines)


def main():
    options = arguments()
    if options.table:
        print(table(json.loads(pathlib.Path(options.table).read_text())))
        return 0
    if not options.what:
        mistake("say what to measure; --help")
    return run(options)


if __name__ == "__main__":
    sys.exit(main())
