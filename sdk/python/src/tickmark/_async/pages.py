"""Lists: iterate over all items; pages are fetched as they are needed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, AsyncIterator, Generic, TypeVar

from .._requests import Request

if TYPE_CHECKING:
    from .client import AsyncClient

T = TypeVar("T")


class AsyncPages(Generic[T]):
    """All items of a list, in the server's order."""

    def __init__(self, client: AsyncClient, request: Request) -> None:
        self._client = client
        self._request = request

    async def page(self, cursor: str | None = None) -> dict[str, Any]:
        """One page as the server sends it: ``data``, ``has_more``, ``next_cursor``."""
        query = {**self._request.query, "cursor": cursor}
        page: dict[str, Any] = await self._client.request(replace(self._request, query=query))
        return page

    async def __aiter__(self) -> AsyncIterator[T]:
        cursor = None
        while True:
            page = await self.page(cursor)
            for item in page["data"]:
                yield item
            cursor = page["next_cursor"]
            if cursor is None:
                return

    async def first(self) -> T | None:
        """The first item, if there is one."""
        async for item in self:
            return item
        return None

    async def all(self) -> list[T]:
        """Every item, in memory."""
        return [item async for item in self]
