//! Writes a laid-out document as a tagged PDF.

use super::canvas::{Area, Canvas, Entry, Mark, Node, NodeId, Page, Role, Shape};
use super::{Error, PagePicture};
use crate::wording;
use domain::report::Report;
use krilla::configure::{Accessibility, ConfigurationBuilder};
use krilla::destination::XyzDestination;
use krilla::geom::{Path, PathBuilder, Point, Rect, Size, Transform};
use krilla::image::Image;
use krilla::metadata::{DateTime, Metadata, PageLayout};
use krilla::num::NormalizedF32;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::paint::{Fill, FillRule, LineCap, LineJoin, Stroke};
use krilla::surface::Surface;
use krilla::tagging::{Artifact, ContentTag, Identifier, TagGroup, TagTree};
use krilla::{Document, SerializeSettings};

/// How far a quarter of a circle's control points lie from its ends.
const ROUND: f32 = 0.5523;

/// The finished file.
pub(super) fn paint(
    canvas: &Canvas,
    metadata: Metadata,
    pictures: &[Option<Image>],
) -> Result<Vec<u8>, Error> {
    let configuration = ConfigurationBuilder::new().with_accessibility_validator(Accessibility::UA1).finish();
    let configuration = configuration.map_err(|_| Error::NotWritten("no version fits".to_owned()))?;
    let settings = SerializeSettings { configuration, enable_tagging: true, ..SerializeSettings::default() };
    let mut document = Document::new_with(settings);
    document.set_metadata(metadata);
    let mut leaves: Vec<Vec<Identifier>> = vec![Vec::new(); canvas.nodes.len()];
    for page in &canvas.pages {
        let Some(size) = PageSettings::from_wh(page.width, page.height) else { continue };
        let mut sheet = document.start_page_with(size);
        let mut surface = sheet.surface();
        paint_page(&mut surface, page, pictures, &mut leaves);
        surface.finish();
        sheet.finish();
    }
    document.set_tag_tree(tree(&canvas.nodes, &mut leaves));
    document.set_outline(outline(&canvas.contents));
    document.finish().map_err(|error| Error::NotWritten(error.to_string()))
}

/// The picture of a page, where its bytes are one.
pub(super) fn picture(page: &PagePicture) -> Option<Image> {
    let bytes = page.picture.clone();
    let picture = if bytes.starts_with(&[0xff, 0xd8]) {
        Image::from_jpeg(bytes.into(), false)
    } else {
        Image::from_png(bytes.into(), false)
    };
    picture.ok()
}

/// What a file says about itself: a report.
pub(super) fn metadata(report: &Report) -> Metadata {
    let at = report.generated_at.to_zoned(jiff::tz::TimeZone::UTC);
    let small = |value: i8| u8::try_from(value).unwrap_or_default();
    let made = DateTime::new(u16::try_from(at.year()).unwrap_or_default())
        .month(small(at.month()))
        .day(small(at.day()))
        .hour(small(at.hour()))
        .minute(small(at.minute()))
        .second(small(at.second()))
        .utc_offset_hour(0)
        .utc_offset_minute(0);
    titled(&report.title, wording::KIND).creation_date(made)
}

/// The same of anything about a paper of this title.
pub(super) fn titled(title: &str, kind: &str) -> Metadata {
    Metadata::new()
        .title(format!("{}: {kind}", wording::plain(title)))
        .language(wording::LANGUAGE.to_owned())
        .creator("Tickmark".to_owned())
        .page_layout(PageLayout::SinglePage)
}

fn paint_page(
    surface: &mut Surface<'_>,
    page: &Page,
    pictures: &[Option<Image>],
    leaves: &mut [Vec<Identifier>],
) {
    for piece in &page.pieces {
        let tag = match piece.role {
            Role::Content(_) => ContentTag::Other,
            Role::Artifact(kind) => ContentTag::Artifact(Artifact::with_kind(kind)),
        };
        let identifier = surface.start_tagged(tag);
        for mark in &piece.marks {
            paint_mark(surface, mark, pictures);
        }
        surface.end_tagged();
        if let Role::Content(NodeId(node)) = piece.role
            && let Some(own) = leaves.get_mut(node)
        {
            own.push(identifier);
        }
    }
}

