//! The columns of a scheme's table: question, answer, marks, guidance. Found by its header row, the
//! vertical rulings beside it, or the white between its columns.

use super::{celled, levels, objectives, unnamed};
use crate::flow::Line;
use crate::labels::{self, Style};
use lexicon::Concept;
use reader::page::{Direction, Page, Word};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Zone {
    Label,
    Answer,
    Marks,
    Guidance,
    /// Assessment objectives and the like, which earn nothing.
    Other,
}

/// Columns from left to right: where each begins and what it holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    columns: Vec<(f32, Zone)>,
    /// A column of its own holds the labels; else they begin the answers.
    pub(super) has_labels: bool,
    /// Several columns hold marks, each for one objective: a row earns their sum.
    pub(super) adds_up: bool,
    /// The middle of the name of the labels' column.
    labelled_at: Option<f32>,
}

impl Layout {
    /// The column in which a word's middle lies.
    pub(super) fn zone(&self, word: &Word) -> Zone {
        let (x, _) = word.place.centre();
        self.columns.iter().rev().find(|(from, _)| *from <= x).map_or(Zone::Label, |(_, zone)| *zone)
    }

    /// The same columns on a page that has no header of its own and rules them a little to one side.
    pub(super) fn fitted(&self, page: &Page) -> Layout {
        /// An edge of a column moves no farther from one page to the next.
        const REACH: f32 = 25.0;
        const SAME: f32 = 3.0;
        let rulings = upright_lines(page, 0.0, page.height);
        let mut fitted = self.clone();
        for (from, _) in &mut fitted.columns {
            let nearest =
                rulings.iter().copied().min_by(|a, b| (a - *from).abs().total_cmp(&(b - *from).abs()));
            let moved = nearest.filter(|x| (SAME..REACH).contains(&(x - *from).abs()));
            *from = moved.unwrap_or(*from);
        }
        let rises = fitted.columns.windows(2).all(|pair| pair[0].0 < pair[1].0);
        if rises { fitted } else { self.clone() }
    }

    /// The same with its marks column parted by the names below it: "AO1 AO2 Total". A total has the marks of all.
    pub(super) fn parted_by(&self, names: &Line<'_>) -> Option<Layout> {
        let zones: Option<Vec<Zone>> = names.words.iter().map(|word| zone_named(&word.text)).collect();
        let zones = zones.filter(|zones| zones.len() > 1 && zones.contains(&Zone::Other))?;
        let at = self.columns.iter().position(|(_, zone)| *zone == Zone::Marks)?;
        if !names.words.iter().all(|word| self.zone(word) == Zone::Marks) {
            return None;
        }
        let has_total = zones.contains(&Zone::Marks);
        let mut parted = self.clone();
        if !has_total && !names.words.iter().any(|word| objectives::is_tag(&word.text)) {
            // "AO / Spec. Ref." names one column beside the marks, in two lines.
            parted.columns.insert(at + 1, (names.words[0].place.x0 - names.words[0].size / 2.0, Zone::Other));
            return Some(parted);
        }
        parted.adds_up = !has_total;
        let mut from = self.columns[at].0;
        let inner = names.words.iter().zip(zones).map(|(word, zone)| {
            let begins = std::mem::replace(&mut from, word.place.x1 + 1.0);
            let objective = objectives::is_tag(&word.text);
            (begins, if objective && !has_total { Zone::Marks } else { zone })
        });
        let inner: Vec<(f32, Zone)> = inner.collect();
        parted.columns.splice(at..=at, inner);
        Some(parted)
    }

    /// Where the answer column ends; `None` when it is the last.
    pub(super) fn answer_end(&self) -> Option<f32> {
        let answer = self.columns.iter().position(|(_, zone)| *zone == Zone::Answer)?;
        self.columns[answer..].iter().find(|(_, zone)| *zone != Zone::Answer).map(|(from, _)| *from)
    }

