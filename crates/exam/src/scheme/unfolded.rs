//! Keys whose list was taken for notes: "One mark for each correct term:" prices what stands below it, and "For analysis
//! of the causes (up to 3 marks)" what stands before it. The instruction is no point; what it prices is.

use domain::marks::Marks;
use domain::question::{AnswerKey, Group, Point};
use lexicon::english::schemes;

/// Longer notes are no list of points.
const LINES_MAX: usize = 24;

/// The key with a point for each thing that its instruction prices; as it was when there is none.
pub(super) fn unfolded(key: AnswerKey, total: Option<Marks>) -> AnswerKey {
    let Some(total) = total.filter(|_| key.levels.is_empty()) else { return key };
    each(&key, total).or_else(|| up_to(&key, total)).unwrap_or(key)
}

/// "each correct answer" as the only point, with the answers among the notes.
fn each(key: &AnswerKey, total: Marks) -> Option<AnswerKey> {
    let [instruction] = key.points.as_slice() else { return None };
    let is_instruction = schemes::EACH.begin(&instruction.text.to_lowercase());
    let notes = key.notes.as_deref().filter(|_| is_instruction && instruction.marks < total)?;
    let listed: Vec<&str> = notes.lines().map(str::trim).take_while(|line| !opens_example(line)).collect();
    let mut texts: Vec<&str> = listed.iter().copied().filter(|line| says_something(line)).collect();
    if let [only] = texts.as_slice() {
        texts = only.split_whitespace().filter(|word| says_something(word)).collect();
    }
    let worth: Marks = texts.iter().map(|_| instruction.marks).sum();
    // One line that is no list of as many terms says nothing of what each mark is for.
    if texts.len() < 2 || texts.len() > LINES_MAX || (listed.len() == 1 && worth != total) {
        return None;
    }
    let group = (worth > total).then_some(0);
    let point = |text: &&str| Point {
        text: (*text).to_owned(),
        group,
        alternatives: Vec::new(),
        required: Vec::new(),
        ..instruction.clone()
    };
    let points = texts.iter().map(point).collect();
    let limit = Group { text: schemes::at_most(total), max: Some(total), ..Group::default() };
    let rest: Vec<&str> = notes.lines().skip(listed.len()).collect();
    let notes = std::iter::once(instruction.text.as_str()).chain(rest).collect::<Vec<_>>().join("\n");
    let groups = group.map(|_| limit).into_iter().collect();
    Some(AnswerKey { points, groups, notes: Some(notes), ..key.clone() })
}

/// "… (Up to 3 marks)": each stretch of the notes that ends so is a point, when they make up what is missing.
fn up_to(key: &AnswerKey, total: Marks) -> Option<AnswerKey> {
    let notes = key.notes.as_deref()?;
    let stated: Marks = key.points.iter().map(|point| point.marks).sum();
    let mut found: Vec<Point> = Vec::new();
    let mut rest = notes;
    while let Some((before, worth, after)) = priced_stretch(rest) {
        let text = before.rsplit_once(schemes::FOR).map_or(before, |(_, told)| told).replace('\n', " ");
        found.push(Point { text: text.trim().to_owned(), marks: worth, ..Point::default() });
        rest = after;
    }
    let missing: Marks = found.iter().map(|point| point.marks).sum();
    if found.is_empty() || missing + stated != total {
        return None;
    }
    found.extend(key.points.iter().cloned());
    let notes = Some(rest.trim().to_owned()).filter(|rest| !rest.is_empty());
    Some(AnswerKey { points: found, notes, ..key.clone() })
}

/// What stands before the first "(up to N marks)", N, and what follows.
fn priced_stretch(text: &str) -> Option<(&str, Marks, &str)> {
    let lower = text.to_ascii_lowercase();
    let open = lower.find(schemes::UP_TO)?;
    let close = open + lower[open..].find(')')?;
    let number = lower[open + schemes::UP_TO.len()..close].split_whitespace().next()?.parse::<u32>().ok()?;
    Some((text[..open].trim_end_matches([' ', '.']), Marks::whole(number), &text[close + 1..]))
}

fn opens_example(line: &str) -> bool {
    let lower = line.to_lowercase();
    schemes::EXAMPLE_HEADINGS.begin(&lower)
}

/// A heading of one word, a rule of the page or a line that ends with a colon prices nothing.
fn says_something(line: &str) -> bool {
    let lower = line.to_lowercase();
    let is_heading = lower.ends_with(':') || schemes::LIST_HEADINGS.begin(&lower);
    lower.chars().filter(|c| c.is_alphanumeric()).count() > 1 && !is_heading
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str, notes: &str) -> AnswerKey {
        let point = Point { text: text.to_owned(), marks: Marks::whole(1), ..Point::default() };
        AnswerKey { points: vec![point], notes: Some(notes.to_owned()), ..AnswerKey::default() }
    }

    fn texts(key: &AnswerKey) -> Vec<&str> {
        key.points.iter().map(|point| point.text.as_str()).collect()
    }

    #[test]
    fn what_an_instruction_prices_are_the_points() {
        let terms = key("each correct term in the correct order:", "Compiler\nLinker\nLoader\n−");
        let read = unfolded(terms, Some(Marks::whole(3)));
        assert_eq!(texts(&read), ["Compiler", "Linker", "Loader"]);
        assert!(read.groups.is_empty());
        let spare = key("each way:", "Content\nby rail\nby road\nby sea\nExemplar Mark\nby rail 1");
        let read = unfolded(spare, Some(Marks::whole(2)));
        assert_eq!(texts(&read), ["by rail", "by road", "by sea"]);
        assert_eq!(read.groups[0].max, Some(Marks::whole(2)));
        let words = key("each correct answer", "COUNT Title Books Shelf\nCorrect code:\nSELECT …");
        assert_eq!(texts(&unfolded(words, Some(Marks::whole(4)))), ["COUNT", "Title", "Books", "Shelf"]);
    }

    #[test]
    fn what_notes_price_are_points_where_they_make_up_the_marks() {
        let notes = "For analysis of the causes\nof the war (Up to 3 marks) For its effects. (Up to 2 marks)\nMany wrote of trade.";
        let read = unfolded(key("a conclusion", notes), Some(Marks::whole(6)));
        assert_eq!(texts(&read), ["analysis of the causes of the war", "its effects", "a conclusion"]);
        assert_eq!(read.points[0].marks, Marks::whole(3));
        assert_eq!(unfolded(key("a conclusion", notes), Some(Marks::whole(8))).points.len(), 1);
    }

    #[test]
    fn other_keys_stay_as_they_are() {
        for (text, notes, total) in
            [("oxygen", "water\nair", 3), ("each correct line", "A\nB", 4), ("each mark", "well drawn", 3)]
        {
            let own = key(text, notes);
            assert_eq!(unfolded(own.clone(), Some(Marks::whole(total))), own, "{text}");
        }
    }
}
