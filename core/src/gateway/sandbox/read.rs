//! Reads what the sandbox bank says about a charge, and normalises it.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};

use crate::card::expiry::Expiry;
use crate::card::{BankToken, last_four};
use crate::gateway::charge::{CardReport, ChargeOperation, Outcome, PgParams, Report};
use crate::gateway::decline::{self, DeclineReason};
use crate::gateway::listing::ListedSums;
use crate::gateway::text::{self, MAX_TEXT_CHARS, is_in_the_clear, line, masked, page_address, params};
use crate::value::money::{Currency, Money};
use crate::wire::object::Object;
use crate::wire::tree::Tree;

/// The most characters of a scheme's name that are stored.
const MAX_BRAND_CHARS: usize = 32;
/// The most characters of a holder's name that are stored.
const MAX_HOLDER_CHARS: usize = 64;

/// A charge in the wire format. Members that decide an outcome are required.
pub(super) struct SandboxCharge {
    id: String,
    reference: String,
    status: SandboxChargeStatus,
    amount: String,
    currency: String,
    operation: String,
    page_url: Option<String>,
    message: Option<String>,
    decline_code: Option<String>,
    auth_code: Option<String>,
    rrn: Option<String>,
    transaction_id: Option<String>,
    post_date: Option<String>,
    card: Option<SandboxCard>,
    captured: Option<String>,
    refunded: Option<String>,
    voided: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SandboxChargeStatus {
    Open,
    Processing,
    Approved,
    Declined,
    Canceled,
}

impl SandboxChargeStatus {
    fn parse(word: &str) -> Option<Self> {
        match word {
            "open" => Some(Self::Open),
            "processing" => Some(Self::Processing),
            "approved" => Some(Self::Approved),
            "declined" => Some(Self::Declined),
            "canceled" => Some(Self::Canceled),
            _ => None,
        }
    }
}

struct SandboxCard {
    token: Option<String>,
    brand: Option<String>,
    number: Option<String>,
    expiry_month: Option<String>,
    expiry_year: Option<String>,
    holder: Option<String>,
}

/// The charge in a body; `None` if a member is missing or of another type, or the status is no known word.
pub(super) fn read_charge(body: &[u8]) -> Option<SandboxCharge> {
    let charge = Object::read(body, |object| {
        Some(SandboxCharge {
            status: object.needed_word("status", SandboxChargeStatus::parse)?,
            id: object.text("id"),
            reference: object.text("reference"),
            amount: object.text("amount"),
            currency: object.text("currency"),
            operation: object.text("operation"),
            page_url: object.optional_text("page_url"),
            message: object.optional_text("message"),
            decline_code: object.optional_text("decline_code"),
            auth_code: object.optional_text("auth_code"),
            rrn: object.optional_text("rrn"),
            transaction_id: object.optional_text("transaction_id"),
            post_date: object.optional_text("post_date"),
            card: object.object("card", read_card),
            captured: object.optional_text("captured"),
            refunded: object.optional_text("refunded"),
            voided: object.optional_text("voided"),
        })
    });
    charge.flatten()
}

fn read_card(object: &mut Object<'_>) -> SandboxCard {
    SandboxCard {
        token: object.optional_text("token"),
        brand: object.optional_text("brand"),
        number: object.optional_text("number"),
        expiry_month: object.optional_text("expiry_month"),
        expiry_year: object.optional_text("expiry_year"),
        holder: object.optional_text("holder"),
    }
}

/// What a charge says. A charge whose amount, currency, operation or page cannot be read says nothing
/// certain.
pub(super) fn report_of(charge: SandboxCharge, body: &[u8]) -> Report {
    let total =
        Currency::parse(&charge.currency).and_then(|currency| Money::parse(&charge.amount, currency).ok());
    let operation = ChargeOperation::parse(&charge.operation);
    let page_url = charge.page_url.as_deref().and_then(page_address);
    let outcome = match (charge.status, total, operation) {
        (SandboxChargeStatus::Processing, _, _) | (_, None, _) | (_, _, None) => Outcome::Unknown,
        (SandboxChargeStatus::Approved, Some(_), Some(_)) => Outcome::Approved,
        (SandboxChargeStatus::Declined, Some(_), Some(_)) => Outcome::Declined,
        (SandboxChargeStatus::Canceled, Some(_), Some(_)) => Outcome::Canceled,
        (SandboxChargeStatus::Open, Some(_), Some(_)) => {
            page_url.map_or(Outcome::Unknown, |page_url| Outcome::Open { page_url })
        }
    };
    Report {
        total,
        outcome,
        message: charge.message.as_deref().and_then(text::words),
        gateway_id: line(&charge.id),
        params: params_of(&charge, operation),
        raw: raw_of(&charge, body),
        card: charge.card.as_ref().and_then(card_of),
        reference: charge.reference,
    }
}

/// What the bank says was done to a charge; `None` if an amount in it is not an amount of the charge's
/// currency.
pub(super) fn sums_of(charge: &SandboxCharge) -> Option<ListedSums> {
    let currency = Currency::parse(&charge.currency)?;
    let sum = |text: &Option<String>| match text {
        Some(text) => Money::parse(text, currency).ok().map(Some),
        None => Some(None),
    };
    Some(ListedSums {
        captured: sum(&charge.captured)?,
        refunded: sum(&charge.refunded)?,
        voided: sum(&charge.voided)?,
    })
}

/// The card that the bank has saved; `None` if it gives no token, or no month until which the card is valid.
fn card_of(card: &SandboxCard) -> Option<Box<CardReport>> {
    let token = card.token.as_ref().filter(|token| (1..=MAX_TEXT_CHARS).contains(&token.len()))?;
    let short = |text: &Option<String>, max| {
        let line = text.as_deref().and_then(line)?;
        Some(line.chars().take(max).collect::<String>())
    };
    Some(Box::new(CardReport {
        token: BankToken(token.clone()),
        brand: short(&card.brand, MAX_BRAND_CHARS),
        holder: short(&card.holder, MAX_HOLDER_CHARS).filter(|name| !is_in_the_clear(name)),
        number: card.number.as_deref().and_then(last_four),
        expiry: Expiry::parse(card.expiry_month.as_deref()?, card.expiry_year.as_deref()?)?,
    }))
}

/// The bank's own message in an answer without a charge.
pub(super) fn words(body: &[u8]) -> Option<String> {
    text::words(&Object::read(body, |refusal| refusal.text("message"))?)
}

fn params_of(charge: &SandboxCharge, operation: Option<ChargeOperation>) -> PgParams {
    let card = charge.card.as_ref();
    let month = card.and_then(|card| card.expiry_month.as_deref());
    let year = card.and_then(|card| card.expiry_year.as_deref());
    let full_expiry = month.zip(year).map(|(month, year)| format!("{month}/{year}"));
    let number = card.and_then(|card| card.number.as_deref()).map(masked);
    let in_the_mask = |text: &&str| !is_in_the_clear(text);
    let mut params = params(&[
        ("auth_code", charge.auth_code.as_deref()),
        ("card_expiry_month", month),
        ("card_expiry_year", year),
        ("card_holder", card.and_then(|card| card.holder.as_deref()).filter(in_the_mask)),
        ("card_number", number.as_deref()),
        ("card_type", card.and_then(|card| card.brand.as_deref())),
        ("full_card_expiry", full_expiry.as_deref()),
        ("payment_id", Some(charge.id.as_str())),
        ("pg_message", charge.message.as_deref().filter(in_the_mask)),
        ("post_date", charge.post_date.as_deref()),
        ("ref", charge.rrn.as_deref()),
        ("result", result_word(charge.status, operation)),
        ("rrn", charge.rrn.as_deref()),
        ("track_id", Some(charge.reference.as_str())),
        ("transaction_id", charge.transaction_id.as_deref()),
    ]);
    if let (SandboxChargeStatus::Declined, Some(code)) = (charge.status, charge.decline_code.as_deref()) {
        // The sandbox's codes are the words of the reasons.
        decline::note(&mut params, DeclineReason::parse(code).unwrap_or(DeclineReason::Other), code);
    }
    params
}

/// The words that gateways commonly use for a result.
fn result_word(status: SandboxChargeStatus, operation: Option<ChargeOperation>) -> Option<&'static str> {
    let is_taken = match operation? {
        ChargeOperation::Purchase => true,
        ChargeOperation::Authorize | ChargeOperation::Verify => false,
    };
    match status {
        SandboxChargeStatus::Approved => Some(if is_taken { "CAPTURED" } else { "APPROVED" }),
        SandboxChargeStatus::Declined => Some(if is_taken { "NOT CAPTURED" } else { "DECLINED" }),
        SandboxChargeStatus::Canceled => Some("CANCELED"),
        SandboxChargeStatus::Open | SandboxChargeStatus::Processing => None,
    }
}

/// The answer as it came. One that contains an unmasked card number is not stored: no card number enters this
/// service; the token of a saved card, which is a secret, is left out.
fn raw_of(charge: &SandboxCharge, body: &[u8]) -> Option<String> {
    let card = charge.card.as_ref();
    let numbers = [
        card.and_then(|card| card.number.as_deref()),
        card.and_then(|card| card.holder.as_deref()),
        charge.message.as_deref(),
    ];
    if numbers.into_iter().flatten().any(is_in_the_clear) {
        return None;
    }
    if charge.card.as_ref().is_some_and(|card| card.token.is_some()) {
        let mut answer = Tree::parse(core::str::from_utf8(body).ok()?)?;
        answer.get_mut("card")?.remove("token");
        return Some(answer.to_json());
    }
    core::str::from_utf8(body).ok().map(|text| text.trim().to_string())
}
