//! Reads what Adyen says about a payment that was made without its page, and about one whose payer came back from the bank.

use alloc::string::String;

use super::amount;
use super::decline;
use super::details::{OutcomeDetails, OutcomeFacts, is_id, words};
use super::error::AdyenRefusal;
use super::raw;
use crate::gateway::charge::{ChargeRef, Opened, Outcome, Report};
use crate::gateway::exchange::Incoming;
use crate::gateway::page_form::PageForm;
use crate::gateway::text::page_address;
use crate::value::id::ReferenceNumber;
use crate::value::money::Money;
use crate::wire::members::Members;
use crate::wire::object::Object;

/// A payment in the wire format.
struct AdyenPayment {
    result: String,
    psp_reference: Option<String>,
    reference: Option<String>,
    total: Option<Money>,
    refusal: Option<String>,
    refusal_code: Option<String>,
    action: Option<PayerAction>,
    details: OutcomeDetails,
}

/// What the payer has to do next.
struct PayerAction {
    kind: Option<String>,
    method: Option<String>,
    url: Option<String>,
    form: Option<PageForm>,
}

impl PayerAction {
    fn of(object: &mut Object<'_>) -> Self {
        let url = object.optional_text("url");
        let data = object.raw("data").and_then(Members::of);
        Self {
            kind: object.optional_text("type"),
            method: object.optional_text("method"),
            form: url.as_deref().zip(data).and_then(|(url, data)| PageForm::of(url, &data)),
            url,
        }
    }

    /// The page at which the payer goes on: at its address, or by a form that is sent there.
    fn page_url(&self) -> Option<String> {
        let is =
            |method: &str| self.method.as_deref().is_some_and(|found| found.eq_ignore_ascii_case(method));
        match self.kind.as_deref() {
            Some("redirect") if is("GET") => self.url.as_deref().and_then(page_address),
            Some("redirect") if is("POST") => self.form.as_ref().and_then(PageForm::to_text),
            _ => None,
        }
    }
}

/// The answer to a request for a payment.
pub(super) fn read_opened(reference: &ReferenceNumber, answer: &Incoming) -> Opened {
    match AdyenRefusal::of(answer) {
        Some(AdyenRefusal { message }) => Opened::Refused { message },
        None => Opened::Reported(read_report(reference, answer)),
    }
}

/// The answer to the details that the payer's browser brought back. What Adyen does not accept may have been sent before:
/// only an outcome counts.
pub(super) fn read_details(charge: &ChargeRef, answer: &Incoming) -> Report {
    read_report(&charge.reference, answer)
}

fn read_report(reference: &ReferenceNumber, answer: &Incoming) -> Report {
    let payment = if matches!(answer.status, 200 | 201) { read(&answer.body) } else { None };
    match payment {
        Some(payment) => report_of(reference, &payment, &answer.body),
        None => Report::bare(reference.as_str(), Outcome::Unknown),
    }
}

fn read(body: &[u8]) -> Option<AdyenPayment> {
    Object::read(body, |object| {
        let brand = object.object("paymentMethod", |method| method.optional_text("brand")).flatten();
        let mut details = OutcomeDetails::of(object);
        details.take_brand(brand);
        AdyenPayment {
            result: object.text("resultCode"),
            psp_reference: object.optional_text("pspReference"),
            reference: object.optional_text("merchantReference"),
            total: amount::member(object),
            refusal: object.optional_text("refusalReason"),
            refusal_code: object.optional_text("refusalReasonCode"),
            action: object.object("action", PayerAction::of),
            details,
        }
    })
}

/// What a payment says. One whose reference, amount or id is missing has no certain outcome; the page of a bank moves no
/// money yet, and needs none of them.
fn report_of(reference: &ReferenceNumber, payment: &AdyenPayment, body: &[u8]) -> Report {
    let page_url = payment.action.as_ref().and_then(PayerAction::page_url);
    let psp_reference = payment.psp_reference.as_deref().filter(|id| is_id(id));
    let is_whole = payment.reference.is_some() && payment.total.is_some() && psp_reference.is_some();
    let outcome = match payment.result.as_str() {
        "Authorised" if is_whole => Outcome::Approved,
        "Refused" if is_whole => Outcome::Declined,
        "Cancelled" if is_whole => Outcome::Canceled,
        "RedirectShopper" => page_url.map_or(Outcome::Unknown, |page_url| Outcome::Open { page_url }),
        // An error of the acquirer, a part that was authorised, and what is still to come: a webhook will say.
        _ => Outcome::Unknown,
    };
    let named = payment.reference.clone().or_else(|| payment.details.reference.clone());
    let named = named.unwrap_or_else(|| reference.as_str().into());
    let message = words(payment.refusal.as_deref());
    let mut params = payment.details.params(&OutcomeFacts {
        reference: &named,
        psp_reference,
        message: message.as_deref(),
        post_date: None,
        result: Some(&payment.result),
    });
    if outcome == Outcome::Declined {
        let refusal = decline::Refusal {
            code: payment.refusal_code.as_deref(),
            text: payment.refusal.as_deref(),
            advice: payment.details.advice.as_deref(),
        };
        decline::add(&mut params, &refusal);
    }
    Report {
        total: payment.total,
        card: if outcome == Outcome::Approved { payment.details.card() } else { None },
        gateway_id: psp_reference.map(Into::into),
        reference: named,
        outcome,
        message,
        params,
        raw: raw::of(body),
    }
}
