"""The plugin in a pytest of its own, as a user has it: examining the agents of test_service.py."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from conftest import KEY

from agent_osce import Osce
from agent_osce.connection import Call

INTERRUPTED = Call("GET", "/api/v1/tests", query={"q": "Interrupted", "limit": 10})


def run_tests(pytester: pytest.Pytester, source: str, *options: str) -> pytest.RunResult:
    pytester.makepyfile(source)
    return pytester.runpytest_subprocess("-p", "no:pytester", *options)


PASSES = """
    def test_agent(osce):
        result = osce.run(agent="{agent}", suite="Gate", timeout=120)
        assert result.pass_rate >= 0.9
"""


def test_an_agent_that_passes(pytester: pytest.Pytester, service: Osce) -> None:
    result = run_tests(pytester, PASSES.format(agent="Good"), "--junitxml=osce.xml")
    result.assert_outcomes(passed=1)
    assert f'name="osce_run" value="{service.url}/runs/' in (pytester.path / "osce.xml").read_text()
    assert "- Agent OSCE -" not in result.stdout.str()


def test_an_agent_that_fails(pytester: pytest.Pytester, service: Osce) -> None:
    result = run_tests(pytester, PASSES.format(agent="Bad"))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "*assert 0.0 >= 0.9",
            "*- Agent OSCE -*",
            "run_* of Bad: 0% of 2 graded conversations passed (95 % interval 0% to *coverage 100%.*",
            "Scenario 001: failed with 0 %",
            "  NOT MET  Tells the patient to call an ambulance",
            f"  {service.url}/scenario-runs/*",
            "Scenario 002: failed with 0 %",
            f"{service.url}/runs/*",
        ]
    )


def test_the_bar_and_the_trials_by_marker_and_by_option(pytester: pytest.Pytester, service: Osce) -> None:
    source = """
        import pytest
        pytestmark = pytest.mark.osce(suite="Gate", trials=2)

        def test_option(osce):
            assert len(osce.run("Good").scenario_runs) == 4

        @pytest.mark.osce(trials=1, min_rate=0)
        def test_nearest(osce):
            assert len(osce.run("Bad").scenario_runs) == 2

        def test_bar(osce):
            osce.run("Bad", trials=1)
    """
    result = run_tests(
        pytester, source, "--osce-min-rate=0.5", "--osce-trials=3", "--osce-timeout=120", "--strict-markers"
    )
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["0% of the conversations passed, less than 50%.", "*- Agent OSCE -*"])


def test_a_service_that_is_not_there(pytester: pytest.Pytester) -> None:
    result = run_tests(pytester, PASSES.format(agent="Good"), "--osce-url=http://127.0.0.1:9")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*ServiceUnreachable: The service at http://127.0.0.1:9 is out of reach: no connection*"]
    )
    # Where in the test it happened, and not the client's own frames.
    assert "connection.py" not in result.stdout.str()


@pytest.mark.parametrize("option", ["--osce-url=nonsense", "--osce-min-rate=90"])
def test_options_that_cannot_be(pytester: pytest.Pytester, option: str) -> None:
    result = run_tests(pytester, PASSES.format(agent="Good"), option)
    assert result.ret != 0
    assert "like https://osce.example.org" in result.stdout.str() or "--osce-min-rate" in result.stderr.str()


@pytest.mark.parametrize("url", ["http://127.0.0.1:9", None])
def test_no_key_in_what_is_printed(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, url: str | None) -> None:
    # The service of these tests does not accept it.
    monkeypatch.setenv("OSCE_API_KEY", KEY)
    options = ["-l", "--full-trace", "-vv", "--tb=long", *([] if url is None else [f"--osce-url={url}"])]
    result = run_tests(pytester, PASSES.format(agent="Good"), *options)
    result.assert_outcomes(failed=1)
    assert KEY not in result.stdout.str() + result.stderr.str()
    assert ("ServiceUnreachable" if url else "set OSCE_API_KEY") in result.stdout.str()


def test_ctrl_c_cancels_the_run(pytester: pytest.Pytester, service: Osce) -> None:
    pytester.makepyfile('def test_agent(osce):\n    osce.run("Slow", suite="Gate", name="Interrupted", max_turns=5)')
    child = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-l", "--full-trace"], stdout=subprocess.PIPE, cwd=pytester.path, text=True
    )
    try:
        run_id = _started(service)
        child.send_signal(signal.SIGINT)
        printed, _ = child.communicate(timeout=60)
    finally:
        child.kill()
    assert service.wait(run_id, timeout=30)["status"] == "canceled"
    assert "KeyboardInterrupt" in printed
    key = os.environ.get("OSCE_API_KEY", "")
    assert key and key not in printed


def _started(service: Osce) -> str:
    """The run that the test began."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        answer = service._connection.bytes_of(INTERRUPTED)
        found = [one for one in json.loads(answer)["runs"] if one["status"] == "running"]
        if found:
            return str(found[0]["id"])
        time.sleep(0.05)
    raise AssertionError("the test began no run")
