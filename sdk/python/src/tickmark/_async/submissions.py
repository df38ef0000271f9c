"""Students' scripts, their results and reports."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from typing import Any, Mapping, Sequence, cast

from .. import errors, types
from .._requests import NOT_GIVEN, Content, NotGiven, Request, accept_for, contents_of, given, polls
from .pages import AsyncPages
from .resources import Resource, Time


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

    async def adjust(
        self,
        id: str,
        *,
        question: str,
        part: str | None = None,
        awarded: float | None = None,
        answer: str | None = None,
        remark: str | None = None,
        reviewer: str | None = None,
    ) -> types.Adjustment:
        """Sets the mark of one answer (``awarded``), or corrects what was read (``answer``) and has it judged
        again, while the submission is graded.
        """
        body = given(
            question=question, part=part, awarded=awarded, answer=answer, remark=remark, reviewer=reviewer
        )
        request = Request("POST", f"/v1/submissions/{id}/adjustments", body=body)
        return cast(types.Adjustment, await self._client.request(request))

    def adjustments(
        self,
        id: str,
        *,
        created_after: Time | None = None,
        created_before: Time | None = None,
        limit: int | None = None,
    ) -> AsyncPages[types.Adjustment]:
        """What people decided about its marks, newest first."""
        query = given(created_after=created_after, created_before=created_before, limit=limit)
        return AsyncPages(self._client, Request("GET", f"/v1/submissions/{id}/adjustments", query))

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
