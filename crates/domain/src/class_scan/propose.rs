//! Where one script ends and the next begins. It is a proposal: whatever is doubtful about it is said.

use super::{ScanPage, ScanScript, Split, Warning};
use crate::cover::Cover;
use crate::id::PaperId;
use crate::roster::Roster;
use crate::submission::Student;
use std::collections::{HashMap, HashSet};

/// How sure a script is that a cover sheet of the roster begins.
const BY_COVER: f64 = 0.98;
/// The same where the roster does not know its student, or there is none to ask.
const BY_UNKNOWN_COVER: f64 = 0.9;
/// How sure a student is who is only next on the roster.
const BY_ORDER: f64 = 0.4;
/// How sure pages are of which nothing says whose they are.
const BY_NOTHING: f64 = 0.1;
/// What is left of it when the length is odd, or the student had a script before.
const ODD: f64 = 0.6;
/// So many scripts of one length make another length unusual.
const USUAL_FROM: usize = 3;
/// A name that fits less well than this is doubtful.
const NAME_SURE: f64 = 0.8;

/// What was seen of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Finding {
    /// What stands on it.
    pub seen: Seen,
    /// Nothing is written on it.
    pub is_blank: bool,
}

/// What stands on a page that may begin a script.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Seen {
    /// Nothing that begins one.
    #[default]
    Nothing,
    /// A code of a cover sheet.
    Cover(Cover),
    /// A code that cannot be read.
    UnreadCode,
    /// A name of the roster.
    Name(NameSeen),
}

/// A name at the head of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct NameSeen {
    /// Whose, by the place in the roster.
    pub student: usize,
    /// How well it fits, from 0 to 1.
    pub fit: f64,
}

/// Parts the pages of a scan into scripts.
pub fn propose(
    split: Split,
    paper: PaperId,
    roster: &Roster,
    findings: &[Finding],
) -> (Vec<ScanPage>, Vec<ScanScript>) {
    let pages = findings.iter().map(|finding| ScanPage {
        is_cover: split == Split::Covers && matches!(finding.seen, Seen::Cover(_)),
        is_blank: finding.is_blank,
    });
    let pages: Vec<ScanPage> = pages.collect();
    let mut scripts = match split {
        Split::Covers => by_covers(paper, roster, findings),
        Split::Pages(count) => by_count(count, roster, findings),
        Split::Names => by_names(roster, findings),
    };
    // A sheet with nothing under it, or only backs of sheets, is a student who handed in nothing. Without a roster that
    // lists the student as absent nobody would see that, so blank pages stay for a person to look at.
    let is_blank = |page: &u32| pages[*page as usize - 1].is_blank;
    let is_listed = |script: &ScanScript| {
        script.student.as_ref().is_none_or(|student| roster.find(student.external_id.as_str()).is_some())
    };
    scripts.retain(|script| {
        !script.pages.iter().all(is_blank) || (!script.pages.is_empty() && !is_listed(script))
    });
    for script in &mut scripts {
        if script.pages.iter().any(is_blank) {
            script.warnings.push(Warning::BlankPages);
        }
    }
    doubt_repeated(&mut scripts);
    if !matches!(split, Split::Pages(_)) {
        doubt_odd_lengths(&mut scripts);
    }
    (pages, scripts)
}

fn begun(student: Option<Student>, confidence: f64, warnings: Vec<Warning>) -> ScanScript {
    ScanScript {
        pages: Vec::new(),
        student,
        confidence,
        warnings,
        parts: Vec::new(),
        submission_id: None,
        obstacle: None,
    }
}

fn by_covers(paper: PaperId, roster: &Roster, findings: &[Finding]) -> Vec<ScanScript> {
    let mut scripts: Vec<ScanScript> = Vec::new();
    for (page, finding) in (1..).zip(findings) {
        match &finding.seen {
            Seen::Cover(cover) => scripts.push(covered(paper, roster, cover)),
            Seen::UnreadCode => {
                scripts.push(begun(None, BY_NOTHING, vec![Warning::CoverUnread]));
                add(&mut scripts, page);
            }
            Seen::Nothing | Seen::Name(_) => {
                if scripts.is_empty() {
                    scripts.push(begun(None, BY_NOTHING, vec![Warning::NoCover]));
                }
                add(&mut scripts, page);
            }
        }
    }
    scripts
}

