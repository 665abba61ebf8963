"""The client: start a run, wait for it, cancel it, read and export what came of it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from types import TracebackType
from typing import Literal, TypedDict, TypeVar
from urllib.parse import quote
from uuid import uuid4

from typing_extensions import Self, Unpack

from .address import ServiceKey, service_url
from .connection import MOST_BYTES, Call, Connection, Query
from .errors import DeadlineExceeded, OsceError, Refused, ServiceUnreachable, UsageError
from .find_named import find_named, is_id
from .options import StartOptions, body_of
from .plain_text import one_line
from .result import Result
from .run_events import Event, follow
from .schemas import (
    Agent,
    Cancellation,
    Conversation,
    Health,
    Run,
    RunComparison,
    RunStatistics,
    Scenario,
    ScenarioRun,
    StartedRun,
    Suite,
)

T = TypeVar("T")
Item = TypeVar("Item")
Format = Literal["json", "csv", "junit"]
FINAL = frozenset({"completed", "failed", "canceled"})

A_PAGE = 100
A_LONG_PAGE = 1_000
MOST_PAGES = 1_000
FIRST_LOOK = 0.25
LONGEST_LOOK = 5.0
"""Seconds between two looks at a run that is waited for."""
PATIENCE = 60.0
"""Seconds that the service may be away while a run is followed: it goes on by itself after a restart."""


class Osce:
    """A service. Safe to use from several threads; close it, or use it in a ``with`` statement.

    ``url`` is the base address (OSCE_URL, else http://127.0.0.1:8000), ``api_key`` one of the service's keys (OSCE_API_KEY; none when the
    service needs none), ``timeout`` the seconds that one request may take. Every method raises errors of the family OsceError only.
    """

    def __init__(self, url: str | None = None, api_key: str | None = None, *, timeout: float = 30.0) -> None:
        key = ServiceKey(api_key if api_key is not None else os.environ.get("OSCE_API_KEY"))
        # A traceback that shows local variables must not show it either.
        del api_key
        key.check()
        if not timeout > 0:
            raise UsageError("timeout is a number of seconds above 0.")
        self._connection = Connection(service_url(os.environ.get("OSCE_URL") if url is None else url), key, timeout)

    def __repr__(self) -> str:
        return f"Osce({self.url!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes its connections. Runs go on."""
        self._connection.close()

    @property
    def url(self) -> str:
        """The base address, without a slash at its end."""
        return self._connection.url

    def health(self) -> Health:
        """How the service is, also when it is not well (503)."""
        return self._connection.ask(Health, Call("GET", "/health", also_answers=503))

    def start(
        self, agent: str | None = None, *, idempotency_key: str | None = None, **options: Unpack[StartOptions]
    ) -> StartedRun:
        """Starts a run of the agent with this name or id, or with ``twin_of`` a twin of a run, which has that run's agent.

        Sent again when the connection breaks, and made once all the same. Give an ``idempotency_key`` of your own when your process may
        be started again: for 24 hours the same call with it answers the same run.
        """
        return self._connection.ask(StartedRun, self._start_call(agent, idempotency_key or str(uuid4()), options))

    def run(
        self,
        agent: str | None = None,
        *,
        timeout: float | None = None,
        on_progress: Callable[[Run], None] | None = None,
        **options: Unpack[StartOptions],
    ) -> Result:
        """Starts a run, waits for it and answers what it says about the agent.

        Ctrl-C, and ``timeout`` seconds without an end (DeadlineExceeded), cancel the run. When the service stays out of reach, or refuses,
        the run may go on there; the error says so.
        """
        call = self._start_call(agent, str(uuid4()), options)
        try:
            started = self._connection.ask(StartedRun, call)
        except KeyboardInterrupt:
            # It may have been made: the same call, with its key, answers which it is.
            self._cancel_quietly(lambda: self._connection.ask(StartedRun, call)["id"])
            raise KeyboardInterrupt from None
        try:
            return self._result_of(self.wait(started["id"], timeout=timeout, on_progress=on_progress))
        except DeadlineExceeded as error:
            raise DeadlineExceeded(f"{error} {self._cancel_quietly(lambda: started['id'])}") from None
        except OsceError as error:
            error.args = (f"{error} The run {started['test_run_id']} may go on: {self.page_of(started['id'])}",)
            raise
        except KeyboardInterrupt:
            self._cancel_quietly(lambda: started["id"])
            # Without the frames in which it happened: those of the HTTP library have the key among their variables.
            raise KeyboardInterrupt from None
        except BaseException:
            # An error of on_progress.
            self._cancel_quietly(lambda: started["id"])
            raise

    def wait(
        self, run_id: str, *, timeout: float | None = None, on_progress: Callable[[Run], None] | None = None
    ) -> Run:
        """Waits until the run is over and answers it; calls ``on_progress`` when its counts or its status have changed.

        An id or a label. It may be out of reach for a minute meanwhile. Raises DeadlineExceeded after ``timeout`` seconds; the run goes on.
        """
        began = time.monotonic()
        pause, seen, lost_since = FIRST_LOOK, None, None
        while True:
            try:
                run = self.get(run_id)
                lost_since = None
            except (ServiceUnreachable, Refused) as error:
                if isinstance(error, Refused) and error.status < 500 and error.status != 429:
                    raise
                lost_since = lost_since or time.monotonic()
                if time.monotonic() - lost_since > PATIENCE:
                    raise
            else:
                counts = (
                    run["status"],
                    run["passed_count"],
                    run["failed_count"],
                    run["error_count"],
                    run["canceled_count"],
                )
                if counts != seen and on_progress is not None:
                    on_progress(run)
                seen = counts
                if run["status"] in FINAL:
                    return run
            left = None if timeout is None else began + timeout - time.monotonic()
            if left is not None and left <= 0:
                raise DeadlineExceeded(f"The run {one_line(run_id, 100)} was not over within {timeout:g} s.")
            time.sleep(pause if left is None else min(pause, left))
            pause = min(LONGEST_LOOK, pause * 1.5)

    def cancel(self, run_id: str) -> Cancellation:
        """Cancels a run. Once this has answered nothing more is sent to the agent. One that is over stays as it is."""
        return self._connection.ask(Cancellation, Call("POST", "/cancel-run", body={"test_run_id": run_id}))

    def get(self, run_id: str) -> Run:
        return self._get(Run, f"/api/v1/tests/{_segment(run_id)}")

    def result(self, run_id: str) -> Result:
        """What a run that is over says about the agent, with all its conversations, without their transcripts."""
        return self._result_of(self.get(run_id))

    def scenario_runs(self, run_id: str) -> Iterator[ScenarioRun]:
        """Every conversation of a run, without its transcript."""
        for page in range(MOST_PAGES):
            query: Query = {"test_run_id": run_id, "limit": A_PAGE, "offset": page * A_PAGE}
            answer = self._get(_ScenarioRuns, "/api/v1/scenario-runs", query)
            yield from answer["results"]
            if len(answer["results"]) < A_PAGE:
                return

    def conversation(self, scenario_run_id: str) -> Conversation:
        """One conversation with its transcript."""
        return self._get(Conversation, f"/api/v1/scenario-runs/{_segment(scenario_run_id)}")

    def statistics(self, run_id: str, *, confidence: float | None = None) -> RunStatistics:
        """Rates in percent with their intervals, by scenario, category, severity and tag."""
        return self._get(RunStatistics, f"/api/v1/tests/{_segment(run_id)}/statistics", {"confidence": confidence})

    def compare(self, run_id: str, *, before: str | None = None, confidence: float | None = None) -> RunComparison:
        """The run compared with an earlier one, by default with the baseline of its agent."""
        query = {"before": before, "confidence": confidence}
        return self._get(RunComparison, f"/api/v1/tests/{_segment(run_id)}/comparison", query)

    def export(self, run_id: str, format: Format = "json") -> bytes:
        """The run with its transcripts. Kept in memory, 64 MiB at most: see save_export."""
        return self._connection.bytes_of(self._export_call(run_id, format))

    def save_export(self, run_id: str, path: str | os.PathLike[str], format: Format = "json") -> Path:
        """The same in a file of any size, which has its name once it is whole."""
        target, call = Path(path), self._export_call(run_id, format)
        part = target.with_name(f".{target.name}.{uuid4().hex}.part")
        try:
            self._connection.retried(call, lambda: self._download(call, part))
            os.replace(part, target)
        except OSError as error:
            raise UsageError(f"{target} cannot be written: {error.strerror}.") from None
        finally:
            part.unlink(missing_ok=True)
        return target

    def events(
        self, run_id: str, *, after: int | None = None, patience: float = PATIENCE
    ) -> Generator[Event, None, None]:
        """The run's events as they happen, each once and in order, up to the final one; after number ``after`` (``Event.seq``) if given.

        Connections that break are made again. Raises ServiceUnreachable when the service is away for longer than ``patience`` seconds.
        """
        return follow(self._connection, run_id, after, patience, lambda: self.get(run_id)["status"] in FINAL)

    def agents(self) -> list[Agent]:
        return list(self._pages(list[Agent], "/api/v1/agents", lambda page: page))

    def suites(self) -> list[Suite]:
        return list(self._pages(_Suites, "/api/v1/test-suites", lambda page: page["test_suites"]))

    def scenarios(self) -> list[Scenario]:
        return list(self._pages(_Scenarios, "/api/v1/scenarios", lambda page: page["scenarios"]))

    def agent_id(self, named: str) -> str:
        """The id of the agent with this id or name. Raises UsageError when there is none, or several."""
        if is_id(named):
            return named.strip()
        return find_named(self.agents(), named, "agent", lambda one: one["id"], lambda one: one["name"])

    def suite_id(self, named: str) -> str:
        if is_id(named):
            return named.strip()
        return find_named(self.suites(), named, "suite", lambda one: one["id"], lambda one: one["name"])

    def page_of(self, run_id: str) -> str:
        """The page of a run, for people."""
        return f"{self.url}/runs/{_segment(run_id)}"

    def _start_call(self, agent: str | None, key: str, options: StartOptions) -> Call:
        body = body_of(options)
        suite, scenarios = options.get("suite"), options.get("scenarios")
        if suite is not None:
            body["test_suite_id"] = self.suite_id(suite)
        if isinstance(scenarios, str):
            raise UsageError("scenarios is a list of names or ids, not one text.")
        if scenarios is not None:
            body["scenario_ids"] = self._scenario_ids(list(scenarios))
        if agent is not None:
            body["agent_id"] = self.agent_id(agent)
        elif "twin_of" not in body:
            raise UsageError("Name the agent to examine, or a run as twin_of.")
        return Call("POST", "/start-run", body=body, idempotency_key=key)

    def _scenario_ids(self, named: list[str]) -> list[str]:
        if all(map(is_id, named)):
            return [one.strip() for one in named]
        known = self.scenarios()
        ids = (lambda one: one["scenario_id"]), (lambda one: one["name"])
        return [one.strip() if is_id(one) else find_named(known, one, "scenario", *ids) for one in named]

    def _result_of(self, run: Run) -> Result:
        return Result(run=run, scenario_runs=tuple(self.scenario_runs(run["id"])), page=self.page_of(run["id"]))

    def _cancel_quietly(self, run_id: Callable[[], str]) -> str:
        """Cancels a run that is given up; a sentence about how that went."""
        try:
            return f"It was asked to stop: {self.cancel(run_id())['status']}."
        except OsceError as error:
            return f"It could not be canceled and may go on: {error}"

    def _get(self, kind: type[T], path: str, query: Query | None = None) -> T:
        return self._connection.ask(kind, Call("GET", path, query=query))

    def _pages(self, kind: type[T], path: str, items_of: Callable[[T], list[Item]]) -> Iterator[Item]:
        for page in range(MOST_PAGES):
            items = items_of(self._get(kind, path, {"limit": A_LONG_PAGE, "offset": page * A_LONG_PAGE}))
            yield from items
            if len(items) < A_LONG_PAGE:
                return

    def _export_call(self, run_id: str, format: Format) -> Call:
        return Call(
            "GET", f"/api/v1/tests/{_segment(run_id)}/export", query={"format": format}, headers={"accept": "*/*"}
        )

    def _download(self, call: Call, part: Path) -> None:
        with self._connection.answering(call) as response, part.open("wb") as file:
            for chunk in self._connection.chunks(response, 16_384 * MOST_BYTES, None):
                file.write(chunk)


class _ScenarioRuns(TypedDict):
    results: list[ScenarioRun]


class _Suites(TypedDict):
    test_suites: list[Suite]


class _Scenarios(TypedDict):
    scenarios: list[Scenario]


def _segment(text: str) -> str:
    return quote(text.strip(), safe="")
