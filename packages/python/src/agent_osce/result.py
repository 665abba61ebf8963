"""What a run says about the agent, and how to tell it to people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .errors import NoResult
from .plain_text import one_line
from .schemas import CriteriaResult, GradedPassRate, Run, ScenarioRun

MOST_CONVERSATIONS = 20
MOST_CRITERIA = 8


@dataclass(frozen=True)
class Result:
    """A run that is over, with its conversations. Rates are shares from 0 to 1, named as in the API."""

    run: Run = field(repr=False)
    scenario_runs: Sequence[ScenarioRun] = field(repr=False)
    page: str
    """The run's page, for people."""

    @property
    def label(self) -> str:
        return self.run["test_run_id"]

    @property
    def pass_rate(self) -> float:
        """The share of all conversations that passed: what was not graded counts as not passed, as with ``osce run --fail-under``.

        Raises NoResult when nothing can be said about the agent.
        """
        self._require_result()
        return self.run["passed_count"] / max(1, self.run["total_scenarios"])

    @property
    def graded_pass_rate(self) -> float:
        """The share of graded conversations that passed. Raises NoResult."""
        return self._require_result()["value"] / 100

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the graded pass rate. Raises NoResult."""
        rate = self._require_result()
        return rate["low"] / 100, rate["high"] / 100

    @property
    def coverage(self) -> float:
        """The share of the conversations that were graded; the others ended in errors of the harness or the agent's server."""
        return (self.run["passed_count"] + self.run["failed_count"]) / max(1, self.run["total_scenarios"])

    @property
    def not_passed(self) -> list[ScenarioRun]:
        """Conversations that failed or ended in an error."""
        return [one for one in self.scenario_runs if one["status"] != "passed"]

    def _require_result(self) -> GradedPassRate:
        status, rate = self.run["status"], self.run["graded_pass_rate"]
        if status == "completed" and rate is not None:
            return rate
        said = one_line(self.run["error_message"] or "", 500)
        why = f": {said}" if said else "."
        raise NoResult(f"{self.label} says nothing about the agent, since it is {status}{why} {self.page}")

    def report(self) -> str:
        """The verdict, what did not pass and because of which criteria, and the pages to open."""
        lines = [self._verdict()]
        for one in self.not_passed[:MOST_CONVERSATIONS]:
            lines += ["", *_lines_of(one, self.page.rsplit("/runs/", 1)[0])]
        if len(self.not_passed) > MOST_CONVERSATIONS:
            lines += ["", f"… and {len(self.not_passed) - MOST_CONVERSATIONS:,} more"]
        return "\n".join([*lines, "", self.page])

    def _verdict(self) -> str:
        run = self.run
        name = f"{self.label} of {one_line(run['agent_name'], 100)}"
        try:
            (low, high), rate = self.interval, self.graded_pass_rate
        except NoResult as error:
            return f"{name}: no result. {error}"
        graded = run["passed_count"] + run["failed_count"]
        of_all = "" if graded == run["total_scenarios"] else f" {self.pass_rate:.0%} of all {run['total_scenarios']:,}."
        examiners = run["examiners"]
        by_rules = examiners is not None and not examiners["clinical"]
        return (
            f"{name}: {rate:.0%} of {graded:,} graded conversations passed (95 % interval {low:.0%} to {high:.0%}), "
            f"coverage {self.coverage:.0%}.{of_all}"
            + (" Rules stood in for patient or judge: no clinical meaning." if by_rules else "")
        )


def _lines_of(one: ScenarioRun, url: str) -> Iterator[str]:
    trial = f", trial {one['trial']}" if one["trial"] > 1 else ""
    score = one["score_percent"]
    why = f" with {score:g} %" if score is not None else ""
    if one["error_code"] is not None:
        why = f": {one['error_code']}, {one_line(one['error_message'] or '', 300)}"
    yield f"{one_line(one['scenario_name'], 100)}{trial}: {one['status']}{why}"
    missed = [criterion for criterion in one["criteria_results"] or [] if _is_missed(criterion)]
    for criterion in sorted(missed, key=lambda each: "must_pass" not in each["tags"])[:MOST_CRITERIA]:
        kind = (
            "must not: " if criterion["max_points"] < 0 else "must pass: " if "must_pass" in criterion["tags"] else ""
        )
        yield f"  {criterion['decision']}  {kind}{one_line(criterion['criterion'], 200)}"
        if criterion["rationale"]:
            yield f"    {one_line(criterion['rationale'], 300)}"
    if len(missed) > MOST_CRITERIA:
        yield f"  … and {len(missed) - MOST_CRITERIA} more criteria"
    yield f"  {url}/scenario-runs/{one['id']}"


def _is_missed(criterion: CriteriaResult) -> bool:
    if criterion["max_points"] < 0:
        return criterion["decision"] != "NOT MET"
    return criterion["decision"] != "MET"
