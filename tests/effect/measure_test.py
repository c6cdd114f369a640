# SPDX-License-Identifier: Apache-2.0
"""measure.py without a GPU: what the table says of results, sizes that are read from pragmas, and peers for all."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import measure  # noqa: E402

RUN = HERE / "runs/h200.json"


def measured(original, tuned, share, **more):
    return {"folder": "plain", "kernel": "k", "result": "published", "error": "", "device": "NVIDIA H100",
            "strategies": ["row-in-registers"], "lines": 60,
            "workloads": [{"id": "large", "bytes": 1e8, "floor_us": 40, "bound": "memory"}],
            "measurements": [{"workload": "large", "original_us": original, "tuned_us": tuned, "speedup": original / tuned,
                              "speedup_low": original / tuned, "speedup_high": original / tuned,
                              "copy_bandwidth_share": share}], **more}


class Table(unittest.TestCase):
    def test_room_is_between_the_original_and_what_memory_takes(self):
        self.assertAlmostEqual(measure.closed(measured(400, 100, 1)), 1)
        self.assertAlmostEqual(measure.closed(measured(400, 200, 0.5)), 0.5)
        self.assertEqual(measure.closed(measured(100, 110, 0.5)), 0, "slower is not published: nothing is closed")
        self.assertEqual(measure.closed(measured(101, 100, 1)), 1, "there was no room")

    def test_arithmetic_may_be_what_takes_longest(self):
        bound = measured(400, 200, 0.1, workloads=[{"id": "large", "floor_us": 100, "bound": "arithmetic"}])
        self.assertEqual(measure.least_us(bound, measure.main_measurement(bound)), 100)
        self.assertAlmostEqual(measure.closed(bound), 0.5)

    def test_rows_and_sums(self):
        failed = {"folder": "reach", "kernel": "b", "error": "it does not build"}
        nothing = measured(100, 110, 0.5, result="nothing_faster", lines=None, strategies=[])
        text = measure.table({"minutes": 1, "kernels": {"plain/a": measured(
            400, 100, 0.9, peer={"eager_us": 300, "compile_us": None}), "reach/b": failed, "plain/c": nothing}})
        self.assertIn("| plain/k | 400 | 100 | 4.00 (4.00 to 4.00) | 90 | 90 % | 0.93 | 60 | 300 |  | row-in-registers |",
                      text)
        self.assertIn("| reach/b |  |  | failed |", text)
        self.assertIn("3 kernels on NVIDIA H100", text)
        self.assertIn("geometric mean 2.00", text)
        self.assertTrue(measure.failed(failed) and not measure.failed(nothing))

    def test_sizes_are_those_of_the_workload(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "k.cu"
            source.write_text("#pragma cupilot optimize\n"
                              "#pragma cupilot workload(large) set(n = 1 << 20, m = (3 + 1) * n, s = 0.5f) in(x[n]) \\\n"
                              "    out(y[n])\n"
                              "#pragma cupilot workload(small) set(n = 7, m = 9, s = 1e-5) check\n"
                              "__global__ void k() {}\n")
            self.assertEqual(measure.sizes_of(source, 5, "large"), {"n": 1 << 20, "m": 4 << 20, "s": 0.5})
            self.assertEqual(measure.sizes_of(source, 5, "small"), {"n": 7, "m": 9, "s": 1e-5})
            self.assertEqual(measure.sizes_of(source, 5, "other"), {})

    def test_every_kernel_has_a_peer_or_a_reason(self):
        done = subprocess.run([sys.executable, str(HERE / "peers.py"), "--list"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr)

    def test_the_document_has_the_table_of_the_run(self):
        table = measure.table(json.loads(RUN.read_text()))
        self.assertIn(table, (HERE.parents[1] / "docs/schedules.md").read_text(),
                      "tests/effect/measure.py --table tests/effect/runs/h200.json")


if __name__ == "__main__":
    unittest.main()
