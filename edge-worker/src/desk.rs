//! The pages of a merchant's staff, on an origin of their own: complete without a script.
//!
//! Nothing is decided here: [`checkout_core::desk`] says who may go where, and flows of the core do what a form asks. This
//! module reads forms, draws screens, and sends them with one policy.

mod access_link;
mod approval_policy;
mod approvals;
mod assets;
mod attention;
mod call;
mod customer_logs;
mod customers;
mod deliveries;
mod edit_payment;
mod factor;
mod layout;
mod list_link;
mod me;
mod new_payment;
mod operation_form;
mod parts;
mod paused;
mod payment;
mod payment_actions;
mod payment_forms;
mod payment_link;
mod payments;
mod policy;
mod problem;
mod provider;
mod screens;
mod sign_in;
mod templates;
mod totals;
mod visit;
mod webhooks;

use std::rc::Rc;

use checkout_core::desk::form::{DeskForm, MAX_BYTES, TOKEN};
use checkout_core::desk::frame::missing;
use checkout_core::desk::guard::is_from_desk;
use checkout_core::desk::route::{DeskAccess, DeskMatch, DeskRoute, find};
use checkout_core::desk::session::{FactorDue, SessionSecret};
use checkout_core::flow::Failure;
use checkout_core::flow::desk::{Visitor, is_to_be_noted, note_personal, note_visit, visitor};
use checkout_core::port::{Clock, World};
use checkout_core::rejection::Rejection;
use checkout_core::strings::desk::DeskWords;
use checkout_core::words::media_type::BodyType;
use futures_util::future::join;
use worker::Context;

use self::call::DeskCall;
use self::visit::{DeskVisit, device_of, language_of};
use crate::edge::Edge;
use crate::http::{Incoming, Reply};
use crate::logging;

/// Answers one request for the desk with the reply and, for the log, the name of its address.
pub(crate) async fn answer(
    edge: &Rc<Edge>,
    context: &Context,
    incoming: &mut Incoming,
) -> (&'static str, Reply) {
    let language = language_of(incoming);
    let words = DeskWords::of(language);
    match find(&incoming.method, &incoming.path) {
        DeskMatch::Route(DeskRoute::StyleSheet(name)) if name == assets::STYLE_NAME => {
            ("desk_style", policy::style_sheet())
        }
        DeskMatch::Route(route) => {
            let reply = visit(edge, context, incoming, &route).await;
            let name = route.facts().name;
            (name, reply.unwrap_or_else(|failure| problem::failed(incoming, words, &failure)))
        }
        DeskMatch::WrongMethod { allow } => {
            ("desk_wrong_method", problem::not_found(words, 405).with("allow", allow))
        }
        DeskMatch::Nothing => ("desk_nothing", problem::not_found(words, 404)),
    }
}

