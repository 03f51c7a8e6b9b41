//! KNET's own report of a payment: `trandata` as a field of a form, as the whole body, or in the query.
//!
//! Decision: a report is never believed that money was taken. `trandata` is encrypted but not signed, and on some
//! terminals it goes through the payer's browser: who declined to pay can replace the block of the result and garble
//! another one. So the report is the occasion to ask, and the inquiry decides. Only that the payer gave up is believed at
//! once: it never makes a payment paid, KNET may not find such a purchase later, and the payer wants to pay in another
//! way. If it is wrong, a later inquiry still finds the money.
//!
//! Only a report of which everything can be read, and which names the charge of its address, is answered with the address
//! at which the payer goes on. One answer for all others says nothing about why, so that the password in an encrypted
//! order cannot be guessed byte by byte from the answers.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use subtle::ConstantTimeEq;

use super::answer::report_of;
use super::cipher::Cipher;
use super::fields::KnetFields;
use crate::gateway::callback::{Acknowledgement, Callback, CallbackContext, GatewayEvent, ONWARD};
use crate::gateway::exchange::{Incoming, Returned};
use crate::wire::browser::navigates;

/// What came in.
enum CallbackShape<'r> {
    /// The digits of `trandata`.
    Encrypted(Cow<'r, str>),
    /// Fields in the clear that name the charge, which anyone can write: KNET reports trouble before a payment so.
    Plain,
    /// Nothing: KNET looks whether the address answers.
    Empty,
}

/// What a request to the address of a charge says; `None` if it is not certain that KNET sent it.
pub(super) fn read(
    cipher: Option<&Cipher>,
    request: &Incoming,
    context: &CallbackContext,
) -> Option<Callback> {
    let subject = context.subject.as_ref()?.as_str();
    let return_url = context.return_url.as_deref()?;
    let silent = |events| Some(Callback { events, answer: Acknowledgement::Text(String::new()) });
    let digits = match shape(request, subject)? {
        CallbackShape::Encrypted(digits) => digits,
        CallbackShape::Plain => return silent(vec![GatewayEvent::Ask(subject.to_string())]),
        CallbackShape::Empty => return silent(Vec::new()),
    };
    let fields = KnetFields::of_joined(&cipher?.decrypt(digits.trim())?)?;
    if !is_same(fields.get("trackid")?, subject) {
        return None;
    }
    Some(Callback { events: vec![event(&fields, subject)], answer: acknowledgement(request, return_url) })
}

/// That the payer gave up, if everything fits; otherwise that KNET is to be asked.
fn event(fields: &KnetFields, subject: &str) -> GatewayEvent {
    let report = report_of(fields, subject);
    let is_abandoned = report.params.get("result").is_some_and(|word| word == "CANCELED")
        && fields.get("udf1").is_some_and(|udf| is_same(udf, subject))
        && fields.first(&["Error", "ErrorText"]).is_none();
    if is_abandoned { GatewayEvent::Charge(report) } else { GatewayEvent::Ask(subject.to_string()) }
}

/// KNET's server is answered with one line, and sends the payer on; a browser would show that line. A browser that looks like a
/// program gets it too, and goes on by the header that is sent with it ([`Acknowledgement::onward`]).
fn acknowledgement(request: &Incoming, return_url: &str) -> Acknowledgement {
    if navigates(|name| request.header(name)) {
        return Acknowledgement::Redirect(return_url.to_string());
    }
    let address = return_url.split(['?', '#']).next().unwrap_or_default();
    Acknowledgement::Text([ONWARD, address].concat())
}

fn shape<'r>(request: &'r Incoming, subject: &str) -> Option<CallbackShape<'r>> {
    let body = core::str::from_utf8(&request.body).ok()?.trim();
    let query = request.query.as_str();
    if body.is_empty() && query.is_empty() {
        return Some(CallbackShape::Empty);
    }
    if !body.is_empty() && body.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Some(CallbackShape::Encrypted(Cow::Borrowed(body)));
    }
    let (in_body, in_query) = (CallbackForm::read(body)?, CallbackForm::read(query)?);
    if let Some(digits) = in_body.trandata.or(in_query.trandata) {
        return Some(CallbackShape::Encrypted(digits));
    }
    let track_id = in_body.track_id.or(in_query.track_id)?;
    is_same(&track_id, subject).then_some(CallbackShape::Plain)
}

/// What is read of a form.
#[derive(Default)]
struct CallbackForm<'r> {
    trandata: Option<Cow<'r, str>>,
    track_id: Option<Cow<'r, str>>,
}

impl<'r> CallbackForm<'r> {
    /// `None` for too many fields, and for one of them twice.
    fn read(text: &'r str) -> Option<Self> {
        let mut form = Self::default();
        for (place, (name, value)) in form_urlencoded::parse(text.as_bytes()).enumerate() {
            let field = match name.as_ref() {
                _ if place >= Returned::MAX_FIELDS => return None,
                "trandata" => &mut form.trandata,
                "trackid" => &mut form.track_id,
                _ => continue,
            };
            if field.replace(value).is_some() {
                return None;
            }
        }
        Some(form)
    }
}

fn is_same(given: &str, expected: &str) -> bool {
    given.as_bytes().ct_eq(expected.as_bytes()).into()
}
