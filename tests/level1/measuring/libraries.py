# SPDX-License-Identifier: Apache-2.0
"""Builds of tests/level1 as shared libraries: with the original kernels, or with a folder of records swapped in by
the real launcher; their functions are called with PyTorch's pointers."""
import ctypes
import json
import os
import pathlib
import shutil
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parents[1]


class Failed(Exception):
    pass


def run(argv, **options):
    done = subprocess.run([str(word) for word in argv], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **options)
    if done.returncode:
        command = " ".join(str(word) for word in argv[:4])
        raise Failed(f"{command} ...: exit code {done.returncode}\n{done.stdout[-3000:]}")
    return done.stdout


def check_records(folder):
    """What would silently leave the original in place is said before the build."""
    records = sorted(folder.glob("*/*/record.json"))
    if not records:
        bare = sorted(folder.glob("*/*/variant.cuh"))
        hint = "a variant.cuh alone is no record: publish it (cupilot judge --publish)" if bare else \
            "expected <kernel>/<architecture>/record.json and variant.cuh"
        raise Failed(f"no records in '{folder}': {hint}")
    for path in records:
        if not path.with_name("variant.cuh").exists():
            raise Failed(f"'{path.parent}' has no variant.cuh")


def move_beside_sources(path):
    """A record names its sources relative to its folder's parent; here all of them stand there. Their hashes stay."""
    record = json.loads(path.read_text())
    for fingerprint in record.get("fingerprints", []):
        fingerprint["source"] = pathlib.PurePath(fingerprint["source"]).name
        for file in fingerprint["files"]:
            file["path"] = pathlib.PurePath(file["path"]).name
    path.write_text(json.dumps(record, indent=2) + "\n")


def cmake_build(source, build, options):
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    run(["cmake", "-S", source, "-B", build, *generator, *options])
    # What the launcher decides goes into the log.
    return run(["cmake", "--build", build, "--target", "level1", "--parallel"],
               env={**os.environ, "CUPILOT_EXPLAIN": "1"})


def build(name, records, work, options):
    """Builds `work`/name. `records`: folder laid out as <kernel>/<architecture>/..., or None for the originals."""
    folder = work / name
    shutil.rmtree(folder, ignore_errors=True)
    source = folder / "source"
    source.mkdir(parents=True)
    for path in [*SOURCE.glob("*.cu"), *SOURCE.glob("*.h"), SOURCE / "main.cpp", SOURCE / "CMakeLists.txt"]:
        shutil.copy(path, source)
    if records:
        check_records(pathlib.Path(records))
        shutil.copytree(records, source / "tuned")
        for path in (source / "tuned").glob("*/*/record.json"):
            move_beside_sources(path)
    more = ["-DLEVEL1_RECORDS=tuned"] if records else ["-DCUPILOT_DISABLE=1"]
    (folder / "build.log").write_text(cmake_build(source, folder / "build", [*options, *more]))


def forget(name, work):
    """A build of an earlier run is no contender of this one."""
    shutil.rmtree(work / name, ignore_errors=True)


def is_built(work, name):
    return (work / name / "build" / "liblevel1.so").exists()


class Library:
    """What build() left, loaded into this process."""

    def __init__(self, name, records, work):
        self.name, self.folder = name, work / name
        self.records = self.folder / "source" / "tuned" if records else None
        self.log = self.folder / "swaps.log"
        self.log.unlink(missing_ok=True)
        self.library = ctypes.CDLL(str(self.folder / "build" / "liblevel1.so"), mode=os.RTLD_NOW | os.RTLD_LOCAL)

    def kernels(self):
        """Names of the kernels it has records for; None: all are the originals."""
        if self.records is None:
            return None
        return sorted({path.parents[1].name for path in self.records.glob("*/*/record.json")})

    def function(self, problem, arguments, stream):
        """A call with everything bound; its first launches in the process are logged to self.log."""
        function = getattr(self.library, f"run_{problem.name}")
        function.restype = ctypes.c_int
        bound = [as_c(argument) for argument in arguments] + [ctypes.c_void_p(stream)]

        def call():
            error = function(*bound)
            if error:
                raise Failed(f"run_{problem.name} of '{self.name}': CUDA error {error}")
        call.keep = arguments  # the tensors behind the pointers
        return call

    def logging(self):
        """Before the first launch of each function: the dispatcher asks for its log's place once."""
        os.environ["CUPILOT_LOG"] = str(self.log)

    def swapped(self, kernel):
        """"swapped", or why the original ran; "original" where there is no record."""
        if self.records is None or kernel not in self.kernels():
            return "original"
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        said = [line.split(": ", 2)[2] for line in lines if line.startswith(f"cupilot: {kernel} (")]
        if not said:
            return "original: not swapped in by the build (see build.log)"
        return next((what for what in said if what == "swapped"), said[0])

    def variant(self, kernel):
        """The first line of its variant, which says what it is."""
        if self.records is None:
            return ""
        paths = sorted(self.records.glob(f"{kernel}/*/variant.cuh"))
        return paths[0].read_text().split("\n", 1)[0].removeprefix("// ") if paths else ""

    def record(self, kernel):
        paths = sorted(self.records.glob(f"{kernel}/*/record.json")) if self.records else []
        if not paths:
            return {}
        record = json.loads(paths[0].read_text())
        return {key: record.get(key) for key in ("kernel_id", "verdict", "estimate", "variant_sha256", "search")}


def as_c(argument):
    if hasattr(argument, "data_ptr"):
        return ctypes.c_void_p(argument.data_ptr())
    return ctypes.c_float(argument) if isinstance(argument, float) else ctypes.c_int(argument)
