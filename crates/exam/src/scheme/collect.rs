//! Lines of a scheme gathered under the labels that the paper has.

use super::column::{bare_number, column_mark};
use super::known::Known;
use super::spelled;
use super::{Entry, EntryLine, Scheme, objectives};
use crate::flow::Line;
use crate::labels::{self, Kind, Label, Style, Token};
use crate::marks::{self, Certainty, Scope};
use crate::numbering::Outline;
use domain::marks::Marks;
use lexicon::Concept;
use lexicon::english::papers;
use reader::page::Word;

/// Collects lines under labels.
pub(super) struct Collector<'k> {
    known: &'k Known,
    section: usize,
    /// Headings of sections tell where one begins; without them, a number that begins again does.
    headed: bool,
    /// The run of numbers that the last heading ended, and its last number.
    left: Option<(usize, u32)>,
    /// Lines such as "B. Grammar" under which the numbers begin with 1: page and top.
    lettered: Vec<(u32, f32)>,
    pub(super) scheme: Scheme,
    pub(super) path: Vec<Token>,
    bottom: f32,
    /// Where a solution has begun: what follows there, and in the parts below it, repeats nothing.
    solved: Option<Vec<Token>>,
}

/// True for an answer that says nothing but whether a statement is true: "F".
fn gives_verdict(entry: &Entry) -> bool {
    let [only] = entry.lines.as_slice() else { return false };
    let bare = only.answer.trim().trim_end_matches(['.', ';', ',']);
    let letter = bare.parse().is_ok_and(|letter: char| papers::VERDICT_CAPITALS.contains(&letter));
    letter || lexicon::is(Concept::Verdict, &bare.to_lowercase())
}

fn before_ends(word: &str) -> bool {
    word.ends_with([';', '.'])
}

