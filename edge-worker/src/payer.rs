//! What the payer's browser asks for: the page, the payment, the way back from the bank.

use std::rc::Rc;

use checkout_core::api::pay::{self, Answer, Form};
use checkout_core::checkout::page::{Notice, Refused};
use checkout_core::flow::{Failure, open_page, pay as pay_flow, settle};
use checkout_core::id::{DeliveryId, ReferenceNumber, SessionId};
use checkout_core::rejection::{PROBLEMS, Rejection};
use checkout_core::transaction::Language;
use checkout_core::webhook::delivery::INLINE_WAIT;
use futures_channel::oneshot;
use futures_util::future::select;
use serde::Serialize;
use worker::{Context, Delay};

use crate::delivery::{deliver_later, deliver_now};
use crate::edge::Edge;
use crate::http::{Incoming, Reply};
use crate::page::{self, PageReply};

/// A drawn page as a reply.
pub(crate) fn reply(page: PageReply) -> Reply {
    Reply { status: page.status, headers: page.headers, body: page.body.into_bytes() }
}

/// What a browser is shown where there is no page to show: what went wrong, in words.
pub(crate) fn refuse(rejection: &Rejection) -> Reply {
    let problem = PROBLEMS.iter().find(|problem| problem.code == rejection.code());
    Reply { status: rejection.status(), ..reply(page::render_problem(problem)) }
}

/// The hosted page.
pub(crate) async fn open_page(edge: &Edge, incoming: &Incoming) -> Result<Reply, Failure> {
    let session_id = incoming.parameter("session_id").and_then(|text| SessionId::parse(&text));
    let language = incoming.parameter("language").and_then(|text| Language::parse(&text));
    let asked = incoming.parameter("pg_code");
    let view = open_page::open_page(edge, session_id.as_ref(), (language, asked.as_deref()), None).await?;
    Ok(reply(page::render(&view)))
}

/// The payer chose a method. The page's script gets JSON; a browser gets 303, or the page again with what is wrong.
pub(crate) async fn pay(
    edge: &Rc<Edge>,
    context: &Context,
    incoming: &mut Incoming,
) -> Result<Reply, Failure> {
    let body = incoming.form_body(pay::MAX_BODY_BYTES).await?;
    let form = Form::parse(&body);
    match pay_flow::pay(edge.as_ref(), &form).await {
        Ok(directed) => {
            if let Some(id) = directed.delivery {
                deliver_later(edge, context, id);
            }
            if incoming.wants_json() {
                return Ok(json(&Answer { redirect_url: directed.url }));
            }
            Ok(Reply::see_other(directed.url))
        }
        Err(Failure::Refused(rejection)) if !incoming.wants_json() => {
            show_again(edge, &form, &rejection).await
        }
        Err(failure) => Err(failure),
    }
}

async fn show_again(edge: &Edge, form: &Form, rejection: &Rejection) -> Result<Reply, Failure> {
    let refused = Refused { form, notice: notice(rejection) };
    let view =
        open_page::open_page(edge, form.session_id.as_ref(), (form.language, None), Some(refused)).await?;
    let drawn = reply(page::render(&view));
    Ok(Reply { status: rejection.status(), ..drawn })
}

/// What a refused payer is told over the methods. What is wrong with an amount is said at its field.
fn notice(rejection: &Rejection) -> Option<Notice> {
    if let Rejection::Invalid(found) = rejection {
        let is_method = found.iter().any(|violation| violation.path == "pg_code");
        return is_method.then_some(Notice::MethodUnknown);
    }
    matches!(rejection, Rejection::AttemptInProgress | Rejection::Conflict).then_some(Notice::InProgress)
}

/// How far the payment is.
pub(crate) async fn status(edge: &Edge, session_id: &SessionId) -> Result<Reply, Failure> {
    Ok(json(&open_page::status(edge, session_id).await?))
}

/// Delivers a notification while a browser waits, for so long as it may wait; the delivery goes on without it.
pub(crate) async fn deliver_while_waiting(edge: &Rc<Edge>, context: &Context, id: DeliveryId) {
    let (done, is_done) = oneshot::channel();
    let sender = Rc::clone(edge);
    context.wait_until(async move {
        deliver_now(&sender, &id).await;
        // The browser may have stopped waiting.
        let _ = done.send(());
    });
    select(is_done, Delay::from(INLINE_WAIT)).await;
}

/// The payer comes back from the bank: the outcome is asked for, the merchant is notified while the browser waits,
/// and his answer decides where it goes. The browser waits only so long; the delivery goes on without it.
pub(crate) async fn come_back(
    edge: &Rc<Edge>,
    context: &Context,
    reference: &ReferenceNumber,
    language: Option<Language>,
) -> Result<Reply, Failure> {
    if let Some(id) = settle::come_back(edge.as_ref(), reference).await? {
        deliver_while_waiting(edge, context, id).await;
    }
    Ok(Reply::see_other(settle::land(edge.as_ref(), reference, language).await?))
}

fn json(answer: &impl Serialize) -> Reply {
    // Plain text fields always serialise.
    Reply::json(200, serde_json::to_string(answer).unwrap_or_default())
}
