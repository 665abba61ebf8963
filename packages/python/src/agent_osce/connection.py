"""HTTP calls, each with a deadline, a bound on what is read, and a few retries where they cannot do anything twice."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from importlib.metadata import version
from typing import Literal, TypeVar

import httpx

from .address import ServiceKey, is_loopback
from .errors import OsceError, Refused, ServiceUnreachable, UnexpectedAnswer
from .plain_text import one_line
from .reading import json_in, read

T = TypeVar("T")
Method = Literal["GET", "POST"]
Query = Mapping[str, "str | int | float | None"]

ATTEMPTS = 4
FIRST_WAIT = 0.25
LONGEST_WAIT = 20.0
"""Seconds; a longer Retry-After is told to the caller instead of waited for."""
MOST_BYTES = 64 * 1024 * 1024
"""Of an answer that is kept in memory."""
MOST_BYTES_OF_ERROR = 64 * 1024
REQUEST_ID = re.compile(r"[\w.-]{1,128}", re.ASCII)


@dataclass(frozen=True)
class Call:
    method: Method
    path: str
    query: Query | None = None
    body: object = None
    idempotency_key: str | None = None
    """Makes creating idempotent: the service makes nothing again when the call is sent again."""
    repeatable: bool = True
    """False when sending it again may do something twice. A call with a key may always be sent again."""
    headers: Mapping[str, str] | None = None
    also_answers: int | None = None
    """A status that is an answer like 200, not a refusal."""


class Connection:
    """A service and its key. Its representation shows the address alone."""

    def __init__(self, url: str, key: ServiceKey, timeout: float) -> None:
        self.url = url
        self.timeout = timeout
        self._http = httpx.Client(
            headers={
                "user-agent": f"agent-osce-python/{version('agent-osce')}",
                "accept": "application/json",
                "accept-encoding": "gzip",
                **key.header(),
            },
            # A redirected POST would become a GET, and the key would go elsewhere.
            follow_redirects=False,
            # Proxies are those of the environment, but for this machine.
            trust_env=not is_loopback(url),
        )

    def __repr__(self) -> str:
        return f"Connection({self.url!r})"

    def close(self) -> None:
        self._http.close()

    def ask(self, kind: type[T], call: Call) -> T:
        """The answer as the type says. Raises ServiceUnreachable, Refused, UnexpectedAnswer."""
        body = self.retried(call, lambda: self._whole(call))
        try:
            return read(kind, json_in(body))
        except ValueError as error:
            where = one_line(str(error), 100)
            raise UnexpectedAnswer(
                f"{call.method} {call.path} was not answered in Agent OSCE's format ({where}): is {self.url} its base address, "
                "and is the service of this version?"
            ) from None

    def bytes_of(self, call: Call) -> bytes:
        """The answer as it is."""
        return self.retried(call, lambda: self._whole(call))

    def retried(self, call: Call, attempt: Callable[[], T]) -> T:
        """Makes attempts until one works, or another would not help or might do something twice."""
        for number in range(1, ATTEMPTS + 1):
            try:
                return attempt()
            except OsceError as error:
                wait = _wait_before(number, call, error)
                if wait is None:
                    raise
                time.sleep(wait)
        raise AssertionError("the last attempt raises or answers")

    @contextmanager
    def answering(self, call: Call, silent: float | None = None) -> Iterator[httpx.Response]:
        """One attempt: an answer of 2xx whose body is still to be read, at most ``silent`` seconds without a byte."""
        headers = dict(call.headers or {})
        if call.idempotency_key is not None:
            headers["idempotency-key"] = call.idempotency_key
        seconds = self.timeout if silent is None else silent
        query = {name: value for name, value in (call.query or {}).items() if value is not None}
        content = None if call.body is None else json.dumps(call.body, allow_nan=False).encode()
        if content is not None:
            headers["content-type"] = "application/json"
        # from None: the frames of the HTTP library have the key among their variables, which pytest -l would show.
        try:
            with self._http.stream(
                call.method, self.url + call.path, params=query, headers=headers, timeout=seconds, content=content
            ) as response:
                if not response.is_success and response.status_code != call.also_answers:
                    raise self._refusal(response)
                yield response
        except httpx.RequestError as error:
            raise self._unreachable(error, seconds) from None

    def chunks(self, response: httpx.Response, most: int, seconds: float | None) -> Iterator[bytes]:
        """The body as it arrives. Raises UnexpectedAnswer beyond ``most`` bytes, ServiceUnreachable beyond ``seconds``, if any."""
        size, ends = 0, time.monotonic() + (seconds or 0)
        for chunk in response.iter_bytes():
            size += len(chunk)
            if size > most:
                raise UnexpectedAnswer(
                    f"{self.url} answers more than {most:,} bytes, more than is kept in memory (of an export, save_export takes any size)."
                )
            if seconds is not None and time.monotonic() > ends:
                raise ServiceUnreachable(f"{self.url} did not answer within {seconds:g} s.")
            yield chunk

    def _whole(self, call: Call) -> bytes:
        with self.answering(call) as response:
            return b"".join(self.chunks(response, MOST_BYTES, self.timeout))

    def _refusal(self, response: httpx.Response) -> Refused:
        status, headers = response.status_code, response.headers

        def refused(sentence: str) -> Refused:
            return Refused(sentence, status=status, retry_after=_retry_after(headers.get("retry-after")))

        if status == 401:
            return refused(
                "The service requires a key, or does not accept this one: set OSCE_API_KEY to one of its keys "
                "(SERVICE_API_KEY, SERVICE_RUNNER_KEY, SERVICE_VIEWER_KEY)."
            )
        if 300 <= status < 400:
            target = one_line(headers.get("location", "elsewhere"), 300)
            return refused(f"{self.url} redirects to {target}: set OSCE_URL to the address it redirects to.")
        said = _sentence_in(self._beginning(response))
        if said is None:
            return refused(f"{self.url} answered {status}, but not as Agent OSCE does: is OSCE_URL its base address?")
        request = headers.get("x-request-id", "")
        found = f" (request {request})" if status >= 500 and REQUEST_ID.fullmatch(request) else ""
        return refused(f"{'The service failed' if status >= 500 else 'Refused'} ({status}): {one_line(said)}{found}")

    def _beginning(self, response: httpx.Response) -> bytes:
        try:
            return b"".join(self.chunks(response, MOST_BYTES_OF_ERROR, self.timeout))
        except (OsceError, httpx.RequestError):
            return b""

    def _unreachable(self, error: httpx.RequestError, seconds: float) -> ServiceUnreachable:
        if isinstance(error, (httpx.ReadTimeout, httpx.WriteTimeout)):
            return ServiceUnreachable(f"{self.url} did not answer within {seconds:g} s.")
        unsent = isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError))
        reason, hint = _reason(error)
        return ServiceUnreachable(f"The service at {self.url} is out of reach: {reason}.{hint}", unsent=unsent)


def _reason(error: httpx.RequestError) -> tuple[str, str]:
    """Why, and what to do about it. Not the error's own text, which may quote what was sent."""
    if isinstance(error, httpx.ConnectTimeout):
        return "connecting took too long", ""
    if isinstance(error, httpx.ProxyError):
        return "the proxy refused the connection", " Look at HTTPS_PROXY, HTTP_PROXY and NO_PROXY."
    if not isinstance(error, httpx.ConnectError):
        return "the connection broke", ""
    said = str(error).lower()
    if "certificate" in said or "ssl" in said:
        return "its certificate was not accepted", " Name an authority of your own in SSL_CERT_FILE."
    return "no connection could be made", " Start it with osce serve, or set OSCE_URL if it is elsewhere."


