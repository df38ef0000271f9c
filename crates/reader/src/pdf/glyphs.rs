//! From glyphs to words: spacing, raised and lowered characters, dotted answer lines, sideways text.

use super::symbols;
use crate::bounds::{PAGE_BYTES_MAX, PAGE_WORDS_MAX, WORD_BYTES_MAX};
use crate::page::{Direction, Rect, Ruling, Word};

/// A glyph where it is drawn.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Glyph {
    /// Its origin on the page.
    pub(super) start: (f32, f32),
    /// The unit vector in which its line runs.
    pub(super) along: (f32, f32),
    /// How far it reaches along its line.
    pub(super) width: f32,
    /// The size of its type.
    pub(super) size: f32,
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) invisible: bool,
}

/// What is known of a glyph's meaning.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning<'t> {
    /// The file tells it.
    Told(&'t str),
    /// Its code would mean this in a common encoding.
    Guessed(&'t str),
    /// The file does not tell it.
    Unknown,
}

/// How far a text layer can be believed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Quality {
    pub(super) glyphs: usize,
    pub(super) unmapped: usize,
    pub(super) guessed: usize,
    pub(super) invisible: usize,
}

/// A page's words before they are put in order.
#[derive(Debug, Default)]
pub(super) struct Text {
    pub(super) words: Vec<Word>,
    /// Dotted or underscored answer lines.
    pub(super) leaders: Vec<Ruling>,
    pub(super) quality: Quality,
    pub(super) width: f32,
    pub(super) height: f32,
}

/// Makes words of glyphs as they are drawn.
#[derive(Debug, Default)]
pub(super) struct TextCollector {
    width: f32,
    height: f32,
    current: Option<Growing>,
    /// Finished words, each in the frame of its own direction.
    finished: Vec<Finished>,
    leaders: Vec<Finished>,
    /// Of all words so far.
    text_bytes: usize,
    quality: Quality,
    scratch: String,
}

/// Which way a line of text runs, in quarter turns clockwise; `None` for slanted text.
type Turns = Option<u8>;

#[derive(Debug)]
struct Finished {
    word: Word,
    turns: Turns,
    glyphs: usize,
}

/// A word that may still grow. `u` runs along its line, `v` across it, downwards.
#[derive(Debug)]
struct Growing {
    text: String,
    glyphs: usize,
    along: (f32, f32),
    u0: f32,
    u1: f32,
    v: f32,
    size: f32,
    bold: bool,
    italic: bool,
    /// The trailing characters that stand above the line: where they begin in `text`.
    raised_from: Option<usize>,
    /// Where the trailing run of leader characters begins, and how long it is.
    leader: Option<(f32, usize)>,
}

/// A gap wider than this share of the type size parts two words.
const WORD_GAP: f32 = 0.17;
/// Glyphs may overlap by kerning up to this share of the type size.
const OVERLAP: f32 = 0.35;
/// As many leader characters in a row are a line to write on.
const LEADER_LENGTH: usize = 4;
/// Text smaller than this or larger than a page is no text.
const SIZES: std::ops::Range<f32> = 0.5..2000.0;
/// No page of an exam holds more glyphs; the rest of a hostile one is not kept.
const MAX_GLYPHS: usize = 500_000;

impl TextCollector {
    pub(super) fn new(width: f32, height: f32) -> TextCollector {
        TextCollector { width, height, ..TextCollector::default() }
    }

    /// Takes the next glyph.
    pub(super) fn add(&mut self, glyph: &Glyph, meaning: Meaning<'_>) {
        let inside = (-1.0..self.width + 1.0).contains(&glyph.start.0)
            && (-1.0..self.height + 1.0).contains(&glyph.start.1);
        let is_full = self.quality.glyphs >= MAX_GLYPHS || self.is_overfull();
        if !inside || !SIZES.contains(&glyph.size) || is_full {
            return;
        }
        self.quality.glyphs += 1;
        self.quality.invisible += usize::from(glyph.invisible);
        let text = match meaning {
            Meaning::Told(text) if !symbols::is_doubled(text) => text,
            Meaning::Guessed(text) => {
                self.quality.guessed += 1;
                text
            }
            Meaning::Told(_) | Meaning::Unknown => {
                self.quality.unmapped += 1;
                "\u{FFFD}"
            }
        };
        let mut plain = std::mem::take(&mut self.scratch);
        plain.clear();
        symbols::push_plain(text, &mut plain);
        if plain.chars().all(char::is_whitespace) {
            self.end_word();
        } else {
            self.push(glyph, plain.trim());
        }
        self.scratch = plain;
    }

