"""A class in one stack, against a development server: TM_BASE_URL and TM_API_KEY say where."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

import tickmark
from tickmark import types

POLL = 0.2
STUDENTS = [{"external_id": "s-1", "name": "Ada Lovelace"}, {"external_id": "s-2"}, {"external_id": "s-3"}]


def pdf(*pages: str) -> bytes:
    """A PDF with one line on each page."""
    kids = " ".join(f"{4 + 2 * place} 0 R" for place in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for place, line in enumerate(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {5 + 2 * place} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>"
        )
        content = f"BT /F1 12 Tf 60 780 Td ({line}) Tj ET"
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    written, starts = "%PDF-1.4\n", list[int]()
    for number, text in enumerate(objects, 1):
        starts.append(len(written))
        written += f"{number} 0 obj\n{text}\nendobj\n"
    table = "".join(f"{start:010} 00000 n \n" for start in starts)
    size = len(objects) + 1
    end = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\n"
    return f"{written}{end}startxref\n{len(written)}\n%%EOF\n".encode()


def told(scan: types.ClassScan) -> list[tuple[str | None, list[int]]]:
    """Whose the scripts are, and their pages."""
    return [
        (script["student"]["external_id"] if script["student"] else None, script["pages"])
        for script in scan["scripts"]
    ]


class ClassScans(unittest.TestCase):
    def setUp(self) -> None:
        self.client = tickmark.Client()
        self.addCleanup(self.client.close)
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        subject = self.client.subjects.list().first()
        assert subject is not None
        paper = self.client.papers.create_and_wait(
            title="T",
            subject_id=subject["id"],
            question_paper=pdf("1. Name the gas. (1)"),
            marking_scheme=pdf("1. oxygen (1)"),
            test_outcome="succeed",
            poll_every=POLL,
        )
        self.paper_id = self.client.papers.approve(paper["id"])["id"]

    def students(self) -> dict[str, str]:
        """The paper's submissions by student."""
        found = self.client.submissions.list(paper_id=self.paper_id)
        return {submission["student"]["external_id"]: submission["id"] for submission in found}

    def test_a_stack_with_covers_becomes_a_submission_for_each_student(self) -> None:
        client = self.client
        sheets = client.papers.covers(self.paper_id, students=STUDENTS)["sheets"]
        self.assertEqual([sheet["external_id"] for sheet in sheets], ["s-1", "s-2", "s-3"])
        stack: list[Path] = []
        for student in STUDENTS[:2]:
            name = student["external_id"]
            stack.append(client.papers.save_covers(self.paper_id, self.folder / f"{name}-cover.pdf", students=[student]))
            stack.append(self.folder / f"{name}.pdf")
            stack[-1].write_bytes(pdf("1. oxygen", "More of it"))
        scan = client.class_scans.create_and_wait(
            self.paper_id, files=stack, split={"by": "covers"}, students=STUDENTS, poll_every=POLL
        )
        self.assertEqual(scan["status"], "awaiting_confirmation")
        self.assertEqual(told(scan), [("s-1", [2, 3]), ("s-2", [5, 6])])
        self.assertEqual([student["external_id"] for student in scan["absent"]], ["s-3"])
        self.assertEqual(self.students(), {})

        self.assertIn(client.class_scans.confirm(scan["id"])["status"], ("confirming", "confirmed"))
        done = client.class_scans.wait(scan["id"], poll_every=POLL)
        self.assertEqual(done["status"], "confirmed")
        made = self.students()
        self.assertEqual(sorted(made), ["s-1", "s-2"])
        self.assertEqual([script["submission_id"] for script in done["scripts"]], [made["s-1"], made["s-2"]])

        self.assertEqual(client.class_scans.confirm(scan["id"])["status"], "confirmed", "the same again changes nothing")
        with self.assertRaises(tickmark.ConflictError) as twice:
            client.class_scans.confirm(scan["id"], scripts=[{"pages": [2], "student": {"external_id": "s-3"}}])
        self.assertEqual(twice.exception.code, "class_scan_not_confirmable")
        self.assertEqual(self.students(), made)

    def test_a_split_by_pages_is_corrected_or_deleted(self) -> None:
        scans = self.client.class_scans
        stack = self.folder / "class.pdf"
        stack.write_bytes(pdf("1. oxygen", "1. nitrogen", "1. helium", "1. argon"))
        split = {"by": "pages", "pages_per_script": 2}
        scan = scans.create_and_wait(self.paper_id, files=stack, split=split, poll_every=POLL)
        self.assertEqual(told(scan), [(None, [1, 2]), (None, [3, 4])])
        with self.assertRaises(tickmark.InvalidRequestError) as nobody:
            scans.confirm(scan["id"])
        self.assertEqual((nobody.exception.status, nobody.exception.param), (400, "scripts[0].student"))
        scans.confirm(scan["id"], scripts=[{"pages": [4, 3], "student": {"external_id": "s-2", "name": None}}])
        self.assertEqual(scans.wait(scan["id"], poll_every=POLL)["status"], "confirmed")
        self.assertEqual([*self.students()], ["s-2"])

        other = scans.create_and_wait(
            self.paper_id, files=[stack.read_bytes()], split=split, students=STUDENTS[:2], poll_every=POLL
        )
        self.assertEqual(told(other), [("s-1", [1, 2]), ("s-2", [3, 4])])
        scans.confirm(other["id"])
        partly = scans.wait(other["id"], poll_every=POLL)
        self.assertEqual(partly["status"], "awaiting_confirmation")
        self.assertEqual([script["obstacle"] for script in partly["scripts"]], [None, "submission_exists"])
        scans.delete(other["id"])
        with self.assertRaises(tickmark.NotFoundError):
            scans.retrieve(other["id"])
        self.assertEqual(sorted(self.students()), ["s-1", "s-2"], "submissions stay")

    def test_what_cannot_be_a_scan_is_said(self) -> None:
        scans = self.client.class_scans
        with self.assertRaises(tickmark.ClassScanFailed) as unread:
            scans.create_and_wait(self.paper_id, files=b"%PDF-1.4\n", split={"by": "covers"}, poll_every=POLL)
        self.assertEqual(unread.exception.code, "file_unreadable")
        failed = unread.exception.class_scan["id"]
        with self.assertRaises(tickmark.ConflictError) as early:
            scans.confirm(failed)
        self.assertEqual(early.exception.code, "class_scan_not_confirmable")
        file = self.client.files.upload(pdf("1. oxygen"), "answer_script")
        with self.assertRaises(tickmark.InvalidRequestError) as unknown:
            scans.create(self.paper_id, files=[{"file_id": file["id"]}], split={"by": "names"})
        self.assertEqual((unknown.exception.code, unknown.exception.param), ("parameter_missing", "students"))


class AsyncClassScans(unittest.IsolatedAsyncioTestCase):
    async def test_the_same_to_await(self) -> None:
        async with tickmark.AsyncClient() as client:
            subject = await client.subjects.list().first()
            assert subject is not None
            paper = await client.papers.create_and_wait(
                title="T",
                subject_id=subject["id"],
                question_paper=pdf("1. Name the gas. (1)"),
                marking_scheme=pdf("1. oxygen (1)"),
                test_outcome="succeed",
                poll_every=POLL,
            )
            await client.papers.approve(paper["id"])
            scan = await client.class_scans.create_and_wait(
                paper["id"],
                files=pdf("1. oxygen", "1. nitrogen"),
                split={"by": "pages", "pages_per_script": 1},
                students=STUDENTS[:2],
                poll_every=POLL,
            )
            self.assertEqual(told(scan), [("s-1", [1]), ("s-2", [2])])
            await client.class_scans.confirm(scan["id"])
            done = await client.class_scans.wait(scan["id"], poll_every=POLL)
            seen = {submission["id"] async for submission in client.submissions.list(paper_id=paper["id"])}
            self.assertEqual({script["submission_id"] for script in done["scripts"]}, seen)


if __name__ == "__main__":
    unittest.main()
