//! `PUT /upload/{token}`: a file's bytes, streamed to storage. The URL itself is the permission.

use crate::Context;
use crate::error::{Code, Error};
use axum::Router;
use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::put;
use domain::file::{self, File};
use http::{HeaderMap, StatusCode, header};
use http_body_util::BodyExt as _;
use service::files::Uploaded;

pub(crate) fn routes() -> Router<Context> {
    Router::new().route("/upload/{token}", put(receive))
}

async fn receive(
    State(context): State<Context>,
    Path(token): Path<String>,
    request: Request,
) -> Result<Response, Error> {
    let target = context.service.upload_target(&token).await;
    let file = target.map_err(|error| match error {
        service::Error::Missing { .. } => gone(),
        other => other.into(),
    })?;
    if file.uploaded_at.is_some() {
        return Ok(second());
    }
    check_headers(&file, request.headers())?;
    let mut incoming = context.service.begin_upload().await?;
    let mut body = request.into_body();
    while let Some(frame) = body.frame().await {
        // The client went away: what came is dropped, and the URL still works.
        let frame = frame.map_err(|_| wrong_length(&file))?;
        let Ok(bytes) = frame.into_data() else { continue };
        if incoming.length() + bytes.len() as u64 > file.size_bytes {
            return Err(wrong_length(&file));
        }
        incoming.write(bytes).await.map_err(service::Error::from)?;
    }
    if incoming.length() != file.size_bytes {
        return Err(wrong_length(&file));
    }
    match context.service.finish_upload(file, incoming).await? {
        Uploaded::Kept => Ok(StatusCode::OK.into_response()),
        Uploaded::Before => Ok(second()),
        Uploaded::TooLate => Err(gone()),
    }
}

fn check_headers(file: &File, headers: &HeaderMap) -> Result<(), Error> {
    let text = |name| headers.get(name).and_then(|value: &http::HeaderValue| value.to_str().ok());
    if let Some(length) = text(header::CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok()) {
        if length > file::BYTES_MAX {
            let message = format!("A file has at most {} bytes.", file::BYTES_MAX);
            return Err(Error::new(Code::RequestTooLarge, message));
        }
        if length != file.size_bytes {
            return Err(wrong_length(file));
        }
    }
    let wanted = file.content_type.map_or("", file::ContentType::name);
    let given = text(header::CONTENT_TYPE).and_then(|value| value.split(';').next()).unwrap_or_default();
    if !given.trim().eq_ignore_ascii_case(wanted) {
        return Err(Error::invalid(
            "Content-Type",
            format_args!("must be {wanted}, as the file was registered"),
        ));
    }
    Ok(())
}

fn wrong_length(file: &File) -> Error {
    let size = file.size_bytes;
    Error::invalid(
        "Content-Length",
        format_args!("must be {size}, the size_bytes the file was registered with"),
    )
}

fn gone() -> Error {
    let message = "This upload URL is not known, or its time is over. Register the file again.";
    Error::new(Code::ResourceMissing, message)
}

/// `If-None-Match: *` holds whether it was sent or not: an upload URL takes one upload.
fn second() -> Response {
    let message = "This upload URL has taken its upload; the bytes that came first stay.";
    let mut response = Error::new(Code::ParameterInvalid, message).at("If-None-Match").into_response();
    *response.status_mut() = StatusCode::PRECONDITION_FAILED;
    response
}
