//! Every way in which a request can be refused, as the client sees it (contract, section 12).

use axum::response::{IntoResponse, Response};
use domain::id::RequestId;
use domain::refusal::Refusal;
use domain::time;
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType};
use utoipa::{PartialSchema, ToSchema};

/// The kinds of error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ErrorType)]
pub enum Type {
    /// The request is wrong.
    InvalidRequestError,
    /// The key is missing, unknown or revoked.
    AuthenticationError,
    /// The credits do not suffice.
    BillingError,
    /// The key may not do this.
    PermissionError,
    /// Too many requests.
    RateLimitError,
    /// A fault of ours.
    ApiError,
}

macro_rules! codes {
    ($($name:ident $text:literal $status:ident $kind:ident $resource:ident;)*) => {
        /// The codes of the API text, section 7, and `https_required`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
        pub enum Code {
            $(
                #[doc = concat!("`", $text, "`")]
                #[serde(rename = $text)]
                $name,
            )*
        }

        impl Code {
            /// Every code, in the order of the API text.
            pub const ALL: &[Code] = &[$(Code::$name),*];

            /// As it is written.
            pub const fn name(self) -> &'static str {
                match self { $(Code::$name => $text,)* }
            }

            /// The HTTP status it comes with.
            pub const fn status(self) -> StatusCode {
                match self { $(Code::$name => StatusCode::$status,)* }
            }

            /// The kind of error it is.
            pub const fn kind(self) -> Type {
                match self { $(Code::$name => Type::$kind,)* }
            }

            /// Which object `resource_id` names.
            pub const fn resource(self) -> Resource {
                match self { $(Code::$name => Resource::$resource,)* }
            }
        }
    };
}

/// Which object an error's `resource_id` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// None: it is null.
    None,
    /// The paper.
    Paper,
    /// The submission.
    Submission,
    /// The file.
    File,
    /// The class scan.
    ClassScan,
    /// The object that holds what was asked for.
    Holder,
    /// The id that was asked for.
    Asked,
}

