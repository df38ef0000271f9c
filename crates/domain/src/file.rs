//! Files: registered first, uploaded once, used by one paper or submission.

use crate::account::Owner;
use crate::failure::FailureCode;
use crate::id::FileId;
use crate::refusal::Refusal;
use crate::text::ShortLine;
use jiff::{SignedDuration, Timestamp};

/// How long an upload URL works.
pub const UPLOAD_WITHIN: SignedDuration = SignedDuration::from_hours(24);
/// How long an uploaded file waits to be used.
pub const KEPT_UNUSED: SignedDuration = SignedDuration::from_hours(7 * 24);
/// How long a file that was given up is remembered, without its name and bytes.
pub const KEPT_EXPIRED: SignedDuration = SignedDuration::from_hours(30 * 24);
/// The largest file.
pub const BYTES_MAX: u64 = 104_857_600;
/// The most pages of one file.
pub const PAGES_MAX: u32 = 200;

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The questions.
    QuestionPaper,
    /// What earns the marks.
    MarkingScheme,
    /// What a student wrote.
    AnswerScript,
}

/// What a file says it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentType {
    /// Portable Document Format.
    Pdf,
    /// JPEG picture.
    Jpeg,
    /// PNG picture.
    Png,
}

/// Where a file is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileStatus {
    /// Registered; no bytes yet.
    AwaitingUpload,
    /// The bytes are here.
    Uploaded,
    /// A paper or submission uses it.
    Attached,
    /// Not uploaded or not used in time.
    Expired,
}

crate::names! {
    Purpose { QuestionPaper = "question_paper", MarkingScheme = "marking_scheme", AnswerScript = "answer_script" }
    ContentType { Pdf = "application/pdf", Jpeg = "image/jpeg", Png = "image/png" }
    FileStatus {
        AwaitingUpload = "awaiting_upload", Uploaded = "uploaded", Attached = "attached", Expired = "expired",
    }
}

impl Purpose {
    /// Papers and schemes are PDFs; a script may be any of the three types.
    pub fn takes(self, content_type: ContentType) -> bool {
        self == Purpose::AnswerScript || content_type == ContentType::Pdf
    }
}

/// What the content turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// Readable, with this many pages.
    Pages(u32),
    /// Not usable.
    Wrong(FailureCode),
}

impl Found {
    /// How many pages, if it is usable.
    pub fn pages(self) -> Option<u32> {
        match self {
            Found::Pages(pages) => Some(pages),
            Found::Wrong(_) => None,
        }
    }
}

/// A file.
#[derive(Clone, Debug)]
pub struct File {
    /// Its id.
    pub id: FileId,
    /// Whose it is.
    pub owner: Owner,
    /// What it is for.
    pub purpose: Purpose,
    /// The client's name for it.
    pub filename: ShortLine,
    /// What it says it is; `None` for one fetched by URL that has not come yet.
    pub content_type: Option<ContentType>,
    /// How many bytes it has; 0 for one fetched by URL that has not come yet.
    pub size_bytes: u64,
    /// The secret part of its upload URL.
    pub token: String,
    /// Where it is fetched from, instead of being uploaded. Such files are not shown by themselves.
    pub url: Option<String>,
    /// When its bytes came.
    pub uploaded_at: Option<Timestamp>,
    /// What its bytes are, once they were looked at.
    pub content: Option<Found>,
    /// The paper or submission that uses it.
    pub attached_to: Option<String>,
    /// When it was given up and its bytes deleted.
    pub expired_at: Option<Timestamp>,
    /// When it was registered.
    pub created_at: Timestamp,
}

impl File {
    /// Where it is in its life at this moment, whether or not the sweep has come by.
    pub fn status(&self, now: Timestamp) -> FileStatus {
        if self.attached_to.is_some() {
            return FileStatus::Attached;
        }
        let is_over = self.expired_at.is_some() || now >= self.ends_at();
        match self.uploaded_at {
            _ if is_over => FileStatus::Expired,
            Some(_) => FileStatus::Uploaded,
            None => FileStatus::AwaitingUpload,
        }
    }

    /// When it is given up unless something happens to it.
    pub fn ends_at(&self) -> Timestamp {
        self.uploaded_at.map_or_else(|| self.upload_ends_at(), |uploaded| uploaded + KEPT_UNUSED)
    }

    /// When its upload URL stops working.
    pub fn upload_ends_at(&self) -> Timestamp {
        self.created_at + UPLOAD_WITHIN
    }

    /// How many pages it has, if they could be counted.
    pub fn pages(&self) -> Option<u32> {
        self.content.and_then(Found::pages)
    }

    /// Why it cannot be used, if so.
    pub fn failure(&self) -> Option<FailureCode> {
        match self.content? {
            Found::Pages(_) => None,
            Found::Wrong(code) => Some(code),
        }
    }

    /// May a paper or submission use it for this purpose? The order of the checks is the answer's.
    pub fn may_attach(&self, purpose: Purpose, now: Timestamp) -> Result<(), Refusal> {
        if self.purpose != purpose {
            return Err(Refusal::FilePurposeMismatch { file: self.id, is: self.purpose, wanted: purpose });
        }
        match self.status(now) {
            FileStatus::Uploaded => Ok(()),
            FileStatus::Attached => Err(Refusal::FileAlreadyAttached { file: self.id }),
            FileStatus::AwaitingUpload => Err(Refusal::FileNotUploaded { file: self.id }),
            FileStatus::Expired => Err(Refusal::FileExpired { file: self.id }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::{AccountId, Identifier as _};
    use crate::mode::Mode;

    fn file() -> File {
        File {
            id: FileId::from_number(1),
            owner: (AccountId::from_number(1), Mode::Test),
            purpose: Purpose::AnswerScript,
            filename: ShortLine::trusted("script.pdf".into()),
            content_type: Some(ContentType::Pdf),
            size_bytes: 10,
            token: "t".into(),
            url: None,
            uploaded_at: None,
            content: None,
            attached_to: None,
            expired_at: None,
            created_at: Timestamp::UNIX_EPOCH,
        }
    }

    #[test]
    fn a_file_ends_by_time_alone() {
        let fresh = file();
        let end = Timestamp::UNIX_EPOCH + UPLOAD_WITHIN;
        assert_eq!(fresh.status(end - SignedDuration::from_micros(1)), FileStatus::AwaitingUpload);
        assert_eq!(fresh.status(end), FileStatus::Expired);
        let uploaded = File { uploaded_at: Some(end), ..file() };
        assert_eq!(uploaded.status(end), FileStatus::Uploaded);
        assert_eq!(uploaded.status(end + KEPT_UNUSED), FileStatus::Expired);
        let attached = File { attached_to: Some("pap_1".into()), ..uploaded };
        assert_eq!(attached.status(end + KEPT_UNUSED), FileStatus::Attached);
    }

    #[test]
    fn only_a_fresh_upload_of_the_right_purpose_can_be_used() {
        let now = Timestamp::UNIX_EPOCH;
        let uploaded = File { uploaded_at: Some(now), ..file() };
        assert_eq!(uploaded.may_attach(Purpose::AnswerScript, now), Ok(()));
        assert!(matches!(
            uploaded.may_attach(Purpose::QuestionPaper, now),
            Err(Refusal::FilePurposeMismatch { .. })
        ));
        assert!(matches!(
            file().may_attach(Purpose::AnswerScript, now),
            Err(Refusal::FileNotUploaded { .. })
        ));
    }
}
