//! Confirming a split: a person's corrections held against the pages that there are, and the scripts on their way to
//! become submissions.

use super::{ClassScan, Obstacle, Part, SCRIPT_PAGES_MAX, SCRIPTS_MAX, ScanScript, State};
use crate::file::ContentType;
use crate::id::{FileId, SubmissionId};
use crate::refusal::Refusal;
use crate::roster::Roster;
use crate::submission::{FILES_MAX, Student};
use jiff::Timestamp;
use std::collections::{HashMap, HashSet};
use std::fmt;

/// A script as a person wants it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corrected {
    /// Which pages of the scan, counted from 1.
    pub pages: Vec<u32>,
    /// Whose.
    pub student: Student,
}

/// Why a split cannot be confirmed; `script` counts from 0 and reads as `scripts[2]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SplitProblem {
    /// There is nothing to submit.
    Nothing,
    /// More scripts than one scan has.
    TooMany,
    /// A script has no student yet.
    NoStudent {
        /// Which.
        script: usize,
    },
    /// Two scripts have the same student.
    SameStudent {
        /// The second.
        script: usize,
        /// The first.
        first: usize,
    },
    /// A script has no page, or too many.
    PageCount {
        /// Which.
        script: usize,
    },
    /// There is no such page.
    NoPage {
        /// In which script.
        script: usize,
        /// Which page.
        page: u32,
    },
    /// A page is named twice.
    SamePage {
        /// In which script.
        script: usize,
        /// Which page.
        page: u32,
    },
    /// A script is made of more files than a submission takes.
    TooManyFiles {
        /// Which.
        script: usize,
    },
}

impl SplitProblem {
    /// Where the request names what it is about.
    pub fn path(&self) -> String {
        match self {
            SplitProblem::Nothing | SplitProblem::TooMany => "scripts".to_owned(),
            SplitProblem::NoStudent { script } => format!("scripts[{script}].student"),
            SplitProblem::SameStudent { script, .. } => format!("scripts[{script}].student.external_id"),
            SplitProblem::PageCount { script }
            | SplitProblem::NoPage { script, .. }
            | SplitProblem::SamePage { script, .. }
            | SplitProblem::TooManyFiles { script } => format!("scripts[{script}].pages"),
        }
    }
}

impl fmt::Display for SplitProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SplitProblem::Nothing => write!(f, "must have at least one script"),
            SplitProblem::TooMany => write!(f, "must have at most {SCRIPTS_MAX} scripts"),
            SplitProblem::NoStudent { .. } => write!(f, "must say whose script it is"),
            SplitProblem::SameStudent { first, .. } => write!(f, "is the same as that of scripts[{first}]"),
            SplitProblem::PageCount { .. } => write!(f, "must have 1 to {SCRIPT_PAGES_MAX} pages"),
            SplitProblem::NoPage { page, .. } => {
                write!(f, "names the page {page}, which the scan does not have")
            }
            SplitProblem::SamePage { page, .. } => write!(f, "names the page {page}, which is named before"),
            SplitProblem::TooManyFiles { .. } => {
                write!(f, "are of more than {FILES_MAX} files, which no submission takes")
            }
        }
    }
}

impl ClassScan {
    /// Only a split that waits for it can be confirmed.
    pub fn must_await_confirmation(&self) -> Result<(), Refusal> {
        match self.state {
            State::AwaitingConfirmation => Ok(()),
            _ => Err(Refusal::ClassScanNotConfirmable { scan: self.id, status: self.state.status() }),
        }
    }

    /// Whether this very split was confirmed before, so that asking for it again changes nothing.
    pub fn is_confirmed_as(&self, corrected: Option<&[Corrected]>) -> bool {
        let is_same = |corrected: &[Corrected]| {
            let is_known = |pages: &Vec<u32>| self.scripts.iter().any(|script| script.pages == *pages);
            !corrected.is_empty() && corrected.iter().all(|script| is_known(&script.pages))
        };
        matches!(self.state, State::Confirming | State::Confirmed) && corrected.is_none_or(is_same)
    }

    /// How many pages are still to be submitted.
    pub fn pages_to_submit(&self) -> u32 {
        let waiting = self.scripts.iter().filter(|script| script.submission_id.is_none());
        u32::try_from(waiting.map(|script| script.pages.len()).sum::<usize>()).unwrap_or(u32::MAX)
    }

    /// The split as a person wants it, or as it was proposed. Files that have to be made get new ids, in order.
    pub fn confirmed_as(
        &self,
        corrected: Option<Vec<Corrected>>,
        mut new_id: impl FnMut() -> FileId,
        now: Timestamp,
    ) -> Result<ClassScan, SplitProblem> {
        let mut scripts = match corrected {
            Some(corrected) => self.corrected(corrected),
            None => self.scripts.clone(),
        };
        if scripts.is_empty() {
            return Err(SplitProblem::Nothing);
        }
        if scripts.len() > SCRIPTS_MAX {
            return Err(SplitProblem::TooMany);
        }
        self.check(&scripts)?;
        for (place, script) in scripts.iter_mut().enumerate().filter(|(_, one)| one.submission_id.is_none()) {
            script.obstacle = None;
            script.parts = self.parts(&script.pages, &mut new_id);
            if script.parts.len() > FILES_MAX {
                return Err(SplitProblem::TooManyFiles { script: place });
            }
        }
        Ok(ClassScan { state: State::Confirming, scripts, updated_at: now, ..self.clone() })
    }

