//! Formulae that are set over several lines, put into one: what stands above and below a bar becomes "a/b", what
//! stands under the bar of a root "√(a)", what is raised "xⁿ", and brackets that are drawn in pieces one bracket.

mod raised;
mod roots;

use super::layout::{Zone, zone_named};
use crate::labels::{self, Style};
use raised::raise;
use reader::page::{Direction, Page, Rect, Word};

/// A bar is no wider, in points: wider ones are rules of tables and lines to write on.
const WIDEST: f32 = 240.0;
/// Nor narrower.
const NARROWEST: f32 = 3.0;
/// A page with more is a drawing.
const MOST_BARS: usize = 200;
/// What belongs to a bar reaches no farther beyond its ends, in points.
const SLACK: f32 = 3.0;
/// So near to its end stands what a bar goes on from, in sizes of type.
const TOUCH: f32 = 0.4;

/// The words of a page with its formulae in one line each. `None` where there are none.
pub(super) fn in_line(page: &Page) -> Option<Vec<Word>> {
    let mut bars = bars(page);
    if bars.len() > MOST_BARS {
        return None;
    }
    // The inner fractions of one come first.
    bars.sort_by(|a, b| a.width().total_cmp(&b.width()));
    let mut words = page.words.clone();
    let mut changed = whole_brackets(&mut words);
    if !bars.is_empty() {
        changed |= raise(&mut words, &bars);
    }
    for bar in &bars {
        roots::cut(&mut words, bar);
        let found = stack(&words, bar).or_else(|| roots::root(&words, bar));
        if let Some(formula) = found {
            formula.replace(&mut words);
            changed = true;
        }
    }
    changed.then_some(words)
}

/// A piece of a tall bracket in a symbol font: the bracket that it is a piece of.
fn piece_of(word: &Word) -> Option<&'static str> {
    let mut signs = word.text.chars();
    let (first, None) = (signs.next()?, signs.next()) else { return None };
    match first {
        '\u{F0E6}'..='\u{F0E8}' | '⎛'..='⎝' => Some("("),
        '\u{F0F6}'..='\u{F0F8}' | '⎞'..='⎠' => Some(")"),
        '\u{F0E9}'..='\u{F0EB}' | '⎡'..='⎣' => Some("["),
        '\u{F0F9}'..='\u{F0FB}' | '⎤'..='⎦' => Some("]"),
        _ => None,
    }
}

/// Makes one bracket of the pieces of each tall one, beside the line in its middle.
fn whole_brackets(words: &mut Vec<Word>) -> bool {
    let mut changed = false;
    while let Some((first, sign)) =
        words.iter().enumerate().find_map(|(index, word)| Some((index, piece_of(word)?)))
    {
        let mut taken = vec![first];
        let mut place = words[first].place;
        // Pieces of one bracket stand right above each other.
        while let Some(next) = words.iter().enumerate().position(|(index, word)| {
            !taken.contains(&index)
                && piece_of(word) == Some(sign)
                && (word.place.x0 - place.x0).abs() < 1.5
                && word.place.y0 < place.y1 + 0.6 * word.size
                && place.y0 < word.place.y1 + 0.6 * word.size
        }) {
            place = place.union(&words[next].place);
            taken.push(next);
        }
        taken.sort_unstable();
        let middle = place.centre().1;
        let host = host(words, &taken, &place, middle);
        Formula { taken, text: sign.to_owned(), place, host, middle }.replace(words);
        changed = true;
    }
    changed
}

/// Flat rulings that no upright one meets and that are as short as a bar.
fn bars(page: &Page) -> Vec<Rect> {
    let upright: Vec<&Rect> = page
        .rulings
        .iter()
        .filter(|ruling| ruling.direction == Direction::Vertical)
        .map(|ruling| &ruling.place)
        .chain(&page.boxes)
        .collect();
    let meets = |bar: &Rect| {
        upright.iter().any(|line| {
            let near = |x: f32| (line.x0 - x).abs() < 2.0 || (line.x1 - x).abs() < 2.0;
            (near(bar.x0) || near(bar.x1)) && line.y0 - 2.0 <= bar.y0 && bar.y0 <= line.y1 + 2.0
        })
    };
    let flat = page.rulings.iter().filter(|ruling| ruling.direction == Direction::Horizontal);
    let short = flat.map(|ruling| ruling.place).filter(|bar| (NARROWEST..WIDEST).contains(&bar.width()));
    short.filter(|bar| !meets(bar)).collect()
}

