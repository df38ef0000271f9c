//! How objects look on the wire: structs whose members stand in the order of the API text.

pub(crate) mod account;
pub(crate) mod adjustment;
pub(crate) mod amendment;
pub(crate) mod class_scan;
pub(crate) mod cover;
pub(crate) mod credit;
pub(crate) mod event;
pub(crate) mod file;
pub(crate) mod list;
pub(crate) mod marks_table;
pub(crate) mod paper;
pub(crate) mod question;
pub(crate) mod report;
pub(crate) mod result;
pub(crate) mod review_link;
pub(crate) mod statistics;
pub(crate) mod subject;
pub(crate) mod submission;
pub(crate) mod webhook;

use service::Wire;
use service::idempotency::Reply;

/// The writers that the service uses for the snapshots in events.
pub fn wire() -> Wire {
    Wire {
        event: |event| event::EventView::new(event).ok().map(|view| json(&view)),
        balance: |balance, mode| json(&credit::BalanceView::new(balance, mode)),
        account: |account, mode, valid_until| json(&account::AccountView::new(account, mode, valid_until)),
        paper: |paper| json(&paper::PaperView::from(paper)),
        submission: |submission| json(&submission::SubmissionView::from(submission)),
    }
}

/// The answer of a request that made or changed an object.
pub(crate) fn reply(status: u16, view: &impl serde::Serialize, id: impl Into<String>) -> Reply {
    Reply { status, body: json(view), resource_id: Some(id.into()), is_replayed: false }
}

fn json(view: &impl serde::Serialize) -> String {
    serde_json::to_string(view).expect("our views hold only what JSON can write")
}
