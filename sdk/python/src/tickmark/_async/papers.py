"""Question papers with their schemes."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from typing import Any, Mapping, Sequence, cast

from .. import errors, types
from .._requests import NOT_GIVEN, Content, NotGiven, Request, given, polls
from .pages import AsyncPages
from .resources import Resource, Time


class Papers(Resource):
    def list(
        self,
        *,
        status: types.PaperStatus | None = None,
        subject_id: str | None = None,
        external_id: str | None = None,
        created_after: Time | None = None,
        created_before: Time | None = None,
        updated_after: Time | None = None,
        limit: int | None = None,
    ) -> AsyncPages[types.Paper]:
        """Newest first; with ``updated_after``, by change, oldest first."""
        query = given(
            status=status,
            subject_id=subject_id,
            external_id=external_id,
            created_after=created_after,
            created_before=created_before,
            updated_after=updated_after,
            limit=limit,
        )
        return AsyncPages(self._client, Request("GET", "/v1/papers", query))

    async def create(
        self,
        *,
        title: str,
        subject_id: str,
        question_paper: Mapping[str, str],
        marking_scheme: Mapping[str, str],
        results_release: types.ResultsRelease | None = None,
        grading: Mapping[str, object] | None = None,
        external_id: str | None = None,
        metadata: Mapping[str, str] | None = None,
        test_outcome: str | None = None,
        idempotency_key: str | None = None,
    ) -> types.Paper:
        """Makes a paper of two files, each ``{"file_id": …}`` or ``{"url": …}``. It is read in the background."""
        body = given(
            title=title,
            subject_id=subject_id,
            question_paper=question_paper,
            marking_scheme=marking_scheme,
            results_release=results_release,
            grading=grading,
            external_id=external_id,
            metadata=metadata,
            test_outcome=test_outcome,
        )
        request = Request("POST", "/v1/papers", body=body, idempotency_key=idempotency_key)
        return cast(types.Paper, await self._client.request(request))

    async def create_and_wait(
        self,
        *,
        title: str,
        subject_id: str,
        question_paper: Content,
        marking_scheme: Content,
        timeout: float = 1800,
        poll_every: float | None = None,
        **more: Any,
    ) -> types.Paper:
        """Uploads both PDFs, makes the paper and waits until it has been read; then check and ``approve`` it."""
        questions = await self._client.files.upload(question_paper, "question_paper")
        scheme = await self._client.files.upload(marking_scheme, "marking_scheme")
        paper = await self.create(
            title=title,
            subject_id=subject_id,
            question_paper={"file_id": questions["id"]},
            marking_scheme={"file_id": scheme["id"]},
            **more,
        )
        return await self.wait(paper["id"], timeout=timeout, poll_every=poll_every)

    async def wait(self, id: str, *, timeout: float = 1800, poll_every: float | None = None) -> types.Paper:
        """Waits until the paper has been read. Raises ``PaperFailed`` when it cannot be."""
        ends_at = time.monotonic() + timeout
        for seconds in polls(poll_every):
            paper = await self.retrieve(id)
            if paper["status"] == "failed":
                raise errors.PaperFailed(paper)
            if paper["status"] != "processing":
                return paper
            if time.monotonic() + seconds > ends_at:
                break
            await asyncio.sleep(seconds)
        raise errors.WaitTimeout(f"{id} was not read within {timeout} seconds.")

    async def retrieve(self, id: str) -> types.Paper:
        return cast(types.Paper, await self._client.request(Request("GET", f"/v1/papers/{id}")))

    async def update(
        self,
        id: str,
        *,
        title: str | NotGiven = NOT_GIVEN,
        external_id: str | None | NotGiven = NOT_GIVEN,
        metadata: Mapping[str, str] | NotGiven = NOT_GIVEN,
    ) -> types.Paper:
        """What is left out stays; ``external_id=None`` clears it; ``metadata`` replaces the whole map."""
        body = {"title": title, "external_id": external_id, "metadata": metadata}
        return cast(types.Paper, await self._client.request(Request("PATCH", f"/v1/papers/{id}", body=body)))

    async def delete(self, id: str) -> None:
        """Deletes the paper with its submissions, results and files."""
        await self._client.request(Request("DELETE", f"/v1/papers/{id}"))

    async def approve(self, id: str) -> types.Paper:
        """Makes it ready for submissions."""
        request = Request("POST", f"/v1/papers/{id}/approve", body={})
        return cast(types.Paper, await self._client.request(request))

    async def questions(self, id: str) -> Sequence[types.Question]:
        """What was read: questions, marks and keys, in paper order."""
        page = await self._client.request(Request("GET", f"/v1/papers/{id}/questions"))
        return cast("Sequence[types.Question]", page["data"])

    async def covers(self, id: str, *, students: Sequence[Mapping[str, object]]) -> types.Covers:
        """What the cover sheet of each student says, for those who print their own."""
        request = Request("POST", f"/v1/papers/{id}/covers", body={"students": [*students]})
        return cast(types.Covers, await self._client.request(request))

    async def save_covers(
        self, id: str, path: str | os.PathLike[str], *, students: Sequence[Mapping[str, object]]
    ) -> Path:
        """Writes a cover sheet for each student to a PDF, to lie on top of their pages in a class scan."""
        body = {"students": [*students]}
        request = Request("POST", f"/v1/papers/{id}/covers", body=body, accept="application/pdf")
        response = await self._client.send(request)
        target = Path(path)
        target.write_bytes(response.content)
        return target

    async def statistics(self, id: str) -> types.Statistics:
        """The marked scripts in figures, released or not."""
        request = Request("GET", f"/v1/papers/{id}/statistics")
        return cast(types.Statistics, await self._client.request(request))

    async def release_results(self, id: str, *, which: types.WhichName) -> types.Release:
        """Makes results final: of ``all`` graded scripts, of those that a person has ``checked``, or of those
        that nobody needs to look at (``unflagged``).
        """
        request = Request("POST", f"/v1/papers/{id}/release_results", body={"which": which})
        return cast(types.Release, await self._client.request(request))

    async def scheme(self, id: str) -> types.Scheme:
        """The versions of the scheme, and by which scripts are marked."""
        return cast(types.Scheme, await self._client.request(Request("GET", f"/v1/papers/{id}/scheme")))

    async def amend(
        self,
        id: str,
        *,
        question: str,
        points: Sequence[Mapping[str, object]],
        reviewer: str | None = None,
    ) -> types.Amendment:
        """Changes points of one question's key, each ``{"point": 0, "accept": […]}``. It is tried on every graded
        script in the background; nothing counts until ``apply_amendment``.
        """
        body = given(question=question, points=[*points], reviewer=reviewer)
        request = Request("POST", f"/v1/papers/{id}/amendment", body=body)
        return cast(types.Amendment, await self._client.request(request))

    async def amendment(self, id: str) -> types.Amendment:
        """The change that is looked at: it can be applied once its status is ``previewed``."""
        return cast(types.Amendment, await self._client.request(Request("GET", f"/v1/papers/{id}/amendment")))

    def amended_scripts(
        self, id: str, *, outcome: types.AmendmentOutcome | None = None, limit: int | None = None
    ) -> AsyncPages[types.AmendedScript]:
        """What the amendment does to each script."""
        query = given(outcome=outcome, limit=limit)
        return AsyncPages(self._client, Request("GET", f"/v1/papers/{id}/amendment/scripts", query))

    async def apply_amendment(self, id: str, *, amendment_id: str) -> types.Scheme:
        """Scripts are marked by it from now on; graded ones follow, what is released or set by a person stays."""
        body = {"amendment_id": amendment_id}
        request = Request("POST", f"/v1/papers/{id}/amendment/apply", body=body)
        return cast(types.Scheme, await self._client.request(request))

    async def discard_amendment(self, id: str) -> None:
        """Forgets the change; the scheme stays as it is."""
        await self._client.request(Request("DELETE", f"/v1/papers/{id}/amendment"))
