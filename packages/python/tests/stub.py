"""A server on loopback that answers as it is told, once a request, and keeps what it was asked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

RUN_ID = "7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34"


@dataclass(frozen=True)
class Asked:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


Answer = Callable[[BaseHTTPRequestHandler], None]


def answer(status: int, body: bytes | str, headers: dict[str, str] | None = None) -> Answer:
    """A whole answer; JSON, unless a header says otherwise."""

    def send(handler: BaseHTTPRequestHandler) -> None:
        content = body.encode() if isinstance(body, str) else body
        handler.send_response(status)
        for name, value in {
            "content-type": "application/json",
            "content-length": str(len(content)),
            **(headers or {}),
        }.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(content)

    return send


@dataclass
class Stub:
    answers: Sequence[Answer]
    """In order; the last one again and again."""
    asked: list[Asked] = field(default_factory=list)
    done: threading.Event = field(default_factory=threading.Event)
    """Set when the test is over: what is slow waits for it."""
    url: str = ""

    def __enter__(self) -> Stub:
        stub = self

        class Handler(BaseHTTPRequestHandler):
            def handle_one(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                stub.asked.append(Asked(self.command, self.path, headers, body))
                act = stub.answers[min(len(stub.asked), len(stub.answers)) - 1]
                self.close_connection = True
                # The client may have read enough.
                with suppress(BrokenPipeError, ConnectionResetError):
                    act(self)

            do_GET = do_POST = handle_one

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        return self

    def __exit__(self, *_: object) -> None:
        self.done.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
