//! Question by question: what was read, what the student is told, which words earned what. Then how the
//! script was marked.

use super::canvas::{Area, Mark, NodeId};
use super::face::Weight;
use super::flow::{Flow, MARGIN, PAGE_WIDTH};
use super::ink::Ink;
use super::signs;
use super::text::Style;
use crate::leaf::{Leaf, Standing, leaves};
use crate::wording;
use domain::report::{Report, Section};
use domain::result::{PointResult, QuestionResult};
use krilla::tagging::{ListNumbering, Tag};

/// How far the parts of a question stand in.
const INDENT: f32 = 14.0;
/// A heading and two lines stay together.
const KEPT: f32 = 58.0;

pub(super) fn lay_out(flow: &mut Flow<'_>, report: &Report) {
    let tells = [Section::Questions, Section::Feedback, Section::Evidence].map(|one| report.has(one));
    if tells.contains(&true) && !report.result.questions.is_empty() {
        flow.section("Question by question");
        for question in &report.result.questions {
            question_details(flow, report, question);
        }
    }
    if report.has(Section::Marking) {
        marking(flow, report);
    }
}

fn question_details(flow: &mut Flow<'_>, report: &Report, question: &QuestionResult) {
    flow.space(10.0);
    let title = format!("Question {}", question.number);
    heading(flow, &title, 3, &Standing::of_question(question), 12.0, 0.0);
    if question.parts.is_empty() {
        for leaf in leaves(question) {
            leaf_details(flow, report, &leaf, 0.0);
        }
    } else {
        if report.has(Section::Feedback) && !question.feedback.is_empty() {
            flow.text(&question.feedback, &Style::new(10.0, Weight::Regular, Ink::TEXT));
        }
        for leaf in leaves(question) {
            flow.space(6.0);
            heading(flow, &leaf.name, 4, &Standing::of_leaf(&leaf), 10.5, INDENT);
            leaf_details(flow, report, &leaf, INDENT);
        }
    }
    let page = flow.page_for(8.0);
    let y = flow.y + 6.0;
    flow.canvas.decorate(page, vec![Mark::rule((MARGIN, y), (PAGE_WIDTH - MARGIN, y), Ink::LINE, 0.6)]);
    flow.y += 6.0;
}

/// A heading at the left, its marks at the right.
fn heading(flow: &mut Flow<'_>, title: &str, level: u16, standing: &Standing, size: f32, indent: f32) {
    let style = Style::new(size, Weight::Bold, Ink::TEXT);
    let page = flow.page_for(KEPT);
    let baseline = flow.y + size;
    let title = wording::plain(title);
    let node = flow.canvas.heading(None, level, &title, page, flow.y);
    let line = flow.setter.clipped(&title, &style, flow.width() - indent - 120.0);
    let marks = flow.setter.line(&standing.told(), &style);
    let marks_style = Style { ink: ink(standing), ..style };
    let pieces = vec![
        Mark::text(MARGIN + indent, baseline, 0.0, line, &style),
        Mark::text_to(PAGE_WIDTH - MARGIN, baseline, marks, &marks_style),
    ];
    flow.canvas.put(page, node, pieces);
    flow.y += style.leading + 1.0;
}

/// The colour that full, some, no and unjudged marks have everywhere.
pub(super) fn ink(standing: &Standing) -> Ink {
    let Standing { awarded, available, is_unjudged } = *standing;
    if is_unjudged {
        Ink::CAUTION
    } else if available.is_zero() {
        Ink::SOFT
    } else if awarded == available {
        Ink::GOOD
    } else if awarded.is_zero() {
        Ink::BAD
    } else {
        Ink::ACCENT
    }
}

