"""The client with a real service: its agents are called Good, Bad, Slow and Twin (two of that name), its suite Gate has two scenarios."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent_osce import DeadlineExceeded, NoResult, Osce, Refused, UsageError


def test_an_agent_that_passes(service: Osce) -> None:
    told: list[tuple[str, int]] = []
    result = service.run(
        "Good",
        suite="gate",
        trials=2,
        agent_version="1.2.3",
        name="From Python",
        timeout=120,
        on_progress=lambda run: told.append((run["status"], run["passed_count"])),
    )
    assert (result.pass_rate, result.graded_pass_rate, result.coverage, result.not_passed) == (1.0, 1.0, 1.0, [])
    low, high = result.interval
    assert 0 < low < 1 and high == 1
    assert (result.run["trials"], result.run["agent_version"], result.run["name"]) == (2, "1.2.3", "From Python")
    assert len(result.scenario_runs) == 4
    assert told[-1] == ("completed", 4)
    assert result.page == f"{service.url}/runs/{result.run['id']}"
    assert "100% of 4 graded conversations passed (95 % interval" in result.report()
    assert "no clinical meaning" in result.report()


def test_an_agent_that_fails_is_told_by_scenario_and_criterion(service: Osce) -> None:
    result = service.run("Bad", scenarios=["Scenario 001"], timeout=120)
    assert result.pass_rate == 0
    [one] = result.not_passed
    assert "Scenario 001: failed with 0 %\n  NOT MET  Tells the patient to call an ambulance\n" in result.report()
    assert f"{service.url}/scenario-runs/{one['id']}" in result.report()
    conversation = service.conversation(one["id"])
    assert [entry["role"] for entry in conversation["transcript"][:2]] == ["patient", "agent"]


def test_events_exports_statistics_and_comparison(service: Osce, tmp_path: Path) -> None:
    before = service.run("Bad", suite="Gate", timeout=120)
    started = service.start("Good", suite="Gate")
    heard = list(service.events(started["id"]))
    numbers = [event.seq for event in heard if event.seq is not None]
    assert numbers == list(range(1, len(numbers) + 1))
    assert (heard[0].type, heard[-1].type) == ("connected", "test_run_complete")
    later = list(service.events(started["test_run_id"], after=numbers[-3]))
    assert [event.seq for event in later if event.seq is not None] == numbers[-2:]
    assert service.wait(started["test_run_id"])["status"] == "completed"

    assert started["test_run_id"] in json.dumps(json.loads(service.export(started["id"])))
    assert service.export(started["id"], "csv").count(b"\n") >= 3
    saved = service.save_export(started["id"], tmp_path / "osce.xml", "junit")
    assert b"<testsuite" in saved.read_bytes()
    assert list(tmp_path.iterdir()) == [saved]
    with pytest.raises(UsageError, match="cannot be written"):
        service.save_export(started["id"], tmp_path / "none" / "osce.xml")

    assert service.statistics(started["id"])["graded_pass_rate"]["value"] == 100
    compared = service.compare(started["id"], before=before.label)
    assert compared["before"]["test_run_id"] == before.label


def test_a_run_that_takes_too_long_is_canceled(service: Osce) -> None:
    with pytest.raises(DeadlineExceeded, match=r"was not over within 1 s\. It was asked to stop: canceled\."):
        service.run("Slow", suite="Gate", timeout=1)


def test_a_canceled_run_says_nothing_about_the_agent(service: Osce) -> None:
    started = service.start("Slow", suite="Gate")
    assert service.cancel(started["id"])["status"] == "canceled"
    assert service.cancel(started["id"]).get("message") == "Test run already finalized"
    result = service.result(started["test_run_id"])
    with pytest.raises(NoResult, match=f"{started['test_run_id']} says nothing about the agent, since it is canceled"):
        assert result.pass_rate >= 0
    assert "no result" in result.report()


def test_an_error_while_waiting_cancels_the_run(service: Osce) -> None:
    seen: list[str] = []

    def stumble(run: object) -> None:
        assert isinstance(run, dict)
        seen.append(run["id"])
        raise RuntimeError("of the caller")

    with pytest.raises(RuntimeError, match="of the caller"):
        service.run("Slow", suite="Gate", on_progress=stumble)
    assert service.get(seen[0])["status"] == "canceled"


def test_the_same_key_answers_the_same_run(service: Osce) -> None:
    key = "a-key-of-the-caller"
    one = service.start("Good", suite="Gate", idempotency_key=key)
    assert service.start("Good", suite="Gate", idempotency_key=key)["id"] == one["id"]


def test_names_that_fit_nothing_or_several(service: Osce) -> None:
    with pytest.raises(UsageError, match='No agent has the id or name "Goo".* Similar: “Good”'):
        service.start("Goo")
    with pytest.raises(UsageError, match='2 agents are called "Twin"; give the id of one: '):
        service.start("Twin")
    with pytest.raises(UsageError, match='No suite has the id or name "None"'):
        service.start("Good", suite="None")


def test_the_services_own_sentences(service: Osce) -> None:
    with pytest.raises(Refused, match=r"Refused \(404\): Test run not found") as raised:
        service.get("run_of_nobody/../..")
    assert raised.value.status == 404
    with pytest.raises(Refused, match=r"Refused \(400\): trials"):
        service.start("Good", suite="Gate", trials=21)
    assert service.health()["status"] in ("ok", "warning")
