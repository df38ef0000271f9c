//! The files that papers and submissions are made of: named by the client, then theirs alone.

use crate::{Error, Service};
use domain::account::Owner;
use domain::file::{File, Purpose};
use domain::id::{FileId, Identifier as _};
use domain::random;
use domain::refusal::Refusal;
use domain::text::ShortLine;
use domain::web_url::WebUrl;
use jiff::Timestamp;
use store::{Db, Tx, files};

/// A file that a paper or submission is made of.
#[derive(Clone, Debug)]
pub enum FileReference {
    /// One that was uploaded, by its id as it was given.
    Uploaded(String),
    /// One to be fetched.
    Url(WebUrl),
}

impl FileReference {
    /// The id as it was given.
    pub(crate) fn file_id(&self) -> Option<&str> {
        match self {
            FileReference::Uploaded(id) => Some(id),
            FileReference::Url(_) => None,
        }
    }
}

/// A reference with the file it turned out to be.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) file: File,
    /// What it is to be used for.
    purpose: Purpose,
    /// Where the request named it.
    path: String,
}

impl Resolved {
    /// True for a file that is fetched and not uploaded.
    pub(crate) fn is_fetched(&self) -> bool {
        self.file.url.is_some()
    }
}

impl Service {
    /// The file behind a reference: the account's own, or a new one that will be fetched.
    pub(crate) async fn resolve(
        &self,
        db: &mut Db,
        owner: Owner,
        reference: &FileReference,
        purpose: Purpose,
        path: &str,
        now: Timestamp,
    ) -> Result<Resolved, Error> {
        match reference {
            FileReference::Uploaded(given) => {
                let path = format!("{path}.file_id");
                let missing = || Error::missing("file", given).at(&path);
                let id = FileId::parse(given).ok_or_else(missing)?;
                let file = files::by_id(db, owner, id).await?.ok_or_else(missing)?;
                Ok(Resolved { file, purpose, path })
            }
            FileReference::Url(url) => {
                let file = File {
                    id: self.id(now),
                    owner,
                    purpose,
                    filename: ShortLine::trusted(purpose.name().to_owned()),
                    content_type: None,
                    size_bytes: 0,
                    token: random::base62_secret(self.random()),
                    url: Some(url.as_requested().to_owned()),
                    uploaded_at: None,
                    content: None,
                    attached_to: None,
                    expired_at: None,
                    created_at: now,
                };
                Ok(Resolved { file, purpose, path: format!("{path}.url") })
            }
        }
    }

    /// Gives the files to their user, each only if it may be used so. All rules are asked before any row is
    /// touched.
    pub(crate) async fn attach(
        &self,
        tx: &mut Tx,
        found: &[Resolved],
        user: &str,
        now: Timestamp,
    ) -> Result<(), Error> {
        may_attach(found, now)?;
        for resolved in found {
            let id = resolved.file.id;
            if resolved.is_fetched() {
                let file = File { attached_to: Some(user.to_owned()), ..resolved.file.clone() };
                files::insert(tx, &file).await?;
            } else if !files::attach(tx, id, user).await? {
                return Err(Error::from(Refusal::FileAlreadyAttached { file: id }).at(&resolved.path));
            }
        }
        Ok(())
    }

    /// Gives uploaded files to a class scan until `ends_at`, on the same terms.
    pub(crate) async fn lend(
        &self,
        tx: &mut Tx,
        found: &[Resolved],
        (scan, ends_at): (&str, Timestamp),
        now: Timestamp,
    ) -> Result<(), Error> {
        may_attach(found, now)?;
        for resolved in found {
            let id = resolved.file.id;
            if !files::lend(tx, id, scan, ends_at).await? {
                return Err(Error::from(Refusal::FileAlreadyAttached { file: id }).at(&resolved.path));
            }
        }
        Ok(())
    }
}

fn may_attach(found: &[Resolved], now: Timestamp) -> Result<(), Error> {
    for resolved in found.iter().filter(|resolved| !resolved.is_fetched()) {
        let allowed = resolved.file.may_attach(resolved.purpose, now);
        allowed.map_err(|refusal| Error::from(refusal).at(&resolved.path))?;
    }
    Ok(())
}
