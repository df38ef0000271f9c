//! The sections of the page, one function each.

use super::escape::Escaped;
use crate::leaf::{Leaf, Standing, leaves};
use crate::wording;
use domain::report::{QuestionShare, Report, Section, Spread, Statistics};
use domain::result::{Percentage, QuestionResult, Verdict};
use std::fmt::{Result, Write as _};

/// The score in large type, a bar, and the result in a few sentences.
pub(super) fn summary(page: &mut String, report: &Report) -> Result {
    let score = &report.result.score;
    writeln!(
        page,
        "<section aria-label=\"Summary\">\n<p class=\"score\"><strong>{}</strong> <span>of {}</span> <span>{}</span></p>",
        score.awarded,
        wording::marks(score.available),
        score.percentage
    )?;
    bar(page, score.percentage, "Share of the marks earned")?;
    writeln!(page, "<p>{}</p>\n</section>", Escaped(&report.result.explanation))
}

/// A bar from 0 to 100 per cent, told in words to those who cannot see it.
fn bar(page: &mut String, share: Percentage, what: &str) -> Result {
    let width = f64::from(share.as_tenths()) / 10.0;
    writeln!(
        page,
        "<svg class=\"share\" viewBox=\"0 0 100 3\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{what}: {share}\">\
         <rect class=\"track\" width=\"100\" height=\"3\"/><rect class=\"fill\" width=\"{width}\" height=\"3\"/></svg>"
    )
}

/// All questions at a glance.
pub(super) fn table(page: &mut String, report: &Report) -> Result {
    page.write_str(
        "<section>\n<h2>Marks by question</h2>\n<table>\n<thead><tr><th scope=\"col\">Question</th>\
         <th scope=\"col\" class=\"bar\">Share</th><th scope=\"col\" class=\"number\">Marks</th></tr></thead>\n<tbody>\n",
    )?;
    for question in &report.result.questions {
        write!(page, "<tr><th scope=\"row\">{}</th><td class=\"bar\">", Escaped(&question.number))?;
        if !question.counted {
            page.write_str("not counted")?;
        } else if Standing::of_question(question).is_unjudged {
            page.write_str("not judged: a person must mark it")?;
        } else {
            bar(page, Percentage::of(question.awarded, question.available), "Share earned")?;
        }
        writeln!(page, "</td><td class=\"number\">{} / {}</td></tr>", question.awarded, question.available)?;
    }
    let score = &report.result.score;
    writeln!(
        page,
        "</tbody>\n<tfoot><tr><th scope=\"row\">Total</th><td class=\"bar\">{}</td><td class=\"number\">{} / {}</td></tr></tfoot>\n</table>\n</section>",
        score.percentage, score.awarded, score.available
    )
}

/// Question by question: what was read, what the student is told, which words earned what.
pub(super) fn questions(page: &mut String, report: &Report) -> Result {
    page.write_str("<section>\n<h2>Question by question</h2>\n")?;
    for question in &report.result.questions {
        article(page, report, question)?;
    }
    page.write_str("</section>\n")
}

fn article(page: &mut String, report: &Report, question: &QuestionResult) -> Result {
    page.write_str("<article>\n")?;
    head(page, "h3", &format!("Question {}", question.number), Standing::of_question(question))?;
    if question.parts.is_empty() {
        for leaf in leaves(question) {
            body(page, report, &leaf)?;
        }
    } else {
        if report.has(Section::Feedback) && !question.feedback.is_empty() {
            writeln!(page, "<p>{}</p>", Escaped(&question.feedback))?;
        }
        for leaf in leaves(question) {
            page.write_str("<section>\n")?;
            head(page, "h4", &leaf.name, Standing::of_leaf(&leaf))?;
            body(page, report, &leaf)?;
            page.write_str("</section>\n")?;
        }
    }
    page.write_str("</article>\n")
}

fn head(page: &mut String, level: &str, name: &str, standing: Standing) -> Result {
    writeln!(
        page,
        "<div class=\"head\"><{level}>{}</{level}><span class=\"marks\">{}</span></div>",
        Escaped(name),
        standing.told()
    )
}

fn body(page: &mut String, report: &Report, leaf: &Leaf<'_>) -> Result {
    if report.has(Section::Questions) {
        let flags = wording::flags(leaf.flags);
        if !flags.is_empty() {
            writeln!(page, "<p class=\"flags\">{flags}</p>")?;
        }
        if !leaf.answer.is_empty() {
            writeln!(page, "<blockquote dir=\"auto\">{}</blockquote>", Escaped(leaf.answer))?;
        }
    }
    if report.has(Section::Feedback) && !leaf.feedback.is_empty() {
        writeln!(page, "<p dir=\"auto\">{}</p>", Escaped(leaf.feedback))?;
    }
    if report.has(Section::Evidence) {
        points(page, leaf)?;
    }
    Ok(())
}

