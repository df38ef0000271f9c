//! Lines of text: measured, broken, and in the order in which the eye reads them.

use super::face::{Faces, Run, Weight};
use super::ink::Ink;
use crate::wording;
use std::cell::RefCell;
use std::collections::HashMap;
use unicode_bidi::{BidiInfo, Level};

/// How a text looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub(super) size: f32,
    pub(super) weight: Weight,
    pub(super) ink: Ink,
    /// From one baseline to the next.
    pub(super) leading: f32,
}

/// One line, ready to be drawn.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// From left to right.
    pub(super) runs: Vec<Run>,
    /// In points, without the space at its end.
    pub(super) width: f32,
    /// True when the paragraph runs from right to left.
    pub(super) is_rtl: bool,
}

/// Sets text in the typefaces, and remembers how wide words are.
pub(super) struct Setter {
    faces: Faces,
    /// Widths in units of the type's size.
    widths: RefCell<HashMap<(String, Weight), f32>>,
}

impl Line {
    /// Its text, run by run.
    pub(super) fn text(&self) -> String {
        self.runs.iter().map(|run| run.text.as_str()).collect()
    }
}

impl Style {
    pub(super) fn new(size: f32, weight: Weight, ink: Ink) -> Style {
        Style { size, weight, ink, leading: size * 1.38 }
    }
}

impl Setter {
    pub(super) fn new(faces: Faces) -> Setter {
        Setter { faces, widths: RefCell::default() }
    }

    /// How wide a text is in points when set in one line.
    pub(super) fn width(&self, text: &str, style: &Style) -> f32 {
        let mut widths = self.widths.borrow_mut();
        let key = (text.to_owned(), style.weight);
        let width = widths
            .entry(key)
            .or_insert_with(|| self.faces.shape(text, style.weight, false).iter().map(|run| run.width).sum());
        *width * style.size
    }

    /// Breaks a text into lines no wider than `width`. Words that are wider are broken too.
    pub(super) fn lines(&self, text: &str, style: &Style, width: f32) -> Vec<Line> {
        self.lines_after(text, style, width, width)
    }

    /// The same where the first line has less room, `first`, because something stands before it.
    pub(super) fn lines_after(&self, text: &str, style: &Style, first: f32, width: f32) -> Vec<Line> {
        let text = wording::plain(text);
        let paragraphs = text.lines().enumerate();
        paragraphs
            .flat_map(|(index, paragraph)| {
                self.paragraph(paragraph, style, if index == 0 { first } else { width }, width)
            })
            .collect()
    }

    /// A text that is known to be short, in one line, whatever its width.
    pub(super) fn line(&self, text: &str, style: &Style) -> Line {
        let text = wording::plain(text).replace('\n', " ");
        let bidi = is_mixed(&text).then(|| BidiInfo::new(&text, None));
        self.set(&text, 0, bidi.as_ref(), style)
    }

    /// The same, cut off with an ellipsis where it would be wider than `width`.
    pub(super) fn clipped(&self, text: &str, style: &Style, width: f32) -> Line {
        let mut lines = self.lines(text, style, width);
        if lines.len() <= 1 {
            return lines.pop().unwrap_or_else(|| self.line("", style));
        }
        let room = width - self.width(" …", style);
        let first = self.lines(text, style, room.max(0.0)).into_iter().next();
        let mut text = first.map(|line| line.text()).unwrap_or_default();
        text.truncate(text.trim_end().len());
        self.line(&format!("{text} …"), style)
    }

    fn paragraph(&self, text: &str, style: &Style, first: f32, rest: f32) -> Vec<Line> {
        let bidi = is_mixed(text).then(|| BidiInfo::new(text, None));
        let mut lines = Vec::new();
        let (mut start, mut end, mut used) = (0, 0, 0.0);
        for word in words(text) {
            let width = if lines.is_empty() { first } else { rest };
            let visible = self.width(word.trim_end(), style);
            if used + visible > width && end > start {
                lines.push(self.set(&text[start..end], start, bidi.as_ref(), style));
                (start, used) = (end, 0.0);
            }
            let width = if lines.is_empty() { first } else { rest };
            if visible > width {
                let (broken, rest) = self.break_word(word, start, bidi.as_ref(), style, width);
                lines.extend(broken);
                start = end + word.len() - rest;
                used = self.width(&word[word.len() - rest..], style);
            } else {
                used += self.width(word, style);
            }
            end += word.len();
        }
        if end > start || lines.is_empty() {
            lines.push(self.set(&text[start..end], start, bidi.as_ref(), style));
        }
        lines
    }

    /// Breaks a word that is wider than a line; tells how many bytes are left for the line after.
    fn break_word(
        &self,
        word: &str,
        offset: usize,
        bidi: Option<&BidiInfo<'_>>,
        style: &Style,
        width: f32,
    ) -> (Vec<Line>, usize) {
        let mut lines = Vec::new();
        let (mut start, mut used) = (0, 0.0);
        for (at, character) in word.char_indices() {
            let advance = self.width(character.encode_utf8(&mut [0; 4]), style);
            if used + advance > width && at > start {
                lines.push(self.set(&word[start..at], offset + start, bidi, style));
                (start, used) = (at, 0.0);
            }
            used += advance;
        }
        (lines, word.len() - start)
    }

