"""The resources of the API, one class each; the larger ones have files of their own."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Sequence, cast

from .. import types
from .._requests import NOT_GIVEN, Content, NotGiven, Request, content_of, given
from .pages import AsyncPages

if TYPE_CHECKING:
    from .client import AsyncClient

Time = str | datetime


class Resource:
    def __init__(self, client: AsyncClient) -> None:
        self._client = client


class Account(Resource):
    async def retrieve(self) -> types.Account:
        """The account that the key belongs to."""
        return cast(types.Account, await self._client.request(Request("GET", "/v1/account")))


class ApiKey(Resource):
    async def revoke(self) -> types.ApiKeyRevocation:
        """Revokes the key of this client, at once and for good."""
        request = Request("POST", "/v1/api_key/revoke", body={})
        return cast(types.ApiKeyRevocation, await self._client.request(request))


class Balance(Resource):
    async def retrieve(self) -> types.Balance:
        """The credits of the key's mode."""
        return cast(types.Balance, await self._client.request(Request("GET", "/v1/balance")))


class Clock(Resource):
    """The clock of a development server, for testing what takes days."""

    async def now(self) -> str:
        """The server's time."""
        return await self.advance(0)

    async def advance(self, seconds: int) -> str:
        """Moves the server's clock forward; answers its new time."""
        answer = await self._client.request(
            Request("POST", "/dev/clock", body={"advance_seconds": seconds}, repeatable=False)
        )
        return cast(str, answer["now"])


class CreditTransactions(Resource):
    def list(
        self,
        *,
        type: types.TransactionType | None = None,
        source_id: str | None = None,
        created_after: Time | None = None,
        created_before: Time | None = None,
        limit: int | None = None,
    ) -> AsyncPages[types.CreditTransaction]:
        """Every movement of credits, newest first."""
        query = given(
            type=type,
            source_id=source_id,
            created_after=created_after,
            created_before=created_before,
            limit=limit,
        )
        return AsyncPages(self._client, Request("GET", "/v1/credit_transactions", query))


class Events(Resource):
    def list(
        self,
        *,
        type: str | None = None,
        object_id: str | None = None,
        created_after: Time | None = None,
        created_before: Time | None = None,
        limit: int | None = None,
    ) -> AsyncPages[types.Event]:
        """What happened in the last 30 days, newest first."""
        query = given(
            type=type,
            object_id=object_id,
            created_after=created_after,
            created_before=created_before,
            limit=limit,
        )
        return AsyncPages(self._client, Request("GET", "/v1/events", query))

    async def retrieve(self, id: str) -> types.Event:
        return cast(types.Event, await self._client.request(Request("GET", f"/v1/events/{id}")))


class Files(Resource):
    async def create(
        self,
        *,
        purpose: types.FilePurpose,
        filename: str,
        content_type: types.FileContentType,
        size_bytes: int,
        idempotency_key: str | None = None,
    ) -> types.File:
        """Registers a file; its bytes then go to ``upload``. ``upload()`` does both."""
        body = {
            "purpose": purpose,
            "filename": filename,
            "content_type": content_type,
            "size_bytes": size_bytes,
        }
        request = Request("POST", "/v1/files", body=body, idempotency_key=idempotency_key)
        return cast(types.File, await self._client.request(request))

    async def upload(
        self,
        content: Content,
        purpose: types.FilePurpose,
        *,
        filename: str | None = None,
        content_type: types.FileContentType | None = None,
        idempotency_key: str | None = None,
    ) -> types.File:
        """Registers a file and sends its bytes. ``content`` is a path or the bytes."""
        raw, name, kind = content_of(content, filename, content_type)
        file = await self.create(
            purpose=purpose,
            filename=name,
            content_type=cast(types.FileContentType, kind),
            size_bytes=len(raw),
            idempotency_key=idempotency_key,
        )
        url = file["upload"]["url"]
        # Null only for a key that could not have registered it.
        if file["status"] == "awaiting_upload" and url is not None:
            await self._client.put(url, raw, cast("dict[str, str]", file["upload"]["headers"]))
        return file

    async def retrieve(self, id: str) -> types.File:
        return cast(types.File, await self._client.request(Request("GET", f"/v1/files/{id}")))


class Subjects(Resource):
    def list(self, *, query: str | None = None, limit: int | None = None) -> AsyncPages[types.Subject]:
        """The catalogue, by name; ``query`` looks in names and codes."""
        return AsyncPages(self._client, Request("GET", "/v1/subjects", given(query=query, limit=limit)))


class ReviewLinks(Resource):
    async def create(
        self, paper_id: str, *, reviewer: str, expires_in_hours: int | None = None
    ) -> types.ReviewLink:
        """A link that opens the review page of this paper. Whoever has it may change and approve the paper."""
        body = given(reviewer=reviewer, expires_in_hours=expires_in_hours)
        request = Request("POST", f"/v1/papers/{paper_id}/review_links", body=body, repeatable=False)
        return cast(types.ReviewLink, await self._client.request(request))

    async def revoke(self, paper_id: str) -> types.ReviewLinkRevocation:
        """Withdraws every link of the paper."""
        request = Request("POST", f"/v1/papers/{paper_id}/review_links/revoke", body={})
        return cast(types.ReviewLinkRevocation, await self._client.request(request))


class WebhookEndpoints(Resource):
    def list(
        self,
        *,
        created_after: Time | None = None,
        created_before: Time | None = None,
        limit: int | None = None,
    ) -> AsyncPages[types.WebhookEndpoint]:
        query = given(created_after=created_after, created_before=created_before, limit=limit)
        return AsyncPages(self._client, Request("GET", "/v1/webhook_endpoints", query))

    async def create(
        self, *, url: str, events: Sequence[str], description: str | None = None
    ) -> types.WebhookEndpoint:
        """Its ``secret`` is in this answer only: keep it."""
        body = given(url=url, events=list_of(events), description=description)
        request = Request("POST", "/v1/webhook_endpoints", body=body, repeatable=False)
        return cast(types.WebhookEndpoint, await self._client.request(request))

    async def retrieve(self, id: str) -> types.WebhookEndpoint:
        request = Request("GET", f"/v1/webhook_endpoints/{id}")
        return cast(types.WebhookEndpoint, await self._client.request(request))

    async def update(
        self,
        id: str,
        *,
        url: str | NotGiven = NOT_GIVEN,
        events: Sequence[str] | NotGiven = NOT_GIVEN,
        description: str | None | NotGiven = NOT_GIVEN,
        status: types.EndpointStatus | NotGiven = NOT_GIVEN,
    ) -> types.WebhookEndpoint:
        wanted = events if isinstance(events, NotGiven) else list_of(events)
        body = {"url": url, "events": wanted, "description": description, "status": status}
        request = Request("PATCH", f"/v1/webhook_endpoints/{id}", body=body)
        return cast(types.WebhookEndpoint, await self._client.request(request))

    async def delete(self, id: str) -> None:
        await self._client.request(Request("DELETE", f"/v1/webhook_endpoints/{id}"))

    async def rotate_secret(self, id: str) -> types.WebhookEndpoint:
        """A new ``secret``; the old one goes on signing for 24 hours."""
        request = Request("POST", f"/v1/webhook_endpoints/{id}/rotate_secret", body={}, repeatable=False)
        return cast(types.WebhookEndpoint, await self._client.request(request))


def list_of(names: Sequence[str]) -> list[str]:
    return [names] if isinstance(names, str) else [*names]
