//! What the names of marks mean: "1 point revenue, 2 points DWL" below a solution that says what they are.

/// For each purpose, the sentence of the solution that says it: one that has a word of it or its initials, and no other
/// purpose has a better claim to; where all the others stand in order, what is left between them.
pub(super) fn sentences(purposes: &[&str], solution: &str) -> Vec<Option<String>> {
    let said = parted(without_lead(solution));
    let alike = |purpose: &str, sentence: &str| {
        let own = stems(purpose);
        let shared = stems(sentence).iter().filter(|stem| own.contains(stem)).count();
        shared * 2 + usize::from(has_initials(purpose, sentence)) * 2
    };
    let mut found: Vec<Option<usize>> = purposes
        .iter()
        .map(|purpose| {
            let scores = said.iter().map(|sentence| alike(purpose, sentence)).enumerate();
            // Of equal ones the first.
            scores.max_by_key(|(at, score)| (*score, said.len() - at)).filter(|(_, score)| *score > 0)
        })
        .map(|best| best.map(|(at, _)| at))
        .collect();
    // What says several of them tells none from the others.
    let claims = |at: usize, found: &[Option<usize>]| found.iter().filter(|one| **one == Some(at)).count();
    let all = found.clone();
    found.iter_mut().for_each(|one| *one = one.filter(|at| claims(*at, &all) == 1));
    let known: Vec<usize> = found.iter().flatten().copied().collect();
    let in_order = known.windows(2).all(|pair| pair[0] < pair[1]);
    let in_place = found.iter().enumerate().all(|(at, one)| one.is_none_or(|one| one == at));
    if said.len() == purposes.len() && in_order && in_place && !known.is_empty() {
        found = (0..purposes.len()).map(Some).collect();
    }
    found.into_iter().map(|at| at.and_then(|at| said.get(at)).map(|text| (*text).to_owned())).collect()
}

/// "Solution: …" without its lead.
fn without_lead(text: &str) -> &str {
    let (lead, rest) = text.trim_start().split_once(' ').unwrap_or((text, ""));
    let word = lead.trim_end_matches([':', '.']).to_lowercase();
    if lexicon::is(lexicon::Concept::SolutionLead, &word) { rest } else { text }
}

/// Sentences and what semicolons part.
fn parted(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let ends = text.match_indices([';', '.']).filter(|(at, sign)| {
        let next = text[at + 1..].trim_start().chars().next();
        *sign == ";" || text[at + 1..].starts_with(' ') && next.is_some_and(|next| !next.is_lowercase())
    });
    for (at, _) in ends {
        found.push(text[start..at].trim());
        start = at + 1;
    }
    found.push(text[start..].trim().trim_end_matches('.'));
    found.retain(|text| !text.is_empty());
    found
}

/// The beginnings of words that mean something.
fn stems(text: &str) -> Vec<String> {
    const LENGTH: usize = 5;
    let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    let telling = |word: &String| {
        let is_word = word.chars().count() > 2 || word.chars().all(|c| c.is_ascii_digit());
        !word.is_empty() && is_word && !lexicon::is_stop_word(word)
    };
    let mut stems: Vec<String> =
        words.filter(telling).map(|word| word.chars().take(LENGTH).collect()).collect();
    // A single capital letter names something: "Q."
    let letters = text.split(|c: char| !c.is_alphanumeric());
    let is_name =
        |word: &&str| word.len() == 1 && word.starts_with(|c: char| c.is_ascii_uppercase()) && *word != "A";
    stems.extend(letters.filter(is_name).map(str::to_owned));
    stems
}

/// "DWL" for "deadweight loss": its letters begin words or stand in the first of them, in order.
fn has_initials(purpose: &str, sentence: &str) -> bool {
    let short = purpose
        .split(|c: char| !c.is_alphanumeric())
        .find(|word| (2..=5).contains(&word.len()) && word.chars().all(|c| c.is_ascii_uppercase()));
    let Some(short) = short.map(str::to_lowercase) else { return false };
    let words: Vec<String> = sentence.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase).collect();
    let first = short.chars().next();
    words.windows(short.len() - 1).any(|some| {
        let mut letters = some.concat();
        letters.retain(char::is_alphabetic);
        let mut wanted = short.chars().peekable();
        let begins = some[0].chars().next() == first && some.iter().all(|word| word.len() > 2);
        for letter in letters.chars() {
            wanted.next_if_eq(&letter);
        }
        begins && wanted.peek().is_none()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn purposes_find_what_says_them() {
        let solution = "Revenue is 5 × 30 = 150. The deadweight loss is the triangle, ½ × 5 × 8 = 20.";
        let found = sentences(&["revenue", "DWL"], solution);
        assert_eq!(found[0].as_deref(), Some("Revenue is 5 × 30 = 150"));
        assert!(found[1].as_deref().is_some_and(|said| said.contains("triangle")));
        let placed = sentences(
            &["Q", "the plateau", "saturation"],
            "Q. Its uptake levels off from 8 on. All carriers are occupied (saturated).",
        );
        assert_eq!(placed[1].as_deref(), Some("Its uptake levels off from 8 on"));
    }

    #[test]
    fn what_no_sentence_says_stays_unsaid() {
        assert_eq!(sentences(&["a clear conclusion"], "The price rises."), [None]);
        assert_eq!(sentences(&["units"], ""), [None]);
    }
}
