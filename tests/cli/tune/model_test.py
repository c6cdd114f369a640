# SPDX-License-Identifier: Apache-2.0
"""`cupilot tune` with a model: the real program, a fake model, a fake worker."""
import http.server
import json
import os
import pathlib
import pty
import subprocess
import threading
import time
import unittest

from fake_project import FAKES, Project

MODEL = FAKES / "model" / "fake-model"
KEY = "sk-this-must-never-be-written"
SMALL = ("--population", "4", "--generations", "2", "--epochs", "1")


class Server:
    """Chat completions on this machine, streamed: the fake model's answers, 1000 tokens in and 10,000 out each."""

    ROLES = {"realise": "translator", "first strategies": "strategist", "one child": "strategist",
             "edit the lines": "revisor", "what went wrong": "revisor", "say what the code": "aligner",
             "what keeps it": "analyst"}

    def __enter__(self):
        outer = self
        self.keys, self.questions = set(), 0

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                outer.keys.add(self.headers["Authorization"])
                outer.questions += 1
                asked_for = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                prompt = "".join(part if isinstance(part, str) else "".join(p["text"] for p in part)
                                 for part in (message["content"] for message in asked_for["messages"]))
                heading = prompt[prompt.rfind("# The question"):].split("\n")[0].lower()
                role = next((role for start, role in outer.ROLES.items() if start in heading), "revisor")
                text = subprocess.run([MODEL], input=prompt, text=True, check=True, capture_output=True,
                                      env={**os.environ, "CUPILOT_ROLE": role}).stdout
                usage = {"prompt_tokens": 1000, "completion_tokens": 10000, "total_tokens": 11000}
                chunks = [{"id": "1", "model": "m-1", "choices": [{"index": 0, "delta": {"content": text}}]},
                          {"id": "1", "model": "m-1",
                           "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
                          {"id": "1", "model": "m-1", "choices": [], "usage": usage}]
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                for chunk in chunks:
                    self.wfile.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
                self.wfile.write(b"data: [DONE]\n\n")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def words(project, *more):
    return project.tune_arguments("--executor", "local", "--policy", "sce", *SMALL, *more)


def with_model(project, *more):
    return words(project, "--command", MODEL, "--accept-data-policy", *more)


def kernel_of(done):
    return json.loads(done.stdout)["kernels"][0]


def individuals(project):
    done = project.cupilot("log", "--json", project.build)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["runs"][-1]["individuals"]


def asked(project):
    log = project.top / "asked.log"
    return log.read_text().splitlines() if log.exists() else []


class Mailbox(threading.Thread):
    """Answers what it finds with the fake model; what to answer instead comes first."""

    def __init__(self, folder, instead=()):
        super().__init__(daemon=True)
        self.folder, self.instead, self.over = folder, list(instead), False

    def run(self):
        while not self.over:
            for prompt in sorted(self.folder.glob("*.prompt.json")):
                number = prompt.name.split(".")[0]
                if not (self.folder / f"{number}.answer.json").exists():
                    self.answer(number, json.loads(prompt.read_text()))
            time.sleep(0.02)

    def answer(self, number, question):
        if question["role"] == "translator" and self.instead:
            text = self.instead.pop(0)
        else:
            text = subprocess.run([MODEL], input=question["prefix"] + question["prompt"], text=True, check=True,
                                  capture_output=True, env={**os.environ, "CUPILOT_ROLE": question["role"]}).stdout
        aside = self.folder / f"{number}.aside"
        aside.write_text(json.dumps({"cupilot_answer_text": 1, "text": text, "model": "a person",
                                     "tokens_in": 100, "tokens_out": 10}))
        aside.rename(self.folder / f"{number}.answer.json")


class Model(unittest.TestCase):
    def test_a_whole_search_from_strategies_to_the_record(self):
        with Project() as project:
            project.environment["CUPILOT_FAKE_MODEL_LOG"] = str(project.top / "asked.log")
            done = project.cupilot(*with_model(project, "--model", "fake-1", "--json"))
            self.assertEqual(done.returncode, 0, done.stderr)
            kernel = kernel_of(done)
            self.assertEqual((kernel["result"], kernel["policy"]), ("published", "sce"))
            roles = {role["role"]: role["questions"] for role in kernel["spent"]["roles"]}
            self.assertEqual(set(roles), {"analyst", "strategist", "translator", "revisor", "aligner"})
            self.assertEqual(sum(roles.values()), len(asked(project)))
            self.assertEqual({line.split()[1] for line in asked(project)}, {"fake-1"})

            record = json.loads((project.records / "scale/sm_90/record.json").read_text())["search"]
            self.assertEqual((record["policy"], record["provider"], record["model"]), ("sce", "command", "fake-1"))
            self.assertIn("shared tiles with wide loads", record["strategies"][0])
            self.assertIn("--policy sce --provider command --model fake-1 --command fake-model", record["command"])
            self.assertNotIn(str(FAKES), json.dumps(record))
            header = (project.records / "scale/sm_90/variant.cuh").read_text().splitlines()[0]
            self.assertIn("shared tiles with wide loads", header)

            # run again: everything is known
            before = asked(project)
            again = project.cupilot(*with_model(project, "--model", "fake-1", "--json"))
            self.assertEqual((again.returncode, kernel_of(again)["result"]), (0, "unchanged"))
            self.assertEqual(asked(project), before)
            self.assertEqual(kernel_of(again)["judged"], 0)

    def test_two_critics_are_two_runs(self):
        with Project() as project:
            project.environment["CUPILOT_FAKE_MODEL_LOG"] = str(project.top / "asked.log")
            counts = []
            for critic in ("one", "two"):
                done = project.cupilot(*with_model(project, "--critic", "--role", f"critic=command:{critic}"))
                self.assertEqual(done.returncode, 0, done.stderr)
                counts.append(asked(project).count(f"critic {critic}"))
            self.assertGreater(counts[0], 0)
            self.assertEqual(counts[0], counts[1])  # the second took nothing of the first
            runs = json.loads(project.cupilot("log", "--json", project.build).stdout)["runs"]
            self.assertEqual(len(runs), 2)

    def test_the_log_shows_lineage_repairs_and_alignment(self):
        with Project() as project:
            self.assertEqual(project.cupilot(*with_model(project)).returncode, 0)
            known = {one["id"]: one for one in individuals(project)}
            repaired = next(one for one in known.values() if one["repair_of"])
            self.assertEqual(known[repaired["repair_of"]]["verdict"], "build_failed")
            self.assertEqual(repaired["fixes"], 1)
            best = max(known.values(), key=lambda one: one["speedup"])
            self.assertEqual((best["confirmed"], len(best["parents"])), ("faster", 2))
            self.assertAlmostEqual(best["predicted"], 1.5)
            text = project.cupilot("log", project.build).stdout
            self.assertIn(f"└─ {repaired['id']}", text)
            self.assertTrue(all(len(line) <= 100 for line in text.splitlines()), text)

            shown = json.loads(project.cupilot("show", best["id"], "--json", project.build).stdout)
            self.assertEqual(shown["base"], best["parents"][0])
            self.assertIn("+// fake: speedup 2.00", shown["diff"])
            self.assertNotEqual(shown["strategy"], shown["strategy_ordered"])
            self.assertIn("aligned", shown["strategy"])
            self.assertEqual([q["role"] for q in shown["questions"]], ["translator", "aligner"])
            text = project.cupilot("show", repaired["id"], project.build).stdout
            self.assertIn("a name that is not there", text)
            missing = project.cupilot("show", "c9999", project.build)
            self.assertEqual((missing.returncode, "cupilot log" in missing.stderr), (2, True))

    def test_a_recording_runs_again_without_model_and_judge(self):
        with Project() as project, Project() as other:
            first = project.cupilot(*with_model(project, "--json"))
            self.assertEqual(first.returncode, 0, first.stderr)
            recording = project.top / "run.jsonl"
            done = project.cupilot("log", "--export", recording, project.build)
            self.assertEqual(done.returncode, 0, done.stderr)
            again = other.cupilot("tune", other.build, "--progress", "plain", "--replay", recording, "--executor",
                                  f"replay:{recording}", "--json", CUPILOT_WORKER="/nowhere")
            self.assertEqual(again.returncode, 0, again.stderr)
            one, two = kernel_of(first), kernel_of(again)
            self.assertEqual(two["result"], "faster")  # a recording publishes nothing
            self.assertEqual((two["judged"], two["counts"]), (one["judged"], one["counts"]))
            self.assertFalse(other.records.exists())
            same = [[(i["id"], i["parents"], i["speedup"]) for i in individuals(p)] for p in (project, other)]
            self.assertEqual(*same)

    def test_what_it_learned_serves_the_next_project(self):
        with Project() as project, Project() as other:
            self.assertEqual(project.cupilot(*with_model(project)).returncode, 0)
            recording = other.top / "run.jsonl"
            self.assertEqual(other.cupilot(*with_model(other), CUPILOT_DATA=str(project.top / "data")).returncode, 0)
            other.cupilot("log", "--export", recording, other.build)
            initial = next(json.loads(line) for line in recording.read_text().splitlines()
                           if '"role":"strategist"' in line)
            self.assertIn("shared-tiles-with-wide-loads", initial["prompt"])

    def test_a_history_that_is_damaged_is_a_warning(self):
        with Project() as project:
            (project.top / "data").mkdir()
            (project.top / "data/history.db").write_bytes(b"not a database at all" * 300)
            done = project.cupilot(*with_model(project))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("warning: opening the history of strategies", done.stderr)

    def test_bad_answers_cost_the_candidate_and_nothing_else(self):
        for mode, words_of_it in (("empty", "translator"), ("cut", "translator"), ("prose", "translator"),
                                  ("refuse", "n may be odd"), ("huge", "translator")):
            with self.subTest(mode), Project() as project:
                done = project.cupilot(*with_model(project), CUPILOT_FAKE_MODEL=mode)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(words_of_it, done.stderr)
                self.assertFalse(project.records.exists())
                self.assertNotIn("bug", done.stderr)

    def test_a_hostile_answer_is_rejected_before_it_is_built(self):
        with Project() as project:
            log = project.top / "judged.log"
            done = project.cupilot(*with_model(project), CUPILOT_FAKE_MODEL="hostile", CUPILOT_FAKE_LOG=str(log))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertFalse(log.exists())  # no worker saw it
            tried = individuals(project)
            self.assertEqual({one["verdict"] for one in tried}, {"rejected"})
            self.assertIn("may not include anything", tried[0]["reason"])
            self.assertIn("system", tried[0]["reason"])
            self.assertFalse(project.records.exists())

    def test_a_model_that_stops_answering_leaves_what_was_found(self):
        with Project() as project:
            project.environment["CUPILOT_FAKE_MODEL_LOG"] = str(project.top / "asked.log")
            done = project.cupilot(*with_model(project, "--parallel", "1"), CUPILOT_FAKE_MODEL_FAIL="8")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("no more today", done.stderr)
            self.assertTrue((project.records / "scale/sm_90/record.json").exists(), done.stdout)

    def test_a_mailbox_is_answered_by_somebody(self):
        with Project() as project:
            folder = project.top / "box"
            folder.mkdir()
            somebody = Mailbox(folder, instead=["", "```cuda\nint x;", "no code today"])
            somebody.start()
            done = project.cupilot(*words(project, "--mailbox", folder, "--json"))
            somebody.over = True
            self.assertEqual(done.returncode, 0, done.stderr)
            kernel = kernel_of(done)
            self.assertEqual(kernel["result"], "published")
            self.assertEqual({role["model"] for role in kernel["spent"]["roles"]}, {"a person"})
            self.assertGreater(kernel["spent"]["tokens_in"], 100)
            search = json.loads((project.records / "scale/sm_90/record.json").read_text())["search"]
            self.assertEqual(search["tokens"], kernel["spent"]["tokens_in"] + kernel["spent"]["tokens_out"])
            self.assertNotIn(str(project.top), search["command"])
            self.assertIn("its text is empty", done.stderr)  # and it goes on waiting for another
            self.assertIn("no usable answer", done.stderr)
            self.assertFalse((project.top / "data/consents.txt").exists())  # nothing was sent anywhere

    def test_nothing_is_sent_without_consent(self):
        with Project() as project:
            project.environment["CUPILOT_FAKE_MODEL_LOG"] = str(project.top / "asked.log")
            asking = words(project, "--command", MODEL)
            refused = project.cupilot(*asking)
            self.assertEqual(refused.returncode, 2, refused.stderr)
            self.assertIn("--accept-data-policy", refused.stderr)
            self.assertIn("scale: ", refused.stderr)
            self.assertEqual(asked(project), [])
            self.assertEqual(project.cupilot(*with_model(project)).returncode, 0)
            self.assertEqual(project.cupilot(*asking).returncode, 0)  # agreed to once for this project

    def test_on_a_terminal_it_is_asked(self):
        with Project() as project:
            for answer, code in (("n", 2), ("y", 0)):
                leader, follower = pty.openpty()
                process = subprocess.Popen(project.command(*words(project, "--command", MODEL)), stdin=follower,
                                           stderr=follower, stdout=subprocess.PIPE, text=True,
                                           env=project.environment)
                os.close(follower)
                os.write(leader, (answer + "\n").encode())
                said = b""
                try:
                    while part := os.read(leader, 65536):
                        said += part
                except OSError:  # the other end is closed
                    pass
                process.communicate(timeout=900)
                self.assertEqual(process.returncode, code, said)
                self.assertIn(b"[y/N]", said)
                os.close(leader)

    def test_the_data_policy_shows_every_byte_of_the_prefix(self):
        with Project() as project:
            done = project.cupilot(*words(project, "--provider", "anthropic", "--model", "m", "--data-policy", "--json"))
            self.assertEqual(done.returncode, 0, done.stderr)  # needs no key
            policy = json.loads(done.stdout)
            self.assertEqual(policy["destinations"][0]["host"], "api.anthropic.com")
            self.assertIn("y[threadIdx.x] = 2 * x[threadIdx.x]", policy["kernels"][0]["prefix"])
            self.assertEqual(policy["kernels"][0]["files"], ["a.cu"])
            self.assertFalse((project.run / "run.db").exists())
            text = project.cupilot(*words(project, "--command", MODEL, "--data-policy")).stdout
            self.assertIn(policy["kernels"][0]["prefix"], text)

    def test_bad_input(self):
        openai = ("--provider", "openai", "--model", "m")
        with Project() as project:
            for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_BASE_URL"):
                project.environment.pop(name, None)
            for arguments, *expected in (
                    (openai, "OPENAI_API_KEY"),
                    (("--provider", "anthropic", "--model", "m"), "ANTHROPIC_API_KEY"),
                    (("--provider", "anthropic"), "--model"),
                    (("--provider", "gemini"), "--provider"),
                    ((), "--provider"),
                    (("--model", "m"), "--provider"),
                    ((*openai, "--role", "translater=openai:x"), "did you mean 'translator'?"),
                    ((*openai, "--price", "3"), "--price"),
                    ((*openai, "--budget", "$0"), "is zero"),
                    ((*openai, "--budget", "0 tokens"), "is zero"),
                    ((*openai, "--budget", "5 dollars"), "unknown unit 'dollars'"),
                    ((*openai, "--base-url", "nowhere at all"), "nowhere at all"),
                    (("--replay", "/nowhere.jsonl"), "/nowhere.jsonl"),
                    (("--command", MODEL, "--accept-data-policy", "--dialect", "cute"), "cute/tensor.hpp"),
                    (("--command", MODEL, "--accept-data-policy", "--budget", "$5"), "cupilot cannot know"),
                    (("--command", "/nowhere/model", "--accept-data-policy"), "/nowhere/model")):
                environment = {"OPENAI_API_KEY": KEY} if expected[0] != "OPENAI_API_KEY" else {}
                with self.subTest(arguments):
                    done = project.cupilot(*words(project, *arguments), **environment)
                    self.assertEqual(done.returncode, 2, done.stderr)
                    self.assertIn(expected[0], done.stderr)
                    self.assertNotIn(KEY, done.stderr)
            done = project.cupilot(*words(project, *openai, "--budget", "$5", "--accept-data-policy"),
                                   OPENAI_API_KEY=KEY)
            self.assertEqual(done.returncode, 2)
            for word in ("--price", "prices.txt", "'m'"):
                self.assertIn(word, done.stderr)

    def test_money_is_never_passed_and_more_of_it_goes_on(self):
        def tune(project, server, money):
            done = project.cupilot(*words(project, "--provider", "openai", "--model", "m", "--base-url", server.url,
                                          "--accept-data-policy", "--price", "10/20", "--budget", money, "--json"),
                                   OPENAI_API_KEY=KEY)
            self.assertEqual(done.returncode, 0, done.stderr)
            return kernel_of(done), done.stderr

        with Project() as project, Server() as server:
            first, said = tune(project, server, "$3")
            self.assertTrue(first["models_ended"], said)
            self.assertIn("money budget spent", first["stopped_because"])
            self.assertAlmostEqual(first["spent"]["usd"], server.questions * 0.21, places=6)
            self.assertTrue(0 < first["spent"]["usd"] <= 3, first["spent"])
            self.assertRegex(said, r"\$0\.\d+ of \$3\.00")
            asked_before = server.questions
            second, said = tune(project, server, "$40")
            self.assertFalse(second["models_ended"], said)
            self.assertAlmostEqual(second["spent"]["usd"], server.questions * 0.21, places=6)
            self.assertGreater(server.questions, asked_before)
            self.assertEqual(second["result"], "published")
            self.assertEqual(server.keys, {"Bearer " + KEY})
            search = json.loads((project.records / "scale/sm_90/record.json").read_text())["search"]
            self.assertAlmostEqual(search["cost_usd"], second["spent"]["usd"], places=5)
            self.assertNotIn(KEY, json.dumps(search))

    def test_kernels_share_the_money(self):
        with Project(kernels=("scale", "shift")) as project, Server() as server:
            done = project.cupilot(*words(project, "--provider", "openai", "--model", "m", "--base-url", server.url,
                                          "--accept-data-policy", "--price", "10/20", "--budget", "$5", "--json"),
                                   OPENAI_API_KEY=KEY)
            self.assertEqual(done.returncode, 0, done.stderr)
            spent = [kernel["spent"]["usd"] for kernel in json.loads(done.stdout)["kernels"]]
            self.assertTrue(0 < spent[0] <= 2.5, spent)
            self.assertGreater(spent[1], 0)
            self.assertLessEqual(sum(spent), 5)
            self.assertAlmostEqual(sum(spent), server.questions * 0.21, places=6)

    def test_a_server_that_is_not_there(self):
        with Project() as project:
            done = project.cupilot(*words(project, "--provider", "openai", "--model", "m", "--base-url",
                                          "http://127.0.0.1:9/v1", "--accept-data-policy", "--price", "1/2",
                                          "--budget", "$1", "--json"), OPENAI_API_KEY=KEY)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("127.0.0.1", done.stderr)
            self.assertNotIn("no limit for money", done.stderr)
            kernel = kernel_of(done)
            self.assertEqual((kernel["result"], kernel["spent"]["usd"]), ("nothing_faster", 0))
            self.assertTrue(kernel["models_ended"])
            self.assertIn("6 questions in a row", kernel["stopped_because"])
            text = project.cupilot("log", project.build).stdout
            self.assertIn("6 questions in a row", text)
            for path in pathlib.Path(project.top).rglob("*"):
                if path.is_file():
                    self.assertNotIn(KEY.encode(), path.read_bytes(), path)
            self.assertNotIn(KEY, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
