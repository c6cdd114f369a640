# SPDX-License-Identifier: Apache-2.0
"""What a GPU judged in the recordings of runs/*.jsonl.xz, judged again on the CPU as far as it can execute it, at
sizes it gets through: nothing the GPU found right may be wrong here. Prints what each answer was.

  recorded_test.py          the winners, what CTest runs
  recorded_test.py --all    every variant of every recording: minutes
"""
import concurrent.futures
import hashlib
import json
import lzma
import pathlib
import re
import sys
import tempfile
import unittest

import level1_test as base

RECORDINGS = sorted((base.FOLDER / "runs").glob("*.jsonl.xz"))
RIGHT = {"faster", "slower", "same", "unsure"}
ALL = "--all" in sys.argv
#: Variants may decline what is smaller than their tile; then the original would be compared with itself.
LARGER = {"matmul": "m = 256, n = 256, k = 256", "upper_matmul": "n = 256"}
SMALL_SIZES = re.compile(r"(workload\(small\) set\()[^)]*\)")


def variants_of(recording):
    """(sha256, text, verdict) of what the recording holds, the winner's last verdict deciding."""
    texts, verdicts, winner = {}, {}, None
    for line in lzma.decompress(recording.read_bytes()).splitlines():
        line = json.loads(line)
        if "content" in line and "variant" in line:
            texts[line["variant"]] = line["content"]
            assert hashlib.sha256(line["content"].encode()).hexdigest() == line["variant"], recording
        elif "verdict" in line:
            verdicts[line["variant"]] = line["verdict"]["verdict"]
            if line["verdict"]["stage"] == "finalist" and line["verdict"]["verdict"] == "faster":
                winner = line["variant"]
    return [(name, texts[name], verdicts[name]) for name in texts
            if name in verdicts and (ALL or name == winner)]


def source_for(kernel, source, folder):
    folder.mkdir()
    copy = base.small_copy(source, folder)
    if kernel in LARGER:
        text, changed = SMALL_SIZES.subn(rf"\g<1>{LARGER[kernel]})", copy.read_text())
        assert changed == 1, source
        copy.write_text(text)
    return copy


class Recorded(unittest.TestCase):
    def test_what_a_gpu_found_right_is_right_here(self):
        self.assertTrue(RECORDINGS)
        specs = base.specs()
        with tempfile.TemporaryDirectory(prefix="cupilot-recorded-") as name:
            folder, tasks = pathlib.Path(name), []
            for recording in RECORDINGS:
                kernel = recording.name.split(".")[0]
                source = source_for(kernel, specs[kernel][0], folder / kernel)
                found = variants_of(recording)
                self.assertTrue(found, f"{recording.name} has no winner")
                for digest, text, verdict in found:
                    variant = folder / kernel / f"{digest[:12]}.cuh"
                    variant.write_text(text)
                    tasks.append((kernel, source, variant, verdict))
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                answers = list(pool.map(lambda task: base.judged(*task[:3]), tasks))
        for (kernel, _, variant, verdict), answer in zip(tasks, answers):
            here = answer.get("verdict")
            print(f"{kernel:<14} {variant.stem}  GPU: {verdict:<9} CPU: {here}  {answer.get('reason', '')[:150]}")
            with self.subTest(kernel=kernel, variant=variant.stem):
                self.assertIsNotNone(here, answer)
                if verdict in RIGHT:
                    self.assertIn(here, RIGHT | {"estimate", "not_evaluated"}, answer)


if __name__ == "__main__":
    if not base.shutil.which(base.os.environ.get("CUPILOT_NVCC", "nvcc")):
        print("recorded_test.py: skipped: no nvcc here (PATH or CUPILOT_NVCC)", file=sys.stderr)
        sys.exit(77)
    unittest.main(argv=[word for word in sys.argv if word != "--all"])
