"""Client for the Tickmark API.

``Client`` is synchronous, ``AsyncClient`` has the same methods to await. What comes back is the dictionary that the
server sent, typed for your editor by ``tickmark.types``: a member or a value that a later server adds breaks nothing.
"""

from . import types, webhooks
from ._async.client import AsyncClient
from ._sync.client import Client
from .errors import (
    ApiError,
    AuthenticationError,
    BillingError,
    ClassScanFailed,
    ConflictError,
    ConnectionFailed,
    InvalidRequestError,
    NotFoundError,
    PaperFailed,
    PermissionDenied,
    RateLimitError,
    ServerError,
    SignatureError,
    SubmissionFailed,
    TickmarkError,
    WaitTimeout,
)

__all__ = [
    "ApiError",
    "AsyncClient",
    "AuthenticationError",
    "BillingError",
    "ClassScanFailed",
    "Client",
    "ConflictError",
    "ConnectionFailed",
    "InvalidRequestError",
    "NotFoundError",
    "PaperFailed",
    "PermissionDenied",
    "RateLimitError",
    "ServerError",
    "SignatureError",
    "SubmissionFailed",
    "TickmarkError",
    "WaitTimeout",
    "types",
    "webhooks",
]