def _wait_before(attempt: int, call: Call, error: OsceError) -> float | None:
    """Seconds to wait before another attempt; None when there is none."""
    if attempt >= ATTEMPTS:
        return None
    backoff = FIRST_WAIT * 2 ** (attempt - 1) * (0.75 + random.random() / 2)
    keyed = call.idempotency_key is not None
    repeatable = keyed or call.repeatable
    if isinstance(error, ServiceUnreachable):
        return backoff if error.unsent or repeatable else None
    if not isinstance(error, Refused):
        return None
    # 429 comes before anything is done; 409 with Retry-After says that the first request with this key is still under way.
    under_way = keyed and error.status == 409 and error.retry_after is not None
    may_help = error.status == 429 or under_way or (repeatable and error.status in (502, 503, 504))
    wait = backoff if error.retry_after is None else error.retry_after
    return wait if may_help and wait <= LONGEST_WAIT else None


def _retry_after(value: str | None) -> float | None:
    """Seconds or a date (RFC 9110, 10.2.3)."""
    if value is None:
        return None
    if re.fullmatch(r"\d{1,6}", value.strip(), re.ASCII):
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None


def _sentence_in(body: bytes) -> str | None:
    try:
        answer = json_in(body)
    except ValueError:
        return None
    said = answer.get("error") if isinstance(answer, dict) else None
    return said if isinstance(said, str) else None
