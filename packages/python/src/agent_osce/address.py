"""Where the service is, and its key."""

from __future__ import annotations

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

from .errors import UsageError

DEFAULT_URL = "http://127.0.0.1:8000"


class ServiceKey:
    """A key that no representation shows, so that a traceback with local variables does not print it."""

    def __init__(self, text: str | None) -> None:
        self._text = (text or "").strip()

    def __repr__(self) -> str:
        return "ServiceKey(hidden)" if self._text else "ServiceKey(none)"

    def check(self) -> None:
        """Raises UsageError when no header can carry it."""
        if self._text and re.fullmatch(r"[\x21-\x7e]+", self._text) is None:
            raise UsageError("OSCE_API_KEY (api_key) holds spaces, line breaks or characters that no service key has.")

    def header(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self._text}"} if self._text else {}


def service_url(given: str | None) -> str:
    """The base address without a slash at its end; the usual one when none is given. Raises UsageError, which never quotes the address."""
    text = (given or "").strip() or DEFAULT_URL
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port, parts = None, None, urlsplit("")
    if parts.scheme not in ("http", "https") or not host:
        raise UsageError("OSCE_URL (url) is not an address: write it like https://osce.example.org/prefix.")
    # An address is printed in messages; credentials must not be.
    if "@" in parts.netloc:
        raise UsageError("OSCE_URL (url) must not hold a user name or password: set OSCE_API_KEY to the key.")
    if parts.query or parts.fragment or re.search(r"[\s\\]", text):
        raise UsageError("OSCE_URL (url) is the base address of the service, without ?, #, backslashes and spaces.")
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}{'' if port is None else f':{port}'}{parts.path.rstrip('/')}"


def is_loopback(url: str) -> bool:
    """Whether the address is on this machine, where no proxy is asked."""
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
