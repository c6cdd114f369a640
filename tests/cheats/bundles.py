# SPDX-License-Identifier: Apache-2.0
"""Bundles of the programs: one a kernel, written by cheat_bundles, judged by a worker."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

from programs import FOLDER

LARGE = "-large"  # ends the folder of a bundle that has the workload `large`


class Failed(Exception):
    pass


def lines_of(argv, **options):
    done = subprocess.run([str(word) for word in argv], stdout=subprocess.PIPE, text=True, **options)
    return done.returncode, done.stdout.splitlines()


def scan(annotate, sources, root):
    """Specs by kernel name."""
    code, lines = lines_of([annotate, "scan", "--root", root, *sources, "--", "nvcc", "-std=c++17", "-arch=sm_90"])
    answers = [json.loads(line) for line in lines]
    wrong = [answer["diagnostic"] for answer in answers if "diagnostic" in answer]
    if code or wrong:
        raise Failed(f"cupilot-annotate scan: exit code {code}, {wrong}")
    return {answer["spec"]["name"]: answer["spec"] for answer in answers if "spec" in answer}


def all_specs(annotate):
    specs = scan(annotate, sorted((FOLDER / "kernels").glob("*.cu")), FOLDER)
    examples = FOLDER.parents[1] / "examples"
    for source in sorted(examples.glob("*/*.cu")):
        specs.update(scan(annotate, [source], source.parent))
    return specs


def drawn_secret():
    return int.from_bytes(os.urandom(7), "big")


def by_kernel(programs):
    """Programs of one bundle, by the kernel and whether the bundle has the workload `large`."""
    groups = {}
    for program in programs:
        groups.setdefault((program.kernel, program.large), []).append(program)
    return groups


def write(writer, specs, programs, folder, *, executor="cpu", seed=1, secret=None, finalist=False):
    """Bundle folders, and the verdicts of what the static check refused: {(kernel, name): verdict}. Without a secret
    one is drawn for each."""
    requests, names = [], []
    for (kernel, large), group in by_kernel(programs).items():
        place = kernel + (LARGE if large else "")
        if kernel not in specs:
            raise Failed(f"no annotated kernel is called '{kernel}'")
        names.append((kernel, place))
        requests.append(json.dumps({
            "folder": str(folder / place), "id": f"{folder.name}-{place}", "large": large, "spec": specs[kernel], "executor": executor,
            "architecture": "sm_90", "seed": seed, "finalist": finalist,
            "secret": drawn_secret() if secret is None else secret,
            "candidates": [{"id": program.name, "text": program.text} for program in group]}))
    folder.mkdir(parents=True, exist_ok=True)
    _, lines = lines_of([writer], input="".join(request + "\n" for request in requests))
    verdicts, folders = {}, []
    for (kernel, place), line in zip(names, lines, strict=True):
        answer = json.loads(line)
        if "error" in answer:
            raise Failed(f"the bundle of {kernel}: {answer['error']}")
        verdicts.update({(kernel, verdict["candidate"]): verdict for verdict in answer["verdicts"]})
        if answer["written"]:
            folders.append(folder / place)
    return folders, verdicts


def judge_one(argv, folder, complaints):
    code, lines = lines_of([*argv, folder], stderr=subprocess.PIPE)
    for line in lines:
        event = json.loads(line)
        if event.get("event") == "error":
            complaints.append(f"{folder.name}: {event['message']}")
    if code > 1 or code < 0:
        complaints.append(f"{folder.name}: the worker ended with {code}")


def judge(argv, folders, parallel):
    """Runs the worker over the bundles; returns what it complains of."""
    complaints, waiting, lock = [], list(folders), threading.Lock()

    def work():
        while True:
            with lock:
                if not waiting:
                    return
                folder = waiting.pop(0)
                print(f"  {folder.name}...", file=sys.stderr, flush=True)
            judge_one(argv, folder, complaints)

    threads = [threading.Thread(target=work) for _ in range(parallel)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return complaints


def verdicts_in(folder):
    """{(kernel, name): verdict} of a folder of bundles."""
    found = {}
    for path in pathlib.Path(folder).glob("*/candidates/*/verdict.json"):
        found[(path.parents[2].name.removesuffix(LARGE), path.parent.name)] = json.loads(path.read_text())
    return found


def scratch():
    return tempfile.TemporaryDirectory(prefix="cupilot-cheats-")
