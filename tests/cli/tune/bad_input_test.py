# SPDX-License-Identifier: Apache-2.0
"""What can be wrong before a tune starts: one clear message each, the right exit code, nothing lost."""
import json
import os
import unittest

from fake_project import FAKES, Project
from tune_test import ready


class BadInput(unittest.TestCase):
    def refused(self, project, code, *words, arguments=None, **environment):
        done = project.cupilot(*(arguments or project.tune_arguments()), **environment)
        self.assertEqual(done.returncode, code, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertEqual(done.stderr.count("cupilot: error:"), 1, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertFalse(project.records.exists() and any(project.records.rglob("record.json")))

    def test_command_line(self):
        with ready(Project()) as project:
            for arguments, word in (
                    (("tune",), "name the build folder"),
                    (("tun", project.build), "did you mean 'tune'?"),
                    (project.tune_arguments("--budget", "30 parsecs"), "unknown unit 'parsecs'"),
                    (project.tune_arguments("--candidates", "0"), "--candidates"),
                    (project.tune_arguments("--executor", "moon"), "--executor"),
                    (project.tune_arguments("--executor", "folder"), "--folder"),
                    (project.tune_arguments("--bugdet", "1 min"), "--bugdet"),
                    (("tune", project.build, "--arch", "h100"), "write it like sm_90"),
                    (("tune", project.build, "--", "-Iinc"), "flags after '--'")):
                self.refused(project, 2, word, arguments=arguments)

    def test_names_of_kernels_and_targets(self):
        with ready(Project()) as project:
            self.refused(project, 2, "did you mean 'scale'?", arguments=project.tune_arguments("--kernel", "scal"))
            self.refused(project, 2, "did you mean 'app'?", arguments=project.tune_arguments("--target", "ap"))

    def test_build_folder(self):
        with ready(Project()) as project:
            self.refused(project, 2, "does not exist", "cmake -S . -B", arguments=("tune", project.top / "nowhere"))
            commands = project.build / "compile_commands.json"
            text = commands.read_text()
            commands.unlink()
            self.refused(project, 2, "compile_commands.json' is missing", "CMAKE_EXPORT_COMPILE_COMMANDS")
            commands.write_text(text[:40])
            self.refused(project, 2, "is damaged", "run cmake again")
            project.configure()
            newer = os.stat(commands).st_mtime + 5
            os.utime(project.source / "CMakeLists.txt", (newer, newer))
            self.refused(project, 2, "stale", "CMakeLists.txt' is newer", "run cmake again")
            os.utime(project.source / "CMakeLists.txt", (1, 1))
            (project.source / "a.cu").unlink()
            self.refused(project, 2, "a.cu', which is gone", "run cmake again")

    def test_unwritable_records(self):
        with ready(Project()) as project:
            project.records.write_text("a file where the folder belongs")
            log = project.top / "judged.log"
            self.refused(project, 2, "cannot write records into", "not a folder", CUPILOT_FAKE_LOG=str(log))
            self.assertFalse(log.exists())
            self.assertEqual(project.records.read_text(), "a file where the folder belongs")
            project.records.unlink()
            if os.geteuid() == 0:
                return  # permissions do not bind root
            project.source.chmod(0o555)
            self.refused(project, 2, "cannot write records into")
            project.source.chmod(0o755)

    def test_unwritable_build_folder(self):
        with ready(Project()) as project:
            project.run.write_text("a file where the run's folder belongs")
            self.refused(project, 1, "cannot open the lock")

    def test_missing_programs(self):
        with ready(Project()) as project:
            self.refused(project, 2, "CUPILOT_ANNOTATE names '/nowhere'", CUPILOT_ANNOTATE="/nowhere")
            self.refused(project, 2, "CUPILOT_WORKER names '/nowhere'", CUPILOT_WORKER="/nowhere")
            (project.top / "bin" / "nvcc").unlink()
            if not os.path.exists("/usr/local/cuda/bin/nvcc"):
                self.refused(project, 1, "no CUDA compiler", "install the CUDA toolkit")

    def test_no_gpu(self):
        with ready(Project()) as project:
            smi = project.top / "bin" / "nvidia-smi"
            smi.write_text("#!/bin/sh\nexit 9\n")
            smi.chmod(0o755)
            self.refused(project, 1, "no NVIDIA GPU here", "--executor folder", arguments=("tune", project.build))

    def test_annotations_with_errors(self):
        with ready(Project()) as project:
            place = {"file": "a.cu", "line": 1, "column": 18}
            project.annotate([{"spec": project.spec("scale")}, {"diagnostic": {
                "severity": "error", "place": place, "message": "unknown clause 'precison'",
                "source_line": "#pragma cupilot o precison(same)", "remedy": "did you mean 'precision'?"}}])
            self.refused(project, 1, "a.cu:1:18: error: unknown clause 'precison'; did you mean 'precision'?",
                         "#pragma cupilot o precison(same)\n", "the annotations have errors")
            project.annotate([])
            self.refused(project, 2, "no kernel of this build is annotated")

    def test_annotate_that_dies_or_is_of_another_version(self):
        with ready(Project()) as project:
            project.annotate([{"exit": 3}])
            self.refused(project, 1, "cupilot-annotate ended early with exit code 3")
            other = project.top / "bin" / "other-annotate"
            other.write_text("#!/bin/sh\necho '{\"cupilot_annotate\":99}'\n")
            other.chmod(0o755)
            self.refused(project, 1, "has another version", CUPILOT_ANNOTATE=str(other))

    def test_damaged_run_database(self):
        with ready(Project()) as project:
            project.run.mkdir()
            (project.run / "run.db").write_bytes(b"this was a database once, and it is not any more" * 100)
            self.refused(project, 1, "run.db", "--fresh starts over")
            fresh = project.cupilot(*project.tune_arguments("--fresh"))
            self.assertEqual(fresh.returncode, 0, fresh.stderr)
            self.assertTrue((project.run / "run.db.old").read_bytes().startswith(b"this was"))

    def test_a_kernel_that_is_no_base_to_judge_on(self):
        with ready(Project()) as project:
            done = project.cupilot(*project.tune_arguments("--json"), CUPILOT_FAKE_ERROR_INPUT="1",
                                   CUPILOT_FAKE_ERROR="the original is not deterministic on workload 'large': y differs")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("a.cu:2:1: error: the original is not deterministic on workload 'large'", done.stderr)
            self.assertEqual(done.stderr.count("not deterministic"), 1, done.stderr)
            kernel = json.loads(done.stdout)["kernels"][0]
            self.assertEqual((kernel["result"], kernel["diagnostic"]["place"]["line"]), ("failed", 2))
            self.assertFalse(project.records.exists() and any(project.records.rglob("record.json")))

    def test_no_strategy_applies(self):
        with ready(Project()) as project:
            (project.fake_annotate / "refuse.txt").write_text(
                "block-size grid-stride wide-access warp-per-row pad-shared")
            done = project.cupilot(*project.tune_arguments())
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("no strategy applies; nothing published", done.stdout)
            self.assertIn("wide-access: does not apply: the fake refuses it", done.stderr)

    def test_worker_that_cannot_judge(self):
        with ready(Project()) as project:
            done = project.cupilot(*project.tune_arguments(), CUPILOT_FAKE_ERROR="no CUDA device here")
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stderr.count("no CUDA device here"), 1, done.stderr)
            self.assertIn("failed", done.stdout)
            again = project.cupilot(*project.tune_arguments())
            self.assertEqual(again.returncode, 0, again.stderr)

    def test_fakes_are_where_the_tests_look(self):
        self.assertTrue((FAKES / "annotate" / "cupilot-annotate").exists())


if __name__ == "__main__":
    unittest.main()