    /// Takes a glyph that is a word of its own, whatever stands beside it.
    pub(super) fn add_alone(&mut self, glyph: &Glyph, meaning: Meaning<'_>) {
        self.end_word();
        self.add(glyph, meaning);
        self.end_word();
    }

    /// True when there are more words than a page holds; no more are taken then.
    pub(super) fn is_overfull(&self) -> bool {
        self.finished.len() > PAGE_WORDS_MAX
            || self.leaders.len() > PAGE_WORDS_MAX
            || self.text_bytes > PAGE_BYTES_MAX
    }

    fn push(&mut self, glyph: &Glyph, text: &str) {
        self.text_bytes += text.len();
        let continues = self.current.as_ref().is_some_and(|word| word.continues_with(glyph));
        if !continues {
            self.end_word();
        }
        let leader = text.chars().all(symbols::is_leader);
        let ends_leader =
            !leader && self.current.as_ref().is_some_and(|word| word.leader_length() >= LEADER_LENGTH);
        if ends_leader {
            self.end_word();
        }
        match &mut self.current {
            Some(word) => word.push(glyph, text, leader),
            None => self.current = Some(Growing::new(glyph, text, leader)),
        }
    }

    fn end_word(&mut self) {
        let Some(mut word) = self.current.take() else { return };
        let turns = quarter_turns(word.along);
        if let Some((from, length)) = word.leader.filter(|(_, length)| *length >= LEADER_LENGTH) {
            let line = Growing { text: String::new(), u0: from, ..word.copy_shape() };
            self.leaders.push(Finished { word: line.into_word(), turns, glyphs: length });
            word.cut_leader(from, length);
        }
        if !word.text.is_empty() {
            let glyphs = word.glyphs;
            self.finished.push(Finished { word: word.into_word(), turns, glyphs });
        }
    }

    pub(super) fn size(&self) -> (f32, f32) {
        (self.width, self.height)
    }

    /// How far the page as a whole was typeset sideways: the direction of most of its glyphs.
    pub(super) fn turns(&mut self) -> u8 {
        self.end_word();
        let mut glyphs = [0; 4];
        for finished in &self.finished {
            if let Some(turns) = finished.turns {
                glyphs[usize::from(turns)] += finished.glyphs;
            }
        }
        let most = (0..4).max_by_key(|turns| (glyphs[usize::from(*turns)], 4 - turns)).unwrap_or(0);
        // A picture with a few sideways labels and nothing else is no sideways page.
        if glyphs[usize::from(most)] > 2 * glyphs[0] + 40 { most } else { 0 }
    }

    /// Ends the page, turned so that `turns` becomes upright.
    pub(super) fn finish(mut self, turns: u8) -> Text {
        self.end_word();
        let (page_width, page_height) = (self.width, self.height);
        let upright = |finished: Finished| {
            let direction = finished.turns.map(|own| (own + 4 - turns) % 4);
            let mut word = finished.word;
            word.place = turn_back(word.place, turns, page_width, page_height);
            word.turned = direction != Some(0);
            word.baseline = if word.turned { word.place.y1 } else { word.place.y1 - DESCENT * word.size };
            word
        };
        let leaders = self.leaders.into_iter().map(upright).filter(|word| !word.turned);
        let leaders = leaders.map(|word| Ruling {
            place: Rect { y0: word.baseline - 0.5, y1: word.baseline + 0.5, ..word.place },
            direction: Direction::Horizontal,
        });
        let leaders = leaders.collect();
        let words = self.finished.into_iter().map(upright).collect();
        let turned = turns % 2 == 1;
        let (width, height) = if turned { (page_height, page_width) } else { (page_width, page_height) };
        Text { words, leaders, quality: self.quality, width, height }
    }
}