    /// Where the answer column begins.
    pub(super) fn answer_edge(&self) -> f32 {
        self.columns.iter().find(|(_, zone)| *zone != Zone::Label).map_or(0.0, |(from, _)| *from)
    }

    /// A place within the column of labels: below its name, for a column without one may stand between it and the
    /// answers, with rules of its own.
    pub(super) fn label_middle(&self) -> f32 {
        if let Some(named) = self.labelled_at {
            return named;
        }
        let left = self.columns.first().map_or(0.0, |(from, _)| *from);
        (left.max(self.answer_edge() - 200.0) + self.answer_edge()) / 2.0
    }
}

/// A header cell: its extent and what its column holds.
pub(super) struct Heading {
    pub(super) x0: f32,
    pub(super) x1: f32,
    pub(super) zone: Zone,
    /// It names an assessment objective: "AO1".
    pub(super) is_objective: bool,
    /// It names a sum: "Total".
    pub(super) is_total: bool,
}

impl Heading {
    /// The name of a column as its words stand.
    fn of(cell: &[Word], zone: Zone) -> Heading {
        let (x0, x1) = (cell[0].place.x0, cell[cell.len() - 1].place.x1);
        Heading { x0, x1, zone, is_objective: false, is_total: false }
    }
}

/// Longer lines are text that happens to hold the words of a header.
const HEADER_WORDS: usize = 14;

/// Reads a header row: "Question | Answer | Marks | Guidance". `below` are the page's lines under it.
pub(super) fn header(line: &Line<'_>, page: &Page, below: &[&Line<'_>]) -> Option<Layout> {
    if line.words.len() > HEADER_WORDS {
        return None;
    }
    let mut headings = headings(line).or_else(|| celled::headings(line, below, page.width))?;
    // "Level | Marks | Description" heads the levels of one answer, and what follows them is running text.
    if levels::heads_table(line) && headings.iter().all(|heading| heading.zone != Zone::Label) {
        return None;
    }
    unnamed::add_answer(&mut headings, below, page.width);
    // Where no column is named for the answers, the one of what is accepted holds them.
    let named = |zone: Zone| headings.iter().any(|heading| heading.zone == zone);
    if !named(Zone::Answer)
        && named(Zone::Label)
        && named(Zone::Marks)
        && let Some(accepted) = headings.iter_mut().find(|heading| heading.zone == Zone::Guidance)
    {
        accepted.zone = Zone::Answer;
    }
    set_samples_aside(&mut headings, below);
    // "Marks | Total": the rows earn what the first column says, the last sums them up.
    let sums: Vec<usize> = (0..headings.len()).filter(|at| headings[*at].zone == Zone::Marks).collect();
    if let [.., first, last] = sums[..]
        && headings[last].is_total
        && !headings[first].is_total
    {
        headings[last].zone = Zone::Other;
    }
    let adds_up = !headings.iter().any(|heading| heading.zone == Zone::Marks);
    if adds_up {
        // Without a column for all of them, those of the objectives hold the marks.
        for heading in headings.iter_mut().filter(|heading| heading.is_objective) {
            heading.zone = Zone::Marks;
        }
    }
    let has = |zone: Zone| headings.iter().any(|heading| heading.zone == zone);
    if !has(Zone::Answer) || !(has(Zone::Marks) || has(Zone::Label)) {
        return None;
    }
    let rulings = upright_lines(page, line.place.y0, line.place.y1);
    let mut columns = Vec::new();
    for (index, heading) in headings.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| &headings[before]);
        let floor = before.map_or(0.0, |before| before.x1);
        let ruled = rulings.iter().rev().find(|x| **x <= heading.x0 + 2.0 && **x >= floor - 2.0);
        let from = match (ruled, before) {
            (Some(x), _) => *x,
            (None, Some(before)) => clearest(before.x1, heading.x0, below),
            (None, None) if heading.zone == Zone::Label => 0.0,
            (None, None) => clearest(line.place.x0 - 150.0, heading.x0, below),
        };
        columns.push((from, heading.zone));
    }
    // A column of labels often has no name.
    let edge = columns[0].0;
    let unnamed = |line: &&Line<'_>| line.words[0].place.centre().0 < edge;
    let has_labels = has(Zone::Label) || below.iter().any(unnamed);
    if columns[0].1 != Zone::Label {
        columns.insert(0, (0.0, Zone::Label));
    }
    columns[0].0 = 0.0;
    let label = headings.iter().rev().find(|heading| heading.zone == Zone::Label);
    let labelled_at = label.map(|heading| (heading.x0 + heading.x1) / 2.0);
    Some(Layout { columns, has_labels, adds_up, labelled_at })
}

