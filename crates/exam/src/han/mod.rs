//! Chinese text made ready to be read: full-width signs as plain ones, labels and marks parted from the text that they are
//! set against, which has no spaces, and sections named as elsewhere.

mod blanks;
mod cuts;
mod headings;

use crate::labels;
use reader::page::{Document, Page, Rect, Word};
use std::borrow::Cow;

/// A paper and its scheme whose Chinese words can be read one by one; what has none is left as it is.
pub(crate) fn prepared_pair<'d>(
    paper: &'d Document,
    scheme: &'d Document,
) -> (Cow<'d, Document>, Cow<'d, Document>) {
    let (mut own, mut answers) = (prepared(paper), prepared(scheme));
    // One document that holds both stays one.
    if paper != scheme && matches!((&own, &answers), (Cow::Owned(_), Cow::Owned(_))) {
        let priced = blanks::sections(paper, &lines_of(paper));
        let priced = if priced.is_empty() { blanks::sections(scheme, &lines_of(scheme)) } else { priced };
        blanks::price(own.to_mut(), answers.to_mut(), &priced);
    }
    (own, answers)
}

/// A document whose Chinese words can be read one by one; one without any is left as it is.
pub(crate) fn prepared(document: &Document) -> Cow<'_, Document> {
    let words = document.pages.iter().flat_map(|page| &page.words);
    if !words.into_iter().any(|word| word.text.contains(is_han)) {
        return Cow::Borrowed(document);
    }
    let lines = lines_of(document);
    let are_sections = headings::are_sections(lines.iter().map(|line| line.text.as_str()));
    let mut pages: Vec<Page> =
        document.pages.iter().map(|page| Page { words: Vec::new(), ..page.clone() }).collect();
    let mut counted = Counted::default();
    for line in lines {
        let heading = headings::of(&line.text).filter(|_| are_sections);
        let words = match heading {
            Some(heading) => heading.words(&line.words),
            None => in_lines(counted.cut(&line.words), headings::each_blank(&line.text)),
        };
        pages[line.page].words.extend(words);
    }
    for (page, printed) in pages.iter_mut().zip(&document.pages) {
        page.words.extend(printed.words.iter().filter(|word| word.turned).cloned());
    }
    Cow::Owned(Document { pages })
}

fn is_han(sign: char) -> bool {
    ('\u{4E00}'..='\u{9FFF}').contains(&sign)
}

/// A line as it is printed, with numbers of marks joined to their unit.
struct Printed {
    /// The place of its page in the document.
    page: usize,
    words: Vec<Word>,
    /// All of it in plain signs, without white.
    text: String,
}

fn lines_of(document: &Document) -> Vec<Printed> {
    let of_page = |(at, page): (usize, &Page)| {
        let line = |line: reader::lines::Line| {
            let words = joined(&page.words[line.words]);
            let text = words.iter().map(|word| cuts::plain(&word.text)).collect();
            Printed { page: at, words, text }
        };
        reader::lines::lines(page).into_iter().map(line).collect::<Vec<_>>()
    };
    document.pages.iter().enumerate().flat_map(of_page).collect()
}

/// "3" and "分" are one, and so are "每空" and "2".
fn joined(words: &[Word]) -> Vec<Word> {
    use lexicon::chinese::{EACH_BLANK, EACH_QUESTION, TOGETHER};
    let priced = |text: &str| {
        [EACH_BLANK, EACH_QUESTION, TOGETHER]
            .iter()
            .any(|names| names.iter().any(|name| text.ends_with(name)))
    };
    let mut joined: Vec<Word> = Vec::with_capacity(words.len());
    for word in words {
        let counts = word.text.bytes().all(|byte| byte.is_ascii_digit());
        let goes_on = |last: &str| match word.text.starts_with('分') {
            true => last.ends_with(|sign: char| sign.is_ascii_digit()),
            false => counts && priced(last),
        };
        match joined.last_mut() {
            Some(last) if goes_on(&last.text) => {
                last.text.push_str(&word.text);
                last.place = last.place.union(&word.place);
            }
            _ => joined.push(word.clone()),
        }
    }
    joined
}

/// The number of the last label at the beginning of a line, and where it stood.
#[derive(Default)]
struct Counted(Option<(u32, f32)>);

/// How far from the last label's place, in points, the next may stand.
const SAME: f32 = 4.0;

