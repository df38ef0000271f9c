//! The catalogue of subjects.

use crate::{Error, Service};
use domain::id::{Identifier, SubjectId};
use domain::paging::{Limit, Page, Position, Seal};
use domain::subject::{STARTING_CATALOGUE, Subject};
use store::subjects;

impl Service {
    /// A page of the catalogue by name, or of what of it holds `query`.
    #[crate::boxed]
    pub async fn subjects(
        &self,
        query: Option<&str>,
        after: Option<Position>,
        limit: Limit,
        seal: &Seal,
    ) -> Result<Page<Subject>, Error> {
        let after = after.map(|position| SubjectId::from_number(position.id));
        let rows = subjects::list(&mut *self.0.store.read().await?, query, after, limit.rows()).await?;
        Ok(Page::new(rows, limit, seal, |subject| Position { time_us: 0, id: subject.id.number() }))
    }

    /// Adds a subject.
    #[crate::boxed]
    pub async fn add_subject(
        &self,
        name: String,
        code: Option<String>,
        level: Option<String>,
    ) -> Result<Subject, Error> {
        let subject = Subject { id: self.id(self.now()), name, code, level };
        self.0
            .store
            .write(subject, |tx, subject| {
                Box::pin(async move {
                    subjects::insert(tx, subject).await?;
                    Ok(subject.clone())
                })
            })
            .await
    }

    /// Fills an empty catalogue; safe when several processes start at once.
    #[crate::boxed]
    pub async fn fill_catalogue(&self) -> Result<(), Error> {
        if !subjects::is_empty(&mut *self.0.store.read().await?).await? {
            return Ok(());
        }
        self.0
            .store
            .write(self.clone(), |tx, service| {
                Box::pin(async move {
                    // The setting decides which process fills it, under concurrency too.
                    let mine = service.id::<SubjectId>(service.now()).to_string();
                    if store::settings::set_once(tx, "catalogue_filled_by", &mine).await? != mine {
                        return Ok(());
                    }
                    for &(name, code, level) in STARTING_CATALOGUE {
                        let subject = Subject {
                            id: service.id(service.now()),
                            name: name.to_owned(),
                            code: code.map(str::to_owned),
                            level: level.map(str::to_owned),
                        };
                        subjects::insert(tx, &subject).await?;
                    }
                    Ok(())
                })
            })
            .await
    }
}
