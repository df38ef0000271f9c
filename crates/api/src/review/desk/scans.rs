//! The desk's calls about class scans: which there are, how one is parted, its pages, and confirming it.

use super::super::problem::Problem;
use super::super::sent::Sent;
use super::super::session::{Changing, Looking};
use crate::Context;
use crate::error::{Code, Error};
use crate::extract::body::{Members, json};
use crate::v1::class_scans::scripts;
use crate::view::class_scan::ClassScanView;
use crate::view::submission::StudentView;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use domain::class_scan::ClassScan;
use domain::id::{ClassScanId, Identifier as _};
use http::header;
use serde::Serialize;

pub(super) fn routes() -> Router<Context> {
    Router::new()
        .route("/review/desk/scans", get(list))
        .route("/review/desk/scans/{id}", get(show))
        .route("/review/desk/scans/{id}/pages/{page}", get(picture))
        .route("/review/desk/scans/{id}/confirm", post(confirm))
}

/// The scans of the paper, newest first.
#[derive(Serialize)]
struct ScansBody {
    scans: Vec<ClassScanView>,
}

/// A scan, and who may be chosen for its scripts.
#[derive(Serialize)]
struct ScanBody {
    scan: ClassScanView,
    students: Vec<StudentView>,
}

impl From<&ClassScan> for ScanBody {
    fn from(scan: &ClassScan) -> ScanBody {
        let students = scan.roster.students().iter().map(|enrolled| StudentView::from(&enrolled.student));
        ScanBody { scan: scan.into(), students: students.collect() }
    }
}

async fn list(State(context): State<Context>, Looking(link): Looking) -> Result<Json<ScansBody>, Problem> {
    let scans = context.service.desk_scans(&link).await?;
    Ok(Json(ScansBody { scans: scans.iter().map(ClassScanView::from).collect() }))
}

async fn show(
    State(context): State<Context>,
    Looking(link): Looking,
    Path(id): Path<String>,
) -> Result<Json<ScanBody>, Problem> {
    let scan = context.service.desk_scan(&link, scan(&id)?).await?;
    Ok(Json(ScanBody::from(&scan)))
}

async fn picture(
    State(context): State<Context>,
    Looking(link): Looking,
    Path((id, page)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let id = scan(&id)?;
    let picture = match page.parse::<u32>() {
        Ok(page) => context.service.scan_picture(&link, id, page).await?,
        Err(_) => None,
    };
    match picture {
        Some(bytes) => Ok(([(header::CONTENT_TYPE, "image/jpeg")], bytes).into_response()),
        None => Err(Error::new(Code::ResourceMissing, "There is no picture of this page.").into()),
    }
}

async fn confirm(
    State(context): State<Context>,
    Changing(link): Changing,
    Path(id): Path<String>,
    Sent(bytes): Sent,
) -> Result<Json<ScanBody>, Problem> {
    let mut members = Members::root(Some(json::parse(&bytes)?))?;
    members.allow(&["scripts"])?;
    let corrected = members.required("scripts", scripts)?;
    let scan = context.service.desk_confirm_scan(&link, scan(&id)?, corrected).await?;
    Ok(Json(ScanBody::from(&scan)))
}

/// What is no scan's id names nothing.
fn scan(text: &str) -> Result<ClassScanId, Problem> {
    let missing = || Problem::from(service::Error::missing("class scan", text));
    ClassScanId::parse(text).ok_or_else(missing)
}
