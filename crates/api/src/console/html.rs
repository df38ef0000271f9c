//! HTML that is safe by its type: whatever is put into it is escaped, unless it is HTML itself.

use domain::markup::Escaped;
use domain::time::Shown;
use jiff::Timestamp;
use std::fmt;

/// Finished HTML.
#[derive(Clone, Debug, Default)]
pub(crate) struct Html(String);

impl Html {
    /// Takes what [`html!`] has put together.
    pub(crate) fn put_together(text: String) -> Html {
        Html(text)
    }

    pub(crate) fn into_string(self) -> String {
        self.0
    }
}

impl FromIterator<Html> for Html {
    fn from_iter<I: IntoIterator<Item = Html>>(pieces: I) -> Html {
        Html(pieces.into_iter().map(Html::into_string).collect())
    }
}

/// Something that can be put into HTML.
pub(crate) trait Piece {
    /// As it stands there.
    fn piece(&self) -> impl fmt::Display;
}

impl Piece for Html {
    fn piece(&self) -> impl fmt::Display {
        &self.0
    }
}

impl<P: Piece + ?Sized> Piece for &P {
    fn piece(&self) -> impl fmt::Display {
        P::piece(self)
    }
}

/// HTML that may be missing.
impl Piece for Option<Html> {
    fn piece(&self) -> impl fmt::Display {
        self.as_ref().map_or("", |html| html.0.as_str())
    }
}

macro_rules! escaped {
    ($($kind:ty),*) => {$(
        impl Piece for $kind {
            fn piece(&self) -> impl fmt::Display {
                Escaped(self)
            }
        }
    )*};
}

escaped!(
    str,
    String,
    u16,
    u32,
    u64,
    i64,
    usize,
    domain::credit::Credits,
    domain::marks::Marks,
    domain::mode::Mode,
    domain::result::Percentage,
    domain::id::AccountId,
    domain::id::EndpointId,
    domain::id::EntryId,
    domain::id::EventId,
    domain::id::JobId,
    domain::id::KeyId,
    domain::id::PaperId,
    domain::id::SubmissionId
);

/// Puts HTML together as `format!` does, and escapes every argument that is not HTML. Arguments are only taken by
/// their place: a name within the braces would go past the escaping, and `concat!` makes the compiler refuse it.
macro_rules! html {
    ($form:literal $(, $piece:expr)* $(,)?) => {
        $crate::console::html::Html::put_together(
            format!(concat!($form) $(, $crate::console::html::Piece::piece(&$piece))*)
        )
    };
}
pub(crate) use html;

/// A text that somebody else wrote: it cannot turn the direction of what stands around it.
pub(crate) fn name(text: &str) -> Html {
    html!("<bdi>{}</bdi>", text)
}

/// A text of somebody else, or a dash.
pub(crate) fn name_or_dash(text: Option<&str>) -> Html {
    text.map_or_else(|| html!("<span class=\"muted\">–</span>"), name)
}

/// A moment, as machines and people read it.
pub(crate) fn moment(time: Timestamp) -> Html {
    let shown = Shown(time).to_string();
    let told = shown.replace('T', " ").replace('Z', " UTC");
    html!("<time datetime=\"{}\">{}</time>", shown, told)
}

/// A moment, or a dash.
pub(crate) fn moment_or_dash(time: Option<Timestamp>) -> Html {
    time.map_or_else(|| name_or_dash(None), moment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_put_in_is_escaped() {
        let hostile = "<script>alert('1')</script>\" & \u{202e}txt";
        let shown = html!("<a title=\"{}\">{}</a>", hostile, name(hostile)).into_string();
        let safe = "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot; &amp; \u{fffd}txt";
        assert_eq!(shown, format!("<a title=\"{safe}\"><bdi>{safe}</bdi></a>"));
    }

    #[test]
    fn html_stays_html_and_nothing_is_nothing() {
        let none: Option<Html> = None;
        let list: Html = [1_u32, 2].iter().map(|number| html!("<li>{}</li>", *number)).collect();
        assert_eq!(html!("<ul>{}</ul>{}", list, none).into_string(), "<ul><li>1</li><li>2</li></ul>");
    }

    #[test]
    fn moments_are_read_by_machines_and_people() {
        let shown = moment("2026-11-15T03:05:07.25Z".parse().unwrap()).into_string();
        assert_eq!(shown, "<time datetime=\"2026-11-15T03:05:07Z\">2026-11-15 03:05:07 UTC</time>");
    }
}
