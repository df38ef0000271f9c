//! What a scheme says its marks are for: "one mark for", "1 mark each", "1 mark per point, max three".

use crate::marks;
use domain::marks::Marks;
use lexicon::Concept;
use lexicon::english::{examiners, schemes};

/// "One mark for:", "2 marks for a valid conclusion": the marks, and what they are for.
pub(super) fn priced(text: &str) -> Option<(Marks, &str)> {
    let (number, rest) = text.split_once(' ')?;
    let marks = lexicon::small_number(&number.to_lowercase())?;
    let (unit, rest) = rest.split_once(' ')?;
    let said = lexicon::is(Concept::MarkUnit, &unit.to_lowercase());
    let end = rest.find([' ', ':']).unwrap_or(rest.len());
    let (purpose, rest) = rest.split_at(end);
    let next = rest.trim_start().split([' ', '\'', '’']).next().unwrap_or_default().to_lowercase();
    let gives = is_purpose(&purpose.to_lowercase(), &next);
    (said && gives).then(|| (Marks::whole(marks), rest.trim_start_matches([':', ' '])))
}

/// "for", "für", and "por" before an article. What each earns is another matter: "1 punto per ogni risposta".
fn is_purpose(word: &str, next: &str) -> bool {
    let named = lexicon::is(Concept::Per, word) && lexicon::is(Concept::Article, next);
    (lexicon::is(Concept::For, word) || named) && !lexicon::is(Concept::Each, next)
}

/// "per", "pro", "por" behind a unit of its own language, and no article behind it.
fn spreads(unit: &str, per: &str, next: Option<&str>) -> Option<()> {
    let named = next.is_some_and(|next| lexicon::is(Concept::Article, next));
    let own = || lexicon::in_one_language((Concept::MarkUnit, unit), (Concept::Per, per));
    (lexicon::is(Concept::Per, per) && !named && own()).then_some(())
}

/// "solid, liquid, gas (1 mark each)": the list, and what each of its items is worth.
pub(super) fn each(text: &str) -> Option<(&str, Marks)> {
    let trimmed = text.trim().trim_end_matches(['.', ')', ']']);
    if let Some(found) = each_before(trimmed) {
        return Some(found);
    }
    let (rest, spread) = trimmed.rsplit_once(' ')?;
    let rest = if lexicon::is(Concept::Each, &spread.to_lowercase()) {
        rest.trim_end()
    } else {
        // "1 punto cada uno"
        let (rest, before) = rest.rsplit_once(' ')?;
        lexicon::is(Concept::Each, &format!("{before} {spread}").to_lowercase()).then(|| rest.trim_end())?
    };
    let unit = |word: &str| lexicon::is(Concept::MarkUnit, &word.to_lowercase());
    let (before, last) = rest.rsplit_once(' ').unwrap_or(("", rest));
    let (list, number) =
        if unit(last) { before.rsplit_once(' ').unwrap_or(("", before)) } else { (before, last) };
    let marks = lexicon::small_number(&number.trim_start_matches(['(', '[']).to_lowercase())?;
    Some((list.trim_end_matches(['-', '–', ',', ';', ' ']), Marks::whole(marks)))
}

/// "fest, flüssig, gasförmig (je 1 Punkt": the same with the word before the number.
fn each_before(text: &str) -> Option<(&str, Marks)> {
    let (rest, unit) = text.rsplit_once(' ')?;
    let (rest, number) = rest.rsplit_once(' ')?;
    let (list, spread) = rest.rsplit_once(' ').unwrap_or(("", rest));
    let bare = |word: &str| word.trim_matches(['(', '[', '.', ',']).to_lowercase();
    let counts = lexicon::is(Concept::MarkUnit, &bare(unit)) && lexicon::is(Concept::Each, &bare(spread));
    let marks = lexicon::small_number(&bare(number)).filter(|_| counts)?;
    Some((list.trim_end_matches(['-', '–', ',', ';', ' ']), Marks::whole(marks)))
}

/// "One mark per mark point, max three", "Award 1 mark for each correct line": what each is worth, and the most that
/// all of them are.
pub(super) fn each_of(text: &str) -> Option<(Marks, Option<Marks>)> {
    const LONGEST: usize = 14;
    // "It names two of these (allow one mark for each):"
    let bracketed = text.trim_end().strip_suffix("):").and_then(|text| text.rsplit_once('('));
    if let Some((_, inner)) = bracketed {
        return each_of(inner);
    }
    let lower = text.to_lowercase();
    let listed = lower.split_once(':').is_some_and(|(_, list)| !list.trim().is_empty());
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is = |at: usize, concept: Concept| words.get(at).is_some_and(|word| lexicon::is(concept, word));
    let led = usize::from(is(0, Concept::Award));
    let marks = words.get(led).and_then(|word| lexicon::small_number(word))?;
    let per = || spreads(words.get(led + 1)?, words.get(led + 2)?, words.get(led + 3).copied());
    let spread = per().is_some() || (is(led + 2, Concept::For) && is(led + 3, Concept::Each));
    let of = is(led + 4, Concept::Of);
    if listed || words.len() > LONGEST || !is(led + 1, Concept::MarkUnit) || !spread || of {
        return None;
    }
    let most = words.iter().position(|word| lexicon::is(Concept::Most, word));
    let most = most.and_then(|at| words[at + 1..].iter().find_map(|word| lexicon::small_number(word)));
    Some((Marks::whole(marks), most.map(Marks::whole)))
}

