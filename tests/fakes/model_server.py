#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A model's server that misbehaves as it is told: chat completions and messages on 127.0.0.1.

It reads one JSON object a line from stdin and answers each with one line on stdout:
  {"do": "script", "steps": [...]}  what to do with the next requests, in the order they arrive  -> "ok"
  {"do": "log"}                     the requests since the last log, and what each was billed    -> [...]
The first line on stdout is {"port": N, "tls_port": N or 0}; tls_port is 0 where no certificate can be made.

A step is one of
  {"status": 429, "headers": {...}, "body": ...}   refused: nothing is billed
  {"drop": true}            the connection is closed without a word
  {"silent": true}          nothing is ever said
  {"page": "<html>..."}     status 200 and something else than a stream
  {"text": "...", ...}      an answer ("$prompt" stands for the question), with any of
     "cut": n        after n pieces the connection is closed
     "stall": n      after n pieces nothing more comes
     "malformed": n, "schema": n, "error": {...} (with "error_after": n)   instead of piece n
     "pause": s      seconds between pieces
     "huge": bytes   that much text
     "finish": word  instead of the dialect's word for a whole answer
     "no_usage": true, "bare_usage": true (no details), "no_finish_event": true
Without a step the answer is "yes". A request that the real servers would refuse is refused as they do: key,
model, members, nulls.
"""
import hashlib
import http.server
import json
import os
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time

KEY = os.environ["MODEL_SERVER_KEY"]
MODEL = "model-1"

lock = threading.Lock()
steps, log, prefixes = [], [], set()
released = threading.Event()  # ends what stalls
begin = time.monotonic()


def tokens(text):
    """Some count of its own that no client can guess."""
    return len(text.encode()) // 4 + 3


def has_null(value):
    if isinstance(value, dict):
        return any(has_null(v) for v in value.values())
    if isinstance(value, list):
        return any(has_null(v) for v in value)
    return value is None


class Refusal(Exception):
    def __init__(self, status, body, headers=None):
        super().__init__(status)
        self.status, self.body, self.headers = status, body, headers or {}


class OpenAi:
    path = "/v1/chat/completions"
    whole = "stop"

    @staticmethod
    def check(headers, body):
        if headers.get("Authorization") != "Bearer " + KEY:
            raise Refusal(401, {"error": {"message": "Incorrect API key provided: " + headers.get("Authorization", ""),
                                          "type": "invalid_request_error", "code": "invalid_api_key"}})
        if body.get("stream_options") != {"include_usage": True} or "max_tokens" in body:
            raise Refusal(400, {"error": {"message": "unsupported parameter"}})
        if not isinstance(body.get("max_completion_tokens"), int):
            raise Refusal(400, {"error": {"message": "max_completion_tokens"}})

    @staticmethod
    def texts(body):
        said = {m["role"]: m["content"] for m in body["messages"]}
        return said.get("system", ""), said["user"], body["max_completion_tokens"]

    @staticmethod
    def error(message, kind):
        return {"error": {"message": message, "type": kind, "code": None}}

    @staticmethod
    def chunk(delta, finish=None, choices=True, usage=None):
        piece = [{"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}] if choices else []
        return [(None, {"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": MODEL + "-2026",
                        "system_fingerprint": "fp_9", "choices": piece, "usage": usage})]

    def opening(self, bill):
        return self.chunk({"role": "assistant", "content": "", "refusal": None})

    def piece(self, text):
        return self.chunk({"content": text})

    def closing(self, step, bill):
        events = self.chunk({}, finish=step.get("finish", self.whole))
        usage = {"prompt_tokens": bill["in"], "completion_tokens": bill["out"],
                 "total_tokens": bill["in"] + bill["out"]}
        if not step.get("bare_usage"):
            usage["prompt_tokens_details"] = {"cached_tokens": bill["cached"], "audio_tokens": None}
            usage["completion_tokens_details"] = {"reasoning_tokens": bill["out"] // 2}
        if not step.get("no_usage"):
            events += self.chunk({}, choices=False, usage=usage)
        if not step.get("no_finish_event"):
            events.append((None, "[DONE]"))
        return events


class Anthropic:
    path = "/v1/messages"
    whole = "end_turn"

    @staticmethod
    def check(headers, body):
        if headers.get("x-api-key") != KEY:
            raise Refusal(401, {"type": "error", "error": {"type": "authentication_error",
                                                           "message": "invalid x-api-key " + headers.get("x-api-key", "")}})
        if headers.get("anthropic-version") != "2023-06-01" or not isinstance(body.get("max_tokens"), int):
            raise Refusal(400, {"type": "error", "error": {"type": "invalid_request_error", "message": "version"}})

    @staticmethod
    def texts(body):
        prefix = body.get("system", [])
        if prefix and prefix[-1].get("cache_control") != {"type": "ephemeral"}:
            raise Refusal(400, {"type": "error", "error": {"type": "invalid_request_error", "message": "no mark"}})
        return "".join(b["text"] for b in prefix), body["messages"][0]["content"], body["max_tokens"]

    @staticmethod
    def error(message, kind):
        return {"type": "error", "error": {"type": kind, "message": message}}

    @staticmethod
    def event(kind, **members):
        return (kind, {"type": kind, **members})

    def usage(self, step, bill):
        if step.get("no_usage"):
            return {}
        usage = {"input_tokens": bill["in"] - bill["cached"] - bill["written"], "output_tokens": 1}
        if not step.get("bare_usage"):
            usage.update(cache_read_input_tokens=bill["cached"], cache_creation_input_tokens=bill["written"],
                         service_tier=None)
        else:
            usage["input_tokens"] = bill["in"]
        return {"usage": usage}

    def opening(self, bill, step=None):
        message = {"id": "msg_1", "role": "assistant", "model": MODEL + "-2026", "content": [], **self.usage(step or {}, bill)}
        return [self.event("message_start", message=message), self.event("ping"),
                self.event("content_block_start", index=0, content_block={"type": "thinking", "thinking": ""}),
                self.event("content_block_delta", index=0, delta={"type": "thinking_delta", "thinking": "hm"}),
                self.event("content_block_stop", index=0),
                self.event("content_block_start", index=1, content_block={"type": "text", "text": ""})]

    def piece(self, text):
        return [self.event("content_block_delta", index=1, delta={"type": "text_delta", "text": text})]

    def closing(self, step, bill):
        usage = {} if step.get("no_usage") else {"usage": {"output_tokens": bill["out"]}}
        events = [self.event("content_block_stop", index=1),
                  self.event("message_delta", delta={"stop_reason": step.get("finish", self.whole), "stop_sequence": None},
                             **usage)]
        if not step.get("no_finish_event"):
            events.append(self.event("message_stop"))
        return events


DIALECTS = {dialect.path: dialect for dialect in (OpenAi(), Anthropic())}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.note(404)
        self.refuse(404, {"error": "GET"})

    def note(self, status, **more):
        entry = {"path": self.path, "status": status, "at": time.monotonic() - begin,
                 "idempotency": self.headers.get("Idempotency-Key"), "billed": {"in": 0, "out": 0, "cached": 0, "written": 0}}
        entry.update(more)
        with lock:
            log.append(entry)
        return entry

    def do_POST(self):
        text = self.rfile.read(int(self.headers["Content-Length"]))
        with lock:
            step = steps.pop(0) if steps else {"text": "yes"}
        entry = self.note(200)
        try:
            self.serve(step, entry, text)
        except Refusal as refusal:
            entry["status"] = refusal.status
            self.refuse(refusal.status, refusal.body, refusal.headers)
        except (BrokenPipeError, ConnectionResetError):
            entry["left"] = True
            self.close_connection = True

    def serve(self, step, entry, text):
        if step.get("drop"):
            return self.drop()
        if step.get("silent"):
            released.wait(30)
            return self.drop()
        dialect = DIALECTS.get(self.path)
        if dialect is None:
            raise Refusal(404, {"error": {"message": "nothing here"}})
        body = json.loads(text)
        if body.get("stream") is not True or has_null(body):
            raise Refusal(400, dialect.error("a null, or no stream", "invalid_request_error"))
        dialect.check(self.headers, body)
        if body["model"] != MODEL:
            raise Refusal(404, dialect.error("model: " + body["model"], "not_found_error"))
        if "status" in step:
            raise Refusal(step["status"], step.get("body", dialect.error("as told", "api_error")), step.get("headers"))
        if "page" in step:
            return self.refuse(200, step["page"])
        self.answer(dialect, step, entry, *dialect.texts(body))

    def refuse(self, status, body, headers=None):
        data = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def drop(self):
        """A reset, not a polite end."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def bill(self, dialect, prefix, prompt, text, most):
        seen = hashlib.sha256(prefix.encode()).hexdigest()
        with lock:
            known = seen in prefixes
            prefixes.add(seen)
        of_prefix = tokens(prefix) if prefix else 0
        written = of_prefix if isinstance(dialect, Anthropic) and not known else 0
        return {"in": of_prefix + tokens(prompt), "out": min(most, tokens(text)), "cached": of_prefix if known else 0,
                "written": written}

    def send(self, events):
        data = b": keep alive\n\n"
        for kind, event in events:
            text = event if isinstance(event, str) else json.dumps(event)
            data += ((f"event: {kind}\n" if kind else "") + f"data: {text}\n\n").encode()
        # In two parts, so that events are cut where nobody expects it.
        for part in (data[: len(data) // 3], data[len(data) // 3:]):
            self.wfile.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")

    def answer(self, dialect, step, entry, prefix, prompt, most):
        text = step["text"].replace("$prompt", prompt)
        if "huge" in step:
            text = "x" * step["huge"]
        size = max(1, len(text) // 8) if "huge" not in step else 64 << 10
        pieces = [text[i:i + size] for i in range(0, len(text), size)]
        bill = self.bill(dialect, prefix, prompt, text, most)
        if step.get("bare_usage"):
            bill.update(cached=0, written=0)
        entry["billed"] = bill
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("x-request-id", "req_7")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.send(dialect.opening(bill, step) if isinstance(dialect, Anthropic) else dialect.opening(bill))
        for number, piece in enumerate(pieces + [None]):
            if step.get("pause"):
                time.sleep(step["pause"])
            if number == step.get("cut"):
                return self.drop()
            if number == step.get("stall"):
                released.wait(30)
                return self.drop()
            if number == step.get("malformed"):
                self.send([(None, '{"choices": [{"delta')])
            if number == step.get("schema"):
                self.send([(None, '{"answer": 42}')])
            if "error" in step and number == step.get("error_after", 0):
                self.send([("error", step["error"])])
            if piece is not None:
                self.send(dialect.piece(piece))
        self.send(dialect.closing(step, bill))
        self.wfile.write(b"0\r\n\r\n")


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_):
        pass  # clients leave


def tls_server(folder):
    """With a certificate that nobody has signed; None where none can be made."""
    certificate, key = os.path.join(folder, "cert.pem"), os.path.join(folder, "key.pem")
    try:
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                        "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost",
                        "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True, timeout=900)
    except (OSError, subprocess.SubprocessError):
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server = Server(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    return server


def command(line):
    global released
    order = json.loads(line)
    with lock:
        if order["do"] == "script":
            released.set()
            released = threading.Event()
            steps[:] = order["steps"]
            log.clear()
            prefixes.clear()
            return "ok"
        return [entry for entry in log]


def main():
    with tempfile.TemporaryDirectory() as folder:
        plain, tls = Server(("127.0.0.1", 0), Handler), tls_server(folder)
        for server in filter(None, (plain, tls)):
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        print(json.dumps({"port": plain.server_address[1], "tls_port": tls.server_address[1] if tls else 0}), flush=True)
        for line in sys.stdin:
            print(json.dumps(command(line)), flush=True)


main()