codes! {
    ParameterMissing "parameter_missing" BAD_REQUEST InvalidRequestError None;
    ParameterInvalid "parameter_invalid" BAD_REQUEST InvalidRequestError None;
    ParameterUnknown "parameter_unknown" BAD_REQUEST InvalidRequestError None;
    InvalidJson "invalid_json" BAD_REQUEST InvalidRequestError None;
    IdempotencyKeyMissing "idempotency_key_missing" BAD_REQUEST InvalidRequestError None;
    ApiKeyMissing "api_key_missing" UNAUTHORIZED AuthenticationError None;
    ApiKeyInvalid "api_key_invalid" UNAUTHORIZED AuthenticationError None;
    ApiKeyRevoked "api_key_revoked" UNAUTHORIZED AuthenticationError None;
    InsufficientCredits "insufficient_credits" PAYMENT_REQUIRED BillingError None;
    CreditsExpired "credits_expired" PAYMENT_REQUIRED BillingError None;
    InsufficientScope "insufficient_scope" FORBIDDEN PermissionError None;
    IpNotAllowed "ip_not_allowed" FORBIDDEN PermissionError None;
    AccountSuspended "account_suspended" FORBIDDEN PermissionError None;
    HttpsRequired "https_required" FORBIDDEN PermissionError None;
    ResourceMissing "resource_missing" NOT_FOUND InvalidRequestError Asked;
    RouteNotFound "route_not_found" NOT_FOUND InvalidRequestError None;
    IdempotencyKeyReused "idempotency_key_reused" CONFLICT InvalidRequestError Holder;
    IdempotencyRequestInProgress "idempotency_request_in_progress" CONFLICT InvalidRequestError None;
    ExternalIdTaken "external_id_taken" CONFLICT InvalidRequestError Holder;
    PaperNotReady "paper_not_ready" CONFLICT InvalidRequestError Paper;
    PaperNotAwaitingReview "paper_not_awaiting_review" CONFLICT InvalidRequestError Paper;
    PaperInProgress "paper_in_progress" CONFLICT InvalidRequestError Paper;
    PaperHasEmptyQuestion "paper_has_empty_question" CONFLICT InvalidRequestError Paper;
    ReviewLinkUnavailable "review_link_unavailable" CONFLICT InvalidRequestError Paper;
    FileAlreadyAttached "file_already_attached" CONFLICT InvalidRequestError File;
    FilePurposeMismatch "file_purpose_mismatch" CONFLICT InvalidRequestError File;
    FileNotUploaded "file_not_uploaded" CONFLICT InvalidRequestError File;
    FileExpired "file_expired" CONFLICT InvalidRequestError File;
    SubmissionExists "submission_exists" CONFLICT InvalidRequestError Holder;
    SubmissionNotCancelable "submission_not_cancelable" CONFLICT InvalidRequestError Submission;
    SubmissionNotReleasable "submission_not_releasable" CONFLICT InvalidRequestError Submission;
    SubmissionInProgress "submission_in_progress" CONFLICT InvalidRequestError Submission;
    ResultNotAvailable "result_not_available" CONFLICT InvalidRequestError Submission;
    ReportNotAvailable "report_not_available" CONFLICT InvalidRequestError Submission;
    TooManyWebhookEndpoints "too_many_webhook_endpoints" CONFLICT InvalidRequestError None;
    ClassScanNotConfirmable "class_scan_not_confirmable" CONFLICT InvalidRequestError ClassScan;
    ClassScanInProgress "class_scan_in_progress" CONFLICT InvalidRequestError ClassScan;
    TooManyClassScans "too_many_class_scans" CONFLICT InvalidRequestError Paper;
    RequestTooLarge "request_too_large" PAYLOAD_TOO_LARGE InvalidRequestError None;
    UnsupportedMediaType "unsupported_media_type" UNSUPPORTED_MEDIA_TYPE InvalidRequestError None;
    RateLimitExceeded "rate_limit_exceeded" TOO_MANY_REQUESTS RateLimitError None;
    InternalError "internal_error" INTERNAL_SERVER_ERROR ApiError None;
    ServiceUnavailable "service_unavailable" SERVICE_UNAVAILABLE ApiError None;
}

/// The description of `code`: its names, which the macro above knows and utoipa's does not.
impl PartialSchema for Code {
    fn schema() -> RefOr<Schema> {
        let names = Code::ALL.iter().map(|code| code.name());
        ObjectBuilder::new()
            .schema_type(SchemaType::from(utoipa::openapi::Type::String))
            .description(Some("Names the error for programs."))
            .enum_values(Some(names))
            .into()
    }
}

impl ToSchema for Code {
    fn name() -> std::borrow::Cow<'static, str> {
        "ErrorCode".into()
    }
}

/// A refused request, before it is written for the wire.
#[derive(Clone, Debug)]
pub struct Error {
    /// What is wrong.
    pub code: Code,
    /// A sentence that says what is wrong and what would be right.
    pub message: String,
    /// The parameter that is wrong.
    pub param: Option<String>,
    /// The object that the error is about.
    pub resource_id: Option<String>,
    /// When trying again helps, after how many seconds.
    pub retry_after_seconds: Option<u32>,
}

/// How long to wait when the database is away or a request is running.
const RETRY_SOON_SECONDS: u32 = 1;
/// How long to wait for room to keep files in.
const RETRY_STORAGE_SECONDS: u32 = 300;
/// How long to wait for a result: one object is polled at most this often (API text, 4.3).
const RETRY_POLL_SECONDS: u32 = 30;

impl Error {
    /// An error without further facts.
    pub fn new(code: Code, message: impl Into<String>) -> Error {
        Error { code, message: message.into(), param: None, resource_id: None, retry_after_seconds: None }
    }