/// "Sample response | The response": of two columns of answers the one in which marks are named earns, and the other shows
/// what an answer might look like, which is said to examiners.
fn set_samples_aside(headings: &mut [Heading], below: &[&Line<'_>]) {
    let answers: Vec<usize> = (0..headings.len()).filter(|at| headings[*at].zone == Zone::Answer).collect();
    let &[first, second] = answers.as_slice() else { return };
    let edge = headings[second].x0 - 2.0;
    let words = below.iter().flat_map(|line| line.words.windows(2));
    let (mut left, mut right) = (0, 0);
    for pair in words.filter(|pair| names_marks(pair)) {
        if pair[0].place.x0 < edge { left += 1 } else { right += 1 }
    }
    if left == 0 && right > 1 {
        headings[first].zone = Zone::Guidance;
    } else if right == 0 && left > 1 {
        headings[second].zone = Zone::Guidance;
    }
}

/// "[1 mark]", "(2 marks)".
fn names_marks(pair: &[Word]) -> bool {
    let number = pair[0].text.strip_prefix(['[', '(']);
    let is_number =
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()));
    let unit = pair[1].text.trim_end_matches([']', ')', '.', ',', ';']).to_lowercase();
    is_number && lexicon::is(Concept::MarkUnit, &unit)
}

/// True when a line holds nothing but the names of columns.
pub(super) fn is_part_of_header(line: &Line<'_>) -> bool {
    line.words.len() <= 4 && line.words.iter().all(|word| zone_named(&word.text).is_some())
}

/// White between two cells, in sizes of type.
const APART: f32 = 1.2;
/// The words of a line, parted by white.
pub(super) fn cells(words: &[Word]) -> Vec<&[Word]> {
    words.chunk_by(|one, next| next.place.x0 - one.place.x1 <= APART * next.size).collect()
}

/// So many words may head three cells, most of them without a known name.
const CELLS_WORDS: usize = 8;

