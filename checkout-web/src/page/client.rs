//! The calls of the page, all to its own origin.

use checkout_core::api::pay::PayForm;

use crate::json::{JSON_BODY, is_object, member};
use crate::page::model::StatusAnswer;
use crate::page::transport::{Answer, Call, FORM_BODY, send};
use crate::page::update::{AMOUNT_REFUSED, PayAnswer, TOO_MANY_DECLINES};
use crate::wallet::{Order, Outcome, PAY_WITHIN, SESSION_WITHIN, Said, is_of_origin};

/// How long the answer to a question may take, in milliseconds.
const STATUS_WITHIN: u32 = 10_000;

/// Sends the pay form.
pub(crate) fn pay(address: &str, form: &PayForm, then: impl FnOnce(PayAnswer) + 'static) {
    let body = Some((FORM_BODY, form.encode()));
    let call = Call { address: address.into(), body, within: PAY_WITHIN };
    send(call, Box::new(|answer| then(answer.map_or(PayAnswer::Lost, |answer| paid(&answer)))));
}

fn paid(answer: &Answer) -> PayAnswer {
    if answer.is_ok {
        return answer.text("redirect_url").map_or(PayAnswer::Lost, PayAnswer::Redirect);
    }
    match (answer.text("code"), answer.wait) {
        (Some(_), _) if is_about(answer, "amount") || is_about(answer, "consent") => {
            PayAnswer::Refused(AMOUNT_REFUSED.into())
        }
        (Some(code), Some(seconds)) if code == TOO_MANY_DECLINES => PayAnswer::Wait(seconds),
        // An answer without a problem body comes from something in front of the checkout, which may have paid.
        (code, _) => code.map_or(PayAnswer::Lost, PayAnswer::Refused),
    }
}

fn is_about(answer: &Answer, field: &str) -> bool {
    answer.member("errors").is_some_and(|errors| member(&errors, field).is_some())
}

/// Asks for the state of the payment: nothing when there is no usable answer.
pub(crate) fn status(address: &str, then: impl FnOnce(Option<StatusAnswer>) + 'static) {
    let call = Call { address: address.into(), body: None, within: STATUS_WITHIN };
    send(call, Box::new(|answer| then(answer.as_ref().and_then(state))));
}

fn state(answer: &Answer) -> Option<StatusAnswer> {
    if !answer.is_ok {
        return None;
    }
    let amount = answer.text("currency_code").zip(answer.text("amount"));
    Some(StatusAnswer {
        status: answer.text("status")?,
        price: amount.map(|(code, amount)| [&code, " ", &amount].concat()),
        prices: answer.texts("prices"),
        moved_at: answer.text("moved_at"),
        redirect_url: answer.text("redirect_url"),
    })
}

/// Submits the token of a wallet.
pub(crate) fn pay_by_wallet(address: &str, order: &Order, token: &str, then: impl FnOnce(Outcome) + 'static) {
    if !is_object(token) || !is_of_origin(address, "") {
        return then(invalid());
    }
    let body = Some((JSON_BODY, order.payment(token)));
    let session_id = order.session_id.clone();
    let call = Call { address: address.into(), body, within: PAY_WITHIN };
    send(call, Box::new(move |answer| then(Outcome::read(&session_id, answer.as_ref().map(said)))));
}

fn invalid() -> Outcome {
    Outcome::Refused("invalid_fields".into())
}

fn said(answer: &Answer) -> Said {
    let callback = answer.member("callback_payload");
    Said {
        is_ok: answer.is_ok,
        approved: answer.member("approved").and_then(|approved| approved.as_bool()),
        redirect_url: answer.text("redirect_url"),
        session_id: callback.and_then(|callback| member(&callback, "session_id")?.as_string()),
        code: answer.text("code"),
        is_about_amount: is_about(answer, "amount"),
    }
}

/// The merchant session of a sheet as its gateway issued it, or why there is none.
pub(crate) fn merchant_session(
    address: &str,
    order: &Order,
    validation_url: &str,
    then: impl FnOnce(Result<String, Outcome>) + 'static,
) {
    let Some(body) = order.session(validation_url).filter(|_| is_of_origin(address, "")) else {
        return then(Err(invalid()));
    };
    let call = Call { address: address.into(), body: Some((JSON_BODY, body)), within: SESSION_WITHIN };
    send(call, Box::new(|answer| then(session(answer))));
}

fn session(answer: Option<Answer>) -> Result<String, Outcome> {
    let answer = answer.ok_or(Outcome::Lost)?;
    // A refusal has a code; a gateway that issues no session gives none.
    let refusal = || Outcome::Refused(answer.text("code").unwrap_or_else(|| "unavailable".into()));
    if answer.is_ok && is_object(&answer.text) { Ok(answer.text) } else { Err(refusal()) }
}
