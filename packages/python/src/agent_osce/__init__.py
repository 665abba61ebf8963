"""Agent OSCE from Python: examine a clinical AI agent with standardized patients, and assert on its marks.

from agent_osce import Osce

with Osce() as osce:
    result = osce.run(agent="Demo clinic agent", suite="Gate", trials=3)
    assert result.pass_rate >= 0.9, result.report()
"""

from .client import Osce
from .errors import (
    ERRORS,
    DeadlineExceeded,
    NoResult,
    OsceError,
    Refused,
    ServiceUnreachable,
    UnexpectedAnswer,
    UsageError,
)
from .options import StartOptions
from .result import Result
from .run_events import Event

__all__ = [
    "ERRORS",
    "DeadlineExceeded",
    "Event",
    "NoResult",
    "Osce",
    "OsceError",
    "Refused",
    "Result",
    "ServiceUnreachable",
    "StartOptions",
    "UnexpectedAnswer",
    "UsageError",
]