/// Words that become one.
struct Formula {
    /// Which words, in reading order.
    taken: Vec<usize>,
    text: String,
    place: Rect,
    /// A word of the line that the formula stands in, where there is one.
    host: Option<usize>,
    middle: f32,
}

impl Formula {
    fn replace(self, words: &mut Vec<Word>) {
        let Some(first) = self.taken.first().copied() else { return };
        let size = self.taken.iter().map(|index| words[*index].size).fold(0.0, f32::max);
        let mut word = Word { text: self.text, place: self.place, size, ..words[first].clone() };
        word.underlined = false;
        word.crossed_out = false;
        // The line that it stands in has its height, so that it is read in that line.
        (word.baseline, word.place.y0, word.place.y1) = match self.host.map(|host| &words[host]) {
            Some(host) => (host.baseline, host.place.y0, host.place.y1),
            None => (self.middle + 0.3 * size, self.middle - 0.5 * size, self.middle + 0.5 * size),
        };
        if let Some(host) = self.host {
            word.size = words[host].size;
        }
        let at = match self.host {
            Some(host) if words[host].place.x0 < word.place.x0 => host + 1,
            Some(host) => host,
            None => first,
        };
        let before = self.taken.iter().filter(|index| **index < at).count();
        let mut index = 0;
        words.retain(|_| {
            index += 1;
            !self.taken.contains(&(index - 1))
        });
        words.insert(at - before, word);
    }
}

/// A fraction: something above the bar and something below it, neither wider than the bar.
fn stack(words: &[Word], bar: &Rect) -> Option<Formula> {
    let middle = (bar.y0 + bar.y1) / 2.0;
    let above = beside(words, bar, middle, Side::Above)?;
    let below = beside(words, bar, middle, Side::Below)?;
    let extent = |side: &[usize]| {
        side.iter().map(|index| words[*index].place).reduce(|all, word| all.union(&word)).unwrap_or_default()
    };
    let wide = extent(&above).width().max(extent(&below).width());
    // An underlined word stands over whatever comes next, which seldom is as wide.
    if wide < 0.5 * bar.width() || runs_on(words, &above, bar) || runs_on(words, &below, bar) {
        return None;
    }
    // What is set to the left under an underlined heading is its text.
    let (bottom, middle_of_bar) = (extent(&below), bar.centre().0);
    if bottom.width() < 0.5 * bar.width() && middle_of_bar - bottom.centre().0 > 0.25 * bar.width() {
        return None;
    }
    // Under a leader to the marks stands the next question, and an underlined "Question 4" heads its answer.
    if heads_question(words, &below) || is_heading(words, &above) {
        return None;
    }
    let text = format!("{}/{}", operand(&text(words, &above)), operand(&text(words, &below)));
    let place = Rect { y0: extent(&above).y0, y1: extent(&below).y1, ..*bar };
    let mut taken = [above, below].concat();
    taken.sort_unstable();
    let host = host(words, &taken, bar, middle);
    Some(Formula { taken, text, place, host, middle })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Above,
    Below,
}

