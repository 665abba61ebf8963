"""What a run can be started with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal, TypedDict

from .errors import UsageError
from .schemas import Patient, SpokenChoice


class StartOptions(TypedDict, total=False):
    """How the agent is examined. Scenarios are chosen by ``scenarios``, else ``suite``, else ``tags``, else all that are active and approved."""

    suite: str
    """Name or id of a test suite."""
    scenarios: Sequence[str]
    """Names or ids."""
    tags: Sequence[str]
    """Scenarios with any of these tags."""
    max_scenarios: int
    trials: int
    """How often each conversation is held, 1 to 20."""
    patients: Sequence[Patient | str]
    """Each scenario is examined with each of them: ``"anxious"``, ``"demanding/de"`` or ``{"style": "anxious", "language": "de"}``."""
    max_turns: int
    """Turns of a conversation, 5 to 7."""
    concurrency_limit: int
    """Conversations at a time."""
    tester_model: str
    judge_model: str
    """One of the service's ALLOWED_MODELS."""
    pass_threshold: float
    """Percent of the points needed to pass."""
    region: Literal["US", "UK", "EU", "AU"]
    """Where the agent's patients are."""
    modality: Literal["text", "spoken"]
    """``"spoken"``: by voice, as agents in LiveKit rooms and telephone bots can be."""
    spoken: SpokenChoice
    """How the patient of a spoken run sounds: ``{"line": "phone", "noise": "babble:10", "sounds": ["pauses"], "seed": 7}``."""
    twin_of: str
    """Id or label of a run to examine the same as, in the other modality or as ``modality`` and ``spoken`` say; without an agent, and
    with no other option than ``name``, ``concurrency_limit`` and ``scheduled_at``."""
    scheduled_at: datetime | str
    """When to begin; a datetime has to have a time zone."""
    name: str
    agent_version: str
    """Such as a commit; kept with the results."""


NAMES = frozenset(StartOptions.__annotations__)
# By these names in the API; agents, suites and scenarios are looked up first.
AS_THEY_ARE = NAMES - {"suite", "scenarios", "patients", "scheduled_at"}


def body_of(options: Mapping[str, object]) -> dict[str, object]:
    """The fields of a start-run but for what is looked up. Raises UsageError for an option that does not exist."""
    unknown = sorted(set(options) - NAMES)
    if unknown:
        raise UsageError(f"There is no option {', '.join(unknown)}; there are {', '.join(sorted(NAMES))}.")
    body = {name: value for name, value in options.items() if name in AS_THEY_ARE and value is not None}
    if body.get("tags") is not None:
        body["tags"] = _list_of(body["tags"], "tags")
    patients = options.get("patients")
    if patients is not None:
        body["patients"] = [_patient(one) for one in _list_of(patients, "patients")]
    at = options.get("scheduled_at")
    if isinstance(at, datetime) and at.tzinfo is None:
        raise UsageError("scheduled_at has no time zone: write datetime(…, tzinfo=timezone.utc).")
    if at is not None:
        body["scheduled_at"] = at.isoformat() if isinstance(at, datetime) else at
    return body


def _list_of(value: object, name: str) -> list[object]:
    """A text is a sequence of its letters, which is never what was meant."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise UsageError(f"{name} is a list: write [{value!r}].")
    return list(value)


def _patient(given: object) -> object:
    if not isinstance(given, str):
        return given
    style, _, language = given.partition("/")
    return {"style": style, **({"language": language} if language else {})}