fn leaf_details(flow: &mut Flow<'_>, report: &Report, leaf: &Leaf<'_>, indent: f32) {
    let style = Style::new(10.0, Weight::Regular, Ink::TEXT);
    if report.has(Section::Questions) {
        let flags = wording::flags(leaf.flags);
        if !flags.is_empty() {
            flow.paragraph(None, Tag::P, &flags, &Style::new(8.5, Weight::Bold, Ink::CAUTION), indent);
        }
        if !leaf.answer.is_empty() {
            answer(flow, leaf.answer, indent);
        }
    }
    if report.has(Section::Feedback) && !leaf.feedback.is_empty() {
        flow.paragraph(None, Tag::P, leaf.feedback, &style, indent);
    }
    if report.has(Section::Evidence) {
        points(flow, leaf.points, indent);
    }
}

/// What was read, with a bar at its left.
fn answer(flow: &mut Flow<'_>, text: &str, indent: f32) {
    let style = Style::new(9.5, Weight::Regular, Ink::SOFT);
    let inner = indent + 12.0;
    let quote = flow.canvas.node(None, Tag::BlockQuote);
    let node = flow.canvas.node(Some(quote), Tag::P);
    flow.space(2.0);
    let room = flow.width() - inner - 8.0;
    let lines = flow.setter.lines(text, &style, room);
    for (page, top, bottom) in flow.set_lines(node, lines, &style, inner, room) {
        let bar = Area { x: MARGIN + indent, y: top, width: 2.5, height: bottom - top };
        flow.canvas.decorate(page, vec![Mark::fill(bar, 1.2, Ink::BOX)]);
    }
    flow.space(4.0);
}

/// What each point earned, with its sign. Points that say nothing to the student are left out.
fn points(flow: &mut Flow<'_>, points: &[PointResult], indent: f32) {
    let told: Vec<&PointResult> = points.iter().filter(|point| wording::tells(point)).collect();
    if told.is_empty() {
        return;
    }
    let list = flow.canvas.node(None, Tag::L(ListNumbering::None));
    flow.space(2.0);
    for point in told {
        one_point(flow, list, point, indent);
    }
}

fn one_point(flow: &mut Flow<'_>, list: NodeId, point: &PointResult, indent: f32) {
    let style = Style::new(9.0, Weight::Regular, Ink::TEXT);
    let place = point.evidence.first().map(|piece| format!(" ({})", wording::place(piece)));
    let text = format!("{}{} ", wording::point(point), place.unwrap_or_default());
    let item = flow.canvas.node(Some(list), Tag::LI);
    let body = flow.canvas.node(Some(item), Tag::LBody);
    let inner = indent + 18.0;
    // The marks stand at the right of the last line.
    let room = flow.width() - inner - 68.0;
    let lines = flow.setter.lines(&text, &style, room);
    let places = flow.set_lines(body, lines, &style, inner, room);
    if let Some((page, _, bottom)) = places.last() {
        let marks = flow.setter.line(&wording::earned(point), &style);
        let baseline = bottom - style.leading * 0.24;
        let marks = Mark::text_to(PAGE_WIDTH - MARGIN, baseline, marks, &style);
        flow.canvas.put(*page, body, vec![marks]);
    }
    if let Some((page, top, _)) = places.first() {
        let sign = signs::verdict(point.verdict, MARGIN + indent + 7.0, top + style.leading * 0.5, 8.0);
        flow.canvas.decorate(*page, sign);
    }
    flow.space(1.5);
}

fn marking(flow: &mut Flow<'_>, report: &Report) {
    flow.section("How this script was marked");
    let label = Style::new(9.5, Weight::Bold, Ink::SOFT);
    let style = Style::new(9.5, Weight::Regular, Ink::TEXT);
    let list = flow.canvas.node(None, Tag::L(ListNumbering::None));
    for (what, which) in wording::marking(report) {
        let item = flow.canvas.node(Some(list), Tag::LI);
        let name = flow.canvas.node(Some(item), Tag::Lbl);
        let page = flow.page_for(style.leading);
        let line = flow.setter.line(what, &label);
        let baseline = flow.y + style.leading * 0.76;
        flow.canvas.put(page, name, vec![Mark::text(MARGIN, baseline, 0.0, line, &label)]);
        flow.paragraph(Some(item), Tag::LBody, &which, &style, 120.0);
        flow.space(2.0);
    }
}
