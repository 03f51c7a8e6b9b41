//! The form that changes a payment that can still be paid.

use checkout_core::desk::form::DeskForm;
use checkout_core::desk::new_payment::PERIODS;
use checkout_core::desk::route::DeskRoute;
use checkout_core::flow::Failure;
use checkout_core::flow::desk::{Editable, Edited, edit, editable};
use checkout_core::value::id::SessionId;
use checkout_core::violation::Violation;
use maud::{Markup, html};

use super::call::{DeskCall, go_to};
use super::list_link::{list_field, news_of, with_list};
use super::new_payment::{Filled, faults, optional};
use crate::http::Reply;

/// Shows the form.
pub(super) async fn show(call: &DeskCall<'_>, session_id: &SessionId) -> Result<Reply, Failure> {
    let Editable { form, tag } = editable(call.edge.as_ref(), call.caller(), session_id).await?;
    Ok(draw(call, (session_id, &tag), 200, &form, &[]))
}

/// Changes the payment, and goes back to it.
pub(super) async fn change(call: &DeskCall<'_>, session_id: &SessionId) -> Result<Reply, Failure> {
    let news = |word: &str| go_to(news_of(call, session_id, word));
    Ok(match edit(call.edge.as_ref(), call.caller(), session_id, &call.form).await? {
        Edited::Done => news("saved"),
        Edited::Stale => news("stale"),
        Edited::Wrong(found) => {
            let tag = call.form.get("tag").unwrap_or_default();
            draw(call, (session_id, tag), 400, &call.form, &found)
        }
    })
}

fn draw(
    call: &DeskCall<'_>,
    (session_id, tag): (&SessionId, &str),
    status: u16,
    form: &DeskForm,
    found: &[Violation],
) -> Reply {
    let words = &call.words().payment;
    let filled = Filled { form, found, words: call.words() };
    let fields = html! {
        input type="hidden" name="tag" value=(tag);
        (list_field(call))
        div .card { (price(call, &filled)) }
        (payer(call, &filled))
        div .actions {
            button .button { (words.save) }
            a .link href=(with_list(call, &DeskRoute::Payment(session_id.clone()))) { (words.title) }
        }
    };
    let body = html! {
        h1 { (words.edit) }
        (faults(call.words(), found, &[]))
        (call.form(&DeskRoute::ChangePayment(session_id.clone()), &fields))
    };
    call.screen_with(status, words.edit, &body)
}

fn price(call: &DeskCall<'_>, filled: &Filled<'_>) -> Markup {
    let words = &call.words().new_payment;
    html! {
        div .row {
            (filled.line("amount", words.amount, "text"))
            div .field {
                label for="currency_code" { (words.currency) }
                select id="currency_code" name="currency_code" {
                    (filled.currencies(&call.caller().situation.settings.currencies))
                }
            }
            div .field {
                label for="expiration_time" { (words.expires) }
                select id="expiration_time" name="expiration_time" {
                    option value="" { (call.words().payment.as_is) }
                    @for (period, name) in PERIODS.into_iter().zip(words.periods) {
                        option value=(period) selected[filled.has("expiration_time", period)] { (name) }
                    }
                }
            }
        }
        (filled.line("order_no", &optional(words.order_no, words), "text"))
    }
}

/// Who pays; nothing for someone who may not see it, so that what is masked is not stored.
fn payer(call: &DeskCall<'_>, filled: &Filled<'_>) -> Markup {
    let words = &call.words().new_payment;
    html! {
        @if call.caller().sees_personal_data() {
            fieldset .card {
                legend { (words.payer) }
                div .row {
                    (filled.line("customer_first_name", &optional(words.first_name, words), "text"))
                    (filled.line("customer_last_name", &optional(words.last_name, words), "text"))
                }
                div .row {
                    (filled.line("customer_email", &optional(words.email, words), "email"))
                    (filled.line("customer_phone", &optional(words.phone, words), "tel"))
                }
            }
        }
    }
}
