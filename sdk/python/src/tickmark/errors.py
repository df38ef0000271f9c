"""What can go wrong. Everything that this package raises is a ``TickmarkError``."""

from __future__ import annotations

from typing import Any, Mapping


class TickmarkError(Exception):
    """Anything that this package raises."""


class ConnectionFailed(TickmarkError):
    """No answer came, after all retries."""


class WaitTimeout(TickmarkError):
    """The paper, class scan or submission was not done in the time that was given; it is still being worked on."""


class SignatureError(TickmarkError):
    """A delivery is not genuine, or too old: answer 400 and do nothing with it."""


class PaperFailed(TickmarkError):
    """The paper could not be read. Nothing was charged."""

    def __init__(self, paper: Mapping[str, Any]) -> None:
        failure = paper.get("failure") or {}
        super().__init__(f"{failure.get('code')}: {failure.get('message')}")
        self.code: str | None = failure.get("code")
        self.paper = paper


class ClassScanFailed(TickmarkError):
    """The pages of a class scan could not be read. Nothing was charged."""

    def __init__(self, class_scan: Mapping[str, Any]) -> None:
        failure = class_scan.get("failure") or {}
        super().__init__(f"{failure.get('code')}: {failure.get('message')}")
        self.code: str | None = failure.get("code")
        self.class_scan = class_scan


class SubmissionFailed(TickmarkError):
    """The script could not be marked, or was canceled. Nothing was charged."""

    def __init__(self, submission: Mapping[str, Any]) -> None:
        failure = submission.get("failure") or {"code": "canceled", "message": "The submission was canceled."}
        super().__init__(f"{failure.get('code')}: {failure.get('message')}")
        self.code: str | None = failure.get("code")
        self.submission = submission


class ApiError(TickmarkError):
    """The server refused the request. ``code`` says why, for programs; the text says it for people."""

    def __init__(self, status: int, error: Mapping[str, Any], retry_after: float | None = None) -> None:
        self.status = status
        self.type: str | None = error.get("type")
        self.code: str | None = error.get("code")
        self.message: str = error.get("message") or f"The server answered {status}."
        self.param: str | None = error.get("param")
        self.resource_id: str | None = error.get("resource_id")
        self.request_id: str | None = error.get("request_id")
        self.retry_after = retry_after
        named = f" ({self.code}, {self.request_id})" if self.code else ""
        super().__init__(self.message + named)


class InvalidRequestError(ApiError):
    """A parameter is wrong, or the object's state does not allow this."""


class NotFoundError(InvalidRequestError):
    """There is no such object in this account and mode."""


class ConflictError(InvalidRequestError):
    """The object's state does not allow this now."""


class AuthenticationError(ApiError):
    """The key is missing, unknown or revoked."""


class BillingError(ApiError):
    """The credits do not suffice."""


class PermissionDenied(ApiError):
    """The key may not do this, or not from here."""


class RateLimitError(ApiError):
    """Too many requests, after all retries."""


class ServerError(ApiError):
    """A fault on the server's side, after all retries."""


_BY_TYPE: dict[str, type[ApiError]] = {
    "authentication_error": AuthenticationError,
    "billing_error": BillingError,
    "permission_error": PermissionDenied,
    "rate_limit_error": RateLimitError,
    "api_error": ServerError,
}


def from_response(status: int, body: object, retry_after: float | None) -> ApiError:
    """The error that a response carries; a proxy's own page is one too."""
    error = body.get("error") if isinstance(body, dict) else None
    if not isinstance(error, dict):
        return (ServerError if status >= 500 else InvalidRequestError)(status, {}, retry_after)
    kind = _BY_TYPE.get(str(error.get("type")))
    if kind is None:
        kind = {404: NotFoundError, 409: ConflictError}.get(status, InvalidRequestError)
    return kind(status, error, retry_after)