impl<'k> Collector<'k> {
    pub(super) fn new(known: &'k Known, all: &[(Line<'_>, bool)]) -> Collector<'k> {
        let lettered = if known.counts_again() { lettered_headings(all) } else { Vec::new() };
        Collector {
            known,
            section: 0,
            headed: false,
            left: None,
            lettered,
            scheme: Scheme::default(),
            path: Vec::new(),
            bottom: 0.0,
            solved: None,
        }
    }

    /// Takes up the heading of a section; true when the line is one.
    pub(super) fn heading(&mut self, line: &Line<'_>) -> bool {
        let again = self.known.counts_again();
        let lettered = again && self.is_lettered_heading(line);
        let kind = again && lexicon::is(Concept::KindHeading, &line.text().to_lowercase());
        let heads = lettered || kind || self.known.is_title(line) || crate::paper::is_section_heading(line);
        if !heads || self.chooses(line) {
            return false;
        }
        if again {
            // A section may be passed over whose answers stand in a table of letters.
            let begun = !self.path.is_empty() || self.known.is_answered_above(self.section, line);
            let next = self.section + usize::from(begun);
            self.left = self.path.first().map(|last| (self.section, last.value)).or(self.left);
            // Keys that stand in columns are not in the paper's order.
            let is_free = |named: &usize| self.scheme.entries.iter().all(|entry| entry.section != *named);
            let named = self.known.grouped(line).filter(|named| *named >= next || is_free(named));
            self.section = named.unwrap_or(next);
            self.headed = true;
            self.path.clear();
        }
        true
    }

    /// True for "Opção (C)" where the current part offers options and has no answer yet.
    fn chooses(&self, line: &Line<'_>) -> bool {
        let [_, letter] = line.words else { return false };
        let bracketed = letter.text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let own = |entry: &&Entry| entry.section == self.section && entry.path == self.path;
        let open = self.scheme.entries.iter().find(own).is_some_and(|entry| !entry.says_something());
        bracketed.is_some_and(|inner| inner.len() == 1)
            && open
            && self.known.offers_at(self.section, &self.path)
    }

    /// "B." or "B. Grammar" after all of section A, "II. Fill in (4 points each)" after all of section I.
    fn is_lettered_heading(&self, line: &Line<'_>) -> bool {
        const LONGEST: usize = 12;
        let passed = self.section + usize::from(!self.path.is_empty());
        let letter = u8::try_from(passed).ok().and_then(|passed| b'A'.checked_add(passed)).map(char::from);
        let first = line.words[0].text.as_str();
        let lettered = || first.strip_suffix(['.', ')', ':']).and_then(|own| own.parse().ok()) == letter;
        line.words.len() <= LONGEST
            && self.lettered.contains(&(line.page, line.place.y0))
            && (letter.is_some() && lettered() || numeral(line) == Some(passed + 1))
    }

    /// Takes up a label and gives back what of it the paper does not have, as text. `None` when the
    /// paper has no such part after the current one.
    pub(super) fn enter(&mut self, tokens: &[Token], page: u32) -> Option<String> {
        let number = |path: &[Token]| path.first().map_or(0, |token| token.value);
        // A heading within a run of numbers: what follows goes on counting.
        if let Some((section, last)) = self.left.take()
            && tokens.first()?.kind == Kind::Number
            && last > 0
            && number(tokens) == last + 1
            && self.known.resolve(section, &[], tokens).is_some()
        {
            self.section = section;
        }
        let begins_again = tokens.first()?.kind == Kind::Number && number(tokens) < number(&self.path);
        // "16 (a)" where this section's 16 has no parts and the next one's has: the next has begun.
        let whole = |section: usize| {
            let found = self.known.resolve(section, &self.path, tokens);
            found.is_some_and(|(_, used)| used == tokens.len())
        };
        let repeats = (self.path.is_empty() || number(tokens) == number(&self.path))
            && tokens.len() > 1
            && !whole(self.section)
            && whole(self.section + 1);
        let section = self.section + usize::from((begins_again && !self.headed) || repeats);
        self.move_on(tokens, section);
        let section = if self.section > section { self.section } else { section };
        let next = self.known.resolve(section, &self.path, tokens).map(|found| (section, found));
        let own = || self.known.resolve(self.section, &self.path, tokens).map(|found| (self.section, found));
        let (section, (path, used)) = next.or_else(own)?;
        self.section = section;
        self.path = path;
        if !self.scheme.entries.iter().any(|entry| entry.section == section && entry.path == self.path) {
            self.scheme.entries.push(Entry { path: self.path.clone(), section, page, ..Entry::default() });
        }
        Some(tokens[used..].iter().map(|token| token.display()).collect())
    }

    /// True for the label of the leaf right behind the current one, or of the first below a heading.
    pub(super) fn is_next_leaf(&self, tokens: &[Token]) -> bool {
        let Some((path, used)) = self.known.resolve(self.section, &self.path, tokens) else { return false };
        let Some(order) = self.known.order.get(self.section) else { return false };
        let at = order.iter().position(|leaf| leaf.starts_with(&path));
        let current = order.iter().position(|leaf| leaf.starts_with(&self.path));
        let heads = path.len() > self.path.len() && path.starts_with(&self.path);
        let next = at.zip(current).is_some_and(|(at, current)| at == current + usize::from(!heads));
        used == tokens.len() && next
    }

    /// True when the current question has this part.
    pub(super) fn has_part(&self, tokens: &[Token]) -> bool {
        self.known.resolve(self.section, &self.path, tokens).is_some_and(|(_, used)| used == tokens.len())
    }

    /// True for the letter of a part that comes before the current one of its question and is answered: it counts
    /// something else, such as the rows of a table.
    pub(super) fn counts_within(&self, tokens: &[Token]) -> bool {
        let Some((path, _)) = self.known.resolve(self.section, &self.path, tokens) else { return false };
        let order = self.known.order.get(self.section);
        let place = |path: &[Token]| order?.iter().position(|leaf| leaf.starts_with(path));
        let answered = |entry: &Entry| {
            let echoes = entry.lines.iter().filter(|line| line.repeats_question).count();
            let said = entry.lines.len() > 2 * echoes && !gives_verdict(entry);
            entry.section == self.section && entry.path == path && said
        };
        tokens[0].kind != Kind::Number
            && path.first() == self.path.first()
            && place(&path).zip(place(&self.path)).is_some_and(|(own, current)| own < current)
            && self.scheme.entries.iter().any(answered)
    }

    /// True for a later part of which the scheme has said nothing but whether its statement is true.
    fn gives_verdict_on(&self, path: &[Token]) -> bool {
        let own = |entry: &Entry| entry.section == self.section && entry.path == path;
        let order = self.known.order.get(self.section);
        let place = |path: &[Token]| order?.iter().position(|leaf| leaf == path);
        let later = place(path).zip(place(&self.path)).is_some_and(|(own, current)| own > current);
        later && self.scheme.entries.iter().any(|entry| own(entry) && gives_verdict(entry))
    }

    /// True for the number of a question before the current one where no other run of numbers begins behind it: the
    /// top of a fraction, or a footnote's.
    pub(super) fn falls_back(&self, tokens: &[Token]) -> bool {
        let own =
            |path: &[Token]| path.first().filter(|first| first.kind == Kind::Number).map(|first| first.value);
        let back = own(tokens).zip(own(&self.path)).is_some_and(|(number, current)| number < current);
        let answered = |entry: &Entry| {
            entry.section == self.section && own(&entry.path) == own(tokens) && !entry.lines.is_empty()
        };
        back && self.known.resolve(self.section + 1, &[], tokens).is_none()
            && self.scheme.entries.iter().any(answered)
    }

    /// A scheme that answers only the second of two runs of numbers shows it by going beyond the first: what it
    /// said so far is the second's.
    fn move_on(&mut self, tokens: &[Token], section: usize) {
        let has = |section: usize, tokens: &[Token]| self.known.resolve(section, &[], tokens).is_some();
        let beyond = tokens.first().is_some_and(|first| first.kind == Kind::Number)
            && section == self.section
            && !has(section, tokens)
            && has(section + 1, tokens);
        let own = || self.scheme.entries.iter().filter(|entry| entry.section == section);
        if beyond && !self.headed && own().count() > 0 && own().all(|entry| has(section + 1, &entry.path)) {
            self.section = section + 1;
            for entry in self.scheme.entries.iter_mut().filter(|entry| entry.section == section) {
                entry.section = section + 1;
            }
        }
    }

    /// The label of the very next part inside a line, after some words of the current part's answer and
    /// before some of its own.
    pub(super) fn next_inside(
        &self,
        texts: &[&str],
        from: usize,
        (outline, announced): (Outline, bool),
    ) -> Option<(usize, Label)> {
        let after = self.known.leaf_after(self.section, &self.path);
        // "In this order: 1) iron; 2) zinc" begins the parts of a question behind some words about all of them.
        let is_head = after.is_none() && texts[from..].iter().any(|word| word.ends_with(':'));
        let next = after.or_else(|| self.known.first_below(self.section, &self.path).filter(|_| is_head))?;
        let number = self.path.first()?.value;
        // The question is repeated, and names something by a letter: "yellow (b) and banded (N)".
        let is_asked = |at: usize, words: usize| {
            let around = at.saturating_sub(2)..(at + words + 1).min(texts.len());
            self.known.asked.quotes(number, &texts[around])
        };
        (from + 1..texts.len().saturating_sub(1)).find_map(|at| {
            let label = outline.parse(&texts[at..])?;
            let closed = matches!(label.style, Style::Dot | Style::Close | Style::Brackets | Style::Path);
            let before = texts[at - 1].trim_end_matches([',', ';']).to_lowercase();
            let spoken_of = lexicon::english::schemes::SPOKEN_OF.has(&before)
                || before.ends_with(['=', '+', '-', '×', '/']);
            let has_text = texts.len() > at + label.words && !label.glued;
            // The "2)" of "f(1, 2) = 3" closes a bracket.
            let signs =
                |sign: char| texts[from..at].iter().map(|word| word.matches(sign).count()).sum::<usize>();
            let closes = label.style == Style::Close && signs('(') > signs(')');
            let (path, used) = self.known.resolve(self.section, &self.path, &label.tokens)?;
            // "b) iron rusts; e) zinc does not": what is true in place of statements that were said to be false.
            let corrects = before_ends(texts[at - 1]) && self.gives_verdict_on(&path);
            let whole = used == label.tokens.len() && (path == next || corrects);
            // "(1)" may be a mark, whatever the paper counts with.
            let number = label.style == Style::Brackets
                && label.tokens[0].kind != Kind::Letter
                && label.tokens[0].kind != Kind::Roman;
            let begins = !is_head || texts[at - 1].ends_with(':');
            // "1. – T, 2. – F" counts within a part where a word announces the questions.
            let counts_within = announced && path.len() == 1 && label.style != Style::Keyword;
            let clear =
                begins && !counts_within && closed && !closes && !spoken_of && has_text && whole && !number;
            (clear && !is_asked(at, label.words)).then_some((at, label))
        })
    }

    /// True when a letter alone may be the answer to a question: it offers letters, or it comes next.
    pub(super) fn expects_letter(&self, number: u32) -> bool {
        let current = self.path.first().map_or(0, |own| own.value);
        self.known.offers(number) || number == current + 1
    }

    /// Takes up a label inside the answer column: "(ii)" under a row labelled 2(a).
    pub(super) fn enter_inner(&mut self, answer: &mut String, page: u32) {
        let words: Vec<&str> = answer.split_whitespace().collect();
        let Some(label) = labels::parse(&words) else { return };
        let level = label.style == Style::Brackets && label.tokens[0].kind != Kind::Number;
        if level
            && !self.path.is_empty()
            && let Some(rest) = self.enter(&label.tokens, page)
        {
            *answer = lead_with(&rest, &words[label.words..].join(" "));
        }
    }

    pub(super) fn add(&mut self, line: &Line<'_>, mut entry_line: EntryLine) {
        for text in [&mut entry_line.answer, &mut entry_line.marks, &mut entry_line.guidance] {
            *text = objectives::without(text);
        }
        for text in [&mut entry_line.answer, &mut entry_line.guidance] {
            if let Some(marks) = spelled::take_scale(text) {
                self.state(marks);
            }
        }
        if self.notes_total(&entry_line) || sums_up(&entry_line) || is_unmapped(&entry_line) {
            return;
        }
        let height = line.place.height().max(1.0);
        entry_line.space = (line.place.y0 - self.bottom) / height;
        self.bottom = line.place.y1;
        let Some(number) = self.path.first().map(|number| number.value) else { return };
        let first =
            entry_line.answer.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase();
        if lexicon::is(Concept::SolutionLead, &first) {
            self.solved = Some(self.path.clone());
        }
        let is_solving = self.solved.as_ref().is_some_and(|at| self.path.starts_with(at));
        let (path, section) = (&self.path, self.section);
        let own = |entry: &&mut Entry| entry.section == section && entry.path == *path;
        if let Some(entry) = self.scheme.entries.iter_mut().find(own) {
            let said = entry.lines.iter().rfind(|line| !line.answer.is_empty());
            let after = said.filter(|last| last.repeats_question && entry_line.space < 0.75);
            let goes_on = after.is_some();
            let ends =
                after.is_some_and(|last| self.known.asked.ends(number, &last.answer, &entry_line.answer));
            let is_asking = !self.known.offers(number)
                && entry.lines.iter().all(|line| line.repeats_question || line.answer.trim().is_empty());
            // What earns "B1" or "– 1 point" is an answer, however much of the question it says.
            let earns = column_mark(&entry_line.marks).is_some_and(|mark| mark.lettered)
                || is_priced(&entry_line.answer)
                || goes_on_earning(&entry.lines, &entry_line.answer)
                || self.known.asked.is_answered_by(number, &entry_line.answer);
            entry_line.repeats_question = !is_solving
                && !earns
                && !says_which(&entry_line.answer)
                && (ends
                    || self.known.asked.repeats(number, &entry_line.answer, goes_on)
                    || (entry.lines.is_empty() && self.known.asked.opens(number, &entry_line.answer))
                    || (is_asking && self.known.asked.holds(number, &entry_line.answer)));
            if let Some(last) = entry.lines.last().filter(|_| goes_on && !entry_line.repeats_question) {
                let answer = self.known.asked.behind(&last.answer, &entry_line.answer).map(str::to_owned);
                entry_line.answer = answer.unwrap_or(entry_line.answer);
            }
            if let Some(last) = entry.lines.last_mut().filter(|last| last.prices(&entry_line)) {
                entry_line.marks = std::mem::take(&mut last.marks);
            }
            entry.lines.push(entry_line);
        }
    }
}

