"""Receiving webhooks: is a delivery genuine, and what does it say."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from typing import cast

from .errors import SignatureError
from .types import Event

TOLERANCE_SECONDS = 300


def verify(
    body: bytes | str,
    signature: str | None,
    secret: str,
    *,
    tolerance: float = TOLERANCE_SECONDS,
    now: float | None = None,
) -> Event:
    """The event in a delivery, when it is genuine; raises ``SignatureError`` otherwise.

    ``body`` is the raw body as it arrived, ``signature`` the header ``Service-Signature``. ``event["type"]`` tells what
    ``event["data"]["object"]`` is. The same event can come twice and in any order: remember the ids that you have
    handled, and ignore types that you do not know.
    """
    raw = body.encode() if isinstance(body, str) else body
    parts = [part.strip().partition("=")[::2] for part in (signature or "").split(",")]
    signed_at = next((value for name, value in parts if name == "t"), "")
    if not signed_at.isdecimal() or not signed_at.isascii():
        raise SignatureError("The Service-Signature header has no time: is this the raw header?")
    expected = hmac.new(secret.encode(), signed_at.encode() + b"." + raw, hashlib.sha256).hexdigest()
    given = [value for name, value in parts if name == "v1"]
    if not any(hmac.compare_digest(value.encode(), expected.encode()) for value in given):
        raise SignatureError("No signature fits: check the secret, and pass the raw body.")
    if abs((time.time() if now is None else now) - int(signed_at)) > tolerance:
        raise SignatureError("The delivery was signed too long ago, or this machine's clock is wrong.")
    return cast(Event, json.loads(raw))