impl Counted {
    fn cut(&mut self, words: &[Word]) -> Vec<Word> {
        let Some(first) = words.first() else { return Vec::new() };
        let next = self.0.filter(|(_, x)| (x - first.place.x0).abs() < SAME).map(|(number, _)| number + 1);
        let mut cut = cuts::pieces(first, next);
        if let Some(number) = cut.first().and_then(|own| number_of(&own.text)) {
            self.0 = Some((number, first.place.x0));
        }
        cut.extend(words[1..].iter().flat_map(|word| cuts::pieces(word, None)));
        say_verdicts(&mut cut);
        cut
    }
}

/// "6. √ 7. ×": a tick alone behind a number says that a statement is right, and is no mark.
fn say_verdicts(words: &mut [Word]) {
    for at in 1..words.len() {
        let ends = words.get(at + 1).is_none_or(|next| number_of(&next.text).is_some());
        let verdict = lexicon::chinese::verdict(&words[at].text).filter(|_| ends);
        if let Some(said) = verdict.filter(|_| number_of(&words[at - 1].text).is_some()) {
            words[at].text = said.to_owned();
        }
    }
}

/// "(1) … (2) … (3)" on one line: each part begins a line of its own, and so does what follows a statement about marks.
/// `blank`: what each blank is worth that the parts are answers of.
fn in_lines(mut words: Vec<Word>, blank: Option<f64>) -> Vec<Word> {
    let part = |word: &Word| -> Option<u32> { word.text.strip_prefix('(')?.strip_suffix(')')?.parse().ok() };
    let priced = |word: &Word| word.text.starts_with('(') && word.text.ends_with("分)");
    let numbered = usize::from(words.first().is_some_and(|first| number_of(&first.text).is_some()));
    // "12. (26分) (1) …": what all of it is worth stays beside its number.
    let whole = words.get(numbered).is_some_and(priced) && words.get(numbered + 1).and_then(part).is_some();
    let start = numbered + usize::from(whole);
    let first = words.get(start).and_then(part);
    let Some(own) = words.get(start) else { return words };
    let margin = if whole { words[0].place.x0 } else { own.place.x0 };
    let (mut value, mut shift) = (first, own.place.x0 - margin);
    let mut starts = Vec::new();
    let mut says = false;
    for at in start..words.len() {
        let next = value.is_some_and(|value| at > start && part(&words[at]) == Some(value + 1));
        if next {
            value = value.map(|value| value + 1);
        }
        if next || (says && priced(&words[at - 1])) {
            shift = words[at].place.x0 - margin;
            says = false;
        }
        if next || at == start {
            starts.push(at);
        }
        says |= part(&words[at]).is_none() && !priced(&words[at]);
        words[at].place.x0 -= shift;
        words[at].place.x1 -= shift;
    }
    if let Some(blank) = blank.filter(|_| first.is_some()) {
        let mut end = words.len();
        for start in starts.into_iter().rev() {
            let count = end.saturating_sub(start + 1);
            let last = words[end - 1].clone();
            let place =
                Rect { x0: last.place.x1 + last.size, x1: last.place.x1 + 4.0 * last.size, ..last.place };
            let text = format!("({}{})", count as f64 * blank, lexicon::chinese::POINTS_EACH[0]);
            if count > 0 && !priced(&last) {
                words.insert(end, Word { text, place, ..last });
            }
            end = start;
        }
    }
    words
}

/// The 12 of "12.".
fn number_of(text: &str) -> Option<u32> {
    text.strip_suffix('.')?.parse().ok()
}

/// The number of a label that a line begins with, and what follows it.
fn leading_label(text: &str) -> Option<(u32, &str)> {
    const DIGITS_MAX: usize = 3;
    let digits = text.find(|sign: char| !sign.is_ascii_digit())?;
    let closed = text[digits..].strip_prefix(['.', '、'])?;
    ((1..=DIGITS_MAX).contains(&digits)).then_some(())?;
    Some((text[..digits].parse().ok()?, closed))
}

