//! Review link and review link revocation (2.6).

use domain::id::PaperId;
use domain::review::ReviewLink;
use domain::time::Shown;
use serde::Serialize;
use utoipa::ToSchema;

/// A link to a paper's review page. Its URL is shown only here.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReviewLink, example = json!({
    "object": "review_link", "paper_id": "pap_01m7erksw3h2kbtqh4bm5e14zh", "reviewer": "Ms Okafor",
    "url": "https://marking.example.org/review#0aB3xT9vQ2", "expires_at": "2026-11-18T03:05:07Z"
}))]
pub(crate) struct ReviewLinkView {
    /// Always `review_link`.
    #[schema(value_type = String, pattern = "^review_link$", example = "review_link")]
    object: &'static str,
    /// The paper it opens.
    #[schema(pattern = "^pap_[0-9a-z]{26}$")]
    paper_id: String,
    /// Who it is for; the record of changes names them so.
    reviewer: String,
    /// To be used whole: what follows the # is the permission, and is never sent to a server as part of an address.
    #[schema(format = "uri")]
    url: String,
    /// When it ends by itself.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Shown,
}

/// Review links that were withdrawn.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReviewLinkRevocation, example = json!({
    "object": "review_link_revocation", "paper_id": "pap_01m7erksw3h2kbtqh4bm5e14zh", "revoked": 2
}))]
pub(crate) struct ReviewLinkRevocationView {
    /// Always `review_link_revocation`.
    #[schema(value_type = String, pattern = "^review_link_revocation$", example = "review_link_revocation")]
    object: &'static str,
    /// The paper.
    #[schema(pattern = "^pap_[0-9a-z]{26}$")]
    paper_id: String,
    /// How many links still worked.
    #[schema(minimum = 0)]
    revoked: u64,
}

impl ReviewLinkView {
    pub(crate) fn new(link: &ReviewLink, url: String) -> ReviewLinkView {
        ReviewLinkView {
            object: "review_link",
            paper_id: link.paper_id.to_string(),
            reviewer: link.reviewer.as_str().to_owned(),
            url,
            expires_at: Shown(link.expires_at),
        }
    }
}

impl ReviewLinkRevocationView {
    pub(crate) fn new(paper: PaperId, revoked: u64) -> ReviewLinkRevocationView {
        ReviewLinkRevocationView { object: "review_link_revocation", paper_id: paper.to_string(), revoked }
    }
}
