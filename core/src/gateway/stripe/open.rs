//! Opens charges: a page, or a `PaymentIntent` for a saved card or a token of Google Pay.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use core::time::Duration;

use super::fault::{FaultVerdict, verdict};
use super::intent::{self, Intent};
use super::request::{StripeForm, id};
use super::session::{self, CheckoutSession};
use super::words::IntentStatus;
use super::{Stripe, amount, decline};
use crate::card::usage::ChargeInitiator;
use crate::gateway::charge::{CardCharge, ChargeOperation, Opened, Order, Outcome, Report};
use crate::gateway::exchange::Incoming;
use crate::gateway::instrument::{Instrument, WalletPayload};
use crate::gateway::step::Step;
use crate::wire::json;
use crate::wire::members::Members;
use crate::wire::object::Object;
use crate::words::{Language, Wallet};

/// The field with which the payer's browser comes back from the page, and its value if the payer left the page unpaid.
pub(super) const LEFT: &str = "stripe";
pub(super) const BY_CANCELING: &str = "canceled";

/// The longest e-mail address.
const MAX_EMAIL: usize = 512;
/// How long a page can be paid. Stripe takes half an hour to a day, by its own clock.
const PAGE_IS_OPEN: Duration = Duration::from_hours(1);

/// What pays an intent.
struct IntentMeans {
    method: String,
    customer: Option<String>,
    initiator: ChargeInitiator,
    saves_card: bool,
}

pub(super) fn open<'c>(stripe: &'c Stripe, order: &'c Order) -> Step<'c, Opened> {
    let price = match (stripe.misplaced_key(), order.operation, amount::written(order.total)) {
        (Some(reason), ..) => return Step::refused(reason),
        (None, ChargeOperation::Verify, _) => 0,
        (None, ChargeOperation::Purchase | ChargeOperation::Authorize, Ok(price)) => price,
        (None, ChargeOperation::Purchase | ChargeOperation::Authorize, Err(reason)) => {
            return Step::refused(reason);
        }
    };
    match (&order.card, &order.instrument, order.operation) {
        (None, Instrument::Page, _) => open_page(stripe, order, price),
        (_, _, ChargeOperation::Verify) => Step::refused("Stripe confirms a card only on its page"),
        (Some(card), _, _) => match means_of(card) {
            Some(means) => pay(stripe, order, price, &means),
            None => Step::refused("the saved card is none of Stripe"),
        },
        (None, Instrument::Wallet(Wallet::GooglePay, payload), _) => {
            open_google(stripe, order, price, payload)
        }
        (None, Instrument::Wallet(Wallet::ApplePay, _), _) => {
            Step::refused("Stripe takes no Apple Pay token from here")
        }
    }
}

/// The parts of the token of a saved card: `cus_…|pm_…`.
fn means_of(card: &CardCharge) -> Option<IntentMeans> {
    let (customer, method) = card.token.0.split_once('|')?;
    Some(IntentMeans {
        method: id(method, "pm_")?.to_owned(),
        customer: Some(id(customer, "cus_")?.to_owned()),
        initiator: card.initiator,
        saves_card: false,
    })
}

const fn capture_method(operation: ChargeOperation) -> &'static str {
    match operation {
        ChargeOperation::Authorize => "manual",
        ChargeOperation::Purchase | ChargeOperation::Verify => "automatic",
    }
}

fn open_page<'c>(stripe: &'c Stripe, order: &'c Order, price: i64) -> Step<'c, Opened> {
    let reference = order.reference.as_str();
    let mark = if order.return_url.contains('?') { '&' } else { '?' };
    let expires_at = order.opened_at.plus(PAGE_IS_OPEN).seconds().to_string();
    // Stripe has no page in Arabic.
    let locale = match order.language {
        Language::En => "en",
        Language::Ar => "auto",
    };
    let is_setup = order.operation == ChargeOperation::Verify;
    let mut form = StripeForm::new()
        .with("mode", if is_setup { "setup" } else { "payment" })
        .with("client_reference_id", reference)
        .with("success_url", &order.return_url)
        .with("cancel_url", &format!("{}{mark}{LEFT}={BY_CANCELING}", order.return_url))
        .with("expires_at", &expires_at)
        .with("locale", locale)
        .with("payment_method_types[]", "card")
        .with_some("customer_email", order.payer.plain_email(MAX_EMAIL))
        .with("metadata[charge]", reference);
    if is_setup || order.saves_card {
        form = form.with("customer_creation", "always");
    }
    form = if is_setup {
        form.with("setup_intent_data[metadata][charge]", reference)
    } else {
        with_payment(form, order, price)
    };
    let request = stripe.post(session::PATH, reference, form);
    Step::act(request, |answer| match answer.status {
        200 => Opened::Reported(match CheckoutSession::parse(&answer.body) {
            Some(session) => session.report(Some(order.operation), &answer.body),
            None => Report::bare("", Outcome::Unknown),
        }),
        _ => read_refusal(order, answer),
    })
}

