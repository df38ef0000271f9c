"""The resources of the API, one class each."""

from __future__ import annotations

import asyncio
import os
import time
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, Sequence, cast

from .. import errors, types
from .._requests import (
    NOT_GIVEN,
    Content,
    NotGiven,
    Request,
    accept_for,
    content_of,
    contents_of,
    given,
    polls,
)
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
        grading: Mapping[str, str] | None = None,
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


class Submissions(Resource):
    def list(
        self,
        *,
        paper_id: str | None = None,
        student_external_id: str | None = None,
        status: types.SubmissionStatus | None = None,
        created_after: Time | None = None,
        created_before: Time | None = None,
        updated_after: Time | None = None,
        limit: int | None = None,
    ) -> AsyncPages[types.Submission]:
        """Newest first; with ``updated_after``, by change, oldest first."""
        query = given(
            paper_id=paper_id,
            student_external_id=student_external_id,
            status=status,
            created_after=created_after,
            created_before=created_before,
            updated_after=updated_after,
            limit=limit,
        )
        return AsyncPages(self._client, Request("GET", "/v1/submissions", query))

    async def create(
        self,
        *,
        paper_id: str,
        student: Mapping[str, str],
        files: Sequence[Mapping[str, str]],
        metadata: Mapping[str, str] | None = None,
        test_outcome: str | None = None,
        idempotency_key: str | None = None,
    ) -> types.Submission:
        """Hands in a script of 1 to 20 files, each ``{"file_id": …}`` or ``{"url": …}``."""
        body = given(
            paper_id=paper_id,
            student=student,
            files=[dict(file) for file in files],
            metadata=metadata,
            test_outcome=test_outcome,
        )
        request = Request("POST", "/v1/submissions", body=body, idempotency_key=idempotency_key)
        return cast(types.Submission, await self._client.request(request))

    async def mark(
        self,
        files: Content | Sequence[Content],
        *,
        paper_id: str,
        student: str | Mapping[str, str],
        timeout: float = 1800,
        poll_every: float | None = None,
        **more: Any,
    ) -> types.Result:
        """Uploads a script, hands it in, waits until it is marked, and returns the result.

        ``student`` is your own reference for the student, or ``{"external_id": …, "name": …}``. The result is
        provisional on a paper with ``results_release: "after_review"`` until ``release``.
        """
        uploaded = [await self._client.files.upload(content, "answer_script") for content in contents_of(files)]
        submission = await self.create(
            paper_id=paper_id,
            student={"external_id": student} if isinstance(student, str) else student,
            files=[{"file_id": file["id"]} for file in uploaded],
            **more,
        )
        await self.wait(submission["id"], timeout=timeout, poll_every=poll_every)
        return await self.result(submission["id"])

    async def wait(
        self, id: str, *, timeout: float = 1800, poll_every: float | None = None
    ) -> types.Submission:
        """Waits until the script is marked. Raises ``SubmissionFailed`` when it cannot be."""
        ends_at = time.monotonic() + timeout
        for seconds in polls(poll_every):
            submission = await self.retrieve(id)
            if submission["status"] in ("failed", "canceled"):
                raise errors.SubmissionFailed(submission)
            if submission["status"] not in ("queued", "processing"):
                return submission
            if time.monotonic() + seconds > ends_at:
                break
            await asyncio.sleep(seconds)
        raise errors.WaitTimeout(f"{id} was not marked within {timeout} seconds.")

    async def retrieve(self, id: str) -> types.Submission:
        return cast(types.Submission, await self._client.request(Request("GET", f"/v1/submissions/{id}")))

    async def update(
        self,
        id: str,
        *,
        student: Mapping[str, str | None] | NotGiven = NOT_GIVEN,
        metadata: Mapping[str, str] | NotGiven = NOT_GIVEN,
    ) -> types.Submission:
        """What is left out stays; ``student={"name": None}`` clears the name."""
        body = {"student": student, "metadata": metadata}
        request = Request("PATCH", f"/v1/submissions/{id}", body=body)
        return cast(types.Submission, await self._client.request(request))

    async def delete(self, id: str) -> None:
        """Deletes the submission with its result, report and files."""
        await self._client.request(Request("DELETE", f"/v1/submissions/{id}"))

    async def cancel(self, id: str) -> types.Submission:
        """While it is queued or processing. Nothing is charged."""
        request = Request("POST", f"/v1/submissions/{id}/cancel", body={})
        return cast(types.Submission, await self._client.request(request))

    async def release(self, id: str) -> types.Submission:
        """Makes its result final."""
        request = Request("POST", f"/v1/submissions/{id}/release", body={})
        return cast(types.Submission, await self._client.request(request))

    async def result(self, id: str) -> types.Result:
        """The marks with their evidence."""
        return cast(types.Result, await self._client.request(Request("GET", f"/v1/submissions/{id}/result")))

    async def report(self, id: str, *, sections: Sequence[types.ReportSection] | None = None) -> types.Report:
        """The report, once the submission is released."""
        query = given(sections=",".join(sections) if sections else None)
        request = Request("GET", f"/v1/submissions/{id}/report", query)
        return cast(types.Report, await self._client.request(request))

    async def save_report(
        self,
        id: str,
        path: str | os.PathLike[str],
        *,
        sections: Sequence[types.ReportSection] | None = None,
    ) -> Path:
        """Writes the report to a file: ``.pdf`` is the annotated script, ``.html`` a page, ``.json`` the data."""
        request = Request(
            "GET",
            f"/v1/submissions/{id}/report",
            given(sections=",".join(sections) if sections else None),
            accept=accept_for(path),
        )
        response = await self._client.send(request)
        target = Path(path)
        target.write_bytes(response.content)
        return target


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
