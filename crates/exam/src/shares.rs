//! Marks that a paper prints for several parts together, shared out among them.

use crate::labels::{self, Kind, Style, Token};
use crate::paper::{Paper, Question, in_brackets};
use crate::scheme::Scheme;
use domain::marks::Marks;
use domain::question::Question as Asked;

/// What a reviewer is told of marks that were shared out.
pub(crate) const SHARED: &str =
    "Its marks are printed for several parts together and were shared out evenly.";

/// What a reviewer is told of marks that were left over.
pub(crate) const LEFT_OVER: &str = "Its marks are what the other questions leave of the paper's total.";

/// Gives the only question without marks what the others leave of the paper's total.
pub(crate) fn remainder(total: Option<Marks>, questions: &mut [Asked]) {
    let Some(total) = total.filter(|_| questions.iter().all(|question| question.choice_group.is_none()))
    else {
        return;
    };
    let known: Marks = questions.iter().filter_map(Asked::total).sum();
    let open = |question: &&mut Asked| question.total().is_none() && question.parts.is_empty();
    let unknown = questions.iter().filter(|question| question.total().is_none()).count();
    if unknown == 1
        && questions.len() > 2
        && known < total
        && let Some(question) = questions.iter_mut().find(open)
    {
        question.marks = Some(total.less(known));
        question.warnings.push(LEFT_OVER.to_owned());
    }
}

/// A paper whose sections say what their questions are worth together: those without marks of their own, in either
/// document, get an even share of what the others leave.
pub(crate) fn of_sections(paper: &Paper, questions: &[Asked]) -> Option<Paper> {
    let mut priced = paper.clone();
    let mut changed = false;
    for section in &paper.worths {
        let own = section.questions.clone().filter_map(|place| Some((place, questions.get(place)?)));
        let (marked, open): (Vec<_>, Vec<_>) = own.partition(|(_, question)| question.total().is_some());
        let known: Marks = marked.iter().filter_map(|(_, question)| question.total()).sum();
        let each = u32::try_from(open.len()).ok().filter(|count| *count > 0 && known < section.marks);
        let printed: Vec<&Question> = open.iter().map(|(place, _)| &paper.questions[*place]).collect();
        if let Some(own) = in_brackets(&printed, section.marks.less(known)).filter(|own| !own.is_empty()) {
            open.iter().zip(own).for_each(|((place, _), marks)| priced.questions[*place].marks = Some(marks));
            changed = true;
            continue;
        }
        let left = section.marks.less(known).as_halves();
        let whole = |(_, question): &(usize, &Asked)| question.parts.is_empty();
        let Some(count) = each.filter(|count| left.is_multiple_of(*count) && open.iter().all(whole)) else {
            continue;
        };
        for (place, _) in open {
            priced.questions[place].marks = Some(Marks::halves(left / count));
            changed = true;
        }
    }
    changed.then_some(priced)
}

/// A paper with the marks that only its scheme says: those of every question where it prints none itself, those of the
/// questions from one number to another, and those of every question with options.
pub(crate) fn stated(paper: &Paper, scheme: &Scheme) -> Option<Paper> {
    // What counts questions in one paper counts their parts in another: "item".
    let said = for_each_part(paper, scheme.each_part).or_else(|| for_each_question(paper, scheme.each));
    let said = said.or_else(|| for_ranges(paper, &scheme.ranges));
    said.or_else(|| for_choices(paper, scheme.each_choice))
}

fn for_choices(paper: &Paper, each: Option<Marks>) -> Option<Paper> {
    let offers = |question: &Question| {
        question.leaves.len() == 1 && !question.leaves[0].options.is_empty() && is_silent(question)
    };
    let marks = each.filter(|_| paper.questions.iter().any(offers))?;
    let mut priced = paper.clone();
    for question in priced.questions.iter_mut().filter(|question| offers(question)) {
        question.marks = Some(marks);
    }
    Some(priced)
}

fn is_silent(question: &Question) -> bool {
    question.marks.is_none()
        && question.joint.is_empty()
        && question.leaves.iter().all(|leaf| leaf.marks.is_none())
}