/// Where letters end above and below the baseline, as shares of the type size.
const ASCENT: f32 = 0.75;
const DESCENT: f32 = 0.22;

impl Growing {
    fn new(glyph: &Glyph, text: &str, leader: bool) -> Growing {
        let (u, v) = in_frame(glyph.start, glyph.along);
        Growing {
            text: text.to_owned(),
            glyphs: 1,
            along: glyph.along,
            u0: u,
            u1: u + glyph.width,
            v,
            size: glyph.size,
            bold: glyph.bold,
            italic: glyph.italic,
            raised_from: None,
            leader: leader.then_some((u, text.chars().count())),
        }
    }

    fn copy_shape(&self) -> Growing {
        Growing { text: String::new(), ..*self }
    }

    fn leader_length(&self) -> usize {
        self.leader.map_or(0, |(_, length)| length)
    }

    fn continues_with(&self, glyph: &Glyph) -> bool {
        let parallel = self.along.0 * glyph.along.0 + self.along.1 * glyph.along.1 > 0.99;
        if !parallel || self.text.len() >= WORD_BYTES_MAX {
            return false;
        }
        let (u, v) = in_frame(glyph.start, self.along);
        let larger = self.size.max(glyph.size);
        let gap = u - self.u1;
        let near = gap > -OVERLAP * larger && gap < WORD_GAP * larger;
        let drop = v - self.v;
        // Raised and lowered characters are smaller; two lines of the same size never join.
        let same_line = drop.abs() < 0.12 * larger;
        // No sign of a sum has an exponent: what is raised behind it is the top of a fraction.
        let has_base =
            drop >= 0.0 || self.raised_from.is_some() || !self.text.ends_with(symbols::is_operator);
        let script = drop.abs() < 0.6 * larger && glyph.size < 0.85 * self.size && has_base;
        let back_on_line = self.raised_from.is_some() && same_line;
        near && (same_line || script || back_on_line)
    }

    fn push(&mut self, glyph: &Glyph, text: &str, leader: bool) {
        let (u, v) = in_frame(glyph.start, self.along);
        let raised = v < self.v - 0.2 * self.size && glyph.size < 0.85 * self.size;
        match (raised, self.raised_from) {
            (true, None) => self.raised_from = Some(self.text.len()),
            (false, Some(_)) => self.lower_raised(),
            _ => {}
        }
        self.leader = match (leader, self.leader) {
            (true, Some((from, length))) => Some((from, length + text.chars().count())),
            (true, None) => Some((u, text.chars().count())),
            (false, _) => None,
        };
        self.text.push_str(text);
        self.glyphs += 1;
        self.u1 = self.u1.max(u + glyph.width);
        self.bold &= glyph.bold;
        self.italic &= glyph.italic;
    }

    /// Writes the raised characters gathered so far as a superscript.
    fn lower_raised(&mut self) {
        if let Some(from) = self.raised_from.take() {
            let raised = self.text.split_off(from);
            symbols::push_raised(&raised, &mut self.text);
        }
    }

    fn cut_leader(&mut self, from: f32, length: usize) {
        let keep = self.text.chars().count().saturating_sub(length);
        self.text = self.text.chars().take(keep).collect();
        self.u1 = from;
    }

    /// The word with its place on the page as drawn.
    fn into_word(mut self) -> Word {
        self.lower_raised();
        let corner =
            |u: f32, v: f32| (u * self.along.0 - v * self.along.1, u * self.along.1 + v * self.along.0);
        let corners = [
            corner(self.u0, self.v - ASCENT * self.size),
            corner(self.u1, self.v - ASCENT * self.size),
            corner(self.u0, self.v + DESCENT * self.size),
            corner(self.u1, self.v + DESCENT * self.size),
        ];
        let xs = corners.map(|(x, _)| x);
        let ys = corners.map(|(_, y)| y);
        let place = Rect {
            x0: xs.iter().copied().fold(f32::INFINITY, f32::min),
            y0: ys.iter().copied().fold(f32::INFINITY, f32::min),
            x1: xs.iter().copied().fold(f32::NEG_INFINITY, f32::max),
            y1: ys.iter().copied().fold(f32::NEG_INFINITY, f32::max),
        };
        Word {
            text: self.text,
            place,
            size: self.size,
            baseline: self.v,
            bold: self.bold,
            italic: self.italic,
            confidence: 1.0,
            ..Word::default()
        }
    }
}

