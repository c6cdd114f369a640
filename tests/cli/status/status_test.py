# SPDX-License-Identifier: Apache-2.0
"""`cupilot status` and `cupilot scan` over records in every state."""
import json
import unittest

from fake_project import Project, sha

RULES = "rules: => speedup 1.5\n"


def tuned():
    """A project whose kernel has a record."""
    project = Project()
    (project.top / "rules").write_text(RULES)
    done = project.cupilot(*project.tune_arguments("--candidates", "2"), CUPILOT_FAKE_RULES=str(project.top / "rules"))
    assert done.returncode == 0, done.stderr
    return project


class Status(unittest.TestCase):
    def state(self, project, word, check):
        answer = project.cupilot("status", project.build, "--check", "--json")
        self.assertEqual(answer.returncode, check, answer.stderr)
        status = json.loads(answer.stdout)
        self.assertEqual(status["cupilot_status"], 1)
        self.assertEqual(status["ok"], check == 0)
        self.assertEqual([r["state"] for r in status["kernels"][0]["records"]], [word])
        self.assertEqual(project.cupilot("status", project.build).returncode, 0)
        scan = json.loads(project.cupilot("scan", project.build, "--json").stdout)
        self.assertEqual(scan["kernels"][0]["records"][0]["state"], word)

    def test_missing(self):
        with Project() as project:
            self.state(project, "missing", 1)

    def test_fits(self):
        with tuned() as project:
            self.state(project, "fits", 0)
            self.assertRegex(project.cupilot("status", project.build).stdout, r"scale +sm_90 +fits +large \d\.\d\dx")

    def test_what_is_not_strict_says_so(self):
        with Project() as project:
            spec = project.spec("scale")
            spec["precision"] = {"kind": "relaxed", "relative": 0.01, "absolute": 0}
            spec["assumptions"] = [{"expression": "n % 4 == 0", "place": spec["place"]}]
            project.annotate([{"spec": spec}, {"spec": project.spec("exact")}])
            for verb in ("status", "scan"):
                text = project.cupilot(verb, project.build).stdout
                self.assertIn("scale (relaxed(0.01, 0))", text)
                self.assertNotIn("exact (", text)
                kernels = json.loads(project.cupilot(verb, project.build, "--json").stdout)["kernels"]
                self.assertEqual([k["precision"] for k in kernels], ["relaxed(0.01, 0)", "same"])
                self.assertEqual(kernels[0]["assumptions"], ["n % 4 == 0"])

    def test_finds_the_build_folder_that_is_here(self):
        with tuned() as project:
            for folder in (project.top, project.build):
                self.assertEqual(project.cupilot("status", "--check", cwd=folder).returncode, 0)
            nowhere = project.cupilot("status", "--check")
            self.assertEqual(nowhere.returncode, 2)
            self.assertIn("name the build folder", nowhere.stderr)

    def test_stale_when_the_kernel_changed(self):
        with tuned() as project:
            project.annotate([{"spec": project.spec("scale", kernel_id=sha("other"))}])
            self.state(project, "stale", 1)

    def test_workloads_changed(self):
        with tuned() as project:
            spec = project.spec("scale")
            spec["workload_id"] = sha("larger")
            project.annotate([{"spec": spec}])
            self.state(project, "workloads_changed", 1)

    def test_another_compiler_is_said_and_good_enough(self):
        with tuned() as project:
            nvcc = project.top / "bin" / "nvcc"
            nvcc.write_text(nvcc.read_text().replace("13.0", "12.8"))
            answer = project.cupilot("status", project.build, "--check")
            self.assertEqual(answer.returncode, 0, answer.stderr)
            self.assertRegex(answer.stdout, "other_toolchain .*measured with nvcc 13.0.88")

    def test_damaged(self):
        with tuned() as project:
            record = project.records / "scale/sm_90/record.json"
            text = record.read_text()
            record.write_text(text[:len(text) // 2])
            self.state(project, "damaged", 1)
            record.write_text(text)
            self.state(project, "fits", 0)
            variant = project.records / "scale/sm_90/variant.cuh"
            variant.write_text(variant.read_text() + "// by hand\n")
            self.state(project, "damaged", 1)

    def test_slower(self):
        with tuned() as project:
            record = project.records / "scale/sm_90/record.json"
            record.write_text(record.read_text().replace('"faster"', '"slower"'))
            self.state(project, "slower", 1)

    def test_one_row_an_architecture(self):
        with tuned() as project:
            spec = project.spec("scale")
            spec["command"]["architectures"] = ["compute_75", "sm_80", "sm_90a"]
            project.annotate([{"spec": spec}])
            answer = project.cupilot("status", project.build, "--check", "--json")
            self.assertEqual(answer.returncode, 1)
            states = {r["architecture"]: r["state"] for r in json.loads(answer.stdout)["kernels"][0]["records"]}
            self.assertEqual(states, {"sm_80": "missing", "sm_90": "fits"})
            spec["command"]["architectures"] = ["sm_80"]
            project.annotate([{"spec": spec}])
            self.assertIn("sm_90 (not compiled)", project.cupilot("scan", project.build).stdout)
            spec["command"]["architectures"] = ["native"]
            project.annotate([{"spec": spec}])
            self.assertIn("sm_90 (not compiled)", project.cupilot("scan", project.build).stdout)
            for compiled, rows in ((["compute_90"], {"sm_90": "fits"}), (["native"], {"sm_90": "fits"}),
                                   (["compute_80", "sm_90"], {"sm_90": "fits"})):
                spec["command"]["architectures"] = compiled
                project.annotate([{"spec": spec}])
                answer = project.cupilot("status", project.build, "--check", "--json")
                self.assertEqual(answer.returncode, 0, compiled)
                self.assertEqual({r["architecture"]: r["state"]
                                  for r in json.loads(answer.stdout)["kernels"][0]["records"]}, rows)

    def test_nothing_anywhere_is_missing(self):
        with Project() as project:
            spec = project.spec("scale")
            spec["command"]["architectures"] = ["native"]
            project.annotate([{"spec": spec}])
            answer = project.cupilot("status", project.build, "--check")
            self.assertEqual(answer.returncode, 1)
            self.assertIn("no record for any architecture", answer.stdout)

    def test_tuning_again_repairs_a_damaged_record(self):
        with tuned() as project:
            (project.records / "scale/sm_90/record.json").write_text("{")
            done = project.cupilot(*project.tune_arguments("--json"), CUPILOT_FAKE_RULES=str(project.top / "rules"))
            self.assertEqual(json.loads(done.stdout)["kernels"][0]["result"], "published")
            self.state(project, "fits", 0)

    def test_scan_lists_launches_that_are_not_caught(self):
        with Project() as project:
            spec = project.spec("scale")
            place = dict(spec["place"], line=40)
            spec["launches"].append({"place": place, "kind": "graph", "caught": False})
            project.annotate([{"spec": spec}])
            text = project.cupilot("scan", project.build).stdout
            self.assertRegex(text, r"scale +a\.cu:2 +large +1 \(\+1 not caught\) +sm_90 +missing")
            self.assertIn("the graph launch at", text)

    def test_scan_of_files_hands_the_flags_on(self):
        with Project() as project:
            done = project.cupilot("scan", project.source / "a.cu", "--", "-Iinc", "-arch=sm_90")
            self.assertEqual(done.returncode, 0, done.stderr)
            call = json.loads((project.fake_annotate / "calls.log").read_text().splitlines()[-1])
            self.assertEqual(call, ["scan", "--root", str(project.source), "--records", str(project.source / "tuned"),
                                    "--no-analysis", str(project.source / "a.cu"), "--",
                                    "nvcc", "-Iinc", "-arch=sm_90"], "twins and lifted forms are not needed here")
            missing = project.cupilot("scan", project.source / "b.cu")
            self.assertEqual(missing.returncode, 2)
            self.assertIn("b.cu' does not exist", missing.stderr)


class Help(unittest.TestCase):
    def test_help_and_version_go_to_stdout(self):
        with Project() as project:
            for arguments in (("--help",), ("help",), ("help", "tune"), ("judge", "--help"), ("--version",), ()):
                done = project.cupilot(*arguments)
                self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
                self.assertTrue(done.stdout, arguments)
            for verb in ("scan", "tune", "status", "judge"):
                self.assertIn(verb, project.cupilot("--help").stdout)
                self.assertIn("--json", project.cupilot("help", verb).stdout)


if __name__ == "__main__":
    unittest.main()
