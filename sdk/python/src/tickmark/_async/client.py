"""The client: one connection pool, and the resources of the API."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any

import httpx

from .. import errors
from .._requests import Request, delay, is_worth_retrying, retry_after, settings
from .class_scans import ClassScans
from .papers import Papers
from .resources import (
    Account,
    ApiKey,
    Balance,
    Clock,
    CreditTransactions,
    Events,
    Files,
    ReviewLinks,
    Subjects,
    WebhookEndpoints,
)
from .submissions import Submissions


class AsyncClient:
    """A client of one account and mode: those of its key."""

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout: float = 60.0,
        max_retries: int = 4,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        """``api_key`` and ``base_url`` fall back on the variables TM_API_KEY and TM_BASE_URL."""
        self._api_key, self.base_url = settings(api_key, base_url)
        self._max_retries = max_retries
        self._http = http_client or httpx.AsyncClient(timeout=timeout)
        self._owns_http = http_client is None
        self.account = Account(self)
        self.api_key = ApiKey(self)
        self.balance = Balance(self)
        self.class_scans = ClassScans(self)
        self.clock = Clock(self)
        self.credit_transactions = CreditTransactions(self)
        self.events = Events(self)
        self.files = Files(self)
        self.papers = Papers(self)
        self.review_links = ReviewLinks(self)
        self.subjects = Subjects(self)
        self.submissions = Submissions(self)
        self.webhook_endpoints = WebhookEndpoints(self)

    async def aclose(self) -> None:
        """Ends the connections."""
        if self._owns_http:
            await self._http.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def request(self, request: Request) -> Any:
        """Sends a request and returns the JSON that was answered, None where there is none."""
        response = await self.send(request)
        return response.json() if response.content else None

    async def send(self, request: Request) -> httpx.Response:
        """Sends a request, again where that helps; raises what the server refuses."""
        headers = request.headers(self._api_key)
        attempt, was_lost = 0, False
        while True:
            try:
                response = await self._http.request(
                    request.method,
                    self.base_url + request.path,
                    params=request.params(),
                    json=request.json(),
                    headers=headers,
                )
            except httpx.TransportError as error:
                was_sent = not isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout))
                if attempt >= self._max_retries or (was_sent and not request.repeatable):
                    raise errors.ConnectionFailed(f"{request.method} {request.path}: {error!r}") from error
                was_lost = was_lost or was_sent
                await asyncio.sleep(delay(attempt, None))
                attempt += 1
                continue
            if response.is_success:
                return response
            if was_lost and request.method == "DELETE" and response.status_code == 404:
                return httpx.Response(204)  # The first one did it, and its answer was lost.
            refused = errors.from_response(response.status_code, _json(response), retry_after(response.headers))
            if attempt >= self._max_retries or not is_worth_retrying(request, refused.status, refused.code):
                raise refused
            was_lost = was_lost or refused.status >= 500
            await asyncio.sleep(delay(attempt, refused.retry_after))
            attempt += 1

    async def put(self, url: str, raw: bytes, headers: dict[str, str]) -> None:
        """Sends the bytes of a file to its upload URL, which takes them once."""
        attempt, was_lost = 0, False
        while True:
            try:
                response = await self._http.put(url, content=raw, headers=headers)
            except httpx.TransportError as error:
                if attempt >= self._max_retries:
                    raise errors.ConnectionFailed(f"PUT of a file: {error!r}") from error
                response, was_lost = None, True
            if response is not None:
                if response.is_success or (was_lost and response.status_code == 412):
                    return
                refused = errors.from_response(response.status_code, _json(response), retry_after(response.headers))
                if attempt >= self._max_retries or refused.status not in (429, 500, 502, 503, 504):
                    raise refused
                was_lost = True
                await asyncio.sleep(delay(attempt, refused.retry_after))
            else:
                await asyncio.sleep(delay(attempt, None))
            attempt += 1


def _json(response: httpx.Response) -> object:
    try:
        return response.json()
    except ValueError:
        return None