/// Header cells: words with a gap or a change of meaning between them, each with a known name.
fn headings(line: &Line<'_>) -> Option<Vec<Heading>> {
    if let Some(named) = framed(line.words).or_else(|| priced(line.words)) {
        return Some(named);
    }
    let mut headings: Vec<Heading> = Vec::new();
    let (mut end, mut before) = (f32::NEG_INFINITY, "");
    let is_article = |word: &Word| lexicon::english::schemes::ARTICLE.has(&word.text.to_lowercase());
    let unknown = |word: &&Word| zone_named(&word.text).is_none() && !is_article(word);
    let unknown = line.words.iter().filter(unknown).count();
    let counts = |(at, word): (usize, &Word)| {
        // "AO2 1a" names one of an objective's strands.
        let strand = at.checked_sub(1).is_some_and(|before| objectives::is_tag(&line.words[before].text));
        word.text.chars().any(|c| c.is_ascii_digit())
            && zone_named(&word.text) != Some(Zone::Other)
            && !strand
    };
    let counted = line.words.iter().enumerate().any(counts);
    // "No. | Expected answer / method | Marks": three names, of which some begin cells, are no prose, whatever they go on
    // with.
    let is_apart = |pair: &[Word]| pair[1].place.x0 - pair[0].place.x1 > APART * pair[1].size;
    let most_unknown = unknown * 3 > line.words.len();
    if counted || (most_unknown && (line.words.len() > CELLS_WORDS || !line.words.windows(2).any(is_apart))) {
        return None;
    }
    // "The response" begins with its article.
    let mut article: Option<(f32, bool)> = None;
    for word in line.words {
        let zone = zone_named(&word.text);
        let apart = word.place.x0 - end > APART * word.size;
        if zone.is_none() && is_article(word) {
            article.get_or_insert((word.place.x0, apart));
            end = word.place.x1;
            continue;
        }
        let (x0, apart) = match article.take() {
            Some((begins, was_apart)) if was_apart && !apart => (begins, true),
            _ => (word.place.x0, apart),
        };
        // "Mark scheme" names the answer; else two meanings are two cells, however close.
        let last = headings.last().map(|last| last.zone);
        // So does "Hinweise zur Lösung".
        let led = last == Some(Zone::Guidance) && zone_named(before).is_none();
        let scheme = (last == Some(Zone::Marks) || led) && zone == Some(Zone::Answer) && !apart;
        // "Answers and guidance" names the answer, too.
        let joined = last == Some(Zone::Answer) && zone == Some(Zone::Guidance);
        let joined = joined && lexicon::is(Concept::And, &before.to_lowercase());
        let phrase = !apart && (joined || names_answer(before, &word.text));
        let another = zone.is_some() && zone != last && !scheme && !phrase;
        match (zone, headings.last_mut()) {
            (_, Some(last)) if !apart && !another => {
                last.x1 = word.place.x1;
                last.zone = zone.filter(|_| !phrase).unwrap_or(last.zone);
            }
            (Some(zone), _) => {
                let is_objective = objectives::is_tag(&word.text);
                let is_total = lexicon::is(Concept::Total, &word.text.to_lowercase());
                headings.push(Heading { x0, x1: word.place.x1, zone, is_objective, is_total });
            }
            (None, _) => return None,
        }
        (end, before) = (word.place.x1, &word.text);
    }
    // Scripts without capitals have no small letters either.
    let title = line.words[0].text.starts_with(|first: char| first.is_alphabetic() && !first.is_lowercase());
    let least = if most_unknown { 3 } else { 2 };
    (headings.len() >= least && title).then_some(headings)
}

/// "No. | Steps of the solution: 1 point for | Points": what stands between a column of labels and one of marks is the
/// answer, whatever it is called.
fn framed(words: &[Word]) -> Option<Vec<Heading>> {
    let apart = |pair: &[Word]| pair[1].place.x0 - pair[0].place.x1 > APART * pair[1].size;
    let gaps: Vec<usize> =
        words.windows(2).enumerate().filter(|(_, pair)| apart(pair)).map(|(at, _)| at).collect();
    let announces = |cell: &[Word]| {
        let texts: Vec<&str> = cell.iter().map(|word| word.text.as_str()).collect();
        labels::parse(&texts).is_some_and(|label| label.style == Style::Keyword)
    };
    let (first, last) = match gaps[..] {
        [first, last] => (first, last),
        // "Question Exercise 2 – A jump | Points": a narrow column stands close to the next.
        [last] if words.get(1..=last).is_some_and(announces) => (0, last),
        _ => return None,
    };
    let (label, answer, marks) = (&words[..=first], &words[first + 1..=last], &words[last + 1..]);
    let named = |cell: &[Word], zone: Zone| cell.iter().all(|word| zone_named(&word.text) == Some(zone));
    let says =
        |word: &Word| zone_named(&word.text).is_none_or(|zone| matches!(zone, Zone::Answer | Zone::Marks));
    // "Exercise 2 – A jump" names the answers of a question.
    let unknown = announces(answer) || answer.iter().all(says);
    let objective = answer.iter().any(|word| objectives::is_tag(&word.text));
    let phrase = answer.len() >= 2 && answer[0].text.starts_with(char::is_uppercase) && !objective;
    (named(label, Zone::Label) && named(marks, Zone::Marks) && unknown && phrase).then(|| {
        [(label, Zone::Label), (answer, Zone::Answer), (marks, Zone::Marks)]
            .map(|(cell, zone)| Heading::of(cell, zone))
            .into()
    })
}

