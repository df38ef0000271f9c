//! What was read for one leaf, as the marker wants it, and the way back from the marker's word numbers to
//! places on the page.

use domain::result::{Evidence, Place};
use exam::script::{Answer, Written};
use marker::WordRange;

/// What was read for one leaf.
#[derive(Debug, Default)]
pub(super) struct Reading<'s> {
    answers: Vec<&'s Answer>,
    /// All words in order: the marker's evidence counts them.
    words: Vec<&'s Written>,
}

impl<'s> Reading<'s> {
    /// One answer, or several that are judged together.
    pub(super) fn of(answers: impl Iterator<Item = &'s Answer>) -> Reading<'s> {
        let answers: Vec<&Answer> = answers.collect();
        let words = answers.iter().flat_map(|answer| &answer.words).collect();
        Reading { answers, words }
    }

    /// The same as the marker takes it.
    pub(super) fn to_marker(&self, hidden: &[String]) -> marker::Answer {
        let mut lines: Vec<Vec<(&str, f32)>> = Vec::new();
        for word in &self.words {
            if word.starts_line || lines.is_empty() {
                lines.push(Vec::new());
            }
            if let Some(line) = lines.last_mut() {
                line.push((&word.text, word.confidence));
            }
        }
        let mut answer = marker::Answer::from_words(lines);
        answer.selected = self.selected().map(str::to_owned).collect();
        answer.continues_elsewhere = self.answers.iter().any(|answer| answer.continues_elsewhere);
        answer.hidden = hidden.to_vec();
        answer
    }

    /// What was read, for people.
    pub(super) fn shown(&self) -> String {
        let texts: Vec<&str> =
            self.answers.iter().map(|answer| answer.text.as_str()).filter(|text| !text.is_empty()).collect();
        if texts.is_empty() { self.selected().collect::<Vec<_>>().join(", ") } else { texts.join("\n") }
    }

    /// How sure it is what was ticked, or that nothing was written at all; 1 where words say what the answer is, for
    /// the marker weighs their confidence itself.
    pub(super) fn sureness(&self) -> f64 {
        if !self.words.is_empty() {
            return 1.0;
        }
        f64::from(self.answers.iter().map(|answer| answer.legibility).fold(1.0, f32::min))
    }

    /// True when all that was written was struck out, and nothing was written in its place.
    pub(super) fn is_crossed_out(&self) -> bool {
        !self.words.is_empty() && self.words.iter().all(|word| word.crossed_out)
    }

    /// Where the answer stands: one place for each page.
    pub(super) fn places(&self) -> Vec<Place> {
        let mut places: Vec<Place> = Vec::new();
        for word in self.words.iter().copied().chain(self.ticks()) {
            let place = place(word);
            match places.iter_mut().find(|known| known.shares_page(&place)) {
                Some(known) => known.frame = known.frame.union(&place.frame),
                None => places.push(place),
            }
        }
        places
    }

    fn selected(&self) -> impl Iterator<Item = &'s str> {
        self.answers.iter().flat_map(|answer| &answer.selected).map(String::as_str)
    }

    fn ticks(&self) -> impl Iterator<Item = &'s Written> {
        self.answers.iter().flat_map(|answer| &answer.ticks)
    }
}

/// Words that evidence is made of.
pub(super) trait Words {
    /// The words of these ranges, one piece for each line.
    fn evidence(&self, ranges: &[WordRange]) -> Vec<Evidence>;

    /// The ticks by which options were chosen on the paper: where the student put a mark, ours belongs too.
    fn ticked(&self) -> Vec<Evidence> {
        Vec::new()
    }

    /// True when options were chosen by ticks on the paper.
    fn is_ticked(&self) -> bool {
        false
    }
}

/// An answer that a person typed: all that is known of its place is where the answer stands.
#[derive(Debug)]
pub(super) struct Retyped<'t> {
    words: Vec<&'t str>,
    place: Option<Place>,
}

impl<'t> Retyped<'t> {
    pub(super) fn new(text: &'t str, place: Option<Place>) -> Retyped<'t> {
        Retyped { words: text.split_whitespace().collect(), place }
    }
}

impl Words for Retyped<'_> {
    fn evidence(&self, ranges: &[WordRange]) -> Vec<Evidence> {
        let Some(place) = self.place else { return Vec::new() };
        let words = |range: &WordRange| {
            let to = (range.to as usize).min(self.words.len());
            Some(Evidence { place, text: self.words.get(range.from as usize..to)?.join(" ") })
        };
        ranges.iter().filter_map(words).collect()
    }
}

impl Words for Reading<'_> {
    /// An answer given by ticks alone shows its ticks.
    fn evidence(&self, ranges: &[WordRange]) -> Vec<Evidence> {
        if self.words.is_empty() {
            return self.ticked();
        }
        let mut pieces = Vec::new();
        for range in ranges {
            let (from, to) = (range.from as usize, (range.to as usize).min(self.words.len()));
            let Some(words) = self.words.get(from..to) else { continue };
            let belongs =
                |word: &&Written, next: &&Written| !next.starts_line && place(word).shares_page(&place(next));
            pieces.extend(words.chunk_by(belongs).map(piece));
        }
        pieces
    }

    fn ticked(&self) -> Vec<Evidence> {
        self.ticks().map(|tick| piece(&[tick])).collect()
    }

    fn is_ticked(&self) -> bool {
        self.ticks().next().is_some()
    }
}

fn place(word: &Written) -> Place {
    Place::new(word.file, &word.place)
}

/// Words of one line as one piece of evidence.
fn piece(words: &[&Written]) -> Evidence {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let whole = words
        .iter()
        .map(|word| place(word))
        .reduce(|whole, next| Place { frame: whole.frame.union(&next.frame), ..whole });
    Evidence { place: whole.unwrap_or_default(), text: texts.join(" ") }
}
