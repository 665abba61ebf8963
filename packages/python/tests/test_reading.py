"""How leniently an answer is read, and what is said of one that does not fit."""

from __future__ import annotations

from typing import Literal, TypedDict

import pytest
from typing_extensions import NotRequired

from agent_osce.reading import json_in, read


class Inner(TypedDict):
    number: float
    note: str | None


class Outer(TypedDict):
    kind: Literal["one", "two"]
    inner: list[Inner]
    counts: dict[str, int]
    extra: NotRequired[bool]


FITS = {"kind": "one", "inner": [{"number": 1, "note": "n"}], "counts": {"a": 1}}


def test_what_may_be_null_may_be_missing_and_what_is_not_known_is_kept() -> None:
    outer = read(Outer, {**FITS, "kind": "three", "inner": [{"number": 1.5}], "more": "kept"})
    assert outer == {**FITS, "kind": "three", "inner": [{"number": 1.5, "note": None}], "more": "kept"}


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"kind": 1}, "kind"),
        ({"inner": None}, "inner"),
        ({"inner": [{"number": 1}, {"number": "1"}]}, r"inner\[1\]\.number"),
        ({"inner": [{"number": True}]}, r"inner\[0\]\.number"),
        ({"inner": [{"number": 1, "note": []}]}, r"inner\[0\]\.note"),
        ({"counts": {"a": "1"}}, r"counts\.a"),
        ({"extra": None}, "extra"),
    ],
)
def test_the_place_that_does_not_fit_is_named(change: dict[str, object], place: str) -> None:
    with pytest.raises(ValueError, match=f"^{place}$"):
        read(Outer, {**FITS, **change})


@pytest.mark.parametrize("missing", ["kind", "inner", "counts"])
def test_what_has_to_be_there_is_missed(missing: str) -> None:
    with pytest.raises(ValueError, match=f"^{missing}$"):
        read(Outer, {name: value for name, value in FITS.items() if name != missing})


@pytest.mark.parametrize("body", [b"", b"{", b"NaN", b"[" * 100_000, b"1" * 5_000])
def test_only_json_is_json(body: bytes) -> None:
    with pytest.raises(ValueError):
        json_in(body)
