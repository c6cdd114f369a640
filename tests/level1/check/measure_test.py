# SPDX-License-Identifier: Apache-2.0
"""measure.py without a GPU: who is timed when, tables, what is refused, and going on after a contender that fails."""
import argparse
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import measure  # noqa: E402
from measuring import libraries, report, timing  # noqa: E402


class Device:
    """Each call takes as long as it says."""

    def __init__(self):
        self.order = []

    def sample(self, call):
        name, ms = call()
        self.order.append(name)
        return ms


def contender(ms, **more):
    return {"median_ms": ms, "q1_ms": 0.99 * ms, "q3_ms": 1.01 * ms, "min_ms": ms, "samples": 15,
            "rms": {"uniform": 1e-7, "normal": 2e-7}, "ok": True, **more}


def canned():
    device = {"device": {"name": "NVIDIA H200"}, "torch": "2.11.0", "copy_bandwidth_gbs": 4200.0}
    return {"level1": 1, "part": 1, "errors": [], "problems": {
        "matmul": {"number": 1, **device, "bytes": 201326592, "flops": 2 * 4096**3, "cublas_ms": 2.7, "contenders": {
            "eager": contender(2.7), "compile": contender(2.72), "original": contender(24.0), "evolved": contender(1.5)}},
        "softmax": {"number": 23, **device, "bytes": 12884901888, "contenders": {
            "eager": contender(6.0), "original": contender(9.0), "rules": contender(9.0, kernel="original"),
            "evolved": contender(3.2, ok=False, why="error 2.00e-03 on normal inputs, allowed are 4.77e-07")}}}}


class Tables(unittest.TestCase):
    def test_figures(self):
        text = report.text(canned())
        self.assertRegex(text, r"1 matmul +2\.700 +2\.720 +24\.000 +- +1\.500 +1\.80x +1\.81x +16\.00x +91\.6 TFLOP/s, 1\.80x cuBLAS")
        self.assertRegex(text, r"23 softmax +6\.000 +- +9\.000 +9\.000 +3\.200 +1\.88x +- +2\.81x +96 % of copy")
        # sqrt(1.8 * 1.875)
        self.assertRegex(text, r"geometric mean +1\.00x .*1\.84x")
        self.assertIn("softmax, evolved: WRONG: error 2.00e-03", text)
        self.assertIn("1.0e-07 2.0e-07", text)

    def test_what_failed_is_said(self):
        run = canned()
        run["errors"] = ["rules is left out: no nvcc"]
        run["problems"]["cumsum"] = {"number": 89, "error": "out of memory", "contenders": {}}
        run["problems"]["softmax"]["contenders"]["rules"]["kernel"] = "original: an argument outside the verified domain"
        text = report.text(run)
        for said in ("no nvcc", "cumsum: out of memory", "softmax, rules: original: an argument outside"):
            self.assertIn(said, text)
        self.assertFalse(measure.good(run))

    def test_good_is_all_right(self):
        run = canned()
        self.assertFalse(measure.good(run))
        run["problems"]["softmax"]["contenders"]["evolved"]["ok"] = True
        self.assertTrue(measure.good(run))


class Times(unittest.TestCase):
    def test_everybody_is_first_equally_often(self):
        device = Device()
        calls = {name: (lambda name=name: (name, 1.0)) for name in "abc"}
        samples = timing.interleaved(calls, device, timing.Limits(seconds=0, least=6, warm_up=2))
        self.assertEqual({name: len(all_of) for name, all_of in samples.items()}, {"a": 6, "b": 6, "c": 6})
        timed = device.order[6:]
        self.assertEqual([timed[i] for i in range(0, 18, 3)], list("abcabc"))

    def test_stops_in_time(self):
        clock = iter(range(1000))
        samples = timing.interleaved({"a": lambda: ("a", 1.0)}, Device(), timing.Limits(seconds=20, least=2), lambda: next(clock))
        self.assertEqual(len(samples["a"]), 21)  # the clock is first asked after two samples

    def test_quartiles(self):
        self.assertEqual(timing.quartiles([3.0, 1.0, 2.0, 5.0, 4.0]), (3.0, 2.0, 4.0))
        self.assertEqual(timing.quartiles([2.0]), (2.0, 2.0, 2.0))


class Records(unittest.TestCase):
    def test_what_is_no_record_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder) / "softmax" / "sm_90"
            place.mkdir(parents=True)
            with self.assertRaisesRegex(libraries.Failed, "expected <kernel>"):
                libraries.check_records(pathlib.Path(folder))
            (place / "variant.cuh").write_text("//")
            with self.assertRaisesRegex(libraries.Failed, "publish it"):
                libraries.check_records(pathlib.Path(folder))
            (place / "record.json").write_text("{}")
            libraries.check_records(pathlib.Path(folder))


class Processes(unittest.TestCase):
    def measured(self, *tellings):
        asked = []

        def one_process(options, kernel, without, path):
            asked.append(list(without))
            return tellings[len(asked) - 1]
        with mock.patch.object(measure, "one_process", one_process), mock.patch.object(measure, "note"):
            return measure.measured(argparse.Namespace(), "softmax", pathlib.Path("x.json")), asked

    def test_goes_on_without_who_failed(self):
        found, asked = self.measured({"contenders": {}, "doing": "evolved", "error": "illegal address"},
                                     {"contenders": {}, "doing": "compile", "error": "no compiler"},
                                     {"contenders": {"eager": {"median_ms": 1}}})
        self.assertEqual(asked, [[], ["evolved"], ["evolved", "compile"]])
        self.assertNotIn("error", found)
        self.assertEqual(found["contenders"]["evolved"], {"error": "illegal address"})

    def test_gives_up_where_nobody_else_is_to_blame(self):
        found, asked = self.measured({"contenders": {}, "doing": "eager", "error": "out of memory"})
        self.assertEqual((len(asked), found["error"]), (1, "out of memory"))
        found, asked = self.measured({"contenders": {}, "error": "no GPU"})
        self.assertEqual((len(asked), found["error"]), (1, "no GPU"))

    def test_a_process_that_crashes_is_a_result(self):
        options = argparse.Namespace(work="w", part=1, seconds=1, rules=None, evolved="e", no_compile=False)
        with tempfile.TemporaryDirectory() as folder, mock.patch("subprocess.run") as run:
            run.return_value.returncode = -11
            found = measure.one_process(options, "softmax", ["compile"], pathlib.Path(folder) / "softmax.json")
            self.assertEqual((found["number"], found["error"]), (23, "its process ended with -11"))
            argv = run.call_args.args[0]
            self.assertIn("--evolved", argv)
            self.assertNotIn("--rules", argv)
            self.assertEqual(argv[argv.index("--without") + 1], "compile")

    def test_names_and_numbers(self):
        self.assertEqual(measure.chosen("23,matmul"), ["matmul", "softmax"])
        self.assertEqual(len(measure.chosen(None)), 8)


if __name__ == "__main__":
    unittest.main()
