//! What the forms of a payment ask for, and what became of it.

use checkout_core::desk::route::DeskRoute;
use checkout_core::flow::Failure;
use checkout_core::flow::desk::{Operated, operate_once, own};
use checkout_core::flow::merchant::inquiry;
use checkout_core::rejection::Rejection;
use checkout_core::value::id::{ApprovalId, SessionId};
use maud::html;
use serde_json::json;

use super::call::{DeskCall, go_to};
use super::list_link::{news_of, with_list_and};
use super::parts::fault;
use super::payment::draw;
use crate::http::Reply;

/// Does what a form asks, once for the version that it showed.
pub(super) async fn operate(call: &DeskCall<'_>, session_id: &SessionId) -> Result<Reply, Failure> {
    let news = |word: &str| go_to(news_of(call, session_id, word));
    match operate_once(call.edge.as_ref(), call.caller(), session_id, &call.form).await {
        Ok(Operated::Done) => Ok(news("done")),
        Ok(Operated::Asked(id)) => {
            Ok(go_to(with_list_and(call, &DeskRoute::Approval(ApprovalId(id)), "news=asked")))
        }
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
