//! Native payments, which a merchant's server or app asks for without the hosted page.

use checkout_core::flow::Failure;
use checkout_core::flow::merchant::native::{self, NativeAnswer, PaymentInput};
use checkout_core::words::Wallet;

use crate::call::Call;
use crate::http::Reply;

/// Pays by a wallet, or in cash if no wallet is given; the merchant is notified after the answer.
pub(crate) async fn pay(call: &Call<'_>, wallet: Option<Wallet>) -> Result<Reply, Failure> {
    let idempotency_key = call.head.header("idempotency-key");
    let input = PaymentInput { caller: call.caller()?, idempotency_key, body: call.bytes() };
    let paid = match wallet {
        Some(wallet) => Box::pin(native::pay_by_wallet(call.edge.as_ref(), wallet, input)).await?,
        None => Box::pin(native::pay_in_cash(call.edge.as_ref(), input)).await?,
    };
    Ok(reply(paid))
}

/// The answer about a payment; of which the merchant is notified.
pub(crate) fn reply(paid: NativeAnswer) -> Reply {
    Reply::json(200, paid.body).replayed(paid.is_replayed)
}