fn with_payment(form: StripeForm, order: &Order, price: i64) -> StripeForm {
    let reference = order.reference.as_str();
    let name = [Some(order.merchant.as_str()), order.order_no.as_deref()];
    let name = name.into_iter().flatten().collect::<alloc::vec::Vec<_>>().join(" ");
    let name = if name.trim().is_empty() { reference } else { name.trim() };
    // Otherwise Stripe may let the payer pay in another currency than the one that was ordered.
    form.with("adaptive_pricing[enabled]", "false")
        .with("line_items[0][quantity]", "1")
        .with("line_items[0][price_data][currency]", &amount::code(order.total.currency()))
        .with("line_items[0][price_data][unit_amount]", &price.to_string())
        .with("line_items[0][price_data][product_data][name]", name)
        .with("payment_intent_data[capture_method]", capture_method(order.operation))
        .with("payment_intent_data[metadata][charge]", reference)
        .with("payment_intent_data[metadata][page]", "1")
        .with_some("payment_intent_data[description]", order.order_no.as_deref())
        .with_some("payment_intent_data[setup_future_usage]", order.saves_card.then_some("off_session"))
}

/// The token becomes a payment method first: that is the documented way to use it, and charges nothing.
fn open_google<'c>(
    stripe: &'c Stripe,
    order: &'c Order,
    price: i64,
    payload: &WalletPayload,
) -> Step<'c, Opened> {
    let Some(token) = google_token(payload) else {
        return Step::refused("the token of Google Pay is none for Stripe");
    };
    let form = StripeForm::new().with("type", "card").with("card[token]", &token);
    let request = stripe.post("/v1/payment_methods", &format!("{}-method", order.reference), form);
    Step::ask_first(request, move |answer| {
        let Some(method) = created_id(answer, "pm_") else { return not_begun(answer) };
        if order.saves_card {
            return with_customer(stripe, order, price, method);
        }
        let means =
            IntentMeans { method, customer: None, initiator: ChargeInitiator::Payer, saves_card: false };
        pay(stripe, order, price, &means)
    })
}

/// A card is saved with a customer of Stripe.
fn with_customer<'c>(stripe: &'c Stripe, order: &'c Order, price: i64, method: String) -> Step<'c, Opened> {
    let form = StripeForm::new()
        .with_some("email", order.payer.plain_email(MAX_EMAIL))
        .with("metadata[charge]", order.reference.as_str())
        .with_some("metadata[payer]", order.payer.id.as_deref());
    let request = stripe.post("/v1/customers", &format!("{}-customer", order.reference), form);
    Step::ask_first(request, move |answer| {
        let Some(customer) = created_id(answer, "cus_") else { return not_begun(answer) };
        let means = IntentMeans {
            method,
            customer: Some(customer),
            initiator: ChargeInitiator::Payer,
            saves_card: true,
        };
        pay(stripe, order, price, &means)
    })
}

/// The id of what a preparing request made.
fn created_id(answer: &Incoming, prefix: &str) -> Option<String> {
    if answer.status != 200 {
        return None;
    }
    let made = Object::read(&answer.body, |object| object.text("id"))?;
    id(&made, prefix).map(ToOwned::to_owned)
}

/// The request that charges was not sent, so nothing was charged, whatever the answer to the preparing one is.
fn not_begun<'c>(answer: &Incoming) -> Step<'c, Opened> {
    let message = super::fault::message_of(&answer.body);
    let message = message.unwrap_or_else(|| "Stripe did not prepare the payment".to_owned());
    Step::Done(Opened::Refused { message: Some(message) })
}

