//! What is sent to KNET: the address of its page with the encrypted order, and the XML fragments of inquiries and refunds.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;

use form_urlencoded::byte_serialize;

use super::cipher::Cipher;
use super::names::{CURRENCY, INQUIRY_ROOT, LANGUAGE_AR, LANGUAGE_EN, PASSWORD, TRANPORTAL_ID};
use crate::gateway::charge::{ChargeOperation, ChargeRef, Order};
use crate::gateway::credentials::Credentials;
use crate::gateway::exchange::{HttpMethod, Outgoing};
use crate::gateway::instrument::Instrument;
use crate::gateway::operation::OperationOrder;
use crate::gateway::text::page_address;
use crate::value::money::Money;
use crate::words::Language;

/// KNET's address if a profile names no other.
const LIVE: &str = "https://kpay.com.kw";
/// The same for tests.
const TEST: &str = "https://kpaytest.com.kw";
/// The number of the currency (ISO 4217).
const CURRENCY_CODE: &str = "414";
/// The most characters of an address that KNET is given.
const MAX_ADDRESS: usize = 255;
/// A track id that no charge has: references are longer.
const NO_TRACK_ID: &str = "TILLCHECK";

/// What KNET calls its requests.
#[derive(Clone, Copy)]
enum KnetAction {
    Purchase,
    Refund,
    Inquiry,
}

impl KnetAction {
    const fn code(self) -> &'static str {
        match self {
            Self::Purchase => "1",
            Self::Refund => "2",
            Self::Inquiry => "8",
        }
    }
}

/// The address of KNET's page for an order; otherwise why there is none.
pub(super) fn page(
    credentials: &Credentials,
    cipher: Option<Cipher>,
    order: &Order,
) -> Result<String, &'static str> {
    if let Some(reason) = impossible(order) {
        return Err(reason);
    }
    let cipher = cipher.ok_or("the resource key has not 16 characters")?;
    let response = own_address(&order.callback_url)?;
    let error = own_address(&order.return_url)?;
    let id = credentials.get(TRANPORTAL_ID);
    let password = credentials.get(PASSWORD);
    if [id, password].iter().any(|text| !is_joinable(text)) {
        return Err("a credential is empty or has a character that KNET cannot read");
    }
    let (language, amount, reference) =
        (language(credentials, order.language), order.total, order.reference.as_str());
    let action = KnetAction::Purchase.code();
    let text = format!(
        "id={id}&password={password}&action={action}&langid={language}&currencycode={CURRENCY_CODE}&amt={amount}\
         &responseURL={response}&errorURL={error}&trackid={reference}&udf1={reference}&udf2=&udf3=&udf4=&udf5="
    );
    let encode = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
    Ok(format!(
        "{}/kpg/PaymentHTTP.htm?param=paymentInit&trandata={}&tranportalId={}&responseURL={}&errorURL={}",
        base(credentials),
        cipher.encrypt(&text),
        encode(id),
        encode(response),
        encode(error)
    ))
}

/// What KNET's page cannot do.
fn impossible(order: &Order) -> Option<&'static str> {
    if order.operation != ChargeOperation::Purchase {
        return Some("KNET only takes money at once");
    }
    if order.card.is_some() || order.saves_card || order.instrument != Instrument::Page {
        return Some("KNET is only paid on its own page");
    }
    if order.total.currency().code() != CURRENCY {
        return Some("KNET only takes KWD");
    }
    order.total.is_zero().then_some("KNET takes no amount of zero")
}

/// An address of ours as KNET takes it: without a query, which KNET's relatives cut off, and without what would break the
/// joined text.
fn own_address(address: &str) -> Result<&str, &'static str> {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let is_plain = path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b":/.-_~[]".contains(&byte));
    if !is_plain || page_address(path).is_none() {
        return Err("KNET needs addresses over https without special characters");
    }
    if path.len() > MAX_ADDRESS {
        return Err("KNET needs addresses of at most 255 characters");
    }
    Ok(path)
}

/// Whether a value can be a part of the joined text, which has no escapes.
fn is_joinable(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'&')
}

fn language(credentials: &Credentials, language: Language) -> &str {
    match language {
        Language::En => credentials.optional(LANGUAGE_EN).unwrap_or("EN"),
        Language::Ar => credentials.optional(LANGUAGE_AR).unwrap_or("AR"),
    }
}

fn base(credentials: &Credentials) -> &str {
    let usual = if credentials.is_test { TEST } else { LIVE };
    credentials.endpoint.as_deref().unwrap_or(usual).trim_end_matches('/')
}

/// Asks for the outcome of a purchase.
pub(super) fn inquiry(credentials: &Credentials, charge: &ChargeRef) -> Outgoing {
    pipe(credentials, KnetAction::Inquiry, &amount(charge.total), charge.reference.as_str())
}

/// Gives back a purchase or a part of it.
pub(super) fn refund(credentials: &Credentials, order: &OperationOrder) -> Outgoing {
    pipe(credentials, KnetAction::Refund, &amount(order.amount), order.charge.reference.as_str())
}

/// Asks for a purchase that does not exist.
pub(super) fn probe(credentials: &Credentials) -> Outgoing {
    pipe(credentials, KnetAction::Inquiry, "1.000", NO_TRACK_ID)
}

fn amount(amount: Money) -> String {
    amount.to_string()
}

/// A request from server to server: `udf5` says that `transid` is the track id of a purchase.
fn pipe(credentials: &Credentials, action: KnetAction, amount: &str, track_id: &str) -> Outgoing {
    let element = |name: &str, value: &str| format!("<{name}>{}</{name}>", escaped(value));
    let fragments = [
        element("id", credentials.get(TRANPORTAL_ID)),
        element("password", credentials.get(PASSWORD)),
        element("action", action.code()),
        element("amt", amount),
        element("transid", track_id),
        element("udf5", "TrackID"),
        element("trackid", track_id),
    ]
    .concat();
    let body = match credentials.optional(INQUIRY_ROOT) {
        Some("request") => format!("<request>{fragments}</request>"),
        Some(_) | None => fragments,
    };
    Outgoing {
        method: HttpMethod::Post,
        url: format!("{}/kpg/tranPipe.htm?param=tranInit", base(credentials)),
        headers: vec![("content-type", "application/xml".to_string())],
        body: body.into_bytes(),
        max_answer: Outgoing::MAX_ANSWER,
    }
}

/// The text of an element.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            _ => escaped.push(character),
        }
    }
    escaped
}