/// "Content of a right answer and how it is marked | Points": whatever else a cell before the marks says, its first word
/// names the answer.
fn priced(words: &[Word]) -> Option<Vec<Heading>> {
    let [answer, marks] = cells(words)[..] else { return None };
    let opens = zone_named(&answer[0].text) == Some(Zone::Answer);
    let phrase = answer.len() >= 3 && answer[0].text.starts_with(char::is_uppercase);
    let priced = marks.iter().all(|word| zone_named(&word.text) == Some(Zone::Marks));
    (opens && phrase && priced)
        .then(|| vec![Heading::of(answer, Zone::Answer), Heading::of(marks, Zone::Marks)])
}

/// "Value points" and "Marking guidance" name the answer; "Generic scheme" keeps to what its first word says.
fn names_answer(before: &str, word: &str) -> bool {
    let (before, word) = (before.to_lowercase(), word.to_lowercase());
    let names = lexicon::english::schemes::ANSWER_COLUMNS;
    names.iter().any(|(first, second)| first.has(&before) && second.has(&word))
}

/// What the column of a name holds.
pub(super) fn zone_named(word: &str) -> Option<Zone> {
    let lower = word.to_lowercase();
    let first = lower.split('/').next().unwrap_or_default();
    // "Q.No.", "S.No."
    if lexicon::english::schemes::NUMBER_COLUMN.end(first.trim_end_matches('.')) {
        return Some(Zone::Label);
    }
    let name = first.trim_matches(|c: char| !c.is_alphanumeric());
    const ZONES: [(Concept, Zone); 5] = [
        (Concept::LabelColumn, Zone::Label),
        (Concept::AnswerColumn, Zone::Answer),
        (Concept::MarksColumn, Zone::Marks),
        (Concept::GuidanceColumn, Zone::Guidance),
        (Concept::OtherColumn, Zone::Other),
    ];
    // "Level | Descriptor | Mark": the level's name opens what it asks for.
    if lexicon::is(Concept::Level, name) {
        return Some(Zone::Answer);
    }
    let named = ZONES.iter().find(|(concept, _)| lexicon::is(*concept, name)).map(|(_, zone)| *zone);
    // "Accept" heads what else is right, and all that is right where no other column says it.
    named.or_else(|| {
        let remarks = [Concept::Accept, Concept::Reject, Concept::Ignore];
        remarks.iter().any(|concept| lexicon::is(*concept, name)).then_some(Zone::Guidance)
    })
}

/// Where vertical rulings and box edges cross a stretch of the page.
fn upright_lines(page: &Page, top: f32, bottom: f32) -> Vec<f32> {
    let crosses = |y0: f32, y1: f32| y0 <= bottom && y1 >= top;
    let rulings = page
        .rulings
        .iter()
        .filter(|ruling| ruling.direction == Direction::Vertical && crosses(ruling.place.y0, ruling.place.y1))
        .map(|ruling| ruling.place.x0);
    let boxes =
        page.boxes.iter().filter(|place| crosses(place.y0, place.y1) && place.height() < 0.9 * page.height);
    let mut xs: Vec<f32> = rulings.chain(boxes.flat_map(|place| [place.x0, place.x1])).collect();
    xs.sort_by(f32::total_cmp);
    xs
}

/// The place between two headings that the fewest words cross.
fn clearest(from: f32, to: f32, below: &[&Line<'_>]) -> f32 {
    let crossings = |x: f32| {
        let words = below.iter().flat_map(|line| line.words);
        words.filter(|word| word.place.x0 < x && word.place.x1 > x).count()
    };
    let steps = ((to - from) / 3.0).clamp(1.0, 120.0) as usize;
    let candidates = (0..=steps).map(|step| to - (to - from) * step as f32 / steps as f32);
    candidates.min_by_key(|x| crossings(*x)).unwrap_or(to)
}
