"""Retries, errors and signatures, without a server."""

from __future__ import annotations

import hashlib
import hmac
import json
import unittest
from datetime import datetime, timezone
from typing import Any
from unittest import mock

import httpx

import tickmark
from tickmark import webhooks

Answer = Exception | tuple[int, Any, dict[str, str]]


def scripted(*answers: Answer) -> tuple[tickmark.Client, list[httpx.Request]]:
    """A client whose server gives these answers, one after the other; what was asked is kept."""
    left, asked = list(answers), list[httpx.Request]()

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        next_one = left.pop(0)
        if isinstance(next_one, Exception):
            raise next_one
        status, body, headers = next_one
        return httpx.Response(status, json=body, headers=headers)

    http = httpx.Client(transport=httpx.MockTransport(answer))
    client = tickmark.Client("tm_sk_test_x", base_url="http://127.0.0.1:9", http_client=http, max_retries=2)
    return client, asked


def refused(kind: str, code: str) -> dict[str, Any]:
    return {
        "error": {
            "type": kind,
            "code": code,
            "message": "No.",
            "param": None,
            "resource_id": "pap_1",
            "request_id": "req_1",
        }
    }


LOST = httpx.ReadError("connection reset")
NOBODY = httpx.ConnectError("connection refused")
BUSY = (429, refused("rate_limit_error", "rate_limit_exceeded"), {"Retry-After": "0"})


class Retries(unittest.TestCase):
    def setUp(self) -> None:
        self.enterContext(mock.patch("tickmark._requests.BACKOFF_SECONDS", 0.001))

    def test_a_post_is_repeated_with_the_same_key(self) -> None:
        away = (503, refused("api_error", "service_unavailable"), {"Retry-After": "0"})
        client, asked = scripted(LOST, away, (200, {"id": "pap_1"}, {}))
        self.assertEqual(client.papers.approve("pap_1")["id"], "pap_1")
        keys = [request.headers["Idempotency-Key"] for request in asked]
        self.assertEqual((len(keys), len(set(keys))), (3, 1))

    def test_what_takes_no_key_is_not_repeated_once_it_may_have_been_done(self) -> None:
        client, asked = scripted(LOST)
        with self.assertRaises(tickmark.ConnectionFailed):
            client.review_links.create("pap_1", reviewer="R")
        self.assertEqual(len(asked), 1)
        self.assertNotIn("Idempotency-Key", asked[0].headers)
        client, _ = scripted(NOBODY, (201, {"url": "u"}, {}))
        self.assertEqual(client.review_links.create("pap_1", reviewer="R")["url"], "u")

    def test_a_delete_whose_answer_was_lost_is_done(self) -> None:
        client, asked = scripted(LOST, (404, refused("invalid_request_error", "resource_missing"), {}))
        client.papers.delete("pap_1")
        self.assertEqual(len(asked), 2)

    def test_a_delete_of_nothing_is_refused(self) -> None:
        client, _ = scripted((404, refused("invalid_request_error", "resource_missing"), {}))
        with self.assertRaises(tickmark.NotFoundError):
            client.papers.delete("pap_1")

    def test_errors_have_their_kind_and_are_not_repeated_in_vain(self) -> None:
        client, asked = scripted((402, refused("billing_error", "insufficient_credits"), {}))
        with self.assertRaises(tickmark.BillingError) as caught:
            client.balance.retrieve()
        error = caught.exception
        self.assertEqual(
            (error.status, error.code, error.resource_id, error.request_id),
            (402, "insufficient_credits", "pap_1", "req_1"),
        )
        self.assertEqual(len(asked), 1)
        client, _ = scripted((502, None, {}), (502, None, {}), (502, None, {}))
        with self.assertRaises(tickmark.ServerError):
            client.balance.retrieve()

    def test_a_busy_server_is_asked_again_but_not_for_ever(self) -> None:
        client, asked = scripted(BUSY, BUSY, BUSY)
        with self.assertRaises(tickmark.RateLimitError):
            client.balance.retrieve()
        self.assertEqual(len(asked), 3)

    def test_a_list_goes_on_from_page_to_page(self) -> None:
        pages: list[Answer] = [
            (200, {"data": [1, 2], "has_more": True, "next_cursor": "c"}, {}),
            (200, {"data": [3], "has_more": False, "next_cursor": None}, {}),
        ]
        client, asked = scripted(*pages)
        since = datetime(2026, 1, 2, tzinfo=timezone.utc)
        self.assertEqual(list[Any](client.papers.list(status="ready", created_after=since)), [1, 2, 3])
        self.assertEqual(
            dict(asked[1].url.params),
            {"status": "ready", "created_after": "2026-01-02T00:00:00Z", "cursor": "c"},
        )

    def test_an_upload_that_was_taken_but_whose_answer_was_lost_is_done(self) -> None:
        headers = {"Content-Type": "application/pdf", "Content-Length": "5", "If-None-Match": "*"}
        upload = {"url": "http://127.0.0.1:9/upload/x", "headers": headers}
        file = {"id": "file_1", "status": "awaiting_upload", "upload": upload}
        client, asked = scripted((201, file, {}), LOST, (412, refused("invalid_request_error", "x"), {}))
        self.assertEqual(client.files.upload(b"%PDF-", "question_paper")["id"], "file_1")
        self.assertEqual(
            json.loads(asked[0].content),
            {
                "purpose": "question_paper",
                "filename": "upload.pdf",
                "content_type": "application/pdf",
                "size_bytes": 5,
            },
        )

    def test_a_patch_sends_what_is_given_and_null_where_it_clears(self) -> None:
        client, asked = scripted((200, {}, {}))
        client.papers.update("pap_1", external_id=None)
        self.assertEqual(json.loads(asked[0].content), {"external_id": None})

    def test_what_is_no_document_is_not_sent(self) -> None:
        client, asked = scripted()
        with self.assertRaises(ValueError):
            client.files.upload(b"GIF89a", "answer_script", filename="x.gif")
        self.assertEqual(asked, [])


class Signatures(unittest.TestCase):
    def test_a_delivery_is_believed_only_when_it_is_genuine_and_fresh(self) -> None:
        body = json.dumps({"id": "evt_1", "type": "paper.ready", "data": {"object": {"id": "pap_1"}}}).encode()

        def sign(secret: str) -> str:
            return hmac.new(secret.encode(), b"1000." + body, hashlib.sha256).hexdigest()

        header = f"t=1000,v1={sign('whsec_old')},v1={sign('whsec_new')}"
        for secret in ("whsec_old", "whsec_new"):
            self.assertEqual(webhooks.verify(body, header, secret, now=1300)["id"], "evt_1")
        for given, signature, secret, now in (
            (body + b" ", header, "whsec_new", 1000),
            (body, header, "whsec_other", 1000),
            (body, header, "whsec_new", 1301),
            (body, header, "whsec_new", 699),
            (body, "v1=00", "whsec_new", 1000),
            (body, None, "whsec_new", 1000),
            (body, "t=1000", "whsec_new", 1000),
            (body, "t=1000,v1=ü", "whsec_new", 1000),
        ):
            with self.assertRaises(tickmark.SignatureError):
                webhooks.verify(given, signature, secret, now=now)


if __name__ == "__main__":
    unittest.main()
