//! What each part of a question is worth: what the paper prints for it, its portion of what is printed for several, or
//! what the scheme says.

use crate::paper::Leaf;
use crate::scheme::Entry;
use domain::marks::Marks;

/// The marks of each leaf: as the paper prints them, else as the scheme does.
pub(super) fn of_leaves(
    leaves: &[Leaf],
    entries: &mut [Option<Entry>],
    total: Option<Marks>,
) -> Vec<Option<Marks>> {
    let of_entries = |marks: fn(&Entry) -> Option<Marks>| -> Vec<Option<Marks>> {
        entries.iter().map(|entry| entry.as_ref().and_then(marks)).collect()
    };
    let scheme = of_entries(Entry::printed_marks);
    // Where most answers end with their marks in brackets, those within them count as well.
    let inline = of_entries(Entry::inline_marks);
    let told = inline.iter().flatten().count();
    let scheme: Vec<Option<Marks>> = match told > 1 && told * 2 > entries.len() {
        true => inline.into_iter().zip(scheme).map(|(inline, scheme)| inline.or(scheme)).collect(),
        false => scheme,
    };
    // What the scheme gives one part cannot be more than the whole question's.
    let within = |marks: &Marks| total.is_none_or(|total| *marks < total || leaves.len() == 1);
    let scheme: Vec<Option<Marks>> = scheme.into_iter().map(|marks| marks.filter(within)).collect();
    let mut marks: Vec<Option<Marks>> = leaves.iter().map(|leaf| leaf.marks).collect();
    if let ([None], Some(total)) = (marks.as_slice(), total) {
        return vec![Some(total)];
    }
    let printed: Marks = marks.iter().flatten().copied().sum();
    let complete = total.is_some_and(|total| total == printed);
    let mut start = 0;
    for index in 0..leaves.len() {
        let parent = |leaf: &Leaf| leaf.path[..leaf.path.len().saturating_sub(1)].to_vec();
        if parent(&leaves[start]) != parent(&leaves[index]) || (index > start && marks[index - 1].is_some()) {
            start = index;
        }
        let Some(joint) = leaves[index].marks.filter(|_| index > start) else { continue };
        // One mark is printed for the parts from `start` to here: the scheme tells each one's share.
        let shares: Option<Vec<Marks>> = scheme[start..=index].iter().copied().collect();
        let fits = |shares: &Vec<Marks>| shares.iter().copied().sum::<Marks>() == joint;
        let own = &mut entries[start..=index];
        let shares =
            shares.filter(fits).or_else(|| under_sum(own, joint)).or_else(|| beside_first(own, joint));
        match shares {
            Some(shares) => {
                for (place, share) in marks[start..=index].iter_mut().zip(shares) {
                    *place = Some(share);
                }
            }
            None if complete => {
                let earlier: Marks = scheme[start..index].iter().flatten().copied().sum();
                if earlier < joint && scheme[start..index].iter().all(Option::is_some) {
                    marks[start..index].copy_from_slice(&scheme[start..index]);
                    marks[index] = Some(joint.less(earlier));
                }
            }
            None => {}
        }
    }
    for (mark, stated) in marks.iter_mut().zip(&scheme) {
        if mark.is_none() && !complete {
            *mark = *stated;
        }
    }
    by_rubric(&mut marks, entries, total);
    marks
}

/// Parts of which neither document says what they are worth are worth what their rubrics add up to.
fn by_rubric(marks: &mut [Option<Marks>], entries: &[Option<Entry>], total: Option<Marks>) {
    let added: Vec<Option<Marks>> = marks
        .iter()
        .zip(entries)
        .map(|(own, entry)| own.or_else(|| entry.as_ref().and_then(Entry::added_marks)))
        .collect();
    let sum: Marks = added.iter().flatten().copied().sum();
    let fits =
        total.is_none_or(|total| if added.iter().all(Option::is_some) { sum == total } else { sum < total });
    if fits {
        marks.copy_from_slice(&added);
    }
}