/// The id of the token that Google Pay made for Stripe: the text of the token is a JSON object.
fn google_token(payload: &WalletPayload) -> Option<String> {
    let data = Members::of(Members::of(payload.raw())?.get("paymentMethodData")?)?;
    let token = json::text_of(Members::of(data.get("tokenizationData")?)?.get("token")?)?;
    let token = Members::read(token.as_bytes()).ok()?;
    let token = json::text_of(token.get("id")?)?;
    id(&token, "tok_").map(ToOwned::to_owned)
}

fn pay<'c>(stripe: &'c Stripe, order: &'c Order, price: i64, means: &IntentMeans) -> Step<'c, Opened> {
    let reference = order.reference.as_str();
    let is_absent = means.initiator == ChargeInitiator::Merchant;
    let form = StripeForm::new()
        .with("amount", &price.to_string())
        .with("currency", &amount::code(order.total.currency()))
        .with("capture_method", capture_method(order.operation))
        .with("confirm", "true")
        .with("payment_method_types[]", "card")
        .with("payment_method", &means.method)
        .with_some("customer", means.customer.as_deref())
        .with_some("off_session", is_absent.then_some("true"))
        .with_some("return_url", (!is_absent).then_some(order.return_url.as_str()))
        .with_some("setup_future_usage", means.saves_card.then_some("off_session"))
        .with_some("description", order.order_no.as_deref())
        .with("metadata[charge]", reference)
        .with("expand[]", "latest_charge");
    Step::act_first(stripe.post(intent::PATH, reference, form), move |answer| {
        if answer.status != 200 {
            return Step::Done(read_refusal(order, answer));
        }
        let Some(intent) = Intent::parse(&answer.body) else {
            return Step::Done(Opened::Reported(Report::bare("", Outcome::Unknown)));
        };
        let is_stuck = is_absent && intent.status == Some(IntentStatus::RequiresAction);
        match id(&intent.id, intent::PREFIX).filter(|_| is_stuck) {
            Some(intent) => give_up(stripe, order, intent),
            None => Step::Done(Opened::Reported(intent.report(Some(order.operation), &answer.body))),
        }
    })
}

/// The bank wants the payer, who is not there: the intent is canceled, so that nobody can complete it.
fn give_up<'c>(stripe: &'c Stripe, order: &'c Order, intent: &str) -> Step<'c, Opened> {
    let request = stripe.post_again(&format!("{}/{intent}/cancel", intent::PATH), StripeForm::new());
    Step::ask(request, |answer| {
        let intent = Intent::parse(&answer.body).filter(|_| answer.status == 200);
        let Some(intent) = intent else {
            return Opened::Reported(Report::bare("", Outcome::Unknown));
        };
        let report = intent.report(Some(order.operation), &answer.body);
        if report.outcome != Outcome::Canceled {
            return Opened::Reported(report);
        }
        let mut report = intent.reported(Outcome::Declined, &answer.body, None);
        decline::add_authentication_required(&mut report.params);
        Opened::Reported(report)
    })
}

/// What an answer that is no success says about a charge that was to be opened.
fn read_refusal(order: &Order, answer: &Incoming) -> Opened {
    let unknown = || Opened::Reported(Report::bare("", Outcome::Unknown));
    let intent = intent_of_error(&answer.body);
    match verdict(answer) {
        FaultVerdict::Declined(fault) => match intent {
            Some(intent) => Opened::Reported(intent.report_declined(order.operation, &fault, &answer.body)),
            None => Opened::Refused { message: fault.message },
        },
        FaultVerdict::Refused(fault) => {
            let is_idle = intent.is_none_or(|intent| intent.status.is_some_and(IntentStatus::is_idle));
            if is_idle { Opened::Refused { message: fault.message } } else { unknown() }
        }
        FaultVerdict::Nothing => unknown(),
    }
}

/// The intent as it is after an error, from the answer with the error.
fn intent_of_error(body: &[u8]) -> Option<Intent> {
    let error = |error: &mut Object<'_>| error.object("payment_intent", Intent::read);
    Object::read(body, |answer| answer.object("error", error))??
}
