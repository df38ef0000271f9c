//! What each line of a paper was taken for, drawn over pictures of its pages: one file without scripts or links.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::markup::Escaped;
use exam::explain::{Explained, said, weighed};
use exam::paper::LineTaken;
use exam::rules::Rule;
use reader::page::{Document, Page};
use std::collections::BTreeSet;
use std::fmt::Write as _;

const STYLE: &str = include_str!("drawn.css");

/// The whole page; a picture (JPEG) for each page of the document.
pub(super) fn page(title: &str, explained: &Explained, read: &Document, pictures: &[Vec<u8>]) -> String {
    let mut out = String::with_capacity(pictures.iter().map(Vec::len).sum::<usize>() * 3 / 2 + (1 << 16));
    // Writing to a string cannot fail.
    _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}: why it was read so</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <header><h1 dir=\"auto\">{title}</h1>\n<p>What each line was taken for. A frame leads to its line in the \
         table, and a line's number back to its frame.</p>\n<ul class=\"legend\">",
        title = Escaped(title),
    );
    for kind in Kind::ALL {
        _ = write!(out, "<li><span class=\"{}\">{}</span></li>", kind.class(), kind.about());
    }
    out.push_str("</ul></header>\n<main>\n");
    let lines: Vec<(usize, &LineTaken)> = explained.lines.iter().enumerate().collect();
    for (page, picture) in read.pages.iter().zip(pictures) {
        let own: Vec<(usize, &LineTaken)> =
            lines.iter().filter(|(_, line)| line.page == page.number).copied().collect();
        _ = writeln!(out, "<section>\n<h2>Page {}</h2>\n<div class=\"pair\">", page.number);
        picture_with_frames(&mut out, page, picture, &own);
        table(&mut out, page.number, &own);
        out.push_str("</div>\n</section>\n");
    }
    whole(&mut out, explained);
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

/// What a line is to the paper.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Label,
    Text,
    Heading,
    Aside,
}

impl Kind {
    const ALL: [Kind; 4] = [Kind::Label, Kind::Text, Kind::Heading, Kind::Aside];

    fn of(line: &LineTaken) -> Kind {
        let spoke = |rule: Rule| line.reasons.iter().any(|(own, _)| *own == rule);
        match &line.part {
            _ if spoke(Rule::SectionHeading) => Kind::Heading,
            Some(_) if line.begins => Kind::Label,
            Some(_) => Kind::Text,
            None => Kind::Aside,
        }
    }

    const fn class(self) -> &'static str {
        match self {
            Kind::Label => "label",
            Kind::Text => "text",
            Kind::Heading => "heading",
            Kind::Aside => "aside",
        }
    }

    const fn about(self) -> &'static str {
        match self {
            Kind::Label => "a question or part begins",
            Kind::Text => "its text",
            Kind::Heading => "the heading of a section",
            Kind::Aside => "cover, instructions, header, footer: no question",
        }
    }
}

fn picture_with_frames(out: &mut String, page: &Page, picture: &[u8], lines: &[(usize, &LineTaken)]) {
    _ = write!(
        out,
        "<figure><img alt=\"Page {}\" src=\"data:image/jpeg;base64,{}\">",
        page.number,
        STANDARD.encode(picture)
    );
    let share = |part: f32, whole: f32| (part / whole.max(1.0) * 100.0).clamp(0.0, 100.0);
    for (place, line) in lines {
        let at = line.place;
        let part = line.part.as_deref().unwrap_or("no part");
        _ = write!(
            out,
            "<a class=\"{}\" id=\"f{place}\" href=\"#l{place}\" title=\"{}\" aria-label=\"Line {}: {}\" \
             style=\"left:{:.2}%;top:{:.2}%;width:{:.2}%;height:{:.2}%\">",
            Kind::of(line).class(),
            Escaped(format!("{part}: {}", said(&line.reasons))),
            place + 1,
            Escaped(part),
            share(at.x0, page.width),
            share(at.y0, page.height),
            share(at.width(), page.width),
            share(at.height(), page.height),
        );
        if line.begins {
            _ = write!(out, "<b>{}</b>", Escaped(part));
        }
        out.push_str("</a>");
    }
    out.push_str("</figure>\n");
}

fn table(out: &mut String, page: u32, lines: &[(usize, &LineTaken)]) {
    _ = writeln!(
        out,
        "<div class=\"rows\" tabindex=\"0\" role=\"region\" aria-label=\"Lines of page {page}\"><table>\n<tr>\
         <th scope=\"col\">Line</th><th scope=\"col\">Part</th><th scope=\"col\">Marks</th>\
         <th scope=\"col\">Words</th><th scope=\"col\">Rules</th></tr>"
    );
    for (place, line) in lines {
        let marks = line.marks.map(|marks| marks.to_string()).unwrap_or_default();
        _ = write!(
            out,
            "<tr id=\"l{place}\"><th scope=\"row\"><a href=\"#f{place}\">{}</a></th><td>{}</td><td>{marks}</td>\
             <td dir=\"auto\">{}</td><td>{}",
            place + 1,
            Escaped(line.part.as_deref().unwrap_or_default()),
            Escaped(&line.text),
            Escaped(said(&line.reasons)),
        );
        if let Some((path, reasons)) = &line.second {
            _ = write!(out, "<br>might be {}: {}", Escaped(path), Escaped(said(reasons)));
        }
        out.push_str("</td></tr>\n");
    }
    out.push_str("</table></div>\n");
}

/// What speaks for the reading as a whole, what warns, and what the rules look at.
fn whole(out: &mut String, explained: &Explained) {
    let chosen = &explained.chosen;
    _ = writeln!(
        out,
        "<section>\n<h2>The reading as a whole</h2>\n<p>{}</p>",
        Escaped(weighed(&chosen.reasons))
    );
    if let Some(second) = &chosen.second {
        _ = writeln!(out, "<p>Second: {}</p>", Escaped(weighed(second)));
    }
    let warnings = chosen.reading.questions.iter();
    let warnings: Vec<(&str, &String)> = warnings
        .flat_map(|question| question.warnings.iter().map(|text| (question.number.as_str(), text)))
        .collect();
    if !warnings.is_empty() {
        out.push_str("<ul>\n");
        for (number, warning) in warnings {
            _ = writeln!(out, "<li>Question {}: {}</li>", Escaped(number), Escaped(warning));
        }
        out.push_str("</ul>\n");
    }
    let seconds =
        explained.lines.iter().filter_map(|line| line.second.as_ref()).flat_map(|(_, reasons)| reasons);
    let spoke = explained.lines.iter().flat_map(|line| &line.reasons).chain(seconds).chain(&chosen.reasons);
    let spoke: BTreeSet<Rule> = spoke.map(|(rule, _)| *rule).collect();
    out.push_str("</section>\n<section>\n<h2>What the rules look at</h2>\n<dl>\n");
    for rule in spoke {
        _ = writeln!(out, "<dt>{rule:?}</dt><dd>{}</dd>", Escaped(rule.about()));
    }
    out.push_str("</dl>\n</section>\n");
}
