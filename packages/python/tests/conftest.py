"""What the tests share: the service that the environment names, with its agents, and stubs."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from agent_osce import Osce

KEY = "canary-key-that-nothing-may-show-1234"


@pytest.fixture
def service() -> Iterator[Osce]:
    """A running service. What it holds: test/clients/python-package.spec.ts, which starts it."""
    assert os.environ.get("OSCE_URL"), "npm run test:clients starts the service that these tests need."
    with Osce() as osce:
        yield osce
