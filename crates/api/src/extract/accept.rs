//! `Accept`: in which form a report or a list is wanted.

use http::{HeaderMap, header};

/// A form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// For programs.
    Json,
    /// To read in a browser and to print.
    Html,
    /// The annotated script.
    Pdf,
}

impl Form {
    /// The form of a report that the client likes best; JSON when it names none of ours.
    pub fn wanted(headers: &HeaderMap) -> Form {
        let known =
            [("application/json", Form::Json), ("text/html", Form::Html), ("application/pdf", Form::Pdf)];
        best(headers, &known, Form::Json)
    }
}

/// Whether a list is wanted as a table of comma-separated values.
pub fn wants_csv(headers: &HeaderMap) -> bool {
    best(headers, &[("application/json", false), ("text/csv", true)], false)
}

/// Whether something to print is wanted as a PDF, and not as JSON.
pub fn wants_pdf(headers: &HeaderMap) -> bool {
    best(headers, &[("application/json", false), ("application/pdf", true)], false)
}

/// What the client likes best: the highest `q`, and of equals the one named first.
fn best<T: Copy>(headers: &HeaderMap, known: &[(&str, T)], otherwise: T) -> T {
    let lines = headers.get_all(header::ACCEPT).into_iter().filter_map(|value| value.to_str().ok());
    let mut best = (otherwise, 0.0);
    for range in lines.flat_map(|line| line.split(',')) {
        let mut parts = range.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let Some((_, form)) = known.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)) else { continue };
        let quality = parts.find_map(|part| part.strip_prefix("q="));
        let quality: f32 = quality.map_or(1.0, |text| text.parse().unwrap_or(0.0));
        if quality > best.1 {
            best = (*form, quality);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_liked_form_is_given() {
        for (accept, form) in [
            ("*/*", Form::Json),
            ("application/pdf", Form::Pdf),
            ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", Form::Html),
            ("text/html;q=0.5, application/pdf;q=0.9", Form::Pdf),
            ("text/html;q=0", Form::Json),
            ("image/png", Form::Json),
            ("TEXT/HTML", Form::Html),
            (";;,q=", Form::Json),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, accept.parse().unwrap());
            assert_eq!(Form::wanted(&headers), form, "{accept}");
        }
        assert_eq!(Form::wanted(&HeaderMap::new()), Form::Json);
    }
}
