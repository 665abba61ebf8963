"""What a run may be started with: all that the API takes, under the names that Python has for it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone

import pytest
from stub import RUN_ID

from agent_osce import Osce, StartOptions, UsageError
from agent_osce.options import body_of
from agent_osce.schemas import StartRun

LOOKED_UP = {"suite": "test_suite_id", "scenarios": "scenario_ids"}


def test_every_field_of_a_start_is_an_option() -> None:
    options = {LOOKED_UP.get(name, name) for name in StartOptions.__annotations__}
    assert options | {"agent_id"} == set(StartRun.__annotations__)


def test_options_are_sent_as_the_api_names_them() -> None:
    body = body_of(
        {
            "trials": 3,
            "tags": ("emergency",),
            "patients": ["anxious", "demanding/de", {"style": "evasive"}],
            "scheduled_at": datetime(2026, 12, 1, 3, tzinfo=timezone.utc),
            "pass_threshold": None,
        }
    )
    assert body == {
        "trials": 3,
        "tags": ["emergency"],
        "patients": [{"style": "anxious"}, {"style": "demanding", "language": "de"}, {"style": "evasive"}],
        "scheduled_at": "2026-12-01T03:00:00+00:00",
    }


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"trails": 3}, "There is no option trails"),
        ({"tags": "emergency"}, "tags is a list"),
        ({"patients": "anxious"}, "patients is a list"),
        ({"scenarios": "Chest pain"}, "scenarios is a list"),
        ({"scheduled_at": datetime(2026, 12, 1, 3)}, "scheduled_at has no time zone"),
    ],
)
def test_refuses_options_that_are_none(options: dict[str, object], sentence: str) -> None:
    start: Callable[..., object] = Osce("http://127.0.0.1:9").start
    with pytest.raises(UsageError, match=sentence):
        start(RUN_ID, **options)


def test_needs_an_agent_or_the_run_of_a_twin() -> None:
    with pytest.raises(UsageError, match="Name the agent to examine, or a run as twin_of"):
        Osce("http://127.0.0.1:9").start(trials=3)
    assert body_of({"twin_of": "run_1", "spoken": {"line": "phone"}}) == {
        "twin_of": "run_1",
        "spoken": {"line": "phone"},
    }
