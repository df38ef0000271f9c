//! This script among all released scripts of its paper: a box from quartile to quartile, and a dot for it.

use super::canvas::{Area, Mark, Shape};
use super::face::Weight;
use super::flow::{Flow, MARGIN};
use super::ink::Ink;
use super::text::Style;
use crate::wording;
use domain::report::{Spread, Statistics};
use domain::result::Percentage;
use krilla::tagging::Tag;

/// The height of the drawing with its scale.
const HEIGHT: f32 = 52.0;

pub(super) fn lay_out(flow: &mut Flow<'_>, statistics: &Statistics) {
    // The section is kept together.
    flow.page_for(170.0);
    flow.section("In comparison");
    let style = Style::new(10.0, Weight::Regular, Ink::TEXT);
    flow.text(&wording::compared(statistics.scripts), &style);
    flow.space(6.0);
    let Some(spread) = &statistics.spread else {
        flow.text(&format!("This script {}.", statistics.own), &style);
        return;
    };
    drawing(flow, statistics.own, spread);
    let figures = format!(
        "This script {}. Mean {}. Median {}. The middle half of all scripts lies between {} and {}.",
        statistics.own, spread.mean, spread.median, spread.lower_quartile, spread.upper_quartile
    );
    flow.text(&figures, &style);
    flow.space(2.0);
    let legend = "The shaded box is the middle half, the line in it the median, the dot this script. \
                  In the table above, the line across each bar is the mean of all scripts.";
    flow.text(legend, &Style::new(8.5, Weight::Regular, Ink::SOFT));
}

fn drawing(flow: &mut Flow<'_>, own_share: Percentage, spread: &Spread) {
    let page = flow.page_for(HEIGHT);
    let (left, width) = (MARGIN + 6.0, flow.width() - 12.0);
    let at = |share: Percentage| left + width * share.as_tenths() as f32 / 1000.0;
    let middle = flow.y + 15.0;
    let track = Area { x: left, y: middle - 1.5, width, height: 3.0 };
    let (low, high) = (at(spread.lower_quartile), at(spread.upper_quartile));
    let quartiles = Area { x: low, y: middle - 9.0, width: (high - low).max(1.0), height: 18.0 };
    let median = at(spread.median);
    let own = at(own_share);
    let dot = |radius: f32, ink: Ink| Mark::Fill {
        shape: Shape::Dot { x: own, y: middle, radius },
        ink,
        opacity: 1.0,
    };
    let marks = vec![
        Mark::fill(track, 1.5, Ink::TRACK),
        Mark::fill(quartiles, 3.0, Ink::BOX),
        Mark::rule((median, middle - 11.0), (median, middle + 11.0), Ink::TEXT, 1.6),
        dot(6.2, Ink::PAPER),
        dot(5.0, Ink::ACCENT),
    ];
    let alt = format!(
        "A scale from 0 to 100 per cent with this script at {}, the median at {} and the middle half from {} to {}.",
        own_share, spread.median, spread.lower_quartile, spread.upper_quartile
    );
    let figure = flow.canvas.node(None, Tag::Figure(Some(alt)));
    flow.canvas.put(page, figure, marks);
    let style = Style::new(8.0, Weight::Regular, Ink::SOFT);
    let mut scale = Vec::new();
    for (share, text) in [(0, "0%"), (250, "25%"), (500, "50%"), (750, "75%"), (1000, "100%")] {
        let x = at(Percentage::tenths(share));
        let line = flow.setter.line(text, &style);
        scale.push(Mark::text(x - line.width / 2.0, middle + 25.0, 0.0, line, &style));
    }
    flow.canvas.decorate(page, scale);
    flow.y += HEIGHT;
}
