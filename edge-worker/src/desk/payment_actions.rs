//! What a person does with a payment, from its page: where to go, the forms, and what became of them.

use checkout_core::desk::frame::missing;
use checkout_core::desk::new_payment::again;
use checkout_core::desk::route::{DeskRoute, way_back};
use checkout_core::flow::Failure;
use checkout_core::flow::desk::{Operated, PaymentShown, operate_once, own};
use checkout_core::flow::merchant::inquiry;
use checkout_core::operation::command::Command;
use checkout_core::port::World;
use checkout_core::rejection::Rejection;
use checkout_core::strings::desk::PaymentWords;
use checkout_core::value::id::{ApprovalId, SessionId};
use form_urlencoded::Serializer;
use maud::{Markup, html};
use serde_json::json;

use super::call::{DeskCall, go_to};
use super::operation_form::{VERSION, form};
use super::parts::fault;
use super::payment::draw;
use crate::http::Reply;

/// The parameter in which the address of a payment, and each form on its page, has the query of the list that led there.
pub(super) const LIST: &str = "list";

/// The query of the list that led here: of the address, or of the form that was sent.
fn list_query(call: &DeskCall<'_>) -> Option<String> {
    let of_address = call.query().filled(LIST).map(str::to_owned);
    of_address.or_else(|| call.form.filled(LIST).map(str::to_owned))
}

/// An address with the list that led here.
pub(super) fn with_list(call: &DeskCall<'_>, to: &DeskRoute) -> String {
    let Some(list) = list_query(call) else { return to.path() };
    format!("{}?{}", to.path(), Serializer::new(String::new()).append_pair(LIST, &list).finish())
}

/// The list that led here, as a field of a form.
pub(super) fn list_field(call: &DeskCall<'_>) -> Markup {
    html! { @if let Some(list) = list_query(call) { input type="hidden" name=(LIST) value=(list); } }
}

/// The page of a payment that says what was done.
pub(super) fn news_of(call: &DeskCall<'_>, session_id: &SessionId, news: &str) -> String {
    let address = with_list(call, &DeskRoute::Payment(session_id.clone()));
    let separator = if address.contains('?') { '&' } else { '?' };
    format!("{address}{separator}news={news}")
}

/// The list that led here, with its filters.
fn list_of(call: &DeskCall<'_>) -> String {
    let list = list_query(call).unwrap_or_default();
    way_back(Some(&[&DeskRoute::Payments.path(), "?", &list].concat()))
}

/// Whether the person may go there.
fn may(call: &DeskCall<'_>, route: &DeskRoute) -> bool {
    missing(call.caller(), route).is_none()
}

/// Where the person may go from here.
fn links(call: &DeskCall<'_>, shown: &PaymentShown, words: &PaymentWords) -> Markup {
    let id = || shown.transaction.session_id.clone();
    html! {
        p .actions {
            a .link href=(DeskRoute::PaymentLink(id()).path()) { (words.link) }
            @if shown.is_editable { a .link href=(with_list(call, &DeskRoute::EditPayment(id()))) { (words.edit) } }
            @if shown.is_repeatable && may(call, &DeskRoute::NewPayment) {
                a .link href={ (DeskRoute::NewPayment.path()) "?" (again(&shown.transaction)) } { (words.again) }
            }
            @if may(call, &DeskRoute::Deliveries) {
                a .link href={ (DeskRoute::Deliveries.path()) "?session_id=" (shown.transaction.session_id) } {
                    (call.words().navigation.deliveries)
                }
            }
            a .link href=(list_of(call)) { (words.payments) }
        }
    }
}

