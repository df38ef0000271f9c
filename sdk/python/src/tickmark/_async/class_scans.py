"""A class's scripts in one stack."""

from __future__ import annotations

import asyncio
import time
from typing import Mapping, Sequence, cast

from .. import errors, types
from .._requests import Content, Request, contents_of, given, polls
from .resources import Resource


class ClassScans(Resource):
    async def create(
        self,
        paper_id: str,
        *,
        files: Sequence[Mapping[str, str]],
        split: Mapping[str, object],
        students: Sequence[Mapping[str, object]] | None = None,
        idempotency_key: str | None = None,
    ) -> types.ClassScan:
        """Makes a scan of 1 to 500 files, each ``{"file_id": …}``. Its pages are looked at in the background.

        ``split`` is ``{"by": "covers"}``, ``{"by": "pages", "pages_per_script": …}`` or ``{"by": "names"}``, which
        needs ``students``: who is expected, each ``{"external_id": …, "name": …}``.
        """
        body = given(
            files=[dict(file) for file in files],
            split=split,
            students=None if students is None else [*students],
        )
        path = f"/v1/papers/{paper_id}/class_scans"
        request = Request("POST", path, body=body, idempotency_key=idempotency_key)
        return cast(types.ClassScan, await self._client.request(request))

    async def create_and_wait(
        self,
        paper_id: str,
        *,
        files: Content | Sequence[Content],
        split: Mapping[str, object],
        students: Sequence[Mapping[str, object]] | None = None,
        timeout: float = 1800,
        poll_every: float | None = None,
        idempotency_key: str | None = None,
    ) -> types.ClassScan:
        """Uploads a PDF or photographs of a whole class, makes the scan and waits for the proposed scripts; then
        look at them and ``confirm``.
        """
        uploaded = [await self._client.files.upload(content, "answer_script") for content in contents_of(files)]
        scan = await self.create(
            paper_id,
            files=[{"file_id": file["id"]} for file in uploaded],
            split=split,
            students=students,
            idempotency_key=idempotency_key,
        )
        return await self.wait(scan["id"], timeout=timeout, poll_every=poll_every)

    async def wait(self, id: str, *, timeout: float = 1800, poll_every: float | None = None) -> types.ClassScan:
        """Waits until the scan can be confirmed; after ``confirm``, until its scripts are submissions.

        One that could not be submitted says why in ``obstacle``, and the scan waits to be confirmed again. Raises
        ``ClassScanFailed`` when the pages cannot be read.
        """
        ends_at = time.monotonic() + timeout
        for seconds in polls(poll_every):
            scan = await self.retrieve(id)
            if scan["status"] == "failed":
                raise errors.ClassScanFailed(scan)
            if scan["status"] not in ("processing", "confirming"):
                return scan
            if time.monotonic() + seconds > ends_at:
                break
            await asyncio.sleep(seconds)
        raise errors.WaitTimeout(f"{id} was not done within {timeout} seconds.")

    async def retrieve(self, id: str) -> types.ClassScan:
        return cast(types.ClassScan, await self._client.request(Request("GET", f"/v1/class_scans/{id}")))

    async def confirm(
        self, id: str, *, scripts: Sequence[Mapping[str, object]] | None = None
    ) -> types.ClassScan:
        """Makes one submission of each script, in the background: of those proposed, or of ``scripts`` in their
        place, each ``{"pages": […], "student": {"external_id": …}}``. Pages that none of them names are left out.
        """
        body = given(scripts=None if scripts is None else [*scripts])
        request = Request("POST", f"/v1/class_scans/{id}/confirm", body=body)
        return cast(types.ClassScan, await self._client.request(request))

    async def delete(self, id: str) -> None:
        """Deletes the scan with its pages. Submissions that were made of it stay."""
        await self._client.request(Request("DELETE", f"/v1/class_scans/{id}"))