/// Points that say nothing to the student (not earned, no words, scheme kept back) are left out.
fn points(page: &mut String, leaf: &Leaf<'_>) -> Result {
    let mut told = leaf.points.iter().filter(|point| wording::tells(point)).peekable();
    if told.peek().is_none() {
        return Ok(());
    }
    page.write_str("<ul class=\"points\">\n")?;
    for point in told {
        let (sign, word) = wording::verdict(point.verdict);
        let class = match point.verdict {
            Verdict::Credited => "earned",
            Verdict::Contradicted => "against",
            Verdict::Missing | Verdict::Superseded => "open",
            Verdict::NotJudged => "unjudged",
        };
        write!(
            page,
            "<li class=\"{class}\"><span class=\"sign\" role=\"img\" aria-label=\"{word}\">{sign}</span><span dir=\"auto\">{}",
            Escaped(&wording::point(point))
        )?;
        if let Some(first) = point.evidence.first() {
            write!(page, " <span class=\"where\">{}</span>", wording::place(first))?;
        }
        writeln!(page, "</span><span class=\"marks\">{}</span></li>", wording::earned(point))?;
    }
    page.write_str("</ul>\n")
}

/// Where this script stands among all: a box from quartile to quartile, a line at the median, a dot for it.
pub(super) fn statistics(page: &mut String, statistics: &Statistics) -> Result {
    writeln!(
        page,
        "<section>\n<h2>In comparison</h2>\n<p>{}</p>\n<dl><dt>This script</dt><dd>{}</dd></dl>",
        wording::compared(statistics.scripts),
        statistics.own
    )?;
    if let Some(spread) = &statistics.spread {
        compared(page, statistics, spread)?;
    }
    page.write_str("</section>\n")
}

fn compared(page: &mut String, statistics: &Statistics, spread: &Spread) -> Result {
    let at = |share: Percentage| f64::from(share.as_tenths()) / 10.0;
    let (low, middle, high) = (at(spread.lower_quartile), at(spread.median), at(spread.upper_quartile));
    writeln!(
        page,
        "<svg viewBox=\"-2 0 104 12\" role=\"img\" aria-label=\"This script {own}, median {median}, middle half from {low_text} to {high_text}\">\
         <rect class=\"track\" y=\"5\" width=\"100\" height=\"2\"/>\
         <rect class=\"box\" x=\"{low}\" y=\"3\" width=\"{width}\" height=\"6\"/>\
         <rect class=\"fill\" x=\"{middle}\" y=\"2\" width=\".4\" height=\"8\"/>\
         <circle class=\"own\" cx=\"{own_at}\" cy=\"6\" r=\"1.8\"/></svg>",
        own = statistics.own,
        median = spread.median,
        low_text = spread.lower_quartile,
        high_text = spread.upper_quartile,
        width = high - low,
        own_at = at(statistics.own),
    )?;
    writeln!(
        page,
        "<dl><dt>Mean</dt><dd>{}</dd><dt>Median</dt><dd>{}</dd><dt>Middle half</dt><dd>{} to {}</dd></dl>",
        spread.mean, spread.median, spread.lower_quartile, spread.upper_quartile
    )?;
    page.write_str(
        "<table>\n<thead><tr><th scope=\"col\">Question</th><th scope=\"col\" class=\"number\">This script</th>\
         <th scope=\"col\" class=\"number\">All scripts</th></tr></thead>\n<tbody>\n",
    )?;
    for QuestionShare { number, own, mean } in &statistics.questions {
        let shown =
            |share: &Option<Percentage>| share.map_or_else(|| "–".to_owned(), |share| share.to_string());
        writeln!(
            page,
            "<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td><td class=\"number\">{}</td></tr>",
            Escaped(number),
            shown(own),
            shown(mean)
        )?;
    }
    page.write_str("</tbody>\n</table>\n")
}

/// How it was marked.
pub(super) fn marking(page: &mut String, report: &Report) -> Result {
    page.write_str("<section>\n<h2>How this script was marked</h2>\n<dl>\n")?;
    for (what, which) in wording::marking(report) {
        writeln!(page, "<dt>{what}</dt><dd dir=\"auto\">{}</dd>", Escaped(&which))?;
    }
    page.write_str("</dl>\n</section>\n")
}
