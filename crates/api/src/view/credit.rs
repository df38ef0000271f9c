//! Balance and credit transactions (2.11, 2.12).

use domain::credit::{Balance, MovementKind, Transaction};
use domain::mode::Mode;
use domain::time::Shown;
use serde::Serialize;
use utoipa::ToSchema;

/// What the account has in this mode.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Balance, example = json!({
    "object": "balance", "livemode": true, "available": 970, "held": 30, "expired": 0, "total": 1000
}))]
pub(crate) struct BalanceView {
    /// Always `balance`.
    #[schema(value_type = String, pattern = "^balance$", example = "balance")]
    object: &'static str,
    /// True for live mode.
    livemode: bool,
    /// To be spent.
    #[schema(minimum = 0)]
    available: u64,
    /// Set aside for work that has begun.
    #[schema(minimum = 0)]
    held: u64,
    /// Past their date: kept, but not usable.
    #[schema(minimum = 0)]
    expired: u64,
    /// All of them together.
    #[schema(minimum = 0)]
    total: u64,
}

impl BalanceView {
    pub(crate) fn new(balance: &Balance, mode: Mode) -> BalanceView {
        BalanceView {
            object: "balance",
            livemode: mode.is_live(),
            available: balance.available.0,
            held: balance.held.0,
            expired: balance.expired.0,
            total: balance.total().0,
        }
    }
}

/// A movement of credits.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CreditTransaction, example = json!({
    "id": "ctx_01m7erksxed4tpkxckmzb9tqe4", "object": "credit_transaction", "livemode": true, "type": "grading",
    "amount": -30, "balance_after": 970, "pages": 30,
    "source": {"object": "submission", "id": "sub_01m7erksxed4tpkxckmzb9tqe4"}, "reference": null,
    "description": "Marking a submission", "created_at": "2026-11-15T03:05:07Z"
}))]
pub(crate) struct TransactionView {
    /// Its id.
    #[schema(pattern = "^ctx_[0-9a-z]{26}$")]
    id: String,
    /// Always `credit_transaction`.
    #[schema(value_type = String, pattern = "^credit_transaction$", example = "credit_transaction")]
    object: &'static str,
    /// True for live mode.
    livemode: bool,
    /// Why credits moved.
    #[serde(rename = "type")]
    #[schema(value_type = TransactionType)]
    kind: MovementKind,
    /// By how many, with its sign.
    amount: i64,
    /// Available and held credits after it.
    #[schema(minimum = 0)]
    balance_after: u64,
    /// For how many pages.
    #[schema(required, minimum = 0)]
    pages: Option<u32>,
    /// The paper or submission it was for; stays after that is deleted.
    #[schema(required)]
    source: Option<SourceView>,
    /// The operator's reference.
    #[schema(required)]
    reference: Option<String>,
    /// For people.
    description: String,
    /// When it happened.
    #[schema(value_type = String, format = DateTime)]
    created_at: Shown,
}

/// Why credits moved.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "it describes domain::credit::MovementKind, which knows nothing of the wire")]
pub(crate) enum TransactionType {
    /// Bought.
    TopUp,
    /// Spent on reading a paper.
    PaperProcessing,
    /// Spent on marking a script.
    Grading,
    /// The operator's correction.
    Adjustment,
    /// Past their date.
    Expiry,
}

/// What credits were spent on.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TransactionSource)]
pub(crate) struct SourceView {
    /// `paper` or `submission`.
    #[schema(pattern = "^(paper|submission)$")]
    object: String,
    /// Its id.
    id: String,
}

impl From<&Transaction> for TransactionView {
    fn from(transaction: &Transaction) -> TransactionView {
        let source = transaction.source.clone();
        TransactionView {
            id: transaction.id.to_string(),
            object: "credit_transaction",
            livemode: transaction.mode.is_live(),
            kind: transaction.movement.kind,
            amount: transaction.movement.amount,
            balance_after: transaction.movement.balance_after.0,
            pages: transaction.pages,
            source: source.map(|(object, id)| SourceView { object, id }),
            reference: transaction.reference.clone(),
            description: transaction.description.clone(),
            created_at: Shown(transaction.created_at),
        }
    }
}
