//! Lists by pages: where a page begins, and the way to the next one.

use super::form::Fields;
use super::html::{Html, html};
use super::problem::Problem;
use domain::mode::Mode;
use domain::paging::{Limit, Position, Seal, Slice, Window, parse_cursor};

/// Rows of a page.
const ROWS: i64 = 50;

/// Where a page of a list begins.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) seal: Seal,
    pub(super) limit: Limit,
    pub(super) after: Option<Position>,
    /// The path and the filters, to which the cursor is added.
    path: String,
    filters: Vec<(&'static str, String)>,
}

impl Place {
    /// The page of a list that a query asks for. The filters are part of the list: a cursor of others is refused.
    pub(super) fn of(
        path: String,
        filters: Vec<(&'static str, Option<String>)>,
        fields: &Fields,
    ) -> Result<Place, Problem> {
        let seal = filters
            .iter()
            .fold(Seal::new(&format!("console {path}")), |seal, (_, value)| seal.with(value.as_deref()));
        let after = match fields.text("cursor") {
            None => None,
            Some(cursor) => {
                let position = parse_cursor(cursor, &seal);
                Some(position.ok_or_else(|| {
                    Problem::wrong("That page of the list is not known; begin with the first one.")
                })?)
            }
        };
        let filters = filters.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
        let limit = Limit::new(ROWS).unwrap_or(Limit::DEFAULT);
        Ok(Place { seal, limit, after, path, filters })
    }

    pub(super) fn slice(&self) -> Slice {
        Slice { limit: self.limit, after: self.after, window: Window::default() }
    }

    /// The links to the first and to the next page, if there are any.
    pub(super) fn turner(&self, next_cursor: Option<&str>) -> Option<Html> {
        let first =
            self.after.map(|_| html!("<a class=\"button\" href=\"{}\">First page</a>", self.address(None)));
        let next = next_cursor.map(|cursor| {
            html!("<a class=\"button\" rel=\"next\" href=\"{}\">Older</a>", self.address(Some(cursor)))
        });
        (first.is_some() || next.is_some())
            .then(|| html!("<nav class=\"turner\" aria-label=\"Pages of the list\">{}{}</nav>", first, next))
    }

    fn address(&self, cursor: Option<&str>) -> String {
        let filters = self.filters.iter().map(|(name, value)| (*name, value.as_str()));
        address(&self.path, filters.chain(cursor.map(|cursor| ("cursor", cursor))))
    }
}

/// A path with a query.
pub(super) fn address<'a>(path: &str, pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

/// A form that asks for a list again, with other filters.
pub(super) fn filter_form(path: &str, label: &str, fields: &Html) -> Html {
    html!(
        "<form class=\"row filters\" action=\"{}\" aria-label=\"{}\">{}<button class=\"button\">Show</button></form>",
        path,
        label,
        fields
    )
}

/// A choice of a form; the first of the options is nothing.
pub(super) fn choice(
    name: &str,
    label: &str,
    any: Option<&str>,
    names: &[&str],
    chosen: Option<&str>,
) -> Html {
    let any = any.map(|any| html!("<option value=\"\">{}</option>", any));
    let options: Html = names
        .iter()
        .map(|option| {
            let selected = (chosen == Some(*option)).then(|| html!(" selected"));
            html!("<option value=\"{}\"{}>{}</option>", *option, selected, *option)
        })
        .collect();
    html!(
        "<div class=\"field\"><label for=\"f-{}\">{}</label><select id=\"f-{}\" name=\"{}\">{}{}</select></div>",
        name,
        label,
        name,
        name,
        any,
        options
    )
}

/// The choice of the mode.
pub(super) fn mode_choice(chosen: Mode) -> Html {
    choice("mode", "Mode", None, &["live", "test"], Some(chosen.name()))
}

/// A line to enter.
pub(super) struct Entry<'a> {
    pub(super) name: &'a str,
    pub(super) label: &'a str,
    pub(super) value: &'a str,
    pub(super) kind: &'a str,
    pub(super) is_required: bool,
}

impl<'a> Entry<'a> {
    pub(super) fn text(name: &'a str, label: &'a str, value: &'a str) -> Entry<'a> {
        Entry { name, label, value, kind: "text", is_required: false }
    }

    pub(super) fn required(name: &'a str, label: &'a str) -> Entry<'a> {
        Entry { name, label, value: "", kind: "text", is_required: true }
    }

    pub(super) fn of_kind(self, kind: &'a str) -> Entry<'a> {
        Entry { kind, ..self }
    }

    pub(super) fn html(&self) -> Html {
        let required = self.is_required.then(|| html!(" required"));
        html!(
            "<div class=\"field grow\"><label for=\"f-{}\">{}</label><input id=\"f-{}\" name=\"{}\" type=\"{}\" \
             value=\"{}\" maxlength=\"255\"{}></div>",
            self.name,
            self.label,
            self.name,
            self.name,
            self.kind,
            self.value,
            required
        )
    }
}
