"""Agents, suites and scenarios by id or by name, as the osce command finds them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import TypeVar

from .errors import UsageError
from .plain_text import one_line

T = TypeVar("T")
LISTED = 10
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def is_id(given: str) -> bool:
    return UUID.fullmatch(given.strip()) is not None


def find_named(
    things: Sequence[T], given: str, noun: str, id_of: Callable[[T], str], name_of: Callable[[T], str]
) -> str:
    """The id of the one with this name, else with this name ignoring case. Raises UsageError when there is none, or several."""
    wanted = given.strip()
    exact = [thing for thing in things if name_of(thing) == wanted]
    fitting = exact or [thing for thing in things if _folded(name_of(thing)) == _folded(wanted)]
    if len(fitting) == 1:
        return id_of(fitting[0])
    shown = one_line(wanted, 80)
    if fitting:
        ids = ", ".join(one_line(id_of(thing), 40) for thing in fitting[:LISTED])
        raise UsageError(f'{len(fitting)} {noun}s are called "{shown}"; give the id of one: {ids}.')
    close = [name_of(thing) for thing in things if _is_close(name_of(thing), wanted)]
    hint = f" Similar: {', '.join(f'“{one_line(name, 60)}”' for name in close[:LISTED])}." if close else ""
    raise UsageError(f'No {noun} has the id or name "{shown}".{hint}')


def _is_close(name: str, wanted: str) -> bool:
    return _folded(wanted) in _folded(name) or _folded(name) in _folded(wanted)


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