/// The value of the numeral that heads a section, and what follows it: "二、填空题".
fn heading_numeral(text: &str) -> Option<(u32, &str)> {
    let end = text.find('、')? + '、'.len_utf8();
    let (own, rest) = text.split_at(end);
    Some((labels::han_value(labels::han_numeral(own)?)?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(lines: &[&str]) -> Document {
        let line = |(row, text): (usize, &&str)| {
            let (mut x, y) = (50.0, 60.0 + 22.0 * row as f32);
            let word = |text: &str| {
                let breadth: f32 = text.chars().map(|sign| if sign.is_ascii() { 6.0 } else { 11.0 }).sum();
                let place = Rect { x0: x, y0: y, x1: x + breadth, y1: y + 11.0 };
                x = place.x1 + 4.0;
                Word { text: text.to_owned(), place, size: 11.0, baseline: y + 9.0, ..Word::default() }
            };
            text.split(' ').map(word).collect::<Vec<_>>()
        };
        let words = lines.iter().enumerate().flat_map(line).collect();
        Document { pages: vec![Page { number: 1, width: 595.0, height: 842.0, words, ..Page::default() }] }
    }

    fn read(paper: &[&str], scheme: &[&str]) -> Vec<String> {
        let reading = crate::read(&document(paper), &document(scheme));
        let said = |marks: Option<domain::marks::Marks>, key: &Option<domain::question::AnswerKey>| {
            let points = key.iter().flat_map(|key| &key.points).map(|point| point.text.as_str());
            let marks = marks.map_or("?".to_owned(), |marks| marks.to_string());
            format!("{marks} {}", points.collect::<Vec<_>>().join("|"))
        };
        let leaves = reading.questions.iter().flat_map(|question| {
            let own =
                question.parts.is_empty().then(|| (String::new(), question.marks, &question.answer_key));
            let parts = question.parts.iter().map(|part| (part.label.clone(), part.marks, &part.answer_key));
            let all: Vec<_> = own.into_iter().chain(parts).collect();
            all.into_iter()
                .map(|(label, marks, key)| format!("{}{label}:{}", question.number, said(marks, key)))
        });
        leaves.collect()
    }

    #[test]
    fn ticks_and_crosses_behind_numbers_are_verdicts() {
        let heads = ["一、判断题（每小题 2 分，共 4 分）", "二、简答题（每小题 5 分，共 5 分）"];
        let paper = [heads[0], "1．水是纯净物。", "2．铁能浮起来。", heads[1], "3．冰为什么比水轻？"];
        let scheme = ["参考答案", heads[0], "1．√ 2．×", heads[1], "3．冰的密度比水小。"];
        assert_eq!(read(&paper, &scheme), ["1:2 对", "2:2 错", "3:5 冰的密度比水小。"]);
    }

    #[test]
    fn sections_price_questions_blanks_and_parts() {
        let paper = [
            "一、选择题（每小题 4 分，共 8 分）",
            "1．最轻的气体是（ ）",
            "A．氢气 B．氧气 C．氮气 D．氯气",
            "2．最硬的矿物是（ ）",
            "A．石膏 B．金刚石 C．滑石 D．方解石",
            "二、填空题（每空 2 分，共 6 分）",
            "3．水在 ____ 时结冰，在 ____ 时沸腾。",
            "4．盐的味道是 ____ 。",
            "三、解答题（每小题 6 分，共 12 分）",
            "5．一列火车长 200 米。",
            "（1）求它的速度。",
            "（2）求它过桥的时间。",
            "6．一块冰浮在水面上。",
            "（1）求冰的体积。",
            "（2）说明冰为什么浮起来。",
        ];
        let scheme = [
            "参考答案",
            "一、选择题（每小题 4 分，共 8 分）",
            "1．A",
            "2．B",
            "二、填空题（每空 2 分，共 6 分）",
            "3.0 度 100 度",
            "4．咸",
            "三、解答题（每小题 6 分，共 12 分）",
            "5．（6 分）（1）速度是二十米每秒（2 分）",
            "（2）时间是三十秒（4 分）",
            "6.（每空 3 分）（1）五立方米 （2）密度比水小",
        ];
        // "0 度" is two words, so that the blanks do not add up: nothing is said of them.
        let blanks = read(&paper, &scheme);
        assert_eq!(blanks[2], "3:? 0 度 100 度");
        let scheme: Vec<&str> = scheme
            .into_iter()
            .map(|line| if line.starts_with("3.0") { "3.0度 100度" } else { line })
            .collect();
        assert_eq!(
            read(&paper, &scheme),
            [
                "1:4 A",
                "2:4 B",
                "3:4 0度|100度",
                "4:2 咸",
                "5(1):2 速度是二十米每秒",
                "5(2):4 时间是三十秒",
                "6(1):3 五立方米",
                "6(2):3 密度比水小",
            ]
        );
    }
}
