"""What agents, judges and servers said, made safe to print: a terminal obeys some characters instead of showing them."""

from __future__ import annotations


def one_line(text: str, most: int = 2_000) -> str:
    """One line of at most ``most`` characters, without control characters and marks that change the direction of writing."""
    # Far more than fits need not be looked at character by character.
    start = text[: most * 4]
    shown = " ".join("".join(mark if mark.isprintable() else " " for mark in start).split())
    return shown if len(shown) <= most and len(text) <= most * 4 else shown[: most - 1] + "…"