/// The value of the capital numeral that a line begins with, where no other label follows it.
fn numeral(line: &Line<'_>) -> Option<usize> {
    let texts = line.texts();
    let label = labels::parse_capital(&texts)?;
    let closed = matches!(label.style, Style::Dot | Style::Close) && label.words == 1;
    let plain = labels::parse(&texts[1..]).is_none();
    usize::try_from(label.tokens[0].value).ok().filter(|_| closed && plain && label.tokens.len() == 1)
}

/// Lines that begin with a capital letter or numeral and have the number 1 for the next label: options have not.
fn lettered_headings(all: &[(Line<'_>, bool)]) -> Vec<(u32, f32)> {
    const LEAD: usize = 5;
    let begins = |line: &Line<'_>| {
        let first = line.words[0].text.as_str();
        let letter = first.len() == 2
            && first.starts_with(|c: char| c.is_ascii_uppercase())
            && first.ends_with(['.', ')', ':']);
        letter || numeral(line).is_some()
    };
    let starts_at_one = |at: usize| {
        let label = |line: &Line<'_>| Some((labels::parse(&line.texts())?, line.words.len()));
        let below = all[at + 1..].iter().take(LEAD).find_map(|(line, _)| label(line));
        // A number by itself is the top of a fraction.
        let counts = |label: &Label, words: usize| label.style != Style::Bare || words > label.words;
        below.is_some_and(|(label, words)| {
            label.tokens[0] == Token::new(Kind::Number, 1) && counts(&label, words)
        })
    };
    let found = all.iter().enumerate().filter(|(at, (line, _))| begins(line) && starts_at_one(*at));
    found.map(|(_, (line, _))| (line.page, line.place.y0)).collect()
}

impl Collector<'_> {
    /// Notes what the current part is worth as a whole, where nothing was said of it before.
    pub(super) fn state(&mut self, total: Marks) {
        let (path, section) = (&self.path, self.section);
        let own = |entry: &&mut Entry| entry.section == section && entry.path == *path;
        if let Some(entry) = self.scheme.entries.iter_mut().find(own) {
            entry.stated = entry.stated.or(Some(total));
        }
    }

    /// Takes up "Total for part (b) 2 points"; true when the line says that.
    fn notes_total(&mut self, line: &EntryLine) -> bool {
        let text = [line.answer.as_str(), line.marks.as_str()].join(" ");
        let Some((tokens, total)) = part_total(&text) else { return false };
        let Some((path, _)) = self.known.resolve(self.section, &self.path, &tokens) else { return false };
        let section = self.section;
        let own = |entry: &&mut Entry| entry.section == section && entry.path == path;
        if let Some(entry) = self.scheme.entries.iter_mut().find(own) {
            entry.stated = Some(total);
        }
        true
    }
}

