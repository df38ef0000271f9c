//! File (2.2).

use domain::file::ContentType;
use domain::time::Shown;
use serde::Serialize;
use service::files::ShownFile;
use utoipa::ToSchema;

/// A registered file.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = File, example = json!({
    "id": "file_01m7erksw3h2kbtqh4bm5e14zh", "object": "file", "livemode": false, "purpose": "question_paper",
    "filename": "biology-paper-2.pdf", "content_type": "application/pdf", "size_bytes": 184320,
    "status": "awaiting_upload",
    "upload": {
        "method": "PUT", "url": "https://marking.example.org/upload/4sPcNAhQ5CzaxVYV9tTTB2Qx3JpP9TzvfSPcVV7uZQk",
        "headers": {"Content-Type": "application/pdf", "Content-Length": "184320", "If-None-Match": "*"},
        "expires_at": "2026-11-16T03:05:07Z"
    },
    "created_at": "2026-11-15T03:05:07Z"
}))]
pub(crate) struct FileView {
    /// Its id.
    #[schema(pattern = "^file_[0-9a-z]{26}$")]
    id: String,
    /// Always `file`.
    #[schema(value_type = String, pattern = "^file$", example = "file")]
    object: &'static str,
    /// True for live mode.
    livemode: bool,
    /// What it is for.
    #[schema(value_type = FilePurpose)]
    purpose: &'static str,
    /// The client's name for it.
    #[schema(min_length = 1, max_length = 255)]
    filename: String,
    /// What it is.
    #[schema(value_type = FileContentType)]
    content_type: &'static str,
    /// How many bytes it has.
    #[schema(minimum = 1, maximum = 104_857_600)]
    size_bytes: u64,
    /// Where it is in its life.
    #[schema(value_type = FileStatus)]
    status: &'static str,
    /// Where its bytes go.
    upload: UploadView,
    /// When it was registered.
    #[schema(value_type = String, format = DateTime)]
    created_at: Shown,
}

/// How to send a file's bytes: one request as described here.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Upload)]
pub(crate) struct UploadView {
    /// Always `PUT`.
    #[schema(value_type = String, pattern = "^PUT$", example = "PUT")]
    method: &'static str,
    /// Takes one upload; a second gets 412. Null for a key that may not register files.
    #[schema(required, format = "uri")]
    url: Option<String>,
    /// The headers to send.
    headers: UploadHeaders,
    /// Until when the URL works.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Shown,
}

/// The headers to send.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct UploadHeaders {
    /// The file's `content_type`.
    #[serde(rename = "Content-Type")]
    content_type: &'static str,
    /// The file's `size_bytes`.
    #[serde(rename = "Content-Length")]
    content_length: String,
    /// Always `*`.
    #[serde(rename = "If-None-Match")]
    if_none_match: &'static str,
}

impl From<&ShownFile> for FileView {
    fn from(shown: &ShownFile) -> FileView {
        let file = &shown.file;
        let content_type = file.content_type.map_or("application/pdf", ContentType::name);
        FileView {
            id: file.id.to_string(),
            object: "file",
            livemode: file.owner.1.is_live(),
            purpose: file.purpose.name(),
            filename: file.filename.to_string(),
            content_type,
            size_bytes: file.size_bytes,
            status: file.status(shown.now).name(),
            upload: UploadView {
                method: "PUT",
                url: Some(shown.upload_url.clone()),
                headers: UploadHeaders {
                    content_type,
                    content_length: file.size_bytes.to_string(),
                    if_none_match: "*",
                },
                expires_at: Shown(file.upload_ends_at()),
            },
            created_at: Shown(file.created_at),
        }
    }
}

impl FileView {
    /// As it is shown to a key that may not register files.
    pub(crate) fn without_upload_url(mut self) -> FileView {
        self.upload.url = None;
        self
    }
}

macro_rules! described {
    ($($(#[$doc:meta])* $name:ident = $all:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $name;

        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                utoipa::openapi::schema::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::SchemaType::from(utoipa::openapi::Type::String))
                    .enum_values(Some($all.iter().map(|value| value.name())))
                    .into()
            }
        }

        impl utoipa::ToSchema for $name {}
    )*};
}
pub(crate) use described;

described! {
    /// What a file is for.
    FilePurpose = domain::file::Purpose::ALL;
    /// What a file is.
    FileContentType = domain::file::ContentType::ALL;
    /// Where a file is in its life.
    FileStatus = domain::file::FileStatus::ALL;
}
