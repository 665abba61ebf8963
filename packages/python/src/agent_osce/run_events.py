"""A run's events, each once and in order, over as many connections as it takes."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass

from .connection import Call, Connection
from .errors import OsceError, Refused, ServiceUnreachable, UnexpectedAnswer
from .reading import json_in

SILENT = 50.0
"""Seconds without a byte after which a connection is dead; the service writes a comment every 15 s."""
LONGEST_WAIT = 5.0
MOST_BYTES_OF_MESSAGE = 64 * 1024 * 1024
FINAL = frozenset({"test_run_complete", "test_run_failed", "test_run_canceled"})


@dataclass(frozen=True)
class Event:
    """A fact about a run, in the past tense; it never changes."""

    type: str
    """``connected`` first, then such as ``scenario_started``, ``transcript_update``, ``scenario_complete``, ``test_run_complete``."""
    seq: int | None
    """Its number within the run, to go on from later (``after``); None for ``connected``."""
    fields: Mapping[str, object]
    """All of it as the API gives it: docs/api-by-curl.md lists the fields of each type."""

    @property
    def is_final(self) -> bool:
        return self.type in FINAL


def follow(
    connection: Connection,
    run_id: str,
    after: int | None,
    patience: float,
    is_over: Callable[[], bool],
    silent: float = SILENT,
) -> Generator[Event, None, None]:
    """Events after number ``after`` up to the final one.

    A connection that breaks or falls silent is made again and goes on after the last event that arrived.
    Raises ServiceUnreachable when the service stays away for longer than ``patience`` seconds, Refused.
    """
    last, failures, told = after, 0, False
    lost_since: float | None = None
    while True:
        try:
            for event in _once(connection, run_id, last, silent):
                failures, lost_since = 0, None
                if event.seq is not None:
                    last = event.seq
                # Of later connections it says nothing new.
                if event.type != "connected" or not told:
                    yield event
                told = True
                if event.is_final:
                    return
            # Ended as the service ends a stream when it stops, when the run is deleted, or when there is nothing more (204).
            if is_over():
                return
        except (ServiceUnreachable, Refused) as error:
            if not _is_passing(error):
                raise
            lost_since = lost_since or time.monotonic()
            if time.monotonic() - lost_since > patience:
                raise ServiceUnreachable(f"Gave up after {patience:g} s without the service. {error}") from None
        failures += 1
        time.sleep(min(LONGEST_WAIT, 0.25 * 2 ** min(failures - 1, 10)) * (0.75 + random.random() / 2))


def _is_passing(error: OsceError) -> bool:
    return not isinstance(error, Refused) or error.status >= 500 or error.status == 429


def _once(connection: Connection, run_id: str, last: int | None, silent: float) -> Iterator[Event]:
    headers = {"accept": "text/event-stream", **({} if last is None else {"last-event-id": str(last)})}
    call = Call("GET", "/events", query={"run_id": run_id}, headers=headers)
    with connection.answering(call, silent) as response:
        if response.status_code == 204:
            return
        if not response.headers.get("content-type", "").startswith("text/event-stream"):
            raise UnexpectedAnswer(f"{connection.url}/events is not a stream of events: is OSCE_URL its base address?")
        for number, data in _messages(_lines(response.iter_bytes())):
            event = _event_in(number, data)
            if event is not None:
                yield event


def _lines(chunks: Iterator[bytes]) -> Iterator[bytes]:
    held, size = list[bytes](), 0
    for chunk in chunks:
        first, *others = chunk.split(b"\n")
        held.append(first)
        size += len(first)
        if size > MOST_BYTES_OF_MESSAGE:
            raise _too_long()
        if others:
            yield b"".join(held).rstrip(b"\r")
            yield from (line.rstrip(b"\r") for line in others[:-1])
            held, size = [others[-1]], len(others[-1])


def _messages(lines: Iterator[bytes]) -> Iterator[tuple[str, bytes]]:
    """Id and data of each message (https://html.spec.whatwg.org/multipage/server-sent-events.html), without comments."""
    number, data, size = "", list[bytes](), 0
    for line in lines:
        name, _, value = line.partition(b":")
        if not line and data:
            yield number, b"\n".join(data)
            number, data, size = "", [], 0
        elif name == b"data":
            data.append(value.removeprefix(b" "))
            size += len(line) + 1
        elif name == b"id":
            number = value.removeprefix(b" ").decode("utf-8", "replace")
        if size > MOST_BYTES_OF_MESSAGE:
            raise _too_long()


def _too_long() -> UnexpectedAnswer:
    return UnexpectedAnswer(f"An event of more than {MOST_BYTES_OF_MESSAGE:,} bytes is not read.")


def _event_in(number: str, data: bytes) -> Event | None:
    """None for what is no event of a run."""
    try:
        fields = json_in(data)
    except ValueError:
        return None
    kind = fields.get("type") if isinstance(fields, dict) else None
    if not isinstance(fields, dict) or not isinstance(kind, str):
        return None
    return Event(kind, int(number) if number.isascii() and number.isdigit() and len(number) < 16 else None, fields)
