//! Ids in the URL.

use crate::Context;
use crate::error::Error;
use axum::extract::FromRequestParts;
use axum::extract::RawPathParams;
use domain::id::Identifier;
use http::request::Parts;

/// The `{id}` of the path. What is no id of this kind names nothing, so it is missing like any other.
#[derive(Clone, Copy, Debug)]
pub struct Id<I>(pub I);

/// What an id of the URL names, for the message.
pub trait Named: Identifier {
    /// "paper" and the like.
    const KIND: &'static str;
}

macro_rules! named {
    ($($id:ident $kind:literal)*) => {$(
        impl Named for domain::id::$id {
            const KIND: &'static str = $kind;
        }
    )*};
}

named! {
    EventId "event" FileId "file" PaperId "paper" SubmissionId "submission" EndpointId "webhook endpoint"
    ClassScanId "class scan"
}

impl<I: Named> FromRequestParts<Context> for Id<I> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<Id<I>, Error> {
        let params = RawPathParams::from_request_parts(parts, context).await.ok();
        let text = params.as_ref().and_then(|params| params.iter().next()).map_or("", |(_, value)| value);
        I::parse(text).map(Id).ok_or_else(|| service::Error::missing(I::KIND, text).into())
    }
}
