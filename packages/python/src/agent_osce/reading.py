"""Answers, checked against their types when they arrive.

As lenient as the osce command, since the service may be older or newer than this package: unknown fields are kept, an enum is any text,
and what may be null may be missing (it is None then).
"""

from __future__ import annotations

import json
import types
from functools import lru_cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin

from typing_extensions import NotRequired, Required, get_type_hints, is_typeddict

T = TypeVar("T")


def json_in(body: bytes) -> object:
    """Raises ValueError for anything but JSON, also for JSON that is nested too deeply to be read."""
    try:
        answer: object = json.loads(body, parse_constant=_refused)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return answer


def _refused(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def read(kind: type[T], value: object) -> T:
    """The value as what its type says. Raises ValueError, which names the place that differs and quotes nothing."""
    place = _mismatch(kind, value, "")
    if place is not None:
        raise ValueError(place or "the whole")
    # Every field was looked at above: the type is what was found.
    return cast(T, value)


def _mismatch(hint: object, value: object, place: str) -> str | None:
    """Where the value is not what the type says; None when it is."""
    origin, given = get_origin(hint), get_args(hint)
    if is_typeddict(hint):
        return _mismatch_of_fields(hint, value, place)
    if origin in (Union, types.UnionType):
        return None if any(_mismatch(one, value, place) is None for one in given) else place
    if origin is Literal:
        return None if isinstance(value, type(given[0])) else place
    if origin is list:
        if not isinstance(value, list):
            return place
        return _first(_mismatch(given[0], one, f"{place}[{at}]") for at, one in enumerate(value))
    if origin is dict:
        if not isinstance(value, dict):
            return place
        return _first(_mismatch(given[1], one, f"{place}.{name}") for name, one in value.items())
    return None if _is_plain(hint, value) else place


def _mismatch_of_fields(kind: Any, value: object, place: str) -> str | None:
    if not isinstance(value, dict):
        return place
    for name, hint in _fields_of(kind):
        where = f"{place}.{name}" if place else name
        optional = get_origin(hint) is NotRequired
        inner = get_args(hint)[0] if get_origin(hint) in (NotRequired, Required) else hint
        if name not in value:
            if optional:
                continue
            if type(None) not in get_args(inner):
                return where
            value[name] = None
        wrong = _mismatch(inner, value[name], where)
        if wrong is not None:
            return wrong
    return None


@lru_cache(maxsize=256)
def _fields_of(kind: Any) -> tuple[tuple[str, object], ...]:
    return tuple(get_type_hints(kind, include_extras=True).items())


def _is_plain(hint: object, value: object) -> bool:
    if hint is bool:
        return isinstance(value, bool)
    if hint is int or hint is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if hint is str:
        return isinstance(value, str)
    return value is None if hint is type(None) else True


def _first(places: Any) -> str | None:
    return next((place for place in places if place is not None), None)
