//! The typefaces, and how a run of text becomes glyphs.

use krilla::text::{Font, GlyphId, KrillaGlyph};
use rustybuzz::{Direction, UnicodeBuffer};
use std::ops::Range;

static REGULAR: &[u8] = include_bytes!("../../fonts/NotoSans-Regular.ttf");
static BOLD: &[u8] = include_bytes!("../../fonts/NotoSans-Bold.ttf");
static SIGNS: &[u8] = include_bytes!("../../fonts/DejaVuSans.ttf");

/// What is drawn for a character that no typeface has.
const MISSING: char = '□';

/// Which typeface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Weight {
    Regular,
    Bold,
}

/// One typeface for shaping and for writing.
struct Face {
    shaper: rustybuzz::Face<'static>,
    font: Font,
    missing: GlyphId,
}

/// All typefaces: the two weights, and one that has the signs and scripts which those lack.
pub(super) struct Faces {
    regular: Face,
    bold: Face,
    signs: Face,
}

/// Glyphs of one typeface and one direction, in the order in which they stand on the page.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) font: Font,
    pub(super) text: String,
    pub(super) glyphs: Vec<KrillaGlyph>,
    /// In units of the type's size.
    pub(super) width: f32,
}

/// Which typeface has a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coverage {
    Own,
    Signs,
    Nobody,
}

impl Face {
    fn load(bytes: &'static [u8]) -> Option<Face> {
        let shaper = rustybuzz::Face::from_slice(bytes, 0)?;
        let font = Font::new(bytes.into(), 0)?;
        let missing = shaper.glyph_index(MISSING).map_or(0, |glyph| u32::from(glyph.0));
        Some(Face { shaper, font, missing: GlyphId::new(missing) })
    }

    fn has(&self, character: char) -> bool {
        self.shaper.glyph_index(character).is_some()
    }

    fn shape(&self, text: &str, is_rtl: bool) -> Run {
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(text);
        buffer.guess_segment_properties();
        buffer.set_direction(if is_rtl { Direction::RightToLeft } else { Direction::LeftToRight });
        let shaped = rustybuzz::shape(&self.shaper, &[], buffer);
        let em = self.font.units_per_em();
        let clusters: Vec<usize> = shaped.glyph_infos().iter().map(|info| info.cluster as usize).collect();
        let glyphs: Vec<KrillaGlyph> = shaped
            .glyph_infos()
            .iter()
            .zip(shaped.glyph_positions())
            .map(|(info, position)| {
                let known = GlyphId::new(info.glyph_id);
                KrillaGlyph::new(
                    if info.glyph_id == 0 { self.missing } else { known },
                    position.x_advance as f32 / em,
                    position.x_offset as f32 / em,
                    position.y_offset as f32 / em,
                    position.y_advance as f32 / em,
                    cluster_range(info.cluster as usize, &clusters, text),
                    None,
                )
            })
            .collect();
        Run { font: self.font.clone(), text: text.to_owned(), width: width(&glyphs), glyphs }
    }

    /// A box for each character, each of which stands for that character when copied.
    fn boxes(&self, text: &str) -> Run {
        let advance =
            self.shaper.glyph_hor_advance(rustybuzz::ttf_parser::GlyphId(self.missing.to_u32() as u16));
        let advance = f32::from(advance.unwrap_or(600)) / self.font.units_per_em();
        let glyphs: Vec<KrillaGlyph> = text
            .char_indices()
            .map(|(start, character)| {
                let range = start..start + character.len_utf8();
                KrillaGlyph::new(self.missing, advance, 0.0, 0.0, 0.0, range, None)
            })
            .collect();
        Run { font: self.font.clone(), text: text.to_owned(), width: width(&glyphs), glyphs }
    }
}

fn width(glyphs: &[KrillaGlyph]) -> f32 {
    glyphs.iter().map(|glyph| glyph.x_advance).sum()
}

/// The bytes of a cluster: up to where the next one begins.
fn cluster_range(start: usize, clusters: &[usize], text: &str) -> Range<usize> {
    let next = clusters.iter().copied().filter(|other| *other > start).min();
    start..next.unwrap_or(text.len())
}

impl Faces {
    /// Loads the typefaces; `None` only if the program was built with damaged ones.
    pub(super) fn load() -> Option<Faces> {
        Some(Faces { regular: Face::load(REGULAR)?, bold: Face::load(BOLD)?, signs: Face::load(SIGNS)? })
    }

    fn face(&self, weight: Weight) -> &Face {
        match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        }
    }

    /// Shapes text of one direction, typeface by typeface.
    pub(super) fn shape(&self, text: &str, weight: Weight, is_rtl: bool) -> Vec<Run> {
        let mut runs: Vec<Run> = self
            .stretches(text, weight)
            .into_iter()
            .map(|(coverage, range)| match coverage {
                Coverage::Own => self.face(weight).shape(&text[range], is_rtl),
                Coverage::Signs => self.signs.shape(&text[range], is_rtl),
                Coverage::Nobody => self.signs.boxes(&text[range]),
            })
            .collect();
        if is_rtl {
            runs.reverse();
        }
        runs
    }

    /// Stretches of the text that one typeface has.
    fn stretches(&self, text: &str, weight: Weight) -> Vec<(Coverage, Range<usize>)> {
        let mut stretches: Vec<(Coverage, Range<usize>)> = Vec::new();
        for (start, character) in text.char_indices() {
            let end = start + character.len_utf8();
            let current = stretches.last().map(|(coverage, _)| *coverage);
            let coverage = match current {
                // Spaces and marks stay with the letters before them, so that they are shaped together.
                Some(current) if joins(character) && current != Coverage::Nobody => current,
                Some(Coverage::Signs) if character == ' ' => Coverage::Signs,
                _ => self.coverage(character, weight),
            };
            match stretches.last_mut() {
                Some((last, range)) if *last == coverage => range.end = end,
                _ => stretches.push((coverage, start..end)),
            }
        }
        stretches
    }

    fn coverage(&self, character: char, weight: Weight) -> Coverage {
        if self.face(weight).has(character) {
            Coverage::Own
        } else if self.signs.has(character) {
            Coverage::Signs
        } else {
            Coverage::Nobody
        }
    }
}

/// Combining marks, joiners and variation selectors.
fn joins(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}' | '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{64b}'..='\u{65f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest as _, Sha256};

    #[test]
    fn the_typefaces_are_those_that_the_list_of_checksums_names() {
        let list = include_str!("../../fonts/SHA256SUMS");
        for (name, bytes) in
            [("NotoSans-Regular.ttf", REGULAR), ("NotoSans-Bold.ttf", BOLD), ("DejaVuSans.ttf", SIGNS)]
        {
            let sum: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            assert!(list.contains(&format!("{sum}  {name}")), "{name}");
        }
    }

    #[test]
    fn every_character_gets_a_glyph() {
        let faces = Faces::load().unwrap();
        for text in ["plain", "x ≤ 3 → ✓", "العربية", "汉字", "e\u{301}\u{302}", "👩‍🔬", "\u{10ffff}"]
        {
            for is_rtl in [false, true] {
                let runs = faces.shape(text, Weight::Regular, is_rtl);
                let glyphs = runs.iter().flat_map(|run| &run.glyphs);
                assert!(glyphs.clone().count() > 0, "{text}");
                assert!(glyphs.clone().all(|glyph| glyph.glyph_id.to_u32() != 0), "{text}");
                assert!(glyphs.clone().all(|glyph| !glyph.text_range.is_empty()), "{text}");
            }
        }
    }
}
