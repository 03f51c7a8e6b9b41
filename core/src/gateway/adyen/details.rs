//! What Adyen adds to an outcome, in `additionalData` and in the `reason` of an authorisation: normalised gateway data, and
//! the card that was saved.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};

use crate::card::expiry::Expiry;
use crate::card::{BankToken, last_four};
use crate::gateway::charge::{CardReport, PgParams};
use crate::gateway::text::{MAX_TEXT_CHARS, is_in_the_clear, line, params};
use crate::wire::json;
use crate::wire::members::Members;
use crate::wire::object::Object;

/// The most characters of a scheme's name that are stored.
const MAX_BRAND_CHARS: usize = 32;
/// The most characters of a holder's name that are stored.
const MAX_HOLDER_CHARS: usize = 64;

/// What was added to an outcome.
#[derive(Default)]
pub(super) struct OutcomeDetails {
    auth_code: Option<String>,
    bin: Option<String>,
    last_four: Option<String>,
    expiry: Option<Expiry>,
    holder: Option<String>,
    brand: Option<String>,
    acquirer_reference: Option<String>,
    network_reference: Option<String>,
    token: Option<String>,
    /// The code of a refusal, if a webhook gives it.
    pub(super) refusal_code: Option<String>,
    /// What the bank of a Mastercard advises after a refusal.
    pub(super) advice: Option<String>,
    /// Our reference, in answers that do not give it elsewhere.
    pub(super) reference: Option<String>,
    /// Whether the payment was made on the page of a payment link.
    pub(super) is_of_link: bool,
    /// What the request that made the payment was marked with.
    pub(super) mark: Option<String>,
}

impl OutcomeDetails {
    /// The details of an answer or of an item of a webhook.
    pub(super) fn of(object: &mut Object<'_>) -> Self {
        let Some(members) = object.raw("additionalData").and_then(Members::of) else {
            return Self::default();
        };
        let text = |name: &str| {
            let text = members.get(name).and_then(json::text_of)?;
            Some(text.into_owned()).filter(|text| !text.is_empty())
        };
        let token = ["tokenization.storedPaymentMethodId", "recurring.recurringDetailReference"];
        Self {
            auth_code: text("authCode"),
            bin: text("cardBin"),
            last_four: text("cardSummary"),
            expiry: text("expiryDate").as_deref().and_then(expiry),
            holder: text("cardHolderName"),
            brand: text("paymentMethod").or_else(|| text("cardPaymentMethod")),
            acquirer_reference: text("acquirerReference"),
            network_reference: text("networkTxReference"),
            token: token.into_iter().find_map(text).or_else(|| text("recurringDetailReference")),
            refusal_code: text("refusalReasonCode"),
            advice: text("merchantAdviceCode"),
            reference: text("merchantReference"),
            is_of_link: ["paymentLinkId", "checkout.linkId", "metadata.checkout.linkId"]
                .into_iter()
                .any(|name| members.get(name).is_some()),
            mark: text(FLAT_MARK).or_else(|| {
                let metadata = members.get("metadata").and_then(Members::of)?;
                metadata.get(MARK).and_then(json::text_of).map(Cow::into_owned)
            }),
        }
    }

    /// Takes what the webhook of a successful authorisation says in its reason: `033899:1111:10/2030` are the authorisation
    /// code, the last four digits and the expiry.
    pub(super) fn take_reason(&mut self, reason: &str) {
        let mut parts = reason.split(':');
        let (Some(code), Some(digits), Some(date), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return;
        };
        let Some(expiry) = expiry(date).filter(|_| is_four(digits)) else { return };
        self.auth_code.get_or_insert_with(|| code.to_string());
        self.last_four.get_or_insert_with(|| digits.to_string());
        self.expiry.get_or_insert(expiry);
    }

    /// Takes the brand that is given elsewhere, if the details have none.
    pub(super) fn take_brand(&mut self, brand: Option<String>) {
        self.brand = self.brand.take().or(brand);
    }