/// The portions of parts below the last of which the scheme sums up all of them: "1M" and "1A" beside their steps, and
/// "-----(3)" under the last.
fn under_sum(entries: &[Option<Entry>], joint: Marks) -> Option<Vec<Marks>> {
    entries.last()?.as_ref()?.stated.filter(|stated| *stated == joint)?;
    let own = |entry: &Option<Entry>| entry.as_ref()?.column_marks();
    let portions: Vec<Marks> = entries.iter().map(own).collect::<Option<_>>()?;
    (portions.iter().copied().sum::<Marks>() == joint).then_some(portions)
}

/// Takes the portions that the scheme prints as a sum beside the first of some parts, the others having none: "(a)
/// crossed wires [1+1]".
fn beside_first(entries: &mut [Option<Entry>], joint: Marks) -> Option<Vec<Marks>> {
    let count = entries.len();
    let (first, others) = entries.split_first_mut()?;
    let silent = others.iter().flatten().all(|entry| entry.printed_marks().is_none());
    let lines = first.as_mut().filter(|_| silent)?.lines.iter_mut();
    let texts = lines.flat_map(|line| [&mut line.marks, &mut line.answer]);
    let fits = |own: &[Marks]| own.len() == count && own.iter().copied().sum::<Marks>() == joint;
    for text in texts {
        if let Some((said, portions)) = addends(text).filter(|(_, own)| fits(own)) {
            *text = said.to_owned();
            return Some(portions);
        }
    }
    None
}

/// The addends of a sum in brackets at the end of a text, and what stands before it: "[1+1]", "(2 + 1)".
fn addends(text: &str) -> Option<(&str, Vec<Marks>)> {
    let (said, inner) = text.trim().strip_suffix([']', ')'])?.rsplit_once(['[', '('])?;
    let one = |text: &str| Marks::from_number(text.trim().replace(',', ".").parse().ok()?);
    let addends: Vec<Marks> = inner.split('+').map(one).collect::<Option<_>>()?;
    (addends.len() >= 2).then_some((said.trim_end(), addends))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheme::EntryLine;

    fn entry(lines: &[(&str, &str)], stated: Option<u32>) -> Option<Entry> {
        let line = |(answer, marks): &(&str, &str)| EntryLine {
            answer: (*answer).to_owned(),
            marks: (*marks).to_owned(),
            ..EntryLine::default()
        };
        let lines = lines.iter().map(line).collect();
        Some(Entry { lines, stated: stated.map(Marks::whole), ..Entry::default() })
    }

    fn whole(numbers: &[u32]) -> Option<Vec<Marks>> {
        Some(numbers.iter().map(|number| Marks::whole(*number)).collect())
    }

    #[test]
    fn steps_above_the_sum_of_all_parts_tell_their_portions() {
        let first = entry(&[("x > 2", "1M"), ("x > 5", "1A")], None);
        let last = |marks: &str| entry(&[("6", marks)], Some(3));
        let read = |last: Option<Entry>, joint: u32| under_sum(&[first.clone(), last], Marks::whole(joint));
        assert_eq!(read(last("1A"), 3), whole(&[2, 1]));
        assert_eq!(read(last("2A"), 3), None, "they do not add up");
        assert_eq!(read(last("1A"), 4), None, "the scheme sums up something else");
    }

    #[test]
    fn a_sum_beside_the_first_part_is_parted() {
        let first = entry(&[("rises [1+2]", "")], None);
        let silent = entry(&[("falls", "")], None);
        let read =
            |last: Option<Entry>, joint: u32| beside_first(&mut [first.clone(), last], Marks::whole(joint));
        assert_eq!(read(silent.clone(), 3), whole(&[1, 2]));
        assert_eq!(read(silent, 4), None);
        assert_eq!(read(entry(&[("falls", "1M")], None), 3), None, "the other has its own");
    }
}
