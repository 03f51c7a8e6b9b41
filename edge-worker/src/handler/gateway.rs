//! What payment gateways report by themselves.

use std::rc::Rc;

use checkout_core::flow::Failure;
use checkout_core::flow::report::gateway::{CalledBack, ReportAddress};
use checkout_core::flow::report::{gateway, message};
use checkout_core::gateway::callback::Acknowledgement;
use checkout_core::gateway::exchange;
use checkout_core::rejection::Rejection;
use checkout_core::value::id::{MerchantId, ReferenceNumber};
use checkout_core::words::message::Channel;

use crate::call::Call;
use crate::edge::Edge;
use crate::handler::payer;
use crate::http::Reply;
use crate::logging;

/// The request as it came.
fn received(call: &Call<'_>) -> exchange::Incoming {
    exchange::Incoming {
        status: 0,
        query: call.head.query().into(),
        headers: call.head.headers().to_vec(),
        body: call.bytes().to_vec(),
    }
}

/// Takes the report of a provider of messages.
pub(crate) async fn message_report(
    call: &Call<'_>,
    merchant: &MerchantId,
    channel: Channel,
) -> Result<Reply, Failure> {
    let answer = Box::pin(message::report(call.edge.as_ref(), merchant, channel, &received(call))).await?;
    Ok(Reply::plain(200, answer))
}

/// Takes a gateway's report; the merchant is notified, and the gateway asked for more, after it has its answer.
pub(crate) async fn call_back(call: &Call<'_>, address: ReportAddress) -> Result<Reply, Failure> {
    let called = gateway::call_back(call.edge.as_ref(), address, &received(call)).await?;
    let CalledBack { answer, questions, .. } = called;
    for reference in questions {
        let edge = Rc::clone(call.edge);
        call.context.wait_until(async move { ask_about(&edge, &reference).await });
    }
    // The words for a server are no page.
    if call.head.navigates() && !answer.leads_on() {
        return Ok(payer::refuse(&Rejection::NotFound, call.head));
    }
    let refresh = answer.onward().map(|url| ["0;url=", url].concat());
    let reply = match answer {
        Acknowledgement::Json(text) => Reply::json(200, text.into()),
        Acknowledgement::Text(text) => Reply::plain(200, text),
        Acknowledgement::Redirect(url) => Reply::see_other(url),
    };
    Ok(match refresh {
        Some(refresh) => reply.with("refresh", refresh),
        None => reply,
    })
}

/// Asks about what a gateway has announced; if the Worker stops first, the sweep asks.
pub(crate) async fn ask_about(edge: &Edge, reference: &ReferenceNumber) {
    if let Err(failure) = gateway::ask_about(edge, reference).await {
        logging::failure("gateway", &failure);
    }
}
