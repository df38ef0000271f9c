"""The whole flow against a development server: TM_BASE_URL, TM_API_KEY and SAMPLES say where."""

from __future__ import annotations

import os
import tempfile
import threading
import time
import unittest
import uuid
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import tickmark
from tickmark import types, webhooks

SAMPLES = Path(os.environ["SAMPLES"])
PDF = b"%PDF-1.4\n"
POLL = 0.2


class Flow(unittest.TestCase):
    def setUp(self) -> None:
        self.client = tickmark.Client()
        self.addCleanup(self.client.close)

    def subject(self) -> types.Subject:
        subject = self.client.subjects.list(query="biology").first()
        assert subject is not None
        return subject

    def paper(self, outcome: str, **more: Any) -> types.Paper:
        return self.client.papers.create_and_wait(
            title="T",
            subject_id=self.subject()["id"],
            question_paper=PDF,
            marking_scheme=PDF,
            test_outcome=outcome,
            poll_every=POLL,
            **more,
        )

    def test_from_two_pdfs_to_an_annotated_script(self) -> None:
        client, unique = self.client, str(uuid.uuid4())
        paper = client.papers.create_and_wait(
            title="Biology",
            subject_id=self.subject()["id"],
            question_paper=SAMPLES / "biology/paper.pdf",
            marking_scheme=SAMPLES / "biology/scheme.pdf",
            external_id=unique,
            poll_every=POLL,
        )
        self.assertEqual(paper["status"], "awaiting_review")
        self.assertEqual(len(client.papers.questions(paper["id"])), paper["question_count"])
        link = client.review_links.create(paper["id"], reviewer="Ms Okafor")
        self.assertIn("/review#", link["url"])
        self.assertEqual(client.review_links.revoke(paper["id"])["revoked"], 1)
        self.assertEqual(client.papers.approve(paper["id"])["status"], "ready")

        result = client.submissions.mark(
            SAMPLES / "biology/script-middling.pdf",
            paper_id=paper["id"],
            student={"external_id": unique, "name": "A. Student"},
            poll_every=POLL,
        )
        score = result["score"]
        self.assertTrue(0 < score["awarded"] < score["available"], score)
        self.assertEqual(len(result["questions"]), paper["question_count"])

        (submission,) = client.submissions.list(paper_id=paper["id"])
        self.assertEqual(submission["status"], "released")
        report = client.submissions.report(submission["id"], sections=["summary", "marking"])
        self.assertEqual(report["sections"], ["summary", "marking"])
        self.assertEqual(report["summary"]["score"], score)
        with tempfile.TemporaryDirectory() as folder:
            pdf = client.submissions.save_report(submission["id"], Path(folder) / "report.pdf")
            page = client.submissions.save_report(submission["id"], Path(folder) / "report.html")
            self.assertEqual(pdf.read_bytes()[:5], b"%PDF-")
            self.assertTrue(page.read_text().lower().startswith("<!doctype html>"))

        kinds = sorted(event["type"] for event in client.events.list(object_id=submission["id"]))
        self.assertEqual(kinds, ["submission.graded", "submission.released"])
        charge = client.credit_transactions.list(source_id=submission["id"]).first()
        assert charge is not None
        self.assertEqual(charge["type"], "grading")
        self.assertIsNone(client.submissions.update(submission["id"], student={"name": None})["student"]["name"])
        self.assertIsNone(client.papers.update(paper["id"], external_id=None)["external_id"])
        client.submissions.delete(submission["id"])
        client.papers.delete(paper["id"])
        with self.assertRaises(tickmark.NotFoundError):
            client.papers.retrieve(paper["id"])

    def test_outcomes_that_a_test_asks_for(self) -> None:
        with self.assertRaises(tickmark.PaperFailed) as failed:
            self.paper("no_questions_found")
        self.assertEqual(failed.exception.code, "no_questions_found")
        paper = self.paper("succeed")
        self.client.papers.approve(paper["id"])

        def mark(outcome: str) -> types.Result:
            return self.client.submissions.mark(
                [PDF], paper_id=paper["id"], student="s-1", test_outcome=outcome, poll_every=POLL
            )

        with self.assertRaises(tickmark.SubmissionFailed) as unread:
            mark("file_unreadable")
        self.assertEqual(unread.exception.code, "file_unreadable")
        self.assertEqual(mark("succeed")["status"], "final")

    def test_a_person_sets_marks_amends_the_scheme_and_releases(self) -> None:
        papers, submissions = self.client.papers, self.client.submissions
        id = self.paper("succeed", results_release="after_review", grading={"learning": False})["id"]
        papers.approve(id)
        result = submissions.mark(PDF, paper_id=id, student="s-1", test_outcome="succeed", poll_every=POLL)
        self.assertEqual(result["status"], "provisional")
        script = result["submission_id"]
        adjustment = submissions.adjust(script, question="1", awarded=0, remark="No.", reviewer="Ms Okafor")
        self.assertEqual((adjustment["awarded_before"], adjustment["awarded"]), (1, 0))
        self.assertEqual(submissions.adjustments(script).all(), [adjustment])
        self.assertEqual(papers.statistics(id)["mean"], result["score"]["awarded"] - 1)

        accepts = [{"point": 0, "accept": ["assimilation"]}]
        amendment = papers.amend(id, question="1", points=accepts, reviewer="Ms Okafor")
        ends_at = time.monotonic() + 60
        while papers.amendment(id)["status"] != "previewed" and time.monotonic() < ends_at:
            time.sleep(POLL)
        (tried,) = papers.amended_scripts(id, outcome="unchanged")
        self.assertEqual(tried["submission_id"], script)
        self.assertEqual(papers.apply_amendment(id, amendment_id=amendment["id"])["version"], 2)
        papers.amend(id, question="1", points=[{"point": 0, "reject": ["respiration"]}])
        papers.discard_amendment(id)
        with self.assertRaises(tickmark.NotFoundError):
            papers.amendment(id)
        self.assertEqual([version["reviewer"] for version in papers.scheme(id)["versions"]], [None, "Ms Okafor"])

        self.assertEqual(papers.release_results(id, which="checked")["released"], 0)
        self.assertEqual(papers.release_results(id, which="all")["released"], 1)
        with self.assertRaises(tickmark.ConflictError):
            submissions.adjust(script, question="1", awarded=1)

    def test_what_is_wrong_is_said(self) -> None:
        with self.assertRaises(tickmark.InvalidRequestError) as caught:
            self.client.papers.list(limit=0).first()
        error = caught.exception
        self.assertEqual((error.status, error.code, error.param), (400, "parameter_invalid", "limit"))
        with tickmark.Client("tm_sk_test_nobody") as stranger, self.assertRaises(tickmark.AuthenticationError):
            stranger.account.retrieve()
        self.assertEqual(self.client.account.retrieve()["object"], "account")
        self.assertFalse(self.client.balance.retrieve()["livemode"])

    def test_webhooks_arrive_are_genuine_and_say_what_they_are_about(self) -> None:
        received: list[types.Event] = []
        arrived = threading.Event()
        secret = ""

        class Receiver(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                signature = self.headers["Service-Signature"]
                received.append(webhooks.verify(body, signature, secret, tolerance=float("inf")))
                self.send_response(204)
                self.end_headers()
                arrived.set()

            def log_message(self, *_: Any) -> None:
                pass

        server = HTTPServer(("127.0.0.1", 0), Receiver)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        endpoints = self.client.webhook_endpoints
        endpoint = endpoints.create(
            url=f"http://127.0.0.1:{server.server_port}/hook", events=["paper.awaiting_review"]
        )
        secret = endpoint["secret"] or ""
        paper = self.paper("succeed")
        self.assertTrue(arrived.wait(30))
        event = received[0]
        assert event["type"] == "paper.awaiting_review"
        self.assertEqual(event["data"]["object"]["id"], paper["id"])
        self.assertNotEqual(endpoints.rotate_secret(endpoint["id"])["secret"], secret)
        self.assertEqual(endpoints.update(endpoint["id"], status="disabled")["status"], "disabled")
        endpoints.delete(endpoint["id"])

    def test_the_clock_of_a_development_server_moves_on(self) -> None:
        before = self.client.clock.now()
        self.assertGreater(self.client.clock.advance(3600), before)


class AsyncFlow(unittest.IsolatedAsyncioTestCase):
    async def test_the_same_to_await(self) -> None:
        async with tickmark.AsyncClient() as client:
            subject = await client.subjects.list(query="biology").first()
            assert subject is not None
            paper = await client.papers.create_and_wait(
                title="T",
                subject_id=subject["id"],
                question_paper=PDF,
                marking_scheme=PDF,
                test_outcome="succeed",
                poll_every=POLL,
            )
            await client.papers.approve(paper["id"])
            result = await client.submissions.mark(
                PDF, paper_id=paper["id"], student="s-1", test_outcome="succeed", poll_every=POLL
            )
            self.assertEqual(result["status"], "final")
            seen = [submission["id"] async for submission in client.submissions.list(paper_id=paper["id"], limit=1)]
            self.assertEqual([result["submission_id"]], seen)
            with self.assertRaises(tickmark.ConflictError):
                await client.papers.approve(paper["id"])


if __name__ == "__main__":
    unittest.main()