/// The words right above or below a bar that keep to its width, from left to right.
fn beside(words: &[Word], bar: &Rect, middle: f32, side: Side) -> Option<Vec<usize>> {
    let inside =
        |word: &Word| !word.turned && word.place.x0 >= bar.x0 - SLACK && word.place.x1 <= bar.x1 + SLACK;
    let distance = |word: &Word| {
        let away = middle - word.place.centre().1;
        if side == Side::Above { away } else { -away }
    };
    // A fraction inside lifts the line that it stands in away from the bar.
    let tall = words.iter().any(|word| inside(word) && word.text.contains('/'));
    let near = |word: &Word| {
        let reach = 0.5 * word.place.height() + if tall { 1.5 } else { 0.75 } * word.size;
        (0.1 * word.size..reach).contains(&distance(word))
    };
    let found = || words.iter().enumerate().filter(|(_, word)| inside(word) && near(word));
    let nearest = found().map(|(_, word)| distance(word)).fold(f32::INFINITY, f32::min);
    let mut own: Vec<usize> = found()
        .filter(|(_, word)| distance(word) - nearest < 0.6 * word.size)
        .map(|(index, _)| index)
        .collect();
    own.sort_by(|a, b| words[*a].place.x0.total_cmp(&words[*b].place.x0));
    (!own.is_empty()).then_some(own)
}

/// True for words that begin with "2." or "b)" and go on.
fn heads_question(words: &[Word], side: &[usize]) -> bool {
    let texts: Vec<&str> = side.iter().map(|index| words[*index].text.as_str()).collect();
    let label = labels::parse(&texts).filter(|label| !label.glued && label.words < texts.len());
    label.is_some_and(|label| matches!(label.style, Style::Dot | Style::Close | Style::Keyword))
}

/// True for "Question 4" and nothing else, and for the names of columns: "Question No.  Key".
fn is_heading(words: &[Word], side: &[usize]) -> bool {
    let texts: Vec<&str> = side.iter().map(|index| words[*index].text.as_str()).collect();
    let names = |wanted: Zone| texts.iter().any(|text| zone_named(text) == Some(wanted));
    if names(Zone::Label) && names(Zone::Answer) {
        return true;
    }
    let label = labels::parse(&texts).filter(|label| label.style == Style::Keyword && !label.glued);
    label.is_some_and(|label| label.words > 1 && label.words == texts.len())
}

/// True when the line goes on beyond the bar's ends as a sentence does.
fn runs_on(words: &[Word], side: &[usize], bar: &Rect) -> bool {
    let Some(first) = side.first().map(|index| &words[*index]) else { return false };
    words.iter().enumerate().any(|(index, word)| {
        let level = (word.baseline - first.baseline).abs() < 0.15 * first.size;
        let gap = (bar.x0 - word.place.x1).max(word.place.x0 - bar.x1);
        // A word that begins over the bar and ends beyond it.
        let leaves = (bar.x0..bar.x1).contains(&word.place.x0) && word.place.x1 > bar.x1 + SLACK;
        !side.contains(&index)
            && level
            && (leaves || (gap < TOUCH * first.size && gap > -first.size))
            && word.size >= 0.9 * first.size
    })
}

/// The nearest word to the left or right in whose line the bar stands.
fn host(words: &[Word], taken: &[usize], bar: &Rect, middle: f32) -> Option<usize> {
    /// Farther away stands another column.
    const FAR: f32 = 3.0;
    let gap = |word: &Word| (bar.x0 - word.place.x1).max(word.place.x0 - bar.x1).max(0.0);
    let beside = |(index, word): &(usize, &Word)| {
        let inner = 0.2 * word.place.height();
        !taken.contains(index)
            && !word.turned
            && word.place.y0 + inner < middle
            && middle < word.place.y1 - inner
            && gap(word) < FAR * word.size
    };
    let left = |word: &Word| word.place.x0 < bar.x0;
    let nearest = |on_left: bool| {
        let own = words.iter().enumerate().filter(beside).filter(|(_, word)| left(word) == on_left);
        own.min_by(|(_, a), (_, b)| gap(a).total_cmp(&gap(b))).map(|(index, _)| index)
    };
    nearest(true).or_else(|| nearest(false))
}

fn text(words: &[Word], side: &[usize]) -> String {
    side.iter().map(|index| words[*index].text.as_str()).collect::<Vec<_>>().join(" ")
}