fn for_ranges(paper: &Paper, ranges: &[(u32, u32, Marks)]) -> Option<Paper> {
    let marks = |question: &Question| {
        let number = question.leaves.first()?.path[0].value;
        let own = ranges.iter().find(|(first, last, _)| (*first..=*last).contains(&number));
        own.filter(|_| is_silent(question)).map(|(_, _, marks)| *marks)
    };
    let found: Vec<Option<Marks>> = paper.questions.iter().map(marks).collect();
    found.iter().any(Option::is_some).then(|| {
        let mut priced = paper.clone();
        for (question, marks) in priced.questions.iter_mut().zip(found) {
            question.marks = question.marks.or(marks);
        }
        priced
    })
}

fn for_each_question(paper: &Paper, each: Option<Marks>) -> Option<Paper> {
    let marks = each?;
    if !paper.questions.iter().all(is_silent) {
        return None;
    }
    let mut priced = paper.clone();
    priced.questions.iter_mut().for_each(|question| question.marks = Some(marks));
    Some(priced)
}

fn for_each_part(paper: &Paper, each: Option<Marks>) -> Option<Paper> {
    each.filter(|_| paper.questions.iter().all(is_silent))?;
    let mut priced = paper.clone();
    priced.questions.iter_mut().flat_map(|question| &mut question.leaves).for_each(|leaf| leaf.marks = each);
    Some(priced)
}

/// Gives parts without marks an even share of what is printed above them. True when any were shared out.
pub(crate) fn share_out(question: &Question, marks: &mut [Option<Marks>]) -> bool {
    let mut shared = false;
    // The innermost levels first: what is left of a question's marks goes to the rest.
    let mut joint: Vec<_> = question.joint.iter().collect();
    joint.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
    for (path, printed) in joint {
        let below: Vec<usize> = (0..marks.len())
            .filter(|index| {
                let leaf = &question.leaves[*index];
                leaf.path.starts_with(path) && !leaf.is_instead
            })
            .collect();
        // What the scheme says of all of them is no part's: together they are worth what is printed above them.
        let silent = below.iter().all(|index| question.leaves[*index].marks.is_none());
        let said: Option<Marks> = below.iter().map(|index| marks[*index]).sum();
        if silent && said.is_some_and(|said| said > *printed) {
            below.iter().for_each(|index| marks[*index] = None);
        }
        shared |= fill(marks, &below, *printed);
    }
    let counted: Vec<usize> = (0..marks.len()).filter(|index| !question.leaves[*index].is_instead).collect();
    if let Some(total) = question.marks.filter(|_| counted.len() > 1) {
        // One part that is worth more than its question, beside others that make up most of it: what was read there is
        // another's.
        let over: Vec<usize> =
            counted.iter().copied().filter(|place| marks[*place].is_some_and(|own| own > total)).collect();
        let others = counted.iter().filter(|place| !over.contains(place)).filter_map(|place| marks[*place]);
        let others: Marks = others.sum();
        if let [only] = over.as_slice()
            && others < total
            && others.as_halves() * 2 >= total.as_halves()
        {
            marks[*only] = None;
        }
        shared |= fill(marks, &counted, total);
    }
    shared
}

/// Gives the parts of a question what a line such as "3 + 2(1, 1) marks" says, part by part. True when it says so.
pub(crate) fn by_addends(question: &Question, line: &str, marks: &mut [Option<Marks>]) -> bool {
    let groups = groups(question);
    let Some(addends) = addends(line).filter(|addends| addends.len() == groups.len()) else { return false };
    if groups.len() < 2 || marks.iter().any(|own| own.is_some_and(|own| own > whole(&addends))) {
        return false;
    }
    for (group, (sum, inner)) in groups.iter().zip(addends) {
        if inner.len() == group.len() && inner.iter().copied().sum::<Marks>() == sum {
            for (place, own) in group.iter().zip(inner) {
                marks[*place] = Some(own);
            }
        } else {
            group.iter().for_each(|place| marks[*place] = None);
            fill(marks, group, sum);
        }
    }
    true
}

