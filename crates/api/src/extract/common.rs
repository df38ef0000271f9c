//! Members that several bodies share.

use super::body::Members;
use super::json::{self, Json};
use crate::error::Error;
use domain::metadata::{Metadata, MetadataProblem};
use domain::web_url::{Reach, WebUrl};
use service::attachments::FileReference;

/// A file by id or URL, as it stands in a body: which of the two, and where.
#[derive(Clone, Debug)]
pub struct RawReference {
    path: String,
    file_id: Option<String>,
    url: Option<String>,
}

impl RawReference {
    /// Reads `{file_id}` or `{url}`.
    pub fn read(path: &str, json: Json) -> Result<RawReference, Error> {
        let mut members = Members::of(path, json)?;
        members.allow(&["file_id", "url"])?;
        let file_id = members.optional("file_id", json::string())?;
        let url = members.optional("url", json::string())?;
        match (&file_id, &url) {
            (Some(_), Some(_)) => Err(Error::invalid(path, "must have either file_id or url, not both")),
            (None, None) => Err(Error::missing(format!("{path}.file_id"))),
            _ => Ok(RawReference { path: path.to_owned(), file_id, url }),
        }
    }

    /// The reference, with its URL held against how far the service reaches.
    pub fn checked(self, reach: Reach) -> Result<FileReference, Error> {
        match (self.file_id, self.url) {
            (Some(id), _) => Ok(FileReference::Uploaded(id)),
            (None, url) => {
                let path = format!("{}.url", self.path);
                let url = WebUrl::parse(&url.unwrap_or_default(), reach);
                url.map(FileReference::Url).map_err(|problem| Error::invalid(path, problem))
            }
        }
    }

    /// True when both name the same file.
    pub fn is_same(&self, other: &RawReference) -> bool {
        self.file_id == other.file_id && self.url == other.url
    }

    /// Where the file is named.
    pub fn named_at(&self) -> String {
        format!("{}.{}", self.path, if self.file_id.is_some() { "file_id" } else { "url" })
    }
}

/// A map from strings to strings.
pub fn metadata(path: &str, json: Json) -> Result<Metadata, Error> {
    let members = Members::of(path, json)?;
    let mut entries = Vec::new();
    for (key, value) in members.into_entries() {
        let value = json::string()(&format!("{path}.{key}"), value)?;
        entries.push((key, value));
    }
    Metadata::parse(entries).map_err(|problem| match problem {
        MetadataProblem::TooMany => {
            Error::invalid(path, format_args!("must have at most {} keys", Metadata::KEYS_MAX))
        }
        MetadataProblem::Entry { key, problem, is_key: true } => {
            Error::invalid(format!("{path}.{key}"), format_args!("has a key that {problem}"))
        }
        MetadataProblem::Entry { key, problem, is_key: false } => {
            Error::invalid(format!("{path}.{key}"), problem)
        }
    })
}

/// A list of 1 to `max` items.
pub fn items<T>(
    path: &str,
    json: Json,
    max: usize,
    read: impl Fn(&str, Json) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    let Json::Array(items) = json else { return Err(Error::invalid(path, "must be an array")) };
    if items.is_empty() || items.len() > max {
        return Err(Error::invalid(path, format_args!("must have 1 to {max} items")));
    }
    items.into_iter().enumerate().map(|(index, item)| read(&format!("{path}[{index}]"), item)).collect()
}
