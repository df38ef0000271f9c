//! The development clock (contract, section 14). These routes exist in development mode alone.

use crate::Context;
use crate::error::{Code, Error};
use crate::extract::body::{Body, FromBody, Members, json};
use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use domain::time::Shown;
use serde::Serialize;

pub(crate) fn routes() -> Router<Context> {
    Router::new().route("/dev/clock", post(advance))
}

/// The furthest that one call moves the clock: a hundred years.
const ADVANCE_SECONDS_MAX: i64 = 100 * 366 * 24 * 3600;

struct Advance {
    seconds: i64,
}

impl FromBody for Advance {
    fn from_members(members: &mut Members) -> Result<Advance, Error> {
        members.allow(&["advance_seconds"])?;
        Ok(Advance { seconds: members.required("advance_seconds", json::integer(0, ADVANCE_SECONDS_MAX))? })
    }
}

#[derive(Serialize)]
struct Told {
    now: Shown,
}

/// Moves the service's clock forward; everything that takes days follows it.
async fn advance(State(context): State<Context>, Body(body): Body<Advance>) -> Result<Json<Told>, Error> {
    let Some(clock) = &context.settings.development else {
        return Err(Error::new(Code::RouteNotFound, "The clock can be moved in development mode only."));
    };
    let offset_us = context.service.advance_clock(body.seconds).await?;
    clock.set_offset_us(offset_us);
    Ok(Json(Told { now: Shown(context.service.now()) }))
}