/// True for a line whose signs the document gives no meaning: the print of a frame or a drawing.
fn is_unmapped(line: &EntryLine) -> bool {
    let meaningless = |c: char| c == char::REPLACEMENT_CHARACTER || c.is_whitespace();
    !line.answer.trim().is_empty() && line.answer.chars().all(meaningless) && line.marks.is_empty()
}

/// "Total for part (b) 2 points", "Total for question 3(b): 2": which part, and its marks.
fn part_total(text: &str) -> Option<(Vec<Token>, Marks)> {
    const LONGEST: usize = 9;
    let words: Vec<&str> = text.split_whitespace().collect();
    let (first, rest) = words.split_first().filter(|_| words.len() <= LONGEST)?;
    if !lexicon::is(Concept::Total, &first.to_lowercase()) {
        return None;
    }
    let label = (0..rest.len()).find_map(|at| {
        labels::parse(&rest[at..])
            .filter(|label| matches!(label.style, Style::Brackets | Style::Path | Style::Keyword))
    })?;
    let number = |word: &&&str| {
        let bare = word.trim_matches(|c: char| !c.is_ascii_digit() && c != '.');
        bare.parse::<f64>().ok().filter(|_| !word.starts_with(['(']) || word.ends_with(')'))
    };
    let unit = rest.last().is_some_and(|last| marks::is_unit(&last.to_lowercase()));
    let marks = rest.iter().rev().skip(usize::from(unit)).take(1).find_map(|word| number(&word))?;
    Marks::from_number(marks).filter(|marks| !marks.is_zero()).map(|marks| (label.tokens, marks))
}