/// "Any four well explained at 2 marks each: a better price; good rainfall": how many count, what each is worth, and
/// what is listed behind it.
pub(super) fn picked(text: &str) -> Option<(u32, Marks, &str)> {
    const LONGEST: usize = 10;
    let (head, list) = text.split_once(':')?;
    let (named, marks) = each(head)?;
    let lower = named.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let [any, count, ..] = words[..] else { return None };
    let count = lexicon::small_number(count).filter(|_| lexicon::is(Concept::Any, any))?;
    (words.len() <= LONGEST).then(|| (count, marks, list.trim()))
}

/// The answer before what a list adds up to behind its last item, and that sum: "Vivipary (4 x 1) (4)".
pub(super) fn sum_of_list(text: &str) -> Option<(&str, Marks)> {
    let (before, sum) = text.trim_end().strip_suffix(')')?.rsplit_once('(')?;
    let (said, product) = before.trim_end().strip_suffix(')')?.rsplit_once('(')?;
    let (count, each) = product.split_once(['x', '×', 'X'])?;
    let [sum, count, each] = [sum, count, each].map(|own| own.trim().parse::<u32>().ok());
    let (sum, product) = (sum?, count?.checked_mul(each?)?);
    (sum == product).then(|| (said.trim_end(), Marks::whole(sum)))
}

/// "3 @ 1 mark", "1@1": how many points of how many marks an answer has.
pub(super) fn is_count(text: &str) -> bool {
    let number = |own: &str| !own.is_empty() && own.chars().all(|c| c.is_ascii_digit());
    text.trim().split_once('@').is_some_and(|(count, each)| {
        let each = each.trim();
        let unit = each.split_once(' ').is_none_or(|(_, unit)| marks::is_unit(unit.trim_end_matches('.')));
        number(count.trim()) && number(each.split(' ').next().unwrap_or_default()) && unit
    })
}

/// The answer before a sentence that prices all its points, and what each is worth: "it sinks again. 1 mark for each step."
pub(super) fn each_behind(text: &str) -> Option<(&str, Marks)> {
    let (said, price) = text.rsplit_once(". ")?;
    let (marks, most) = each_of(price)?;
    (most.is_none() && !said.trim().is_empty()).then_some((said, marks))
}

/// "1 mark for x, 1 mark for y", "Award one mark for x": each purpose with its marks.
pub(super) fn priced_list(text: &str) -> Option<Vec<(Marks, String)>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let price_at = |at: usize| {
        let marks = lexicon::small_number(&bare(words.get(at)?))?;
        let unit = lexicon::is(Concept::MarkUnit, &bare(words.get(at + 1)?));
        // "1 point is earned for the units"
        let earned = words[at + 2..].iter().take(2).take_while(|word| examiners::EARNED.has(&bare(word)));
        let behind = at + 2 + earned.count();
        let purpose = *words.get(behind)?;
        let dash = matches!(purpose, "-" | "–" | "—" | ":");
        let next = words.get(behind + 1).map(|next| bare(next)).unwrap_or_default();
        (unit && (is_purpose(&bare(purpose), &next) || dash)).then_some((Marks::whole(marks), behind + 1))
    };
    let joins = |word: &str| schemes::PRICE_JOINTS.has(&bare(word));
    // "Three points for the link, two for the end": the unit is said once.
    let short_at = |at: usize| {
        let before = *words.get(at.checked_sub(1)?)?;
        let marks = lexicon::small_number(&bare(words[at]))
            .filter(|_| before.ends_with([',', ';']) || joins(before))?;
        let [purpose, next] =
            [1, 2].map(|ahead| words.get(at + ahead).map(|word| bare(word)).unwrap_or_default());
        is_purpose(&purpose, &next).then_some((Marks::whole(marks), at + 2))
    };
    let prices: Vec<(usize, (Marks, usize))> =
        (0..words.len()).filter_map(|at| Some((at, price_at(at).or_else(|| short_at(at))?))).collect();
    let first = prices.first()?.0;
    if price_at(first).is_none() || !words[..first].iter().all(|word| joins(word)) {
        return None;
    }
    let purposes = prices.iter().enumerate().map(|(index, (_, (marks, begin)))| {
        let mut end = prices.get(index + 1).map_or(words.len(), |(next, _)| *next);
        while end > *begin && index + 1 < prices.len() && joins(words[end - 1]) {
            end -= 1;
        }
        (*marks, words[(*begin).min(end)..end].join(" "))
    });
    let purposes: Vec<(Marks, String)> = purposes.collect();
    purposes.iter().all(|(_, purpose)| !purpose.is_empty()).then_some(purposes)
}