/// Gives the parts of a question what a line that names each of them says: "7 for part (a), 7 for (b)", "(a) 4, (b) 6".
/// True when it says so of all of them, and of nothing more than the question is worth.
pub(crate) fn by_name(question: &Question, line: &str, marks: &mut [Option<Marks>]) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let level = |word: &str| {
        let label =
            labels::parse(&[word.trim_end_matches([',', ';', '.', ':'])]).filter(|label| !label.glued)?;
        let [only] = label.tokens[..] else { return None };
        (label.style == Style::Brackets && only.kind == Kind::Letter).then_some(only)
    };
    let amount = |word: &str| {
        let bare = word.trim_matches([',', ';', '.', ':', '=']);
        let written = || bare.replace(',', ".").parse::<f64>().ok();
        let number = lexicon::small_number(&bare.to_lowercase()).map(f64::from).or_else(written);
        number.filter(|own| *own > 0.0).and_then(Marks::from_number)
    };
    let named: Vec<(usize, Token)> =
        (0..words.len()).filter_map(|at| Some((at, level(words[at])?))).collect();
    let leaves = &question.leaves;
    let fits = leaves.len() > 1
        && named.len() == leaves.len()
        && leaves.iter().zip(&named).all(|(leaf, (_, token))| leaf.path.get(1..) == Some(&[*token][..]));
    if !fits {
        return false;
    }
    // Each number stands right behind its letter, or before it: "(a) 4" or "4 for part (a)".
    const REACH: usize = 3;
    let behind = |at: usize| words.get(at + 1).and_then(|word| amount(word));
    let before = |at: usize, from: usize| {
        words[at.saturating_sub(REACH).max(from)..at].iter().rev().find_map(|word| amount(word))
    };
    let starts = std::iter::once(0).chain(named.iter().map(|(at, _)| at + 1));
    let all: Option<Vec<Marks>> = named.iter().map(|(at, _)| behind(*at)).collect();
    let all = all.or_else(|| named.iter().zip(starts).map(|((at, _), from)| before(*at, from)).collect());
    let sum = |all: &Vec<Marks>| all.iter().copied().sum::<Marks>();
    let whole = question.marks;
    let Some(all) = all.filter(|all| whole.is_none_or(|whole| whole == sum(all))) else { return false };
    // What the paper itself prints stands.
    for ((own, leaf), worth) in marks.iter_mut().zip(leaves).zip(all) {
        *own = leaf.marks.or(Some(worth));
    }
    true
}

fn whole(addends: &[(Marks, Vec<Marks>)]) -> Marks {
    addends.iter().map(|(sum, _)| *sum).sum()
}

/// The places of a question's leaves, those of one part together.
fn groups(question: &Question) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (place, leaf) in question.leaves.iter().enumerate() {
        let same = place.checked_sub(1).is_some_and(|before| {
            let before = &question.leaves[before].path;
            before.get(1).is_some() && before.get(1) == leaf.path.get(1)
        });
        match groups.last_mut().filter(|_| same) {
            Some(group) => group.push(place),
            None => groups.push(vec![place]),
        }
    }
    groups
}

/// "3 + 2(1, 1) marks": each addend with what it is made of. `None` without two addends and a unit.
fn addends(line: &str) -> Option<Vec<(Marks, Vec<Marks>)>> {
    let (said, unit) = line.trim().rsplit_once(' ')?;
    if !crate::marks::is_unit(&unit.to_lowercase()) {
        return None;
    }
    // Words before the sum are the question's title.
    let start = said.find(|c: char| c.is_ascii_digit())?;
    let number = |text: &str| text.trim().parse::<u32>().ok().filter(|value| *value > 0).map(Marks::whole);
    let one = |text: &str| {
        let (sum, inner) = text.trim().split_once('(').unwrap_or((text, ""));
        let inner = inner.trim_end_matches(')');
        let parts: Vec<Marks> = inner.split(',').filter_map(number).collect();
        Some((number(sum)?, parts))
    };
    let found: Option<Vec<_>> = said[start..].split('+').map(one).collect();
    found.filter(|found| found.len() >= 2)
}

/// Shares what the marked ones leave of a sum among the others, in halves; the last takes what is over.
fn fill(marks: &mut [Option<Marks>], places: &[usize], sum: Marks) -> bool {
    let known: Marks = places.iter().filter_map(|place| marks[*place]).sum();
    let open: Vec<usize> = places.iter().copied().filter(|place| marks[*place].is_none()).collect();
    let count = u32::try_from(open.len()).unwrap_or(u32::MAX);
    let left = sum.less(known).as_halves();
    // Fewer halves than parts: the marks are for something else.
    if count == 0 || known >= sum || left < count {
        return false;
    }
    // Whole marks where there are enough of them.
    let step = if left >= 2 * count && left.is_multiple_of(2) { 2 } else { 1 };
    let each = left / count / step * step;
    for place in &open {
        marks[*place] = Some(Marks::halves(each));
    }
    if let Some(last) = open.last() {
        marks[*last] = Some(Marks::halves(left - each * (count - 1)));
    }
    true
}
