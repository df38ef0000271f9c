//! What scripts of a paper are laid over and marked by: read once for a class, not for every script.

use super::JobError;
use crate::blobs::{BlobError, template_key};
use crate::marking::Understood;
use crate::{Error, Service};
use domain::id::PaperId;
use domain::paper::Paper;
use domain::question::Question;
use reader::page::Document;
use reader::print::Prints;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use store::questions;

/// Words on the pages of all papers that are kept; a word takes about a hundred bytes.
const WORDS_MAX: usize = 200_000;
/// What a drawn page counts for.
const PRINT_WORDS: usize = 200;
/// What a paper counts for at least: its questions take room too.
const WORDS_MIN: usize = 1000;

/// An approved paper's pages and questions.
#[derive(Debug)]
pub(super) struct Scheme {
    /// The pages of the question paper. A paper that was never read has none.
    pub(super) template: Document,
    /// The same pages as they are drawn.
    pub(super) prints: Prints,
    pub(super) questions: Understood,
    /// The paper's version that the questions are at least; they are read after it.
    pub(super) version: u32,
}

impl Scheme {
    /// How much room it takes, in words.
    fn words(&self) -> usize {
        let words = self.template.pages.iter().map(|page| page.words.len()).sum::<usize>();
        // A drawn page takes as much room as some hundred words.
        (words + PRINT_WORDS * self.prints.len()).max(WORDS_MIN)
    }
}

/// The schemes of the papers whose scripts were marked last. A version of a scheme never changes, so they stay true.
#[derive(Debug, Default)]
pub(crate) struct Schemes(Mutex<VecDeque<(PaperId, Arc<Scheme>)>>);

impl Schemes {
    fn kept(&self) -> MutexGuard<'_, VecDeque<(PaperId, Arc<Scheme>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, id: PaperId, version: u32) -> Option<Arc<Scheme>> {
        let mut kept = self.kept();
        let index = kept.iter().position(|(own, scheme)| *own == id && scheme.version == version)?;
        let found = kept.remove(index)?;
        let scheme = Arc::clone(&found.1);
        kept.push_front(found);
        Some(scheme)
    }

    /// Keeps a scheme, and of the others those used last, as far as there is room.
    fn keep(&self, id: PaperId, scheme: &Arc<Scheme>) {
        let mut kept = self.kept();
        kept.retain(|(own, _)| *own != id);
        kept.push_front((id, Arc::clone(scheme)));
        let mut words = 0;
        let fitting = kept.iter().take_while(|(_, scheme)| {
            words += scheme.words();
            words <= WORDS_MAX
        });
        let count = fitting.count();
        kept.truncate(count);
    }
}

impl Service {
    /// What the paper's scripts are marked by, as it is remembered or as it stands in the store.
    pub(super) async fn scheme(&self, paper: &Paper) -> Result<Arc<Scheme>, JobError> {
        if let Some(scheme) = self.0.schemes.get(paper.id, version(paper)) {
            return Ok(scheme);
        }
        let scheme = self.stored_scheme(paper).await?;
        self.0.schemes.keep(paper.id, &scheme);
        Ok(scheme)
    }

    /// The same as it stands in the store now.
    pub(super) async fn stored_scheme(&self, paper: &Paper) -> Result<Arc<Scheme>, JobError> {
        let questions = self.approved_questions(paper).await?;
        self.scheme_with(paper, questions).await
    }

    /// The same with other questions' keys in place of the paper's own.
    pub(super) async fn scheme_with(
        &self,
        paper: &Paper,
        questions: Vec<Question>,
    ) -> Result<Arc<Scheme>, JobError> {
        let mut template = self.template(paper).await?;
        let prints = Prints::of(&template);
        template.pages.iter_mut().for_each(|page| page.print = None);
        Ok(Arc::new(Scheme { template, prints, questions: questions.into(), version: version(paper) }))
    }

    async fn template(&self, paper: &Paper) -> Result<Document, JobError> {
        match self.0.blobs.get(&template_key(paper.id)).await {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(JobError::ours),
            Err(BlobError::Missing(_)) => Ok(Document::default()),
            Err(error) => Err(error.into()),
        }
    }

    async fn approved_questions(&self, paper: &Paper) -> Result<Vec<Question>, JobError> {
        let read = self.0.store.scan(paper.id, |db, id| {
            Box::pin(async move { Ok::<_, Error>(questions::of_paper(db, *id).await?) })
        });
        Ok(read.await?.into_iter().map(|stored| stored.question).collect())
    }
}

fn version(paper: &Paper) -> u32 {
    u32::try_from(paper.scheme_version).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::id::Identifier as _;
    use reader::page::{Page, Word};

    fn scheme_of(words: usize) -> Arc<Scheme> {
        let page = Page { words: vec![Word::default(); words], ..Page::default() };
        let template = Document { pages: vec![page] };
        Arc::new(Scheme { template, prints: Prints::default(), questions: Understood::default(), version: 1 })
    }

    #[test]
    fn schemes_are_kept_as_far_as_there_is_room_and_the_last_used_stay() {
        let schemes = Schemes::default();
        let [first, second, third] = [1, 2, 3].map(PaperId::from_number);
        schemes.keep(first, &scheme_of(WORDS_MAX / 2));
        schemes.keep(second, &scheme_of(WORDS_MAX / 2));
        assert!(schemes.get(first, 1).is_some());
        schemes.keep(third, &scheme_of(WORDS_MAX / 2));
        assert!(schemes.get(first, 1).is_some() && schemes.get(third, 1).is_some());
        assert!(schemes.get(second, 1).is_none());
        schemes.keep(second, &scheme_of(WORDS_MAX + 1));
        assert!(schemes.get(second, 2).is_none(), "another version is another scheme");
        assert!([first, second, third].iter().all(|id| schemes.get(*id, 1).is_none()));
    }
}
