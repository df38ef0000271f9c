"""What the synchronous and the asynchronous client share: requests, when to try again, files."""

from __future__ import annotations

import mimetypes
import os
import random
import uuid
from dataclasses import dataclass, field
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, Final, Iterator, Mapping, Sequence, Union

from typing_extensions import TypeAlias

VERSION: Final = "0.1.0"
BASE_URL: Final = "http://127.0.0.1:8080"
BACKOFF_SECONDS: Final = 0.5
WAIT_MAX_SECONDS: Final = 60.0
"""Longest wait before one retry, whatever the server asks for."""
POLL_SECONDS: Final = (0.5, 1.0, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
"""Waits between looks at one object; the last goes on. The service asks for 30 seconds in the long run."""
CONTENT_TYPES: Final = ("application/pdf", "image/jpeg", "image/png")


class NotGiven:
    """A parameter that was left out, where ``None`` means something else."""

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN: Final = NotGiven()

Content: TypeAlias = Union[str, "os.PathLike[str]", bytes]
"""A path, or the bytes themselves."""


@dataclass
class Request:
    """One call."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    idempotency_key: str | None = None
    repeatable: bool = True
    """False where the server takes no Idempotency-Key, so that a call whose answer was lost cannot be repeated."""
    accept: str = "application/json"

    def headers(self, api_key: str) -> dict[str, str]:
        headers = {
            "Authorization": f"Bearer {api_key}",
            "User-Agent": f"tickmark-python/{VERSION}",
            "Accept": self.accept,
        }
        if self.method == "POST" and self.repeatable:
            self.idempotency_key = self.idempotency_key or str(uuid.uuid4())
            headers["Idempotency-Key"] = self.idempotency_key
        return headers

    def params(self) -> dict[str, str]:
        return {name: _text(value) for name, value in self.query.items() if value is not None}

    def json(self) -> dict[str, Any] | None:
        if self.body is None:
            return None
        return {name: value for name, value in self.body.items() if not isinstance(value, NotGiven)}


def _text(value: Any) -> str:
    if isinstance(value, datetime):
        return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    return str(value)


def given(**members: Any) -> dict[str, Any]:
    """The members that are not None."""
    return {name: value for name, value in members.items() if value is not None}


def settings(api_key: str | None, base_url: str | None) -> tuple[str, str]:
    """The key and the address, from the arguments or the environment."""
    key = api_key or os.environ.get("TM_API_KEY")
    if not key:
        raise ValueError("Give api_key, or set TM_API_KEY.")
    return key, (base_url or os.environ.get("TM_BASE_URL") or BASE_URL).rstrip("/")


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the server asks to wait."""
    value = headers.get("retry-after")
    if value is None:
        return None
    if value.isdecimal():
        return float(value)
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return None


def is_worth_retrying(request: Request, status: int, code: str | None) -> bool:
    """Whether the same request can do better a little later."""
    if status in (429, 503) or code == "idempotency_request_in_progress":
        return True
    return status >= 500 and request.repeatable


def delay(attempt: int, asked: float | None) -> float:
    """Seconds before the attempt after this one: what the server asks for, else twice as long each time."""
    backoff = BACKOFF_SECONDS * 2**attempt * random.uniform(0.5, 1.0)
    return min(WAIT_MAX_SECONDS, asked if asked is not None else backoff)


def polls(first: float | None) -> Iterator[float]:
    """The waits between looks at one object."""
    if first is not None:
        while True:
            yield first
    yield from POLL_SECONDS
    while True:
        yield POLL_SECONDS[-1]


def content_of(content: Content, filename: str | None, content_type: str | None) -> tuple[bytes, str, str]:
    """Bytes, name and type of what is to be uploaded."""
    if isinstance(content, bytes):
        raw, name = content, filename or ""
    else:
        path = Path(content)
        raw, name = path.read_bytes(), filename or path.name
    kind = content_type or _sniffed(raw) or mimetypes.guess_type(name)[0]
    if kind not in CONTENT_TYPES:
        raise ValueError(f"{name or 'This'} is no PDF, JPEG or PNG.")
    return raw, name or "upload" + (mimetypes.guess_extension(kind) or ""), kind


def contents_of(files: Content | Sequence[Content]) -> Sequence[Content]:
    """The files to upload, where one may stand by itself."""
    return [files] if isinstance(files, (str, bytes, os.PathLike)) else files


def _sniffed(raw: bytes) -> str | None:
    starts = ((b"%PDF-", "application/pdf"), (b"\xff\xd8\xff", "image/jpeg"), (b"\x89PNG", "image/png"))
    return next((kind for start, kind in starts if raw.startswith(start)), None)


def accept_for(path: str | os.PathLike[str]) -> str:
    """The form of a report that a file of this name holds."""
    forms = {".pdf": "application/pdf", ".html": "text/html", ".json": "application/json"}
    form = forms.get(Path(path).suffix.lower())
    if form is None:
        raise ValueError(f"A report goes to a .pdf, .html or .json file, not to {path}.")
    return form