fn in_frame((x, y): (f32, f32), along: (f32, f32)) -> (f32, f32) {
    (x * along.0 + y * along.1, y * along.0 - x * along.1)
}

fn quarter_turns(along: (f32, f32)) -> Turns {
    const DIRECTIONS: [(f32, f32); 4] = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
    let close = |direction: &(f32, f32)| direction.0 * along.0 + direction.1 * along.1 > 0.97;
    DIRECTIONS.iter().position(close).map(|turns| turns as u8)
}

/// Where a rectangle lies once the page is turned back by so many clockwise quarter turns.
pub(super) fn turn_back(place: Rect, turns: u8, width: f32, height: f32) -> Rect {
    let Rect { x0, y0, x1, y1 } = place;
    match turns % 4 {
        1 => Rect { x0: y0, y0: width - x1, x1: y1, y1: width - x0 },
        2 => Rect { x0: width - x1, y0: height - y1, x1: width - x0, y1: height - y0 },
        3 => Rect { x0: height - y1, y0: x0, x1: height - y0, y1: x1 },
        _ => place,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn type_out(collector: &mut TextCollector, text: &str, x: f32, y: f32, size: f32) -> f32 {
        let mut pen = x;
        for character in text.chars() {
            let width = size * 0.5;
            let glyph = Glyph {
                start: (pen, y),
                along: (1.0, 0.0),
                width,
                size,
                bold: false,
                italic: false,
                invisible: false,
            };
            collector.add(&glyph, Meaning::Told(&character.to_string()));
            pen += width;
        }
        pen
    }

    fn texts(text: &Text) -> Vec<&str> {
        text.words.iter().map(|word| word.text.as_str()).collect()
    }

    #[test]
    fn gaps_and_spaces_part_words() {
        let mut collector = TextCollector::new(600.0, 800.0);
        let end = type_out(&mut collector, "one two", 10.0, 100.0, 10.0);
        type_out(&mut collector, "three", end + 3.0, 100.0, 10.0);
        assert_eq!(texts(&collector.finish(0)), ["one", "two", "three"]);
    }

    #[test]
    fn raised_digits_become_powers_and_lowered_ones_stay() {
        let mut collector = TextCollector::new(600.0, 800.0);
        let end = type_out(&mut collector, "x", 10.0, 100.0, 10.0);
        let end = type_out(&mut collector, "2", end, 96.0, 6.0);
        type_out(&mut collector, "y", end, 100.0, 10.0);
        let end = type_out(&mut collector, "CO", 100.0, 100.0, 10.0);
        type_out(&mut collector, "2", end, 102.0, 6.0);
        assert_eq!(texts(&collector.finish(0)), ["x²y", "CO2"]);
    }

    #[test]
    fn dotted_lines_are_no_words() {
        let mut collector = TextCollector::new(600.0, 800.0);
        type_out(&mut collector, "answer........... kg", 10.0, 100.0, 10.0);
        let text = collector.finish(0);
        assert_eq!(texts(&text), ["answer", "kg"]);
        assert_eq!(text.leaders.len(), 1);
        assert!(text.leaders[0].place.width() > 50.0);
    }

    #[test]
    fn text_outside_the_page_is_left_out() {
        let mut collector = TextCollector::new(600.0, 800.0);
        type_out(&mut collector, "crop", -100.0, 100.0, 10.0);
        assert!(collector.finish(0).words.is_empty());
    }

    #[test]
    fn turning_back_is_the_inverse_of_turning() {
        let place = Rect { x0: 10.0, y0: 20.0, x1: 30.0, y1: 90.0 };
        let (width, height) = (600.0, 800.0);
        let once = turn_back(place, 1, width, height);
        let again = turn_back(once, 3, height, width);
        assert_eq!(again, place);
        assert_eq!(turn_back(turn_back(place, 2, width, height), 2, width, height), place);
    }
}
