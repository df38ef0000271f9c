//! `POST /v1/files` and `GET /v1/files/{id}`

use crate::error::Error;
use crate::extract::Who;
use crate::extract::body::{FromBody, Members, json};
use crate::extract::idempotency::{Once, respond};
use crate::extract::path::Id;
use crate::view::file::{FileContentType, FilePurpose, FileView};
use crate::view::reply;
use crate::{Context, access};
use axum::extract::State;
use axum::response::Response;
use axum::{Extension, Json};
use domain::file::{BYTES_MAX, ContentType, Purpose};
use domain::id::FileId;
use domain::text::ShortLine;
use service::files::NewFile;
use service::keys::Recognised;
use std::sync::Arc;
use utoipa::ToSchema;

/// A file to be uploaded.
#[derive(ToSchema)]
#[schema(as = NewFile, example = json!({
    "purpose": "question_paper", "filename": "biology-paper-2.pdf", "content_type": "application/pdf",
    "size_bytes": 184320
}))]
#[expect(dead_code, reason = "it describes the body; the strict parser reads it")]
pub(crate) struct NewFileBody {
    /// What it is for. A `question_paper` and a `marking_scheme` must be PDFs.
    purpose: FilePurpose,
    /// The client's name for it.
    #[schema(min_length = 1, max_length = 255)]
    filename: String,
    /// What it is.
    content_type: FileContentType,
    /// How many bytes it has.
    #[schema(minimum = 1, maximum = 104_857_600)]
    size_bytes: u64,
}

pub(crate) struct NewFileMembers(NewFile);

impl FromBody for NewFileMembers {
    fn from_members(members: &mut Members) -> Result<NewFileMembers, Error> {
        members.allow(&["purpose", "filename", "content_type", "size_bytes"])?;
        let purpose = members.required("purpose", json::choice(Purpose::ALL, Purpose::name))?;
        let filename = members.required("filename", json::text(ShortLine::parse))?;
        let content_type =
            members.required("content_type", json::choice(ContentType::ALL, ContentType::name))?;
        let max = i64::try_from(BYTES_MAX).unwrap_or(i64::MAX);
        let size_bytes = members.required("size_bytes", json::integer(1, max))?.unsigned_abs();
        if !purpose.takes(content_type) {
            let problem = format!("must be application/pdf for a {}", purpose.name());
            return Err(Error::invalid("content_type", problem));
        }
        Ok(NewFileMembers(NewFile { purpose, filename, content_type, size_bytes }))
    }
}

/// Register a file
///
/// The answer says where and how to send the bytes: one PUT to `upload.url` with `upload.headers`, within 24 hours.
#[utoipa::path(
    post,
    path = "/v1/files",
    operation_id = "files.create",
    tag = "Files",
    params(crate::openapi::IdempotencyKey),
    request_body = NewFileBody,
    responses((status = 201, body = FileView))
)]
pub(crate) async fn create(
    State(context): State<Context>,
    Who(caller): Who,
    Once { body: NewFileMembers(new), claim }: Once<NewFileMembers>,
) -> Result<Response, Error> {
    let reply = context
        .service
        .create_file(&caller, new, claim, |shown| reply(201, &FileView::from(shown), shown.file.id))
        .await?;
    Ok(respond(reply))
}

/// Retrieve a file
#[utoipa::path(
    get,
    path = "/v1/files/{id}",
    operation_id = "files.retrieve",
    tag = "Files",
    params(("id" = String, Path, description = "The file's id.")),
    responses((status = 200, body = FileView))
)]
pub(crate) async fn show(
    State(context): State<Context>,
    Who(caller): Who,
    Extension(known): Extension<Arc<Recognised>>,
    Id(id): Id<FileId>,
) -> Result<Json<FileView>, Error> {
    let shown = context.service.file(&caller, id).await?;
    let view = FileView::from(&shown);
    // Who may only read must not be handed what writes.
    let may_upload = access::of("POST", "/v1/files").is_open_to(&known.key);
    Ok(Json(if may_upload { view } else { view.without_upload_url() }))
}
