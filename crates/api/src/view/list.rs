//! The envelope of every list.

use domain::paging::Page;
use serde::Serialize;
use utoipa::ToSchema;

/// A page of a list.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = List)]
pub(crate) struct ListView<T> {
    /// Always `list`.
    #[schema(value_type = String, pattern = "^list$", example = "list")]
    object: &'static str,
    /// The items of this page.
    data: Vec<T>,
    /// True when there is a next page.
    has_more: bool,
    /// Pass it as `cursor` for the next page; null on the last.
    #[schema(required, max_length = 200)]
    next_cursor: Option<String>,
}

impl<T> ListView<T> {
    pub(crate) fn new<I>(page: Page<I>, view: impl Fn(&I) -> T) -> ListView<T> {
        let data = page.items.iter().map(view).collect();
        ListView { object: "list", data, has_more: page.next_cursor.is_some(), next_cursor: page.next_cursor }
    }

    /// As [`ListView::new`], for items whose view can fail.
    pub(crate) fn try_new<I, E>(page: Page<I>, view: impl Fn(&I) -> Result<T, E>) -> Result<ListView<T>, E> {
        let views: Vec<T> = page.items.iter().map(view).collect::<Result<_, E>>()?;
        let has_more = page.next_cursor.is_some();
        Ok(ListView { object: "list", data: views, has_more, next_cursor: page.next_cursor })
    }
}