    /// A required parameter is missing.
    pub fn missing(param: impl Into<String>) -> Error {
        let param = param.into();
        Error::new(Code::ParameterMissing, format!("The parameter {param} is required.")).at(param)
    }

    /// A parameter is wrong; `problem` ends the sentence that begins with its name.
    pub fn invalid(param: impl Into<String>, problem: impl std::fmt::Display) -> Error {
        let param = param.into();
        Error::new(Code::ParameterInvalid, format!("The parameter {param} {problem}.")).at(param)
    }

    /// A parameter that this endpoint does not know.
    pub fn unknown(param: impl Into<String>) -> Error {
        let param = param.into();
        let message =
            format!("The parameter {param} is not known here. Check its spelling, or leave it out.");
        Error::new(Code::ParameterUnknown, message).at(param)
    }

    /// Names the parameter.
    #[must_use]
    pub fn at(mut self, param: impl Into<String>) -> Error {
        self.param = Some(param.into());
        self
    }

    /// Names the object.
    #[must_use]
    pub fn about(mut self, resource_id: impl Into<String>) -> Error {
        self.resource_id = Some(resource_id.into());
        self
    }

    /// Says when trying again helps.
    #[must_use]
    pub fn retry_after(mut self, seconds: u32) -> Error {
        self.retry_after_seconds = Some(seconds);
        self
    }

