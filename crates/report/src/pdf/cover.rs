//! The cover: whose script of which paper, the score, and every question with its marks and a bar.

use super::canvas::{Area, Mark, NodeId};
use super::face::Weight;
use super::flow::{Flow, MARGIN, PAGE_WIDTH};
use super::ink::Ink;
use super::text::Style;
use crate::leaf::Standing;
use crate::wording;
use domain::report::{QuestionShare, Report, Section};
use domain::result::{Percentage, QuestionResult};
use krilla::tagging::{TableHeaderScope, Tag};

/// The height of a row of the table.
const ROW: f32 = 19.0;
/// Where the table's columns begin or end.
const BAR_LEFT: f32 = MARGIN + 58.0;
const BAR_WIDTH: f32 = 158.0;
const MARKS_RIGHT: f32 = BAR_LEFT + BAR_WIDTH + 58.0;
const MEAN_RIGHT: f32 = MARKS_RIGHT + 62.0;
const REMARK_LEFT: f32 = MEAN_RIGHT + 18.0;

pub(super) fn lay_out(flow: &mut Flow<'_>, report: &Report) {
    let page = flow.page_for(0.0);
    let band = Area { x: 0.0, y: 0.0, width: PAGE_WIDTH, height: 9.0 };
    flow.canvas.decorate(page, vec![Mark::fill(band, 0.0, Ink::ACCENT)]);
    titles(flow, report, page);
    if report.has(Section::Summary) {
        summary(flow, report);
    }
    if report.has(Section::Questions) {
        table(flow, report);
    }
}

fn titles(flow: &mut Flow<'_>, report: &Report, page: usize) {
    flow.text(wording::KIND, &Style::new(10.5, Weight::Bold, Ink::ACCENT));
    flow.space(3.0);
    let title = wording::plain(&report.title).replace('\n', " ");
    // A long title takes smaller type rather than half of the page.
    let size = if title.chars().count() > 90 { 17.0 } else { 24.0 };
    let style = Style { leading: size * 1.22, ..Style::new(size, Weight::Bold, Ink::TEXT) };
    let heading = flow.canvas.heading(None, 1, &title, page, flow.y);
    let lines = flow.setter.lines(&title, &style, flow.width());
    flow.set_lines(heading, lines, &style, 0.0, flow.width());
    if let Some(name) = &report.student_name {
        flow.space(2.0);
        flow.text(&name.replace('\n', " "), &Style::new(13.0, Weight::Regular, Ink::SOFT));
    }
}

/// The score in large type, a bar, and the result in a few sentences.
fn summary(flow: &mut Flow<'_>, report: &Report) {
    let score = &report.result.score;
    flow.space(22.0);
    let page = flow.page_for(90.0);
    let (large, middle) =
        (Style::new(46.0, Weight::Bold, Ink::TEXT), Style::new(16.0, Weight::Regular, Ink::SOFT));
    let baseline = flow.y + 38.0;
    let awarded = flow.setter.line(&format!("{} ", score.awarded), &large);
    let of = flow.setter.line(&format!("of {} ", wording::marks(score.available)), &middle);
    let share = flow.setter.line(&score.percentage.to_string(), &Style { size: 26.0, ..large });
    let share_style = Style { size: 26.0, ink: Ink::ACCENT, ..large };
    let node = flow.canvas.node(None, Tag::P);
    let beside = MARGIN + awarded.width + 9.0;
    let marks = vec![
        Mark::text(MARGIN, baseline, 0.0, awarded, &large),
        Mark::text(beside, baseline, 0.0, of, &middle),
        Mark::text_to(PAGE_WIDTH - MARGIN, baseline, share, &share_style),
    ];
    flow.canvas.put(page, node, marks);
    let track = Area { x: MARGIN, y: baseline + 14.0, width: flow.width(), height: 10.0 };
    flow.canvas.decorate(page, bar(track, score.percentage, None));
    flow.y = track.bottom() + 12.0;
    flow.text(&report.result.explanation, &Style::new(10.5, Weight::Regular, Ink::TEXT));
}

/// A bar, with a line across it where the mean of all scripts is.
fn bar(track: Area, share: Percentage, mean: Option<Percentage>) -> Vec<Mark> {
    let radius = track.height / 2.0;
    let at = |share: Percentage| track.width * share.as_tenths() as f32 / 1000.0;
    let mut marks = vec![Mark::fill(track, radius, Ink::TRACK)];
    if share.as_tenths() > 0 {
        let earned = Area { width: at(share).max(track.height), ..track };
        marks.push(Mark::fill(earned, radius, Ink::ACCENT));
    }
    if let Some(mean) = mean {
        let x = track.x + at(mean).clamp(1.0, track.width - 1.0);
        // White around it, so that it shows on the bar as well as beside it.
        let line = |reach: f32, ink: Ink, width: f32| {
            Mark::rule((x, track.y - reach), (x, track.bottom() + reach), ink, width)
        };
        marks.push(line(2.0, Ink::PAPER, 4.0));
        marks.push(line(2.5, Ink::TEXT, 1.4));
    }
    marks
}

fn table(flow: &mut Flow<'_>, report: &Report) {
    flow.section("Marks by question");
    let table = flow.canvas.node(None, Tag::Table);
    let shares = report.statistics.as_ref().filter(|_| report.has(Section::Statistics));
    let shares: &[QuestionShare] = shares.map_or(&[], |statistics| &statistics.questions);
    head(flow, table, !shares.is_empty());
    let body = flow.canvas.node(Some(table), Tag::TBody);
    for (index, question) in report.result.questions.iter().enumerate() {
        row(flow, body, question, shares.get(index));
    }
    total(flow, table, report);
}