/// "1 point the sign, 2 points both prices", led by a word that says that marks follow: each purpose with its marks.
pub(super) fn named_list(text: &str) -> Option<Vec<(Marks, String)>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let price_at = |at: usize| {
        let marks = lexicon::small_number(&bare(words[at]))?;
        let is_unit = lexicon::is(Concept::MarkUnit, &bare(words.get(at + 1)?));
        let parted =
            at == 0 || words[at - 1].ends_with([',', ';', '.']) || schemes::PRICE_JOINTS.has(words[at - 1]);
        (is_unit && parted).then_some((at, Marks::whole(marks)))
    };
    let prices: Vec<(usize, Marks)> = (0..words.len()).filter_map(price_at).collect();
    let ends = prices.iter().skip(1).map(|(at, _)| *at).chain([words.len()]);
    let purposes = prices.iter().zip(ends).map(|((at, marks), end)| {
        let purpose = words[(at + 2).min(end)..end].join(" ");
        (*marks, purpose.trim_end_matches([',', ';', ' ']).to_owned())
    });
    let purposes: Vec<(Marks, String)> = purposes.collect();
    let is_whole = purposes.len() > 1 && prices[0].0 == 0;
    (is_whole && purposes.iter().all(|(_, purpose)| !purpose.is_empty())).then_some(purposes)
}

/// "1 point is earned for the units", "For the correct answer with units: 1 point": the marks.
pub(super) fn earned(text: &str) -> Option<Marks> {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let counted = |number: &str, unit: &str| {
        let unit = unit.trim_end_matches(['.', ',']);
        lexicon::small_number(number).filter(|_| lexicon::is(Concept::MarkUnit, unit)).map(Marks::whole)
    };
    match words.as_slice() {
        [number, unit, is, earned, purpose, ..]
            if examiners::EARNED.has(is)
                && examiners::EARNED.has(earned)
                && lexicon::is(Concept::For, purpose.trim_end_matches(':')) =>
        {
            counted(number, unit)
        }
        [purpose, .., before, number, unit]
            if lexicon::is(Concept::For, purpose) && before.ends_with(':') =>
        {
            counted(number, unit)
        }
        _ => None,
    }
}

/// True for a text that begins with marks and what they are for, which may stand on the next line: "1 point for".
pub(super) fn begins_price(text: &str) -> bool {
    let words: Vec<String> = text.split_whitespace().take(3).map(str::to_lowercase).collect();
    let [number, unit, purpose] = words.as_slice() else { return false };
    lexicon::small_number(number).is_some()
        && lexicon::is(Concept::MarkUnit, unit)
        && lexicon::is(Concept::For, purpose)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_read_in_every_language() {
        assert_eq!(priced("1 Punkt für: die Formel"), Some((Marks::whole(1), "die Formel")));
        assert_eq!(priced("2 points pour la méthode"), Some((Marks::whole(2), "la méthode")));
        assert_eq!(priced("1 pkt za wzór"), Some((Marks::whole(1), "wzór")));
        assert_eq!(priced("1 punto por la fórmula"), Some((Marks::whole(1), "la fórmula")));
        assert_eq!(priced("2 punti per la densità"), Some((Marks::whole(2), "la densità")));
        let one = Marks::whole(1);
        for rule in ["1 punto por respuesta correcta", "1 punto per ogni risposta", "1 point par réponse"] {
            assert_eq!(each_of(rule), Some((one, None)), "{rule}");
            assert_eq!(priced(rule), None, "{rule}");
        }
        assert_eq!(each_of("2 punti per densità minore"), None);
        assert_eq!(each("fest, flüssig (je 1 Punkt)"), Some(("fest, flüssig", one)));
        assert_eq!(each("hierro, zinc (1 punto cada uno)"), Some(("hierro, zinc", one)));
        assert_eq!(each("sole, luna (1 punto ciascuno)"), Some(("sole, luna", one)));
        let earned = priced_list("1 point is earned for the units.").unwrap();
        assert_eq!(earned, [(one, "the units.".to_owned())]);
        assert_eq!(priced("One mark for:"), Some((Marks::whole(1), "")));
        assert_eq!(priced("2 marks for a valid conclusion"), Some((Marks::whole(2), "a valid conclusion")));
        assert_eq!(priced("one mark formula"), None);
        let three = Some(Marks::whole(3));
        assert_eq!(each_of("One mark per mark point, max three"), Some((Marks::whole(1), three)));
        assert_eq!(each_of("1 mark for each correct line"), Some((Marks::whole(1), None)));
        assert_eq!(each_of("It tells (allow one mark for each element):"), Some((Marks::whole(1), None)));
        assert_eq!(each_of("1 mark for each of iron and zinc"), None);
        assert_eq!(each_of("1 mark for each: iron, zinc"), None);
    }
}
