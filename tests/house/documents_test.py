# SPDX-License-Identifier: Apache-2.0
"""The documents of the repository speak of what is there."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
SOURCES = [path for folder in ("annotate", "evolution", "driver") for path in (ROOT / folder).rglob("*") if path.is_file()]

# Set by cupilot itself for programs it starts, or a macro.
INTERNAL = {"CUPILOT_PRAGMA", "CUPILOT_EMULATE_ARCH", "CUPILOT_EMULATE_CHECKS", "CUPILOT_EMULATE_LOG",
            "CUPILOT_EMULATE_MEMORY_MB", "CUPILOT_EMULATE_ONLY_LOG", "CUPILOT_EMULATE_REPORT", "CUPILOT_EMULATE_THREADS",
            "CUPILOT_EMULATE_BUDGET", "CUPILOT_SANDBOX_TOLD"}


def newcomers_tasks():
    lines = (ROOT / "tests/house/newcomer.txt").read_text().splitlines()
    return [re.split(r"  +", line) for line in lines if line and not line.startswith("#")]


class Documents(unittest.TestCase):
    def test_links_lead_somewhere(self):
        for document in DOCUMENTS:
            for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text()):
                self.assertTrue((document.parent / target).exists(), f"{document.name}: {target}")

    def test_files_that_are_named_exist(self):
        """A path or a source's name between backticks is a file's or folder's here."""
        names = {path.name for path in SOURCES} | {path.name for path in (ROOT / "tests").rglob("*")}
        for document in [ROOT / "ARCHITECTURE.md", ROOT / "SECURITY.md", *ROOT.glob("docs/*.md")]:
            text = re.sub(r"```.*?```", "", document.read_text(), flags=re.DOTALL)
            for word in re.findall(r"`((?:annotate|evolution|driver|cmake|examples|tests)/[\w./-]+)`", text):
                self.assertTrue((ROOT / word).exists() or list(ROOT.glob(word + ".*")), f"{document.name}: {word}")
            for word in re.findall(r"`(?:[\w.]+/)*(\w+\.(?:h|cpp|cuh|cu|sql))`", text):
                if document.parent == ROOT:
                    self.assertIn(word, names, document.name)

    def test_readme_stays_short(self):
        self.assertLessEqual(len((ROOT / "README.md").read_text().splitlines()), 120)

    def test_prose_stays_within_120_columns(self):
        for document in DOCUMENTS:
            for number, line in enumerate(document.read_text().splitlines(), 1):
                if not line.startswith("|"):
                    self.assertLessEqual(len(line), 120, f"{document.name}:{number}")

    def test_every_environment_variable_is_documented(self):
        read = set()
        for path in SOURCES:
            if path.suffix in (".cpp", ".h", ".cuh"):
                read |= set(re.findall(r'"(CUPILOT_[A-Z_]+)"', path.read_text()))
        text = "".join(document.read_text() for document in DOCUMENTS)
        self.assertEqual([name for name in sorted(read - INTERNAL) if name not in text], [])

    def test_every_folder_is_described(self):
        text = (ROOT / "ARCHITECTURE.md").read_text()
        folders = {path.parent.relative_to(ROOT).as_posix() for path in SOURCES if path.suffix in (".cpp", ".h", ".cu")}
        known = {"annotate", "driver/launcher/include/cupilot"}
        for folder in sorted(folders - known):
            if not folder.startswith("evolution/emulate/"):
                last = folder.rsplit("/", 1)
                self.assertTrue(f"`{folder}`" in text or f"`{last[1]}`" in text, folder)

    def test_a_newcomer_finds_the_file(self):
        text = (ROOT / "ARCHITECTURE.md").read_text()
        tasks = newcomers_tasks()
        self.assertEqual(len(tasks), 10)
        for task, file in tasks:
            self.assertTrue((ROOT / file).exists(), file)
            folder, name = file.rsplit("/", 1)
            self.assertTrue(name in text or folder in text, f"{task}: {file}")


if __name__ == "__main__":
    unittest.main()
