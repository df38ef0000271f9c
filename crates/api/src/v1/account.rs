//! `GET /v1/account`

use crate::Context;
use crate::error::Error;
use crate::extract::Who;
use crate::view::account::AccountView;
use axum::Json;
use axum::extract::State;

/// Retrieve the account
///
/// The account that the key belongs to, with its prices and limits in the key's mode.
#[utoipa::path(
    get,
    path = "/v1/account",
    operation_id = "account.retrieve",
    tag = "Account",
    responses((status = 200, body = AccountView))
)]
pub(crate) async fn show(
    State(context): State<Context>,
    Who(caller): Who,
) -> Result<Json<AccountView>, Error> {
    let (account, valid_until) = context.service.own_account(&caller).await?;
    Ok(Json(AccountView::new(&account, caller.mode, valid_until)))
}