/// What the person may do. A form carries the version that it showed, which is the key of what it does: sent twice, or by two
/// tabs, it does it once, and a payment that has changed since is shown again.
pub(super) fn actions(call: &DeskCall<'_>, shown: &PaymentShown, words: &PaymentWords) -> Markup {
    let id = || shown.transaction.session_id.clone();
    let version = html! { input type="hidden" name=(VERSION) value=(shown.transaction.version); };
    let address = call.form.get("address");
    html! {
        section .card {
            (links(call, shown, words))
            @for command in &shown.endings {
                (call.form(&DeskRoute::Operate(id()), &html! {
                    (version)
                    (list_field(call))
                    input type="hidden" name="operation" value=(command.as_str());
                    button .button.risky { (if *command == Command::Expire { words.expire } else { words.cancel }) }
                }))
            }
            @if !shown.attempts.is_empty() && may(call, &DeskRoute::InquirePayment(id())) {
                (call.form(&DeskRoute::InquirePayment(id()), &html! { (list_field(call)) button .button.second { (words.inquire) } }))
            }
            @if may(call, &DeskRoute::NotifyPayment(id())) {
                details open[address.is_some()] {
                    summary { (words.notify) }
                    (call.form(&DeskRoute::NotifyPayment(id()), &html! {
                        (list_field(call))
                        div .field {
                            label for="address" { (words.address) }
                            input id="address" name="address" type="url" dir="ltr" maxlength="2048" autocomplete="off" value=[address];
                        }
                        div .actions { button .button.second { (words.notify) } }
                    }))
                }
            }
            details {
                summary { (words.curl) }
                pre dir="ltr" data-copy { (curl(call, &shown.transaction.session_id)) }
            }
            @for (operation, left) in &shown.offered { (form(call, shown, *operation, *left)) }
        }
    }
}

/// The command that reads the payment over the API.
fn curl(call: &DeskCall<'_>, session_id: &SessionId) -> String {
    let public_url = &call.edge.installation().public_url;
    format!("curl -sS '{public_url}/b/checkout/v1/pymt-txn/{session_id}/' -H \"Authorization: Api-Key $KEY\"")
}

/// Does what a form asks, once for the version that it showed.
pub(super) async fn operate(call: &DeskCall<'_>, session_id: &SessionId) -> Result<Reply, Failure> {
    let news = |word: &str| go_to(news_of(call, session_id, word));
    match operate_once(call.edge.as_ref(), call.caller(), session_id, &call.form).await {
        Ok(Operated::Done) => Ok(news("done")),
        Ok(Operated::Asked(id)) => Ok(go_to(DeskRoute::Approval(ApprovalId(id)).path() + "?news=asked")),
        Ok(Operated::Running) => Ok(news("running")),
        Ok(Operated::Stale) => Ok(news("stale")),
        Err(Failure::Refused(refused)) if refused.rejection == Rejection::PermissionMissing => {
            Err(Failure::Refused(refused))
        }
        Err(Failure::Refused(refused)) => draw_refused(call, session_id, &refused.rejection).await,
        Err(failure) => Err(failure),
    }
}

/// The page with what was filled in, and why nothing was done.
async fn draw_refused(
    call: &DeskCall<'_>,
    session_id: &SessionId,
    rejection: &Rejection,
) -> Result<Reply, Failure> {
    let notice = html! {
        div .notice.bad role="alert" {
            p { (call.words().payment.not_done) }
            p { (call.words().refusal(rejection)) }
            @if let Rejection::Invalid(found) = rejection {
                ul { @for violation in found { li { (fault(call.words(), violation)) } } }
            }
        }
    };
    draw(call, session_id, rejection.status(), &notice).await
}

/// Notifies the merchant of the payment as it is, at its own address or at another one.
pub(super) async fn notify(call: &DeskCall<'_>, session_id: &SessionId) -> Result<Reply, Failure> {
    let address = call.form.filled("address");
    let body = address.map_or_else(|| json!({}), |address| json!({ "webhook_url": address })).to_string();
    let notified = inquiry::notify_now(call.edge.as_ref(), call.caller(), session_id, body.as_bytes());
    match Box::pin(notified).await {
        Ok(_) => Ok(go_to(news_of(call, session_id, "notified"))),
        Err(Failure::Refused(refused)) if matches!(refused.rejection, Rejection::Invalid(_)) => {
            draw_refused(call, session_id, &refused.rejection).await
        }
        Err(failure) => Err(failure),
    }
}

/// Asks the gateways.
pub(super) async fn inquire(call: &DeskCall<'_>, session_id: &SessionId) -> Result<Reply, Failure> {
    // Another merchant's payment is not found.
    own(call.edge.as_ref(), call.caller(), session_id).await?;
    let body = json!({ "session_id": session_id.as_str() }).to_string();
    inquiry::inquire(call.edge.as_ref(), call.caller(), body.as_bytes()).await?;
    Ok(go_to(news_of(call, session_id, "inquired")))
}
