//! Text as HTML shows it: nothing in it is markup, and nothing in it turns the text around it.

use crate::wording;
use domain::markup;
use std::fmt;

/// A text to be shown as it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Escaped<'t>(pub(super) &'t str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        markup::Escaped(wording::plain(self.0)).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markup() {
        let hostile = "<script>alert('x')</script> & \"q\"\u{202e}gnp.exe\u{0}\u{200f}";
        assert_eq!(
            Escaped(hostile).to_string(),
            "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;q&quot;gnp.exe"
        );
    }
}
