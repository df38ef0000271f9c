//! The thing that a page's address names by its id.

use super::problem::Problem;
use axum::extract::{FromRequestParts, Path};
use domain::id::Identifier;
use http::request::Parts;

/// An id in the address.
#[derive(Debug)]
pub(super) struct Named<I>(pub(super) I);

impl<I: Identifier + Send, S: Send + Sync> FromRequestParts<S> for Named<I> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Named<I>, Problem> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        let id = path.ok().and_then(|Path(text)| I::parse(&text));
        id.map(Named).ok_or_else(|| Problem::missing("page: the address names nothing that there could be"))
    }
}