    /// The scripts as they were corrected. What is a submission already stays one, named or not.
    fn corrected(&self, corrected: Vec<Corrected>) -> Vec<ScanScript> {
        let submitted = self.scripts.iter().filter(|script| script.submission_id.is_some());
        let mut submitted: Vec<&ScanScript> = submitted.collect();
        let mut scripts = Vec::with_capacity(corrected.len());
        for Corrected { pages, student } in corrected {
            if let Some(place) = submitted.iter().position(|script| script.pages == pages) {
                scripts.push(submitted.remove(place).clone());
                continue;
            }
            scripts.push(ScanScript {
                pages,
                student: Some(student),
                confidence: 1.0,
                warnings: Vec::new(),
                parts: Vec::new(),
                submission_id: None,
                obstacle: None,
            });
        }
        scripts.extend(submitted.into_iter().cloned());
        scripts
    }

    fn check(&self, scripts: &[ScanScript]) -> Result<(), SplitProblem> {
        let count = u32::try_from(self.pages.len()).unwrap_or(u32::MAX);
        let mut students: HashMap<&str, usize> = HashMap::new();
        let mut pages: HashSet<u32> = HashSet::new();
        for (place, script) in scripts.iter().enumerate() {
            if script.pages.is_empty() || script.pages.len() > SCRIPT_PAGES_MAX {
                return Err(SplitProblem::PageCount { script: place });
            }
            for &page in &script.pages {
                if !(1..=count).contains(&page) {
                    return Err(SplitProblem::NoPage { script: place, page });
                }
                if !pages.insert(page) {
                    return Err(SplitProblem::SamePage { script: place, page });
                }
            }
            if script.submission_id.is_some() {
                continue;
            }
            let student = script.student.as_ref().ok_or(SplitProblem::NoStudent { script: place })?;
            if let Some(first) = students.insert(student.external_id.as_str(), place) {
                return Err(SplitProblem::SameStudent { script: place, first });
            }
        }
        Ok(())
    }

    /// The files that a script of these pages is made of. One whose pages are all wanted, in order, is handed over;
    /// pages of others are taken out.
    fn parts(&self, pages: &[u32], mut new_id: impl FnMut() -> FileId) -> Vec<Part> {
        let places = pages.iter().filter_map(|page| self.place_of(*page));
        let places: Vec<(usize, u32)> = places.collect();
        let stretches = places.chunk_by(|one, next| one.0 == next.0);
        let part = |stretch: &[(usize, u32)]| {
            let file = stretch[0].0;
            let taken: Vec<u32> = stretch.iter().map(|(_, page)| *page).collect();
            let own = self.files[file];
            let is_whole = own.content_type != Some(ContentType::Pdf)
                || taken.iter().copied().eq(1..=own.pages.unwrap_or_default());
            match is_whole {
                true => Part { file_id: own.file_id, file, taken: None },
                false => Part { file_id: new_id(), file, taken: Some(taken) },
            }
        };
        stretches.map(part).collect()
    }

    /// The next script that is to become a submission: its place.
    pub fn next_to_submit(&self) -> Option<usize> {
        let waits = |script: &ScanScript| script.submission_id.is_none() && script.obstacle.is_none();
        (self.state == State::Confirming).then(|| self.scripts.iter().position(waits)).flatten()
    }

    /// A script became a submission, which from now on knows alone whose it is. `None`: it no longer waits for that.
    pub fn submitted(&self, place: usize, id: SubmissionId, now: Timestamp) -> Option<ClassScan> {
        let student = self.scripts.get(place)?.student.clone();
        let submitted = self.with_outcome(place, now, |script| {
            script.submission_id = Some(id);
            script.student = None;
        })?;
        let roster = match student {
            Some(student) => self.roster.without(&student),
            None => self.roster.clone(),
        };
        Some(ClassScan { roster, ..submitted })
    }

    /// A script could not become a submission. `None`: it no longer waits for that.
    pub fn hindered(&self, place: usize, obstacle: Obstacle, now: Timestamp) -> Option<ClassScan> {
        self.with_outcome(place, now, |script| {
            script.obstacle = Some(obstacle);
            script.parts = Vec::new();
        })
    }

    /// None of those that wait could become submissions.
    #[must_use]
    pub fn all_hindered(&self, obstacle: Obstacle, now: Timestamp) -> ClassScan {
        let mut hindered = self.clone();
        while let Some(place) = hindered.next_to_submit() {
            let Some(next) = hindered.hindered(place, obstacle, now) else { break };
            hindered = next;
        }
        hindered
    }

    fn with_outcome(
        &self,
        place: usize,
        now: Timestamp,
        change: impl FnOnce(&mut ScanScript),
    ) -> Option<ClassScan> {
        let mut changed = ClassScan { updated_at: now, ..self.clone() };
        let is_confirming = self.state == State::Confirming;
        let script = changed
            .scripts
            .get_mut(place)
            .filter(|script| is_confirming && script.submission_id.is_none() && script.obstacle.is_none())?;
        change(script);
        Some(changed)
    }

    /// Nothing more can be submitted: either every script is a submission, and nothing about students is kept here any
    /// more, or the rest waits for a person again.
    #[must_use]
    pub fn settled(&self, now: Timestamp) -> ClassScan {
        let mut settled = ClassScan { updated_at: now, ..self.clone() };
        if self.scripts.iter().any(|script| script.submission_id.is_none()) {
            settled.state = State::AwaitingConfirmation;
            return settled;
        }
        settled.state = State::Confirmed;
        settled.roster = Roster::default();
        settled
    }
}