fn paint_mark(surface: &mut Surface<'_>, mark: &Mark, pictures: &[Option<Image>]) {
    surface.set_stroke(None);
    surface.set_fill(None);
    match mark {
        Mark::Text { x, y, line, size, ink } => {
            surface.set_fill(Some(fill(ink.colour(), 1.0)));
            let mut x = *x;
            for run in &line.runs {
                let start = Point::from_xy(x, *y);
                surface.draw_glyphs(start, &run.glyphs, run.font.clone(), &run.text, *size, false);
                x += run.width * size;
            }
        }
        Mark::Fill { shape, ink, opacity } => {
            if let Some(path) = path(shape) {
                surface.set_fill(Some(fill(ink.colour(), *opacity)));
                surface.draw_path(&path);
            }
        }
        Mark::Stroke { shape, ink, width } => {
            if let Some(path) = path(shape) {
                surface.set_stroke(Some(Stroke {
                    paint: ink.colour().into(),
                    width: *width,
                    line_cap: LineCap::Round,
                    line_join: LineJoin::Round,
                    ..Stroke::default()
                }));
                surface.draw_path(&path);
            }
        }
        Mark::Picture { index, place } => {
            let picture = pictures.get(*index).and_then(Option::as_ref);
            if let (Some(picture), Some(size)) = (picture, Size::from_wh(place.width, place.height)) {
                surface.push_transform(&Transform::from_translate(place.x, place.y));
                surface.draw_image(picture.clone(), size);
                surface.pop();
            }
        }
    }
}

fn fill(colour: krilla::color::rgb::Color, opacity: f32) -> Fill {
    let opacity = NormalizedF32::new(opacity).unwrap_or(NormalizedF32::ONE);
    Fill { paint: colour.into(), opacity, rule: FillRule::NonZero }
}

fn path(shape: &Shape) -> Option<Path> {
    let mut builder = PathBuilder::new();
    match shape {
        Shape::Rounded(area, radius) if *radius <= 0.0 => {
            builder.push_rect(Rect::from_xywh(area.x, area.y, area.width, area.height)?);
        }
        Shape::Areas(areas) => {
            for area in areas {
                builder.push_rect(Rect::from_xywh(area.x, area.y, area.width, area.height)?);
            }
        }
        Shape::Rounded(area, radius) => rounded(&mut builder, area, *radius),
        Shape::Dot { x, y, radius } => {
            let area = Area { x: x - radius, y: y - radius, width: 2.0 * radius, height: 2.0 * radius };
            rounded(&mut builder, &area, *radius);
        }
        Shape::Path(points) => {
            let (first, rest) = points.split_first()?;
            builder.move_to(first.0, first.1);
            rest.iter().for_each(|(x, y)| builder.line_to(*x, *y));
        }
    }
    builder.finish()
}

fn rounded(builder: &mut PathBuilder, area: &Area, radius: f32) {
    let radius = radius.min(area.width / 2.0).min(area.height / 2.0).max(0.0);
    let (left, top, right, bottom) = (area.x, area.y, area.right(), area.bottom());
    let reach = radius * (1.0 - ROUND);
    builder.move_to(left + radius, top);
    builder.line_to(right - radius, top);
    builder.cubic_to(right - reach, top, right, top + reach, right, top + radius);
    builder.line_to(right, bottom - radius);
    builder.cubic_to(right, bottom - reach, right - reach, bottom, right - radius, bottom);
    builder.line_to(left + radius, bottom);
    builder.cubic_to(left + reach, bottom, left, bottom - reach, left, bottom - radius);
    builder.line_to(left, top + radius);
    builder.cubic_to(left, top + reach, left + reach, top, left + radius, top);
    builder.close();
}

/// The tree of meaning, from the last node to the first so that children are whole before their parents.
fn tree(nodes: &[Node], leaves: &mut [Vec<Identifier>]) -> TagTree {
    let mut groups: Vec<TagGroup> = nodes.iter().map(|node| TagGroup::new(node.tag.clone())).collect();
    for (group, own) in groups.iter_mut().zip(leaves.iter_mut()) {
        own.drain(..).for_each(|identifier| group.push(identifier));
    }
    let mut tree = TagTree::new().with_lang(Some(wording::LANGUAGE.to_owned()));
    let mut top = Vec::new();
    for node in nodes.iter().rev() {
        let Some(group) = groups.pop() else { continue };
        match node.parent {
            // A parent always comes before its children, so it is still there.
            Some(NodeId(parent)) => {
                if let Some(parent) = groups.get_mut(parent) {
                    parent.children.insert(0, group.into());
                }
            }
            None => top.push(group),
        }
    }
    top.into_iter().rev().for_each(|group| tree.push(group));
    tree
}

fn outline(contents: &[Entry]) -> Outline {
    let mut outline = Outline::new();
    for entry in contents {
        let destination = XyzDestination::new(entry.page, Point::from_xy(0.0, entry.y));
        outline.push_child(OutlineNode::new(entry.title.clone(), destination));
    }
    outline
}
