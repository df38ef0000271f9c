//! Text inside a page of HTML.

use crate::text::is_forbidden;
use std::fmt::{self, Write as _};

/// Text with what HTML gives a meaning to written out, and what would hide or turn text made visible.
#[derive(Clone, Copy, Debug)]
pub struct Escaped<T>(pub T);

impl<T: fmt::Display> fmt::Display for Escaped<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Escaping(f), "{}", self.0)
    }
}

struct Escaping<'f, 'g>(&'f mut fmt::Formatter<'g>);

impl fmt::Write for Escaping<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.chars().try_for_each(|letter| match letter {
            '&' => self.0.write_str("&amp;"),
            '<' => self.0.write_str("&lt;"),
            '>' => self.0.write_str("&gt;"),
            '"' => self.0.write_str("&quot;"),
            '\'' => self.0.write_str("&#39;"),
            '\n' => self.0.write_char('\n'),
            letter if is_forbidden(letter) => self.0.write_char('\u{fffd}'),
            letter => self.0.write_char(letter),
        })
    }
}
