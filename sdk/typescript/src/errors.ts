// What can go wrong. Everything that this package throws on purpose is a TickmarkError.

import type { ClassScan, Error as ErrorBody, Paper, Submission } from "./schema.js";

/** Anything that this package throws. */
export class TickmarkError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** No answer came, after all retries. */
export class ConnectionFailed extends TickmarkError {}

/** The paper, class scan or submission was not done in the time that was given; it is still being worked on. */
export class WaitTimeout extends TickmarkError {}

/** A delivery is not genuine, or too old: answer 400 and do nothing with it. */
export class SignatureError extends TickmarkError {}

/** The paper could not be read. Nothing was charged. */
export class PaperFailed extends TickmarkError {
  readonly code: string | undefined;
  constructor(readonly paper: Paper) {
    super(`${paper.failure?.code}: ${paper.failure?.message}`);
    this.code = paper.failure?.code;
  }
}

/** The pages of a class scan could not be read. Nothing was charged. */
export class ClassScanFailed extends TickmarkError {
  readonly code: string | undefined;
  constructor(readonly classScan: ClassScan) {
    super(`${classScan.failure?.code}: ${classScan.failure?.message}`);
    this.code = classScan.failure?.code;
  }
}

/** The script could not be marked, or was canceled. Nothing was charged. */
export class SubmissionFailed extends TickmarkError {
  readonly code: string;
  constructor(readonly submission: Submission) {
    super(submission.failure ? `${submission.failure.code}: ${submission.failure.message}` : "The submission was canceled.");
    this.code = submission.failure?.code ?? "canceled";
  }
}

type Member = Partial<ErrorBody["error"]>;

/** The server refused the request. `code` says why, for programs; the message says it for people. */
export class ApiError extends TickmarkError {
  readonly type: string | undefined;
  readonly code: string | undefined;
  readonly param: string | null;
  readonly resourceId: string | null;
  readonly requestId: string | null;
  constructor(readonly status: number, error: Member, readonly retryAfter: number | undefined) {
    const named = error.code ? ` (${error.code}, ${error.request_id})` : "";
    super((error.message ?? `The server answered ${status}.`) + named);
    this.type = error.type;
    this.code = error.code;
    this.param = error.param ?? null;
    this.resourceId = error.resource_id ?? null;
    this.requestId = error.request_id ?? null;
  }
}

/** A parameter is wrong, or the object's state does not allow this. */
export class InvalidRequestError extends ApiError {}
/** There is no such object in this account and mode. */
export class NotFoundError extends InvalidRequestError {}
/** The object's state does not allow this now. */
export class ConflictError extends InvalidRequestError {}
/** The key is missing, unknown or revoked. */
export class AuthenticationError extends ApiError {}
/** The credits do not suffice. */
export class BillingError extends ApiError {}
/** The key may not do this, or not from here. */
export class PermissionDenied extends ApiError {}
/** Too many requests, after all retries. */
export class RateLimitError extends ApiError {}
/** A fault on the server's side, after all retries. */
export class ServerError extends ApiError {}

const BY_TYPE: Record<string, typeof ApiError> = {
  authentication_error: AuthenticationError,
  billing_error: BillingError,
  permission_error: PermissionDenied,
  rate_limit_error: RateLimitError,
  api_error: ServerError,
};

/** The error that a response carries; a proxy's own page is one too. */
export function fromResponse(status: number, body: unknown, retryAfter: number | undefined): ApiError {
  const error = (body as { error?: Member } | null)?.error;
  if (typeof error !== "object" || error === null) {
    return new (status >= 500 ? ServerError : InvalidRequestError)(status, {}, retryAfter);
  }
  const kind =
    BY_TYPE[error.type ?? ""] ?? (status === 404 ? NotFoundError : status === 409 ? ConflictError : InvalidRequestError);
  return new kind(status, error, retryAfter);
}