/// True for a wording with its price behind a dash or before it: "iron and water – 1 point", "[1] iron".
fn is_priced(answer: &str) -> bool {
    let before = answer.strip_prefix('[').and_then(|rest| rest.split_once("] "));
    if before.is_some_and(|(mark, _)| bare_number(mark).is_some()) {
        return true;
    }
    let words: Vec<&str> = answer.split_whitespace().collect();
    let note = marks::at_end(&words).filter(|note| note.certainty == Certainty::Sure && !note.bracketed);
    let before = note.and_then(|note| words.get(..words.len() - note.words)).unwrap_or_default();
    matches!(before, [_, .., "–" | "-" | "—"])
}

/// True for a line with the same marks at its end as the answer before it: what repeats the question stands above.
fn goes_on_earning(before: &[EntryLine], answer: &str) -> bool {
    let price = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let note = marks::at_end(&words).filter(|note| note.words < words.len());
        note.filter(|note| note.bracketed && note.scope == Scope::Part).map(|note| note.marks)
    };
    let last = before.last().filter(|last| !last.repeats_question).and_then(|last| price(&last.answer));
    last.is_some() && last == price(answer)
}

/// True for a statement of the question's with what it is: "Light is a wave. - True".
fn says_which(answer: &str) -> bool {
    let words: Vec<&str> =
        answer.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let [.., before, last] = words.as_slice() else { return false };
    let verdict = lexicon::is(Concept::Verdict, &last.to_lowercase());
    verdict && !lexicon::english::schemes::BEFORE_VERDICT.has(before)
}