/// In brackets, unless it is one number, one letter with its exponent, one word, or in brackets already.
fn operand(text: &str) -> String {
    let raised = |c: char| "⁰¹²³⁴⁵⁶⁷⁸⁹⁻".contains(c);
    let number = text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','));
    let word = text.chars().all(char::is_alphabetic);
    let letter = text.chars().next().is_some_and(char::is_alphabetic) && text.chars().skip(1).all(raised);
    if number || word || letter || is_bracketed(text) { text.to_owned() } else { format!("({text})") }
}

/// True when one pair of brackets holds all of a text.
fn is_bracketed(text: &str) -> bool {
    let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else { return false };
    let mut depth = 0i32;
    inner.chars().all(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth >= 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use reader::page::Ruling;

    const SIZE: f32 = 10.0;

    /// A word whose letters stand on a baseline.
    fn word(text: &str, x: f32, baseline: f32) -> Word {
        let place =
            Rect { x0: x, y0: baseline - 8.0, x1: x + 5.0 * text.chars().count() as f32, y1: baseline + 2.0 };
        Word { text: text.into(), place, size: SIZE, baseline, confidence: 1.0, ..Word::default() }
    }

    fn bar(x0: f32, x1: f32, y: f32) -> Ruling {
        Ruling { place: Rect { x0, y0: y, x1, y1: y + 0.5 }, direction: Direction::Horizontal }
    }

    fn read(words: Vec<Word>, rulings: Vec<Ruling>) -> Option<String> {
        let page = Page { words, rulings, width: 600.0, height: 800.0, number: 1, ..Page::default() };
        in_line(&page).map(|words| words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn a_fraction_stands_in_its_line() {
        let words = vec![
            word("30", 42.0, 96.0),
            word("x", 20.0, 103.0),
            word("=", 30.0, 103.0),
            word("7", 44.0, 111.0),
            word("cm", 60.0, 103.0),
        ];
        assert_eq!(read(words, vec![bar(40.0, 54.0, 100.0)]).as_deref(), Some("x = 30/7 cm"));
    }

    #[test]
    fn sums_and_inner_fractions_keep_their_brackets() {
        let words = vec![
            word("1", 26.0, 88.0),
            word("2", 26.0, 103.0),
            word("+", 36.0, 95.0),
            word("x", 46.0, 95.0),
            word("5a", 34.0, 120.0),
        ];
        let rulings = vec![bar(25.0, 32.0, 92.0), bar(24.0, 52.0, 109.0)];
        assert_eq!(read(words, rulings).as_deref(), Some("(1/2 + x)/(5a)"));
    }

    #[test]
    fn the_bar_of_a_root_holds_what_is_under_it() {
        let words = vec![
            word("√", 20.0, 103.0),
            word("b", 26.0, 103.0),
            word("−", 33.0, 103.0),
            word("4", 40.0, 103.0),
        ];
        assert_eq!(read(words, vec![bar(25.0, 47.0, 93.5)]).as_deref(), Some("√(b − 4)"));
    }

    #[test]
    fn what_goes_on_behind_a_root_is_cut_off() {
        let words = vec![
            word("r", 20.0, 100.0),
            word("=", 28.0, 100.0),
            word("√", 36.0, 92.0),
            word("2a", 41.5, 100.0),
        ];
        assert_eq!(read(words, vec![bar(41.0, 46.0, 90.0)]).as_deref(), Some("r = √2 a"));
    }

    #[test]
    fn the_number_in_a_roots_hook_says_which_root() {
        let three = Word { size: 5.0, ..word("3", 18.0, 97.0) };
        let words = vec![word("t", 5.0, 103.0), three, word("√", 20.0, 103.0), word("8", 26.0, 103.0)];
        assert_eq!(read(words, vec![bar(25.0, 33.0, 93.5)]).as_deref(), Some("t (8)^(1/3)"));
    }

    #[test]
    fn an_exponent_between_slanted_letters_belongs_to_the_first() {
        let two = Word { size: 6.5, ..word("2", 31.0, 95.0) };
        let two = Word { place: Rect { x1: 34.5, ..two.place }, ..two };
        let words = vec![word("r", 25.0, 100.0), two, word("θ", 34.2, 100.0), word("k", 60.0, 100.0)];
        assert_eq!(read(words, vec![bar(80.0, 90.0, 100.0)]).as_deref(), Some("r² θ k"));
    }

    #[test]
    fn what_is_raised_is_an_exponent_and_a_bracket_in_pieces_is_one() {
        let small = |text: &str, x: f32, baseline: f32| {
            let place = Rect { x0: x, y0: baseline - 5.0, x1: x + 3.0, y1: baseline + 1.0 };
            Word { size: 6.0, place, ..word(text, x, baseline) }
        };
        let words = vec![
            small("1", 34.5, 92.0),
            word("x", 25.0, 100.0),
            small("−", 31.0, 95.5),
            small("2", 34.5, 98.5),
            word("+", 45.0, 100.0),
            word("3", 60.0, 96.0),
            word("4", 60.0, 111.0),
        ];
        assert_eq!(read(words, vec![bar(58.0, 68.0, 100.0)]).as_deref(), Some("x^(−1/2) + 3/4"));
        let words = vec![
            word("\u{F0E6}", 20.0, 90.0),
            word("\u{F0E7}", 20.0, 100.0),
            word("a", 26.0, 100.0),
            word("\u{F0F7}", 32.0, 100.0),
            word("\u{F0E8}", 20.0, 110.0),
            word("\u{F0F6}", 32.0, 90.0),
            word("\u{F0F8}", 32.0, 110.0),
        ];
        assert_eq!(read(words, Vec::new()).as_deref(), Some("( a )"));
    }

    #[test]
    fn an_underlined_word_and_rules_of_tables_are_none() {
        let words = vec![
            word("Note", 20.0, 100.0),
            word("the", 42.0, 100.0),
            word("rest", 20.0, 112.0),
            word("follows", 43.0, 112.0),
        ];
        assert_eq!(read(words, vec![bar(20.0, 40.0, 101.5)]), None);
        // An underlined heading over a line with a word that leaves the bar in its midst.
        let words = vec![
            word("Example", 20.0, 100.0),
            word("answer", 58.0, 100.0),
            word("the", 20.0, 112.0),
            word("way", 37.0, 112.0),
            word("backwards", 55.0, 112.0),
        ];
        assert_eq!(read(words, vec![bar(20.0, 88.0, 101.5)]), None);
        let words = vec![word("Solution", 20.0, 100.0), word("B", 20.0, 112.0)];
        assert_eq!(read(words, vec![bar(20.0, 60.0, 101.5)]), None);
        // The heading of an answer over a line whose first words end under it.
        let words = vec![
            word("Question", 20.0, 100.0),
            word("4", 64.0, 100.0),
            word("int", 20.0, 113.0),
            word("low", 38.0, 113.0),
        ];
        assert_eq!(read(words, vec![bar(20.0, 70.0, 101.5)]), None);
        let upright = Ruling {
            place: Rect { x0: 18.0, y0: 80.0, x1: 18.5, y1: 130.0 },
            direction: Direction::Vertical,
        };
        let words = vec![word("12", 20.0, 96.0), word("13", 20.0, 111.0)];
        assert_eq!(read(words, vec![bar(18.0, 60.0, 100.0), upright]), None);
        // The rule below the names of columns, over the first row.
        let words = vec![
            word("No.", 20.0, 94.0),
            word("Key", 44.0, 94.0),
            word("1", 22.0, 111.0),
            word("B", 47.0, 111.0),
        ];
        assert_eq!(read(words, vec![bar(18.0, 62.0, 100.0)]), None);
        // A leader from the end of an answer to its marks, with the next question under it.
        let words = vec![word("iron", 20.0, 94.0), word("2.", 20.0, 111.0), word("Name", 32.0, 111.0)];
        assert_eq!(read(words, vec![bar(20.0, 56.0, 100.0)]), None);
    }
}
