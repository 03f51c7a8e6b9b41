//! Native payments, which a merchant's server or app asks for without the hosted page.

use std::rc::Rc;

use checkout_core::access::Action;
use checkout_core::api::native::{MAX_BODY_BYTES, session_of};
use checkout_core::flow::merchant::native::{self, Input, NativeAnswer, OPERATION};
use checkout_core::flow::{Failure, identify};
use checkout_core::words::Wallet;
use worker::Context;

use crate::delivery::deliver_later;
use crate::edge::Edge;
use crate::http::{Incoming, Reply, of_caller};

/// Pays by a wallet, or in cash if no wallet is given; the merchant is notified after the answer.
pub(crate) async fn pay(
    edge: &Rc<Edge>,
    context: &Context,
    incoming: &mut Incoming,
    wallet: Option<Wallet>,
) -> Result<Reply, Failure> {
    let credential = incoming.credential();
    let action = if wallet.is_some() { Action::PayByWallet } else { Action::PayInCash };
    let body = incoming.json_body(MAX_BODY_BYTES).await.map_err(|rejection| rejection.during(OPERATION));
    let body = of_caller(body, identify(edge.as_ref(), &credential, action)).await?;
    if wallet.is_some() {
        incoming.called = session_of(&body);
    }
    let idempotency_key = incoming.header("idempotency-key");
    let input = Input { credential, idempotency_key: idempotency_key.as_deref(), body: &body };
    let answer = match wallet {
        Some(wallet) => Box::pin(native::pay_by_wallet(edge.as_ref(), wallet, input)).await?,
        None => Box::pin(native::pay_in_cash(edge.as_ref(), input)).await?,
    };
    Ok(reply(edge, context, answer))
}

/// The answer; the merchant is notified after it.
pub(crate) fn reply(edge: &Rc<Edge>, context: &Context, answer: NativeAnswer) -> Reply {
    for id in answer.deliveries {
        deliver_later(edge, context, id);
    }
    let reply = Reply::json(200, answer.body);
    if answer.is_replayed { reply.with("idempotent-replayed", "true") } else { reply }
}
