//! Where questions and parts stand on their pages.

use super::segment::Segment;
use crate::flow::Line;
use domain::question::Region;
use reader::page::{Document, Rect};

/// Where a segment stands, the room for its answer included: down to the next label.
pub(super) fn regions_of(segment: &Segment, lines: &[Line<'_>], document: &Document) -> Vec<Region> {
    const BODY_TOP: f32 = 0.05;
    const BODY_BOTTOM: f32 = 0.95;
    const LEAST: f32 = 0.003;
    let start = &lines[segment.start.0];
    let next = lines.get(segment.to.0).filter(|next| next.page >= start.page);
    let last_line = segment.to.0.saturating_sub(1).min(lines.len() - 1).max(segment.start.0);
    let last_page = next.map_or(lines[last_line].page, |next| next.page);
    let mut regions = Vec::new();
    let own_line = |page: u32| lines[segment.start.0..=last_line].iter().any(|line| line.page == page);
    let extent = |page: u32, height: f32| {
        let own = lines[segment.start.0..=last_line].iter().filter(|line| line.page == page);
        let all = own.map(|line| line.place).reduce(|all, place| all.union(&place)).unwrap_or(start.place);
        (all.y0 / height, all.y1 / height)
    };
    for page in document.pages.iter().filter(|page| (start.page..=last_page).contains(&page.number)) {
        // The page on which the next label stands is this part's only if some of it is there.
        if page.number == last_page && !own_line(page.number) {
            continue;
        }
        let height = page.height.max(1.0);
        let top = if page.number == start.page { start.place.y0 / height } else { BODY_TOP };
        let bottom = match next.filter(|next| next.page == page.number) {
            Some(next) if segment.to.1 == 0 => next.place.y0 / height,
            Some(next) => next.place.y1 / height,
            None => BODY_BOTTOM,
        };
        // What goes on at the head of the next column stands above where it began.
        let goes_up = bottom <= top + LEAST && own_line(page.number);
        let (top, bottom) = if goes_up { extent(page.number, height) } else { (top, bottom) };
        if bottom > top + LEAST {
            regions.push(Region { page: page.number, x: 0.03, y: top, width: 0.94, height: bottom - top });
        }
    }
    regions
}

/// For each line, whether a picture stands beside it or between it and the next one.
pub(super) fn pictured(lines: &[Line<'_>], document: &Document) -> Vec<bool> {
    /// A picture of more of the page is its background or its frame.
    const LARGEST: f32 = 0.7;
    let has_picture = |(index, line): (usize, &Line<'_>)| {
        let page = document.pages.iter().find(|page| page.number == line.page)?;
        let next = lines.get(index + 1).filter(|next| next.page == line.page);
        let bottom = next.map_or(page.height, |next| next.place.y0);
        let own = |picture: &&Rect| {
            let middle = picture.centre().1;
            picture.height() > line.place.height()
                && picture.height() < LARGEST * page.height
                && picture.width() > line.place.height()
                && (line.place.y0..bottom.max(line.place.y1)).contains(&middle)
        };
        page.pictures.iter().find(own)
    };
    lines.iter().enumerate().map(|line| has_picture(line).is_some()).collect()
}

/// One region a page.
pub(super) fn merge_regions(regions: impl Iterator<Item = Region>) -> Vec<Region> {
    let mut merged: Vec<Region> = Vec::new();
    for region in regions {
        match merged.iter_mut().find(|known| known.page == region.page) {
            Some(known) => {
                let top = known.y.min(region.y);
                let bottom = (known.y + known.height).max(region.y + region.height);
                (known.y, known.height) = (top, bottom - top);
            }
            None => merged.push(region),
        }
    }
    merged.sort_by_key(|region| region.page);
    merged
}
