"""What a service, a proxy or a stranger may answer, and what a caller is told then."""

from __future__ import annotations

import gzip
import json
import os
import signal
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler

import pytest
from conftest import KEY
from stub import RUN_ID, Answer, Stub, answer

from agent_osce import ERRORS, Osce, OsceError, Refused, ServiceUnreachable, UnexpectedAnswer, UsageError
from agent_osce.connection import ATTEMPTS

STARTED = json.dumps(
    {"id": RUN_ID, "test_run_id": "run_1", "status": "running", "total_scenarios": 1, "scenarios_launched": 1}
)
HTML = {"content-type": "text/html"}


def asked(stub: Stub, timeout: float = 10) -> tuple[Osce, OsceError]:
    """The client, and what it raises when it asks the stub for a run."""
    osce = Osce(stub.url, KEY, timeout=timeout)
    with osce, pytest.raises(OsceError) as raised:
        osce.get("run_1")
    error = raised.value
    assert KEY not in f"{error!r} {error} {osce!r} {osce._connection!r} {error.__cause__!r}"
    assert isinstance(error, ERRORS)
    # The frames of the HTTP library hold the key, and pytest -l would show those of an error that this one came from.
    assert error.__context__ is None or error.__suppress_context__
    return osce, error


def half(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("content-length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"id":')


def bomb(handler: BaseHTTPRequestHandler) -> None:
    answer(200, gzip.compress(b" " * 100 * 1024 * 1024), {"content-encoding": "gzip"})(handler)


@pytest.mark.parametrize(
    ("act", "kind", "sentence", "times"),
    [
        (answer(200, "<html>Sign in</html>", HTML), UnexpectedAnswer, "was not answered in Agent OSCE's format", 1),
        (answer(200, "[" * 200_000), UnexpectedAnswer, "was not answered in Agent OSCE's format", 1),
        (answer(200, "null"), UnexpectedAnswer, "(the whole)", 1),
        (answer(200, '{"id": 5}'), UnexpectedAnswer, "(id)", 1),
        (answer(200, '{"id": NaN}'), UnexpectedAnswer, "NaN is not JSON", 1),
        (answer(200, b"\xff\xfe\x00"), UnexpectedAnswer, "Agent OSCE's format", 1),
        (bomb, UnexpectedAnswer, "answers more than 67,108,864 bytes", 1),
        (answer(404, '{"error":"Test run not found"}'), Refused, "Refused (404): Test run not found", 1),
        (answer(500, '{"error":"It broke"}', {"x-request-id": "r-1"}), Refused, "The service failed (500): It broke (request r-1)", 1),
        (answer(500, "<h1>Oops</h1>", HTML), Refused, "answered 500, but not as Agent OSCE does", 1),
        (answer(502, "Bad gateway", HTML), Refused, "answered 502, but not as Agent OSCE does", ATTEMPTS),
        (answer(503, '{"error":"Stopping"}'), Refused, "The service failed (503): Stopping", ATTEMPTS),
        (answer(401, '{"error":"no"}'), Refused, "set OSCE_API_KEY to one of its keys", 1),
        (answer(429, '{"error":"Slow down"}', {"retry-after": "3600"}), Refused, "Refused (429): Slow down", 1),
        (answer(400, '{"error":"\\u001b[2Jgone\\u202e"}'), Refused, "Refused (400): [2Jgone", 1),
        (answer(400, json.dumps({"error": "e" * 9_000})), Refused, "e…", 1),
        (half, ServiceUnreachable, "is out of reach: the connection broke.", ATTEMPTS),
    ],
)  # fmt: skip
def test_says_what_is_wrong(act: Answer, kind: type[OsceError], sentence: str, times: int) -> None:
    with Stub([act]) as stub:
        _, error = asked(stub)
        assert type(error) is kind
        assert sentence in str(error)
        assert "\x1b" not in str(error) and "\u202e" not in str(error)
        assert len(stub.asked) == times


def test_tells_when_to_try_again_instead_of_waiting_long() -> None:
    with Stub([answer(429, '{"error":"Slow down"}', {"retry-after": "3600"})]) as stub:
        _, error = asked(stub)
        assert isinstance(error, Refused) and (error.status, error.retry_after) == (429, 3600)


def silent(stub: Stub) -> Answer:
    def wait(handler: BaseHTTPRequestHandler) -> None:
        stub.done.wait(60)

    return wait


def dripping(stub: Stub) -> Answer:
    def drip(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        while not stub.done.wait(0.02):
            handler.wfile.write(b" ")
            handler.wfile.flush()

    return drip


@pytest.mark.parametrize("slow", [silent, dripping])
def test_does_not_wait_for_ever(slow: Callable[[Stub], Answer]) -> None:
    with Stub([]) as stub:
        stub.answers = [slow(stub)]
        _, error = asked(stub, timeout=0.2)
        assert type(error) is ServiceUnreachable
        assert str(error) == f"{stub.url} did not answer within 0.2 s."


def test_does_not_follow_a_redirect_with_the_key() -> None:
    with Stub([answer(200, "{}")]) as stranger, Stub([answer(302, "", {"location": stranger.url})]) as stub:
        _, error = asked(stub)
        assert f"redirects to {stranger.url}: set OSCE_URL" in str(error)
        assert stub.asked[0].headers["authorization"] == f"Bearer {KEY}"
        assert stranger.asked == []


def test_nothing_listens() -> None:
    with Stub([]) as stub:
        url = stub.url
    with Osce(url) as osce, pytest.raises(ServiceUnreachable) as raised:
        osce.health()
    assert str(raised.value) == (
        f"The service at {url} is out of reach: no connection could be made. "
        "Start it with osce serve, or set OSCE_URL if it is elsewhere."
    )
    assert raised.value.unsent


def test_a_run_is_started_once_however_often_it_is_asked_for() -> None:
    with Stub([half, answer(503, "{}"), answer(409, "{}", {"retry-after": "0"}), answer(200, STARTED)]) as stub:
        with Osce(stub.url, KEY) as osce:
            started = osce.start(RUN_ID, trials=3, patients=["anxious/de"], scenarios=[RUN_ID])
        assert started["test_run_id"] == "run_1"
        assert len({one.headers["idempotency-key"] for one in stub.asked}) == 1
        assert {one.body for one in stub.asked} == {stub.asked[0].body}
        assert json.loads(stub.asked[0].body) == {
            "agent_id": RUN_ID,
            "scenario_ids": [RUN_ID],
            "trials": 3,
            "patients": [{"style": "anxious", "language": "de"}],
        }


def test_ctrl_c_while_a_run_is_started_finds_out_which_it_is_and_cancels_it() -> None:
    with Stub([]) as stub, Osce(stub.url) as osce:

        def interrupt(handler: BaseHTTPRequestHandler) -> None:
            os.kill(os.getpid(), signal.SIGINT)
            stub.done.wait(60)

        stub.answers = [interrupt, answer(200, STARTED), answer(200, '{"status":"canceled"}')]
        with pytest.raises(KeyboardInterrupt) as raised:
            osce.run(RUN_ID)
        assert [one.path for one in stub.asked] == ["/start-run", "/start-run", "/cancel-run"]
        assert stub.asked[0].headers["idempotency-key"] == stub.asked[1].headers["idempotency-key"]
        assert json.loads(stub.asked[2].body) == {"test_run_id": RUN_ID}
    # Not the frames in which it was interrupted.
    assert [frame.name for frame in raised.traceback] == [raised.traceback[0].name, "run"]


def test_a_run_that_may_go_on_is_named() -> None:
    gone = answer(403, '{"error":"No longer yours"}')
    with Stub([answer(200, STARTED), gone]) as stub, Osce(stub.url) as osce, pytest.raises(Refused) as raised:
        osce.run(RUN_ID)
    assert str(raised.value) == f"Refused (403): No longer yours The run run_1 may go on: {stub.url}/runs/{RUN_ID}"


def test_a_newer_service_is_understood() -> None:
    newer = json.dumps({**json.loads(STARTED), "status": "queued", "colour": "green"})
    with Stub([answer(200, newer)]) as stub, Osce(stub.url) as osce:
        started = osce.start(RUN_ID)
        assert str(started["status"]) == "queued"


@pytest.mark.parametrize(
    "url",
    ["ftp://osce.example.org", "osce.example.org", "http://", f"http://me:{KEY}@osce.example.org", "http://[", "http://a/?k=1", "http://a b"],
)  # fmt: skip
def test_refuses_what_is_no_address_without_quoting_it(url: str) -> None:
    with pytest.raises(UsageError) as raised:
        Osce(url)
    assert KEY not in str(raised.value)


def test_refuses_a_key_that_no_header_carries_without_quoting_it() -> None:
    with pytest.raises(UsageError) as raised:
        Osce("http://127.0.0.1:9", f"{KEY}\nX-Other: 1")
    assert KEY not in str(raised.value)
    shown = [repr(value) for frame in raised.traceback[1:] for name, value in frame.locals.items() if name != "self"]
    assert KEY not in " ".join(shown)


def message(number: int, kind: str) -> str:
    return f'id: {number}\ndata: {{"type":"{kind}","seq":{number}}}\n\n'


def events(*texts: str, cut: bool = False) -> Answer:
    def send(handler: BaseHTTPRequestHandler) -> None:
        body = ': a comment\n\ndata: {"type":"connected"}\n\n' + "".join(texts)
        length = len(body.encode()) + (100 if cut else 0)
        answer(200, body, {"content-type": "text/event-stream", "content-length": str(length)})(handler)

    return send


def test_events_come_once_and_in_order_over_connections_that_break() -> None:
    going = answer(503, '{"error":"Stopping"}')
    first = events(message(1, "test_run_started"), message(2, "scenario_started"), "data: not JSON\n\n", cut=True)
    with Stub([first, going, events(message(3, "scenario_complete"), message(4, "test_run_complete"))]) as stub:
        with Osce(stub.url, KEY) as osce:
            heard = [(event.seq, event.type, event.is_final) for event in osce.events("run_1")]
        assert heard == [
            (None, "connected", False),
            (1, "test_run_started", False),
            (2, "scenario_started", False),
            (3, "scenario_complete", False),
            (4, "test_run_complete", True),
        ]
        assert [one.headers.get("last-event-id") for one in stub.asked] == [None, "2", "2"]


@pytest.mark.parametrize(
    ("act", "kind", "sentence"),
    [
        (answer(200, "<html>", HTML), UnexpectedAnswer, "is not a stream of events"),
        (answer(400, '{"error":"No such event"}'), Refused, "No such event"),
    ],
)
def test_events_end_with_what_does_not_pass(act: Answer, kind: type[OsceError], sentence: str) -> None:
    with Stub([act]) as stub, Osce(stub.url) as osce, pytest.raises(kind, match=sentence):
        list(osce.events("run_1"))


def test_events_give_up_on_a_service_that_stays_away() -> None:
    began = time.monotonic()
    gave_up = pytest.raises(ServiceUnreachable, match=r"Gave up after 0\.3 s without the service\. .*Stopping")
    with Stub([answer(503, '{"error":"Stopping"}')]) as stub, Osce(stub.url) as osce, gave_up:
        list(osce.events("run_1", patience=0.3))
    assert time.monotonic() - began >= 0.3


@pytest.mark.parametrize("endless", [b"data: " + b"x" * 70_000_000, b"data: x\n" * 9_000_000])
def test_events_have_a_bound(endless: bytes) -> None:
    refused = pytest.raises(UnexpectedAnswer, match="An event of more than 67,108,864 bytes is not read")
    with Stub([answer(200, endless, {"content-type": "text/event-stream"})]) as stub, Osce(stub.url) as osce, refused:
        list(osce.events("run_1"))


def test_closing_a_stream_of_events_ends_it() -> None:
    with Stub([]) as stub, Osce(stub.url) as osce:

        def stay(handler: BaseHTTPRequestHandler) -> None:
            events(cut=True)(handler)
            stub.done.wait(60)

        stub.answers = [stay]
        stream = osce.events("run_1")
        assert next(stream).type == "connected"
        stream.close()