    /// The card that Adyen has saved; `None` if it gives no token, or no month until which the card is valid.
    pub(super) fn card(&self) -> Option<Box<CardReport>> {
        let token = self.token.as_ref().filter(|token| is_id(token))?;
        Some(Box::new(CardReport {
            token: BankToken(token.clone()),
            brand: short(self.brand.as_deref(), MAX_BRAND_CHARS),
            holder: short(self.holder.as_deref(), MAX_HOLDER_CHARS),
            number: self.last_four.as_deref().filter(|digits| is_four(digits)).and_then(last_four),
            expiry: self.expiry?,
        }))
    }

    /// The normalised data of an outcome.
    pub(super) fn params(&self, facts: &OutcomeFacts<'_>) -> PgParams {
        let (month, year) = self.expiry.map(|expiry| (expiry.month(), expiry.year())).unzip();
        let full_expiry = month.as_ref().zip(year.as_ref()).map(|(month, year)| format!("{month}/{year}"));
        let holder = short(self.holder.as_deref(), MAX_HOLDER_CHARS);
        params(&[
            ("auth_code", clean(self.auth_code.as_deref())),
            ("card_expiry_month", month.as_deref()),
            ("card_expiry_year", year.as_deref()),
            ("card_holder", holder.as_deref()),
            ("card_number", self.number().as_deref()),
            ("card_type", clean(self.brand.as_deref())),
            ("full_card_expiry", full_expiry.as_deref()),
            ("payment_id", facts.psp_reference),
            ("pg_message", clean(facts.message)),
            ("post_date", facts.post_date),
            ("ref", clean(self.acquirer_reference.as_deref())),
            ("result", clean(facts.result)),
            ("rrn", clean(self.acquirer_reference.as_deref())),
            ("track_id", Some(facts.reference)),
            ("transaction_id", self.network_reference.as_deref()),
        ])
    }

    /// The number of the card with at most its first six and its last four digits.
    fn number(&self) -> Option<String> {
        let last = self.last_four.as_deref().filter(|digits| is_four(digits))?;
        let is_bin = |bin: &&str| bin.len() >= 6 && bin.bytes().all(|byte| byte.is_ascii_digit());
        let first = self.bin.as_deref().filter(is_bin).and_then(|bin| bin.get(..6));
        Some(match first {
            Some(first) => format!("{first}******{last}"),
            None => format!("************{last}"),
        })
    }
}

/// The metadata of our request that webhooks repeat in an object of `additionalData`, or as a member of it.
const MARK: &str = "tillFlow";
/// The same as a member.
const FLAT_MARK: &str = "metadata.tillFlow";
/// The mark of a payment without a page: what is refused is over.
pub(super) const DIRECT: &str = "direct";
/// The mark of a payment link: the payer may try again on its page.
pub(super) const LINK: &str = "link";

/// What an outcome says outside of its details.
pub(super) struct OutcomeFacts<'a> {
    pub(super) reference: &'a str,
    pub(super) psp_reference: Option<&'a str>,
    pub(super) message: Option<&'a str>,
    pub(super) post_date: Option<&'a str>,
    pub(super) result: Option<&'a str>,
}

/// A text of Adyen for people, as one line; `None` if there may be a card number in it.
pub(super) fn words(text: Option<&str>) -> Option<String> {
    clean(text).filter(|text| *text != "null").and_then(line)
}

/// Whether a text is an id of Adyen: letters and digits, fit to be a part of an address.
pub(super) fn is_id(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn clean(text: Option<&str>) -> Option<&str> {
    text.filter(|text| text.chars().count() <= MAX_TEXT_CHARS && !is_in_the_clear(text))
}

fn short(text: Option<&str>, max: usize) -> Option<String> {
    let line = clean(text).and_then(line)?;
    Some(line.chars().take(max).collect())
}

fn is_four(digits: &str) -> bool {
    digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// `3/2030` and `03/2030`.
fn expiry(text: &str) -> Option<Expiry> {
    let (month, year) = text.split_once('/')?;
    let month = if month.len() == 1 { format!("0{month}") } else { month.to_string() };
    Expiry::parse(&month, year.strip_prefix("20")?)
}
