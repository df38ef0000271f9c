//! `GET /v1/balance` and `GET /v1/credit_transactions`

use crate::Context;
use crate::error::Error;
use crate::extract::Who;
use crate::extract::query::Query;
use crate::openapi::{Created, Paging};
use crate::view::credit::{BalanceView, TransactionType, TransactionView};
use crate::view::list::ListView;
use axum::Json;
use axum::extract::{RawQuery, State};
use domain::credit::{MovementKind, TransactionFilter};
use domain::paging::Seal;
use utoipa::IntoParams;

/// Retrieve the balance
///
/// The credits of the key's mode. `total` is `available` plus `held` plus `expired`.
#[utoipa::path(
    get,
    path = "/v1/balance",
    operation_id = "balance.retrieve",
    tag = "Credits",
    responses((status = 200, body = BalanceView))
)]
pub(crate) async fn balance(
    State(context): State<Context>,
    Who(caller): Who,
) -> Result<Json<BalanceView>, Error> {
    let balance = context.service.balance(caller.owner()).await?;
    Ok(Json(BalanceView::new(&balance, caller.mode)))
}

/// The filters of the list of credit transactions.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "it describes the parameters; the strict parser reads them")]
pub(crate) struct TransactionParams {
    /// Only movements of this type.
    #[param(inline, rename = "type")]
    kind: Option<TransactionType>,
    /// Only movements about this paper or submission.
    #[param(min_length = 1, max_length = 64)]
    source_id: Option<String>,
}

/// List credit transactions
///
/// Every movement of usable credits (available plus held), newest first. Holds are no movements.
#[utoipa::path(
    get,
    path = "/v1/credit_transactions",
    operation_id = "credit_transactions.list",
    tag = "Credits",
    params(Paging, Created, TransactionParams),
    responses((status = 200, body = ListView<TransactionView>))
)]
pub(crate) async fn transactions(
    State(context): State<Context>,
    Who(caller): Who,
    RawQuery(query): RawQuery,
) -> Result<Json<ListView<TransactionView>>, Error> {
    let known = ["limit", "cursor", "created_after", "created_before", "type", "source_id"];
    let query = Query::parse(query.as_deref(), &known)?;
    let filter = TransactionFilter {
        kind: query.choice("type", &MovementKind::ALL, MovementKind::name)?,
        source_id: query.text("source_id", 1, 64)?.map(str::to_owned),
    };
    let seal = Seal::new("credit_transactions")
        .with(Some(&caller.account_id.to_string()))
        .with(Some(caller.mode.name()))
        .with(filter.kind.map(MovementKind::name))
        .with(filter.source_id.as_deref());
    let (slice, seal) = query.slice(seal)?;
    let page = context.service.transactions(&caller, &filter, slice, &seal).await?;
    Ok(Json(ListView::new(page, |transaction| TransactionView::from(transaction))))
}
