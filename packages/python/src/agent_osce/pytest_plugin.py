"""The fixture ``osce``: examines an agent inside a test, and says on failure what did not pass, why, and where to look."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import pytest

from .client import Osce
from .errors import OsceError, UsageError
from .result import Result

RESULTS = pytest.StashKey[list[Result]]()
MARKER = (
    "osce(trials=…, min_rate=…, …): options of this test's osce.run, such as trials; min_rate is the bar, from 0 to 1."
)


class OsceFixture:
    """What a test gets: ``run``, and ``client`` for everything else."""

    def __init__(self, client: Osce, item: pytest.Item) -> None:
        self.client = client
        self._item = item

    def run(self, agent: str, *, min_rate: float | None = None, timeout: float | None = None, **options: Any) -> Result:
        """As Osce.run; the test fails below ``min_rate``. What is not given comes from the marker, then from the command line."""
        __tracebackhide__ = True
        given = _Defaults(self._item)
        bar = given.of("min_rate", min_rate)
        options = {**given.others(), **options}
        try:
            result = self.client.run(agent, timeout=given.of("timeout", timeout), **options)
        except OsceError as error:
            # The sentence says what is wrong; the way to it is the client's, not the test's.
            raise error.with_traceback(None) from None
        self._item.stash.setdefault(RESULTS, []).append(result)
        self._item.user_properties.append(("osce_run", result.page))
        if bar is not None and result.pass_rate < bar:
            pytest.fail(f"{result.pass_rate:.0%} of the conversations passed, less than {bar:.0%}.", pytrace=False)
        return result


class _Defaults:
    """Options by the nearest marker, else by the command line."""

    def __init__(self, item: pytest.Item) -> None:
        self._config = item.config
        marks: dict[str, Any] = {}
        for mark in item.iter_markers("osce"):
            if mark.args:
                raise UsageError("The marker osce takes its options by name: @pytest.mark.osce(trials=3).")
            marks = {**mark.kwargs, **marks}
        self._marks = marks

    def of(self, name: str, given: Any) -> Any:
        values = (given, self._marks.get(name), self._config.getoption(f"osce_{name}", None))
        return next((value for value in values if value is not None), None)

    def others(self) -> dict[str, Any]:
        trials = self._config.getoption("osce_trials")
        named = {name: value for name, value in self._marks.items() if name not in ("min_rate", "timeout")}
        return {**({} if trials is None else {"trials": trials}), **named}


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("osce", "Agent OSCE")
    group.addoption("--osce-url", help="Address of the service; OSCE_URL by default. Its key is OSCE_API_KEY.")
    group.addoption("--osce-trials", type=int, help="How often each scenario is examined, where a test does not say.")
    group.addoption("--osce-min-rate", type=_share, help="The least pass rate, from 0 to 1, where a test does not say.")
    group.addoption(
        "--osce-timeout", type=float, help="Seconds after which a run is canceled, where a test does not say."
    )


def _share(text: str) -> float:
    rate = float(text)
    if not 0 <= rate <= 1:
        raise ValueError("a share from 0 to 1")
    return rate


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARKER)


@pytest.fixture(scope="session")
def osce_client(pytestconfig: pytest.Config) -> Iterator[Osce]:
    """The client that all tests of a session share."""
    try:
        client = Osce(pytestconfig.getoption("osce_url"))
    except UsageError as error:
        pytest.fail(str(error), pytrace=False)
    with client:
        yield client


@pytest.fixture
def osce(osce_client: Osce, request: pytest.FixtureRequest) -> OsceFixture:
    """Examines an agent: ``result = osce.run(agent="…", suite="…", trials=3)``."""
    return OsceFixture(osce_client, request.node)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        report.sections.extend(("Agent OSCE", result.report()) for result in item.stash.get(RESULTS, []))
    return report