/// The script that a cover sheet begins.
fn covered(paper: PaperId, roster: &Roster, cover: &Cover) -> ScanScript {
    if cover.paper_id != paper {
        return begun(None, BY_NOTHING, vec![Warning::CoverOfOtherPaper]);
    }
    if let Some(student) = roster.find(cover.external_id.as_str()) {
        return begun(Some(student.clone()), BY_COVER, Vec::new());
    }
    let warnings = if roster.is_empty() { Vec::new() } else { vec![Warning::UnknownStudent] };
    let student = Student { external_id: cover.external_id.clone(), name: None };
    begun(Some(student), BY_UNKNOWN_COVER, warnings)
}

fn add(scripts: &mut [ScanScript], page: u32) {
    if let Some(script) = scripts.last_mut() {
        script.pages.push(page);
    }
}

fn by_count(count: u32, roster: &Roster, findings: &[Finding]) -> Vec<ScanScript> {
    let all: Vec<u32> = (1..).zip(findings).map(|(page, _)| page).collect();
    let size = count.max(1) as usize;
    let chunks = all.chunks(size);
    // Only a stack that is as long as the roster is likely to be in its order.
    let in_order = chunks.len() == roster.students().len() && all.len().is_multiple_of(size);
    let scripts = chunks.enumerate().map(|(place, pages)| {
        let student = roster.students().get(place).filter(|_| in_order);
        let mut script = match student {
            Some(enrolled) => begun(Some(enrolled.student.clone()), BY_ORDER, vec![Warning::StudentByOrder]),
            None => begun(None, BY_NOTHING, Vec::new()),
        };
        if pages.len() < size {
            script.warnings.push(Warning::UnusualLength);
        }
        script.pages = pages.to_vec();
        script
    });
    scripts.collect()
}

fn by_names(roster: &Roster, findings: &[Finding]) -> Vec<ScanScript> {
    let mut scripts: Vec<ScanScript> = Vec::new();
    let mut current: Option<usize> = None;
    for (page, finding) in (1..).zip(findings) {
        if let Seen::Name(name) = &finding.seen
            && current != Some(name.student)
            && let Some(enrolled) = roster.students().get(name.student)
        {
            current = Some(name.student);
            let doubt = (name.fit < NAME_SURE).then_some(Warning::NameDoubtful);
            scripts.push(begun(Some(enrolled.student.clone()), name.fit, doubt.into_iter().collect()));
        }
        if scripts.is_empty() {
            scripts.push(begun(None, BY_NOTHING, vec![Warning::NameDoubtful]));
        }
        add(&mut scripts, page);
    }
    scripts
}

/// A student who has two scripts: both are in doubt, and the second is said to be.
fn doubt_repeated(scripts: &mut [ScanScript]) {
    let mut seen: HashSet<String> = HashSet::new();
    for script in scripts {
        let Some(student) = &script.student else { continue };
        if !seen.insert(student.external_id.to_string()) {
            script.warnings.push(Warning::StudentTwice);
            script.confidence *= ODD;
        }
    }
}

/// A cover that was missed makes a script of twice the length.
fn doubt_odd_lengths(scripts: &mut [ScanScript]) {
    let mut lengths: HashMap<usize, usize> = HashMap::new();
    for script in scripts.iter() {
        *lengths.entry(script.pages.len()).or_default() += 1;
    }
    let usual = lengths.iter().max_by_key(|(length, count)| (**count, **length));
    let Some((&usual, &count)) = usual else { return };
    if count < USUAL_FROM || 2 * count <= scripts.len() {
        return;
    }
    for script in scripts.iter_mut().filter(|script| script.pages.len() != usual) {
        script.warnings.push(Warning::UnusualLength);
        script.confidence *= ODD;
    }
}
