//! Why a paper or a submission could not be processed (2.4).

/// Why it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureCode {
    /// The URL could not be fetched.
    FileDownloadFailed,
    /// Damaged, password-protected or without pages.
    FileUnreadable,
    /// Another type than it may be, by its content.
    UnsupportedFileType,
    /// More bytes than are read.
    FileTooLarge,
    /// More pages than are read.
    TooManyPages,
    /// Its pages cost more than is available.
    InsufficientCredits,
    /// The credits that would have covered it have ended.
    CreditsExpired,
    /// It was not done in time.
    ProcessingTimeout,
    /// The paper has no questions; submissions cannot fail so.
    NoQuestionsFound,
    /// A fault of ours that stayed after the retries.
    ProcessingFailed,
}

crate::names! {
    FailureCode {
        FileDownloadFailed = "file_download_failed",
        FileUnreadable = "file_unreadable",
        UnsupportedFileType = "unsupported_file_type",
        FileTooLarge = "file_too_large",
        TooManyPages = "too_many_pages",
        InsufficientCredits = "insufficient_credits",
        CreditsExpired = "credits_expired",
        ProcessingTimeout = "processing_timeout",
        NoQuestionsFound = "no_questions_found",
        ProcessingFailed = "processing_failed",
    }
}

impl FailureCode {
    /// Says to the client what is wrong and what would help.
    pub const fn message(self) -> &'static str {
        match self {
            FailureCode::FileDownloadFailed => {
                "A file could not be fetched from its URL. Check that it is public and answers over https."
            }
            FailureCode::FileUnreadable => {
                "A file is damaged, protected by a password or has no pages. Send a copy that opens without one."
            }
            FailureCode::UnsupportedFileType => {
                "A file's content is not of a type that is read here. Send a PDF, JPEG or PNG as the purpose allows."
            }
            FailureCode::FileTooLarge => "A file is larger than 104857600 bytes.",
            FailureCode::TooManyPages => "A file has more than 200 pages. Send it in smaller parts.",
            FailureCode::InsufficientCredits => {
                "The available credits do not cover the pages. Top up and try again."
            }
            FailureCode::CreditsExpired => "The credits that would have covered the pages have expired.",
            FailureCode::ProcessingTimeout => "It could not be finished in time. Try again.",
            FailureCode::NoQuestionsFound => {
                "No questions were found. Check that the question paper and the scheme were not mixed up."
            }
            FailureCode::ProcessingFailed => {
                "Something went wrong on our side. Try again; nothing was charged."
            }
        }
    }
}