/// "Total: 4 marks", "(5 x 2) (10)" and "Question 1 total" sum up and answer nothing.
fn sums_up(line: &EntryLine) -> bool {
    let words: Vec<&str> = line.answer.split_whitespace().collect();
    let whole = marks::at_end(&words).filter(|note| note.words == words.len());
    let stated = whole.is_some_and(|note| note.scope != Scope::Part || note.shared.is_some());
    let lower = line.answer.to_lowercase();
    let named: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty() && !word.chars().all(|c| c.is_ascii_digit()))
        .collect();
    let of_question = lexicon::english::schemes::QUESTION_TOTALS.iter().any(|total| *total == named);
    // "Total | 3", and not "[Total =] 1722 | A1", which is an answer.
    let counts = line.answer.contains(|c: char| c.is_ascii_digit() || c == '=');
    let total = matches!(named[..], [only] if lexicon::is(Concept::Total, only));
    let alone = total && !counts && !line.marks.is_empty();
    (stated && line.marks.is_empty()) || alone || of_question || is_statistic(&words)
}

/// "Marks 0 1 2 Average" and "% 20 40 40 1.2" tell how a cohort did.
fn is_statistic(words: &[&str]) -> bool {
    let [first, rest @ ..] = words else { return false };
    let first = first.to_lowercase();
    let number = |word: &&&str| word.trim_end_matches('%').parse::<f32>().is_ok();
    let numbers = rest.iter().filter(number).count();
    let others = rest.iter().filter(|word| !number(word));
    let known = |word: &&str| lexicon::english::schemes::STATISTICS.has(&word.to_lowercase());
    lexicon::english::schemes::STATISTIC_LEADS.has(&first) && numbers >= 2 && others.into_iter().all(known)
}

/// Puts what is left of a label back before its text.
pub(super) fn lead_with(rest: &str, text: &str) -> String {
    if rest.is_empty() { text.to_owned() } else { format!("{rest} {text}") }
}

/// Words that stand out from the others of their line.
pub(super) fn strong(words: &[&Word]) -> Vec<String> {
    let stands_out = |word: &&&Word| is_strong(word) && word.text.chars().any(char::is_alphabetic);
    let marked: Vec<String> = words.iter().filter(stands_out).map(|word| word.text.clone()).collect();
    if marked.len() * 2 > words.len() { Vec::new() } else { marked }
}

/// True where all words stand out from other lines, but for a letter that labels them.
pub(super) fn all_strong(words: &[&Word]) -> bool {
    let label = usize::from(words.len() > 1 && words[0].text.chars().count() <= 3);
    words.len() > label && words[label..].iter().all(|word| is_strong(word))
}

fn is_strong(word: &Word) -> bool {
    word.bold || word.underlined
}