/// Answers a visit:
///
/// 1. a form must come from a page of the desk; read it;
/// 2. recognise who visits, which is noted after the answer; someone who is not signed in is asked to, and comes back to a page, not to a
///    form;
/// 3. a form must carry the token of the session; someone who gave the password only has to complete the sign-in first;
/// 4. refuse those who may not go there, and name what they lack;
/// 5. ask again for a factor where a fresh one is needed: the form goes on as it was filled in;
/// 6. draw the screen, or do what the form asks; that it shows who payers are is recorded.
async fn visit(
    edge: &Rc<Edge>,
    context: &Context,
    incoming: &mut Incoming,
    route: &DeskRoute,
) -> Result<Reply, Failure> {
    let facts = route.facts();
    let is_form = facts.method == "POST";
    // 1
    let desk = edge.installation().desk_url.as_deref().unwrap_or_default();
    if is_form && !is_from_desk(|name| incoming.header(name), desk) {
        return Ok(problem::foreign_form(DeskWords::of(language_of(incoming))));
    }
    let form = if is_form { read_form(incoming).await? } else { DeskForm::default() };
    // 2
    let secret = incoming.header("cookie").and_then(SessionSecret::of_cookies);
    let found = match &secret {
        Some(secret) if facts.access != DeskAccess::Anyone => {
            visitor(edge.as_ref(), (secret, &device_of(incoming)), route.session()).await?
        }
        _ => None,
    };
    let incoming = &*incoming;
    if facts.access == DeskAccess::Anyone {
        return sign_in::answer(edge, context, incoming, route, &form).await;
    }
    let (Some(secret), Some(found)) = (secret, found) else {
        return Ok(sign_in::ask(incoming, is_form));
    };
    note_later(edge, context, &found);
    let language = found.session.language.unwrap_or_else(|| language_of(incoming));
    let due = found.session.due();
    let is_fresh = found.session.is_fresh(edge.clock().now());
    let visit = DeskVisit { visitor: found, language, form_token: secret.form_token() };
    let mut call = DeskCall { edge, context, head: incoming, route, visit, form };
    // 3
    if is_form && !secret.is_form_token(call.form.get(TOKEN)) {
        return Ok(problem::foreign_form(call.words()));
    }
    if let Some(due) = due
        && !is_of_factor(due, route)
    {
        return Ok(sign_in::ask_factor(incoming, due, is_form));
    }
    // 4
    if let Some(missing) = missing(call.caller(), route) {
        return Ok(problem::not_permitted(&call, &missing));
    }
    // 5
    let mut cookie = None;
    if matches!(facts.access, DeskAccess::Fresh(_)) && due.is_none() && !is_fresh {
        match factor::step_up(&mut call).await? {
            Ok(renewed) => cookie = Some(renewed),
            Err(asking) => return Ok(asking),
        }
    }
    // 6
    let noted = note_personal(edge.as_ref(), call.caller(), route);
    let (noted, answered) = join(noted, screens::answer(&call, route)).await;
    noted?;
    match answered {
        // A reply that gives a cookie itself gives that of the latest session.
        Ok(reply) if reply.headers.iter().any(|(name, _)| *name == "set-cookie") => Ok(reply),
        Ok(reply) => Ok(with_cookie(reply, cookie)),
        Err(failure) => {
            logging::failure(&incoming.request_id, &failure);
            Ok(with_cookie(problem::of_visit(&call, &failure), cookie))
        }
    }
}

/// Notes after the answer that a session is used: who is signed in neither waits for it nor is refused if it cannot be noted.
fn note_later(edge: &Rc<Edge>, context: &Context, found: &Visitor) {
    if is_to_be_noted(edge.as_ref(), found) {
        let (edge, id) = (Rc::clone(edge), found.session.id.clone());
        context.wait_until(async move {
            let _ = note_visit(edge.as_ref(), &id).await;
        });
    }
}

fn with_cookie(reply: Reply, cookie: Option<String>) -> Reply {
    match cookie {
        Some(cookie) => reply.with("set-cookie", cookie),
        None => reply,
    }
}

/// Whether someone who gave the password only may go to an address.
fn is_of_factor(due: FactorDue, route: &DeskRoute) -> bool {
    let own: &[DeskRoute] = match due {
        FactorDue::Code => &[DeskRoute::ShowCode, DeskRoute::GiveCode],
        FactorDue::SetUp => &[DeskRoute::ShowFactor, DeskRoute::SetFactor],
    };
    own.contains(route) || matches!(route, DeskRoute::SignOut | DeskRoute::ChooseLanguage)
}

/// The fields of a form.
async fn read_form(incoming: &mut Incoming) -> Result<DeskForm, Failure> {
    let given = incoming.header("content-type").unwrap_or_default();
    BodyType::Form.read(given).ok_or(Rejection::UnsupportedMediaType { takes: BodyType::Form })?;
    Ok(DeskForm::read(&incoming.bytes(MAX_BYTES).await?))
}
