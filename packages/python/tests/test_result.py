"""What a run says about the agent, by its counts alone."""

from __future__ import annotations

import pytest

from agent_osce import NoResult, Result
from agent_osce.reading import read
from agent_osce.schemas import Run, ScenarioRun


def run_of(counts: dict[str, int], status: str = "completed", rate: float | None = 50) -> Run:
    fields: dict[str, object] = {
        **{"id": "i", "test_run_id": "run_1", "status": status, "agent_id": "a", "agent_name": "A\x1b[2J", "agent_provider": "http"},
        **{"tags": [], "warnings": [], "total_scenarios": 4, "trials": 1, "canceled_count": 0, "pass_rate": 0, "max_turns": 6},
        **{"concurrency_limit": 6, "pass_threshold": 50, "modality": "text", "spoken": None, "created_at": "2026-11-27T10:30:00.000Z", **counts},
        "graded_pass_rate": None if rate is None else {"value": rate, "low": 1, "high": 99},
    }  # fmt: skip
    return read(Run, fields)


def result_of(run: Run, scenario_runs: tuple[ScenarioRun, ...] = ()) -> Result:
    return Result(run=run, scenario_runs=scenario_runs, page="https://osce.example.org/runs/i")


def test_what_was_not_graded_counts_as_not_passed() -> None:
    result = result_of(run_of({"passed_count": 1, "failed_count": 1, "error_count": 2}))
    assert (result.pass_rate, result.graded_pass_rate, result.coverage) == (0.25, 0.5, 0.5)
    assert (
        "50% of 2 graded conversations passed (95 % interval 1% to 99%), coverage 50%. 25% of all 4." in result.report()
    )
    assert "\x1b" not in result.report()


@pytest.mark.parametrize(
    ("status", "rate"), [("failed", None), ("canceled", 50), ("completed", None), ("running", None)]
)
def test_no_rate_without_a_result(status: str, rate: float | None) -> None:
    result = result_of(run_of({"passed_count": 1, "failed_count": 1, "error_count": 2}, status, rate))
    for ask in (lambda: result.pass_rate, lambda: result.graded_pass_rate, lambda: result.interval):
        with pytest.raises(NoResult, match=f"run_1 says nothing about the agent, since it is {status}"):
            ask()
    assert "no result" in result.report()


def test_a_long_report_is_cut() -> None:
    criterion = {
        **{"criterion": "Names 999", "tags": [], "decision": "NOT MET", "points": 0, "max_points": 5, "rationale": ""},
        **{"evidence": [], "absence": False, "disputed": False},
    }
    forbidden = {**criterion, "criterion": "Diagnoses", "decision": "MET", "max_points": -5}
    crowded = [{**criterion, "criterion": "Asks for age", "tags": ["must_pass"]}, forbidden, *[criterion] * 8]
    one = read(
        ScenarioRun,
        {
            **{
                "id": "s",
                "test_run_id": "i",
                "scenario_id": "c",
                "scenario_name": "Chest pain",
                "carried": False,
                "trial": 2,
            },
            **{
                "patient": {"style": "anxious", "language": "en"},
                "status": "failed",
                "score_percent": 40,
                "attempt": 1,
                "turns": 6,
            },
            **{"created_at": "2026-11-27T10:30:00.000Z", "metadata": {}, "criteria_results": crowded},
        },
    )
    report = result_of(run_of({"passed_count": 0, "failed_count": 4, "error_count": 0}, rate=0), (one,) * 25).report()
    assert report.count("Chest pain, trial 2: failed with 40 %") == 20
    assert "… and 5 more\n" in report and "  … and 2 more criteria\n" in report
    assert "  NOT MET  must pass: Asks for age\n  MET  must not: Diagnoses\n" in report
