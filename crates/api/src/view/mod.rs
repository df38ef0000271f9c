//! How objects look on the wire: structs whose members stand in the order of the API text.

pub(crate) mod account;
pub(crate) mod credit;
pub(crate) mod event;
pub(crate) mod list;
pub(crate) mod subject;
pub(crate) mod webhook;

use service::Wire;

/// The writers that the service uses for the snapshots in events.
pub fn wire() -> Wire {
    Wire {
        event: |event| event::EventView::new(event).ok().map(|view| json(&view)),
        balance: |balance, mode| json(&credit::BalanceView::new(balance, mode)),
        account: |account, mode, valid_until| json(&account::AccountView::new(account, mode, valid_until)),
    }
}

fn json(view: &impl serde::Serialize) -> String {
    serde_json::to_string(view).expect("our views hold only what JSON can write")
}
