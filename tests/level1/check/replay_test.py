# SPDX-License-Identifier: Apache-2.0
"""The recorded searches of runs/*.jsonl.xz once more, without a model or a GPU: the same questions are asked, the
recorded answers and verdicts lead to the same winner, and its text is the committed record's. A recording is stale
when prompts, strategies or what is told of a kernel were changed on purpose: record again, or take it away."""
import json
import lzma
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parents[1]
RECORDINGS = sorted((FOLDER / "runs").glob("*.jsonl.xz"))


def run(argv, **options):
    done = subprocess.run([str(word) for word in argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          **options)
    if done.returncode:
        raise AssertionError(f"{argv[:3]}: exit code {done.returncode}: {done.stderr}{done.stdout}")
    return done.stdout


class Replay(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix="cupilot-replay-"))
        prefix, cls.build = cls.scratch / "prefix", cls.scratch / "build"
        run(["cmake", "--install", os.environ["CUPILOT_BINARY_DIR"], "--component", "launcher", "--prefix", prefix])
        # Which folder records go to is told in the kernel's source, by the places of its lines.
        run(["cmake", "-S", FOLDER, "-B", cls.build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
             "-DLEVEL1_RECORDS=evolved", "-DCMAKE_CUDA_ARCHITECTURES=90"])

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.scratch)

    def test_each_ends_with_the_same_winner(self):
        self.assertTrue(RECORDINGS)
        for packed in RECORDINGS:
            with self.subTest(packed.name):
                self.replay(packed)

    def replay(self, packed):
        kernel = packed.name.removesuffix(".jsonl.xz")
        recording = self.scratch / f"{kernel}.jsonl"
        recording.write_bytes(lzma.decompress(packed.read_bytes()))
        questions = [json.loads(line) for line in recording.read_text().splitlines() if line.startswith('{"question"')]
        answer = json.loads(run([os.environ["CUPILOT"], "tune", self.build, "--kernel", kernel, "--replay", recording,
                                 "--executor", f"replay:{recording}", "--arch", "sm_90", "--policy", "sce",
                                 "--population", 4, "--generations", 2, "--epochs", 1, "--candidates", 30,
                                 "--minutes", 90, "--progress", "none", "--json"],
                                env=dict(os.environ, CUPILOT_DATA=str(self.scratch / "data"))))["kernels"][0]
        if kernel == "matmul":  # made for large products only, and that is told
            self.assertIn("workload 'small': the variant declines it, so the original runs there", answer["limits"])
        record = json.loads((FOLDER / "evolved" / kernel / "sm_90" / "record.json").read_text())
        won = [one for one in answer["tried"] if one["won"]]
        self.assertEqual(len(won), 1, answer)
        self.assertEqual(dict(word.split("=") for word in won[0]["knobs"].split()),
                         {name: str(value) for name, value in record["search"]["knobs"].items()})
        timed = [one["speedup"] for one in record["measurements"] if not one.get("holdout")]
        self.assertAlmostEqual(won[0]["speedup"], statistics.geometric_mean(timed), delta=0.05 * won[0]["speedup"])
        roles = answer["spent"]["roles"]
        self.assertEqual(sum(role["questions"] for role in roles), len(questions))


if __name__ == "__main__":
    if not shutil.which(os.environ.get("CUPILOT_NVCC", "nvcc")):
        print("skipped: no nvcc here")
        sys.exit(77)
    unittest.main()