fn head(flow: &mut Flow<'_>, table: NodeId, has_means: bool) {
    let style = Style::new(8.5, Weight::Bold, Ink::SOFT);
    let page = flow.page_for(3.0 * ROW);
    let baseline = flow.y + 9.0;
    let head = flow.canvas.node(Some(table), Tag::THead);
    let tr = flow.canvas.node(Some(head), Tag::TR);
    let mut cell = |text: &str, x: f32, is_right: bool| {
        let node = flow.canvas.node(Some(tr), Tag::TH(TableHeaderScope::Column));
        let line = flow.setter.line(text, &style);
        let mark = if is_right {
            Mark::text_to(x, baseline, line, &style)
        } else {
            Mark::text(x, baseline, 0.0, line, &style)
        };
        flow.canvas.put(page, node, vec![mark]);
    };
    cell("Question", MARGIN, false);
    cell("Marks", MARKS_RIGHT, true);
    cell(if has_means { "All scripts" } else { "Share" }, MEAN_RIGHT, true);
    cell("Remarks", REMARK_LEFT, false);
    flow.y += ROW - 3.0;
}

fn row(flow: &mut Flow<'_>, body: NodeId, question: &QuestionResult, share: Option<&QuestionShare>) {
    let style = Style::new(10.0, Weight::Regular, Ink::TEXT);
    let bold = Style { weight: Weight::Bold, ..style };
    let remark = Style::new(8.5, Weight::Regular, Ink::CAUTION);
    let page = flow.page_for(ROW);
    let baseline = flow.y + 13.0;
    let own = Percentage::of(question.awarded, question.available);
    let mean = share.and_then(|share| share.mean);
    let marks = format!("{} / {}", question.awarded, question.available);
    let shown = match share {
        Some(_) => mean.map_or_else(|| "–".to_owned(), |mean| mean.to_string()),
        None => own.to_string(),
    };
    let remarks = if question.counted { wording::flags(&question.flags) } else { "Not counted".to_owned() };
    let tr = flow.canvas.node(Some(body), Tag::TR);
    let th = flow.canvas.node(Some(tr), Tag::TH(TableHeaderScope::Row));
    let line = flow.setter.clipped(&question.number, &bold, BAR_LEFT - MARGIN - 10.0);
    flow.canvas.put(page, th, vec![Mark::text(MARGIN, baseline, 0.0, line, &bold)]);
    for (text, right) in [(marks, MARKS_RIGHT), (shown, MEAN_RIGHT)] {
        let td = flow.canvas.node(Some(tr), Tag::TD);
        let line = flow.setter.line(&text, &style);
        flow.canvas.put(page, td, vec![Mark::text_to(right, baseline, line, &style)]);
    }
    let td = flow.canvas.node(Some(tr), Tag::TD);
    // A cell without anything in it would leave its column out.
    let said = if remarks.is_empty() { " ".to_owned() } else { remarks };
    let line = flow.setter.clipped(&said, &remark, PAGE_WIDTH - MARGIN - REMARK_LEFT);
    flow.canvas.put(page, td, vec![Mark::text(REMARK_LEFT, baseline, 0.0, line, &remark)]);
    let track = Area { x: BAR_LEFT, y: flow.y + 6.0, width: BAR_WIDTH, height: 7.0 };
    let is_judged = !Standing::of_question(question).is_unjudged;
    let mut decoration = if question.counted && is_judged { bar(track, own, mean) } else { Vec::new() };
    let below = flow.y + ROW;
    decoration.push(Mark::rule((MARGIN, below), (PAGE_WIDTH - MARGIN, below), Ink::LINE, 0.5));
    flow.canvas.decorate(page, decoration);
    flow.y = below;
}

fn total(flow: &mut Flow<'_>, table: NodeId, report: &Report) {
    let style = Style::new(10.5, Weight::Bold, Ink::TEXT);
    let page = flow.page_for(ROW + 4.0);
    let baseline = flow.y + 15.0;
    let score = &report.result.score;
    let foot = flow.canvas.node(Some(table), Tag::TFoot);
    let tr = flow.canvas.node(Some(foot), Tag::TR);
    let th = flow.canvas.node(Some(tr), Tag::TH(TableHeaderScope::Row));
    let line = flow.setter.line("Total", &style);
    flow.canvas.put(page, th, vec![Mark::text(MARGIN, baseline, 0.0, line, &style)]);
    let statistics = report.statistics.as_ref().filter(|_| report.has(Section::Statistics));
    let spread = statistics.and_then(|statistics| statistics.spread);
    let shown = spread.map_or(score.percentage, |spread| spread.mean).to_string();
    let marks = format!("{} / {}", score.awarded, score.available);
    for (text, right) in [(marks, MARKS_RIGHT), (shown, MEAN_RIGHT), (" ".to_owned(), REMARK_LEFT + 4.0)] {
        let td = flow.canvas.node(Some(tr), Tag::TD);
        let line = flow.setter.line(&text, &style);
        flow.canvas.put(page, td, vec![Mark::text_to(right, baseline, line, &style)]);
    }
    flow.y += ROW + 4.0;
}