    /// Sets a line that begins at byte `offset` of its paragraph.
    fn set(&self, text: &str, offset: usize, bidi: Option<&BidiInfo<'_>>, style: &Style) -> Line {
        let visible = text.trim_end();
        let is_rtl = bidi.and_then(|bidi| bidi.paragraphs.first()).is_some_and(|first| first.level.is_rtl());
        let runs = match bidi {
            None => self.faces.shape(text, style.weight, false),
            Some(bidi) => self.ordered(visible, offset, bidi, style),
        };
        let width = if bidi.is_none() {
            let trailing = text.len() - visible.len();
            let space = if trailing > 0 { self.width(&text[visible.len()..], style) } else { 0.0 };
            runs.iter().map(|run| run.width).sum::<f32>() * style.size - space
        } else {
            runs.iter().map(|run| run.width).sum::<f32>() * style.size
        };
        Line { runs, width, is_rtl }
    }

    /// Runs of both directions from left to right.
    fn ordered(&self, text: &str, offset: usize, bidi: &BidiInfo<'_>, style: &Style) -> Vec<Run> {
        let level = |at: usize| bidi.levels.get(offset + at).copied().unwrap_or_else(Level::ltr);
        let mut pieces: Vec<(Level, std::ops::Range<usize>)> = Vec::new();
        for (at, character) in text.char_indices() {
            let end = at + character.len_utf8();
            match pieces.last_mut() {
                Some((last, range)) if *last == level(at) => range.end = end,
                _ => pieces.push((level(at), at..end)),
            }
        }
        let levels: Vec<Level> = pieces.iter().map(|(level, _)| *level).collect();
        let order = BidiInfo::reorder_visual(&levels);
        let in_order = order.into_iter().filter_map(|index| pieces.get(index));
        in_order
            .flat_map(|(level, range)| self.faces.shape(&text[range.clone()], style.weight, level.is_rtl()))
            .collect()
    }
}

/// True when any letter runs from right to left; everything else needs no reordering.
fn is_mixed(text: &str) -> bool {
    text.chars().any(|character| {
        matches!(character, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
    })
}

/// The pieces between which a line may be broken, spaces at their ends.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut characters = rest.char_indices().peekable();
        while let Some((_, character)) = characters.next() {
            let Some((next, following)) = characters.peek().copied() else { break };
            let breaks = (character == ' ' && following != ' ')
                || matches!(character, '-' | '/' | '–' | '—') && following.is_alphabetic()
                || (is_ideograph(character) || is_ideograph(following)) && following != ' ';
            if breaks {
                let (word, after) = rest.split_at(next);
                rest = after;
                return Some(word);
            }
        }
        (!rest.is_empty()).then(|| std::mem::take(&mut rest))
    })
}

/// Scripts without spaces between words.
fn is_ideograph(character: char) -> bool {
    matches!(character, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    thread_local! {
        /// Loading the typefaces for every case would take most of the time.
        static SETTER: Setter = setter();
    }

    fn setter() -> Setter {
        Setter::new(Faces::load().unwrap())
    }

    fn style() -> Style {
        Style::new(10.0, Weight::Regular, Ink::TEXT)
    }

    fn texts(lines: &[Line]) -> Vec<String> {
        lines.iter().map(|line| line.runs.iter().map(|run| run.text.as_str()).collect()).collect()
    }

    #[test]
    fn lines_break_at_spaces_and_keep_them() {
        let lines = setter().lines("the rate of reaction rises", &style(), 60.0);
        assert_eq!(texts(&lines), ["the rate of ", "reaction ", "rises"]);
        assert!(lines.iter().all(|line| line.width <= 60.0));
    }

    #[test]
    fn the_first_line_can_have_less_room() {
        let lines = setter().lines_after("the rate of reaction rises", &style(), 20.0, 90.0);
        assert_eq!(texts(&lines), ["the ", "rate of reaction ", "rises"]);
    }

    #[test]
    fn a_word_wider_than_the_line_is_broken() {
        let lines = setter().lines("Donaudampfschifffahrtsgesellschaft ok", &style(), 50.0);
        assert!(lines.len() > 3);
        assert!(lines.iter().all(|line| line.width <= 50.5));
        assert_eq!(texts(&lines).concat(), "Donaudampfschifffahrtsgesellschaft ok");
    }

    #[test]
    fn arabic_runs_from_right_to_left() {
        let line = setter().line("السلام abc", &style());
        assert!(line.is_rtl);
        assert!(line.runs[0].text.contains("abc"));
    }

    #[test]
    fn what_does_not_fit_is_cut_with_an_ellipsis() {
        let line = setter().clipped("one two three four five six", &style(), 60.0);
        let text: String = line.runs.iter().map(|run| run.text.as_str()).collect();
        assert!(text.ends_with('…') && line.width <= 60.5, "{text}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn no_text_panics_and_no_line_is_too_wide(text in "\\PC{0,60}", width in 20.0_f32..200.0) {
            for line in SETTER.with(|setter| setter.lines(&text, &style(), width)) {
                // One character may be wider than a very narrow column, and shaping may join or part letters.
                prop_assert!(line.width <= width + 25.0, "{} > {width}", line.width);
            }
        }

        #[test]
        fn latin_lines_keep_every_letter(text in "[a-z ,.-]{0,80}") {
            let lines = SETTER.with(|setter| setter.lines(&text, &style(), 60.0));
            prop_assert_eq!(texts(&lines).concat(), text);
        }
    }
}