    /// The error as it goes out, named after its request.
    pub(crate) fn into_response_for(self, request_id: RequestId) -> Response {
        let status = self.code.status();
        let body = ErrorView {
            error: ErrorMember {
                kind: self.code.kind(),
                code: self.code,
                message: self.message,
                param: self.param,
                resource_id: self.resource_id,
                request_id: Some(request_id.to_string()),
            },
        };
        let mut response = (status, axum::Json(body)).into_response();
        let headers = response.headers_mut();
        if let Some(seconds) = self.retry_after_seconds {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

/// The request's id is known to the checks around the handler, so they write the body; until then the error
/// travels beside an empty response.
impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let mut response = self.code.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<service::Error> for Error {
    fn from(error: service::Error) -> Error {
        match error {
            service::Error::Refused { refusal, param } => Error { param, ..refused(refusal) },
            service::Error::Missing { kind, id, param } => {
                let message = format!("There is no {kind} {id} in this account and mode.");
                let error = Error::new(Code::ResourceMissing, message).about(id);
                Error { param, ..error }
            }
            service::Error::Unavailable(cause) => {
                tracing::warn!(%cause, "the database is unavailable");
                let message = "The service cannot answer right now. Nothing was changed; try again shortly.";
                Error::new(Code::ServiceUnavailable, message).retry_after(RETRY_SOON_SECONDS)
            }
            service::Error::OtherMasterKey => {
                tracing::error!(
                    "the database has changed to another master key; restart this process with it"
                );
                let message = "The service cannot answer right now. Nothing was changed; try again shortly.";
                Error::new(Code::ServiceUnavailable, message).retry_after(RETRY_SOON_SECONDS)
            }
            service::Error::Broken(cause) => {
                tracing::error!(%cause, "a request failed by a fault of ours");
                Error::new(
                    Code::InternalError,
                    "Something went wrong on our side. Please tell us the request_id.",
                )
            }
        }
    }
}

/// What each refusal is on the wire. A new one without an arm here does not compile.
fn refused(refusal: Refusal) -> Error {
    match refusal {
        Refusal::InsufficientCredits { needed, available } => {
            let message =
                format!("This costs {needed} credits, but only {available} are available. Top up and retry.");
            Error::new(Code::InsufficientCredits, message)
        }
        Refusal::CreditsExpired { needed, ended_at } => {
            let day = time::day(ended_at);
            let message = format!(
                "This costs {needed} credits; the credits that would have covered it expired on {day}."
            );
            Error::new(Code::CreditsExpired, message)
        }
        Refusal::TooManyCredits { most } => {
            Error::new(Code::ParameterInvalid, format!("A balance holds at most {most} credits."))
        }
        Refusal::TooManyWebhookEndpoints { most } => {
            let message = format!(
                "There are {most} webhook endpoints in this mode already, which is the most. Delete one, or \
                 let one take more event types."
            );
            Error::new(Code::TooManyWebhookEndpoints, message)
        }
        Refusal::LtiPlatformExists => Error::new(
            Code::ParameterInvalid,
            "This deployment of the learning platform is registered already.",
        ),
        Refusal::TooManyLtiLinks { most } => {
            let message =
                format!("{most} links of learning platforms lead to this paper, which is the most.");
            Error::new(Code::ParameterInvalid, message)
        }
        Refusal::EndpointDisabled { endpoint_id } => {
            let message = format!("The webhook endpoint {endpoint_id} is disabled.");
            Error::new(Code::ParameterInvalid, message).about(endpoint_id)
        }
        Refusal::IdempotencyKeyReused { resource_id } => {
            let message =
                "This Idempotency-Key was used for another request. Use a new key for a new request.";
            Error { resource_id, ..Error::new(Code::IdempotencyKeyReused, message) }
        }
        Refusal::IdempotencyRequestInProgress => {
            let message = "The first request with this Idempotency-Key is still running. Try again shortly.";
            Error::new(Code::IdempotencyRequestInProgress, message).retry_after(RETRY_SOON_SECONDS)
        }
        Refusal::TooMuchUnused { bytes_max, files_max } => {
            let message = format!(
                "Files that no paper or submission uses yet may take {} GiB and be {files_max} in number, and this \
                 account has as many. Use them, or wait until they expire.",
                bytes_max >> 30
            );
            Error::new(Code::RateLimitExceeded, message).retry_after(RETRY_STORAGE_SECONDS)
        }
        Refusal::NoRoom => {
            let message = "The service has hardly any room left for files. Nothing was changed; the operator has to \
                           make room.";
            Error::new(Code::ServiceUnavailable, message).retry_after(RETRY_STORAGE_SECONDS)
        }
        Refusal::ExternalIdTaken { holder } => {
            let message = format!("The paper {holder} has this external_id already.");
            Error::new(Code::ExternalIdTaken, message).about(holder)
        }
        Refusal::PaperNotReady { paper, status } => {
            let message =
                format!("The paper is {}; only a paper that is ready takes submissions.", status.name());
            Error::new(Code::PaperNotReady, message).about(paper)
        }
        Refusal::PaperNotAwaitingReview { paper, status } => {
            let message = format!(
                "The paper is {}; only a paper that is awaiting_review can be approved.",
                status.name()
            );
            Error::new(Code::PaperNotAwaitingReview, message).about(paper)
        }
        Refusal::PaperInProgress { paper } => {
            let message = "The paper or one of its submissions is being worked on. Wait until that is done.";
            Error::new(Code::PaperInProgress, message).about(paper)
        }
        Refusal::PaperHasEmptyQuestion { paper, number } => {
            let message = format!(
                "Question {number} has nothing to mark: it needs marks and an answer key. Correct it on the review page."
            );
            Error::new(Code::PaperHasEmptyQuestion, message).about(paper)
        }
        Refusal::ReviewLinkUnavailable { paper, status } => {
            let message = format!(
                "The paper is {}; review links are for papers that are awaiting_review or ready.",
                status.name()
            );
            Error::new(Code::ReviewLinkUnavailable, message).about(paper)
        }
        Refusal::FileAlreadyAttached { file } => {
            let message = "A paper or submission uses this file already. Upload it again as a new file.";
            Error::new(Code::FileAlreadyAttached, message).about(file)
        }
        Refusal::FilePurposeMismatch { file, is, wanted } => {
            let message =
                format!("This file was registered as {}, but {} is needed here.", is.name(), wanted.name());
            Error::new(Code::FilePurposeMismatch, message).about(file)
        }
        Refusal::FileNotUploaded { file } => {
            let message = "This file's bytes have not come yet. PUT them to its upload URL first.";
            Error::new(Code::FileNotUploaded, message).about(file)
        }
        Refusal::FileExpired { file } => {
            let message = "This file was not uploaded or not used in time. Register and upload it again.";
            Error::new(Code::FileExpired, message).about(file)
        }
        Refusal::SubmissionExists { holder } => {
            let message = format!("This student has the submission {holder} for this paper already.");
            Error::new(Code::SubmissionExists, message).about(holder)
        }
        Refusal::SubmissionNotCancelable { submission, status } => {
            let message = format!(
                "The submission is {}; only one that is queued or processing can be canceled.",
                status.name()
            );
            Error::new(Code::SubmissionNotCancelable, message).about(submission)
        }
        Refusal::SubmissionNotReleasable { submission, status } => {
            let message =
                format!("The submission is {}; only one that is graded can be released.", status.name());
            Error::new(Code::SubmissionNotReleasable, message).about(submission)
        }
        Refusal::SubmissionNotAdjustable { submission, status } => {
            let message = format!(
                "The submission is {}; marks can be changed while it is graded and not released.",
                status.name()
            );
            Error::new(Code::SubmissionNotReleasable, message).about(submission)
        }
        Refusal::WrongAdjustment { problem } => Error::new(Code::ParameterInvalid, problem),
        Refusal::SubmissionInProgress { submission } => {
            let message = "The submission is being worked on. Cancel it, or wait until it is done.";
            Error::new(Code::SubmissionInProgress, message).about(submission)
        }
        Refusal::TooManyClassScans { paper, most } => {
            let message = format!("The paper has {most} class scans already, which is the most. Delete one.");
            Error::new(Code::TooManyClassScans, message).about(paper)
        }
        Refusal::ClassScanNotConfirmable { scan, status } => {
            let message = format!(
                "The class scan is {}; only one that is awaiting_confirmation can be confirmed.",
                status.name()
            );
            Error::new(Code::ClassScanNotConfirmable, message).about(scan)
        }
        Refusal::ClassScanInProgress { scan } => {
            let message = "The scripts of the class scan are becoming submissions. Wait until that is done.";
            Error::new(Code::ClassScanInProgress, message).about(scan).retry_after(RETRY_SOON_SECONDS)
        }
        Refusal::WrongSplit { problem } => Error::invalid(problem.path(), problem),
        Refusal::ResultNotAvailable { submission, status, may_come } => {
            let message = format!("The submission is {}; a result is there from graded on.", status.name());
            not_there(Code::ResultNotAvailable, message, may_come).about(submission)
        }
        Refusal::ReportNotAvailable { submission, status, may_come } => {
            let message =
                format!("The submission is {}; a report is there once it is released.", status.name());
            not_there(Code::ReportNotAvailable, message, may_come).about(submission)
        }
    }
}

/// Something that is not there yet, or never will be.
fn not_there(code: Code, message: String, may_come: bool) -> Error {
    let error = Error::new(code, message);
    if may_come { error.retry_after(RETRY_POLL_SECONDS) } else { error }
}

/// The body of every response that is no success.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Error)]
pub struct ErrorView {
    /// What went wrong.
    pub error: ErrorMember,
}

/// What went wrong.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorMember {
    /// The kind of error.
    #[serde(rename = "type")]
    pub kind: Type,
    /// Names the error for programs.
    pub code: Code,
    /// Says it to people.
    pub message: String,
    /// The parameter that is wrong, such as `grading.strictness` or `files[1].file_id`.
    #[schema(required)]
    pub param: Option<String>,
    /// The object that the error is about.
    #[schema(required)]
    pub resource_id: Option<String>,
    /// The value of `X-Request-Id`.
    #[schema(required, example = "req_01k9zq3v7m0000000000000000")]
    pub request_id: Option<String>,
}
