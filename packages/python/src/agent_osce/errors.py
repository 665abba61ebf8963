"""Everything that the client raises. The family is closed: ``except OsceError`` catches all of it, and nothing of it holds a key."""

from __future__ import annotations


class OsceError(Exception):
    """Something about the examination, the service or its use; the text is a sentence that names the mend. Never raised itself."""


class UsageError(OsceError):
    """An argument or a setting is wrong, or names nothing that the service has. Nothing was started."""


class ServiceUnreachable(OsceError):
    """No whole answer came: nothing listens, the connection broke, or the service was silent for too long."""

    def __init__(self, sentence: str, *, unsent: bool = False) -> None:
        super().__init__(sentence)
        self.unsent = unsent
        """True when the request cannot have arrived."""


class Refused(OsceError):
    """The service answered with an error; the text is the service's own sentence."""

    def __init__(self, sentence: str, *, status: int, retry_after: float | None = None) -> None:
        super().__init__(sentence)
        self.status = status
        """The HTTP status."""
        self.retry_after = retry_after
        """Seconds, when the service said when to try again."""


class UnexpectedAnswer(OsceError):
    """Something answered, but not as Agent OSCE does, or with more than is read."""


class DeadlineExceeded(OsceError):
    """A run was not over in the time it was given."""


class NoResult(OsceError):
    """Nothing can be said about the agent: the run failed, was canceled, or no conversation was graded."""


ERRORS: tuple[type[OsceError], ...] = (
    UsageError,
    ServiceUnreachable,
    Refused,
    UnexpectedAnswer,
    DeadlineExceeded,
    NoResult,
)
"""The whole family."""
