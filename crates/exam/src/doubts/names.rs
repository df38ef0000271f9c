//! How a question or a part is named to a reviewer.

use crate::labels::{self, Token};

/// A leaf's name: "4(b)", "1.2".
pub(crate) fn leaf_name(number: &str, label: &str) -> String {
    if label.starts_with(|c: char| c.is_ascii_digit()) {
        label.to_owned()
    } else {
        format!("{number}{label}")
    }
}

/// The name of a path of labels.
pub(super) fn name(path: &[Token]) -> String {
    let decimals = path.iter().any(|token| token.kind == labels::Kind::Decimal);
    let number = path.first().map(|token| token.value.to_string()).filter(|_| !decimals).unwrap_or_default();
    number + &labels::display(path)
}
