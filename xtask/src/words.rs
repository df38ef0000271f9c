//! One home for language: rules of `exam` and `marker` name concepts of `lexicon`, this refuses words among them.

mod source;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

/// Where rules stand.
const RULES: [&str; 3] = ["crates/exam/src", "crates/marker/src", "crates/signs/src"];

/// Files and folders among them that are no rules, and why their words belong there.
const NO_RULES: [(&str, &str); 29] = [
    ("crates/exam/src/doubts/mod.rs", "sentences for reviewers"),
    ("crates/exam/src/doubts/joined.rs", "sentences for reviewers"),
    ("crates/exam/src/doubts/keys.rs", "sentences for reviewers"),
    ("crates/exam/src/doubts/lost.rs", "sentences for reviewers"),
    ("crates/exam/src/eval", "files of collections and lines of a report"),
    ("crates/exam/src/explain.rs", "a print for people"),
    ("crates/exam/src/join/mod.rs", "codes and sentences of warnings"),
    ("crates/exam/src/labels/han.rs", "digits"),
    ("crates/exam/src/rules.rs", "what rules say to people"),
    ("crates/exam/src/shares.rs", "sentences for reviewers"),
    ("crates/exam/src/short.rs", "sentences for reviewers"),
    ("crates/marker/src/builtin/algebra/functions.rs", "signs of mathematics, the same in every language"),
    ("crates/marker/src/builtin/chemistry/elements.rs", "symbols of chemistry, the same in every language"),
    ("crates/marker/src/builtin/mod.rs", "the engine's name"),
    ("crates/marker/src/eval", "lines of a report"),
    ("crates/marker/src/eval.rs", "codes of flags"),
    ("crates/marker/src/feedback.rs", "sentences for students"),
    ("crates/marker/src/meaning/align.rs", "names of measurements"),
    ("crates/marker/src/meaning/encoder.rs", "names of a model's inputs"),
    ("crates/marker/src/meaning/expected.rs", "names of measurements"),
    ("crates/marker/src/meaning/features.rs", "names of measurements"),
    ("crates/marker/src/meaning/held.rs", "names of models and their files"),
    ("crates/marker/src/meaning/joint.rs", "names of a model's files and inputs"),
    ("crates/marker/src/meaning/semantic.rs", "names of measurements"),
    ("crates/marker/src/meaning/sense.rs", "names of measurements"),
    ("crates/marker/src/meaning/weights.rs", "names of measurements"),
    ("crates/marker/src/remote", "prompts, and the wire of another service"),
    ("crates/marker/src/rule.rs", "names of rules and what they say to people"),
    ("crates/signs/src/number/unit_table.rs", "symbols of units, the same in every language"),
];

/// Rules that still hold words, and how many. Entries only fall.
const LEFT: [(&str, usize); 0] = [];

/// Fails with every word that stands in a rule.
pub(crate) fn check() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the workspace has no folder")?;
    let mut found = BTreeMap::new();
    for folder in RULES {
        for path in sources(&root.join(folder))? {
            let source = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            let name = path.strip_prefix(root)?.to_string_lossy().replace('\\', "/");
            found.insert(name, source::words(&source));
        }
    }
    let wrong = complaints(&found, &NO_RULES, &LEFT);
    if !wrong.is_empty() {
        bail!("words belong into the lexicon (see docs/architecture.md):\n  {}", wrong.join("\n  "));
    }
    Ok(())
}

/// The files of a crate but for its tests.
fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.file_stem().is_some_and(|name| name == "tests") {
            continue;
        }
        if path.is_dir() {
            found.extend(sources(&path)?);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    Ok(found)
}

/// What is wrong with the words that were found in each file, given the lists.
fn complaints(
    found: &BTreeMap<String, Vec<(usize, String)>>,
    no_rules: &[(&str, &str)],
    left: &[(&str, usize)],
) -> Vec<String> {
    let mut wrong = Vec::new();
    for (exempt, _) in no_rules {
        let covers = |name: &String| is_within(name, exempt);
        if !found.iter().any(|(name, words)| covers(name) && !words.is_empty()) {
            wrong.push(format!("{exempt} holds no words: it need not be named as no rule"));
        }
    }
    for (name, allowed) in left {
        let count = found.get(*name).map_or(0, Vec::len);
        if count < *allowed {
            wrong.push(format!("{name} holds {count} words and no longer {allowed}: lower its entry"));
        }
    }
    for (name, words) in found {
        let allowed = left.iter().find(|(file, _)| file == name).map_or(0, |(_, allowed)| *allowed);
        if words.len() > allowed && !no_rules.iter().any(|(exempt, _)| is_within(name, exempt)) {
            wrong.extend(words.iter().map(|(line, word)| format!("{name}:{line}: {word:?}")));
        }
    }
    wrong
}

/// True for the file itself and for what lies in the folder.
fn is_within(name: &str, exempt: &str) -> bool {
    name.strip_prefix(exempt).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, words: usize) -> (String, Vec<(usize, String)>) {
        (name.to_owned(), (1..=words).map(|line| (line, format!("word {line}"))).collect())
    }

    #[test]
    fn a_word_in_a_rule_is_refused_and_elsewhere_allowed() {
        let found = BTreeMap::from([file("a/rule.rs", 1), file("a/eval/report.rs", 3)]);
        assert_eq!(complaints(&found, &[("a/eval", "a report")], &[]), ["a/rule.rs:1: \"word 1\""]);
        assert_eq!(complaints(&found, &[("a/eval", "a report"), ("a/rule.rs", "a name")], &[]).len(), 0);
    }

    #[test]
    fn a_folder_is_not_a_file_that_begins_alike() {
        let found = BTreeMap::from([file("a/eval.rs", 1), file("a/eval/report.rs", 1)]);
        assert_eq!(complaints(&found, &[("a/eval", "a report")], &[]), ["a/eval.rs:1: \"word 1\""]);
    }

    #[test]
    fn what_is_left_may_only_fall_and_then_its_entry_falls() {
        let left = [("a/rule.rs", 2)];
        let with = |words| complaints(&BTreeMap::from([file("a/rule.rs", words)]), &[], &left);
        assert_eq!(with(2).len(), 0);
        assert_eq!(with(3).len(), 3);
        assert_eq!(with(1), ["a/rule.rs holds 1 words and no longer 2: lower its entry"]);
        assert_eq!(complaints(&BTreeMap::new(), &[], &left).len(), 1);
    }

    #[test]
    fn a_name_among_the_files_that_are_no_rules_needs_a_reason() {
        let found = BTreeMap::from([file("a/rule.rs", 0)]);
        assert_eq!(complaints(&found, &[("a/rule.rs", "a name")], &[]).len(), 1);
    }

    #[test]
    fn the_rules_of_the_workspace_name_concepts_and_no_words() {
        check().unwrap();
    }
}
