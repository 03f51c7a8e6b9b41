//! The agreement under which later payments are made, in the gateway's words.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};

use serde::Serialize;

use crate::gateway::text::line;
use crate::transaction::agreement::{Agreement, Seller};
use crate::value::digest::digest;
use crate::value::money::{Currency, Money};
use crate::value::time::Timestamp;

/// The longest id, in characters.
const MAX_ID: usize = 100;

/// An agreement in the wire format.
#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
pub(super) struct AgreementPart<'a> {
    id: Cow<'a, str>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    amount_variability: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payment_frequency: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_date: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expiry_date: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimum_days_between_payments: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number_of_payments: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    maximum_amount_per_payment: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retailer: Option<Retailer>,
}

/// The retailer of an installment.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Retailer {
    #[serde(skip_serializing_if = "Option::is_none")]
    trading_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    abbreviated_trading_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    merchant_category_code: Option<String>,
}

/// The agreement's id as the gateway takes it. A shortened one could be that of another agreement, so the hash of a long one
/// takes its place.
fn id_of(agreement: &Agreement) -> Option<Cow<'_, str>> {
    let id = agreement.id.as_deref().filter(|id| !id.is_empty())?;
    let is_long = id.chars().count() > MAX_ID;
    Some(if is_long { Cow::Owned(digest(&["agreement", id])) } else { Cow::Borrowed(id) })
}

impl<'a> AgreementPart<'a> {
    /// The whole agreement, with the first payment under it; `None` if it has no id.
    pub(super) fn first(agreement: &'a Agreement, currency: Currency, at: Timestamp) -> Option<Self> {
        let most = agreement.max_amount_per_cycle.as_deref();
        let most = most.and_then(|text| Money::parse(text, currency).ok());
        // The gateway refuses a date in the past; dates as texts are in the order of time.
        let today = at.to_string();
        let start = agreement.start_date.as_deref();
        Some(Self {
            id: id_of(agreement)?,
            kind: Some(kind_of(&agreement.kind)),
            amount_variability: agreement.amount_variability.as_deref().and_then(variability_of),
            payment_frequency: agreement.frequency.as_deref().map(frequency_of),
            start_date: start.filter(|start| Some(*start) >= today.get(..start.len())),
            expiry_date: agreement.expiry_date.as_deref(),
            minimum_days_between_payments: agreement.cycle_interval_days,
            number_of_payments: agreement.total_cycles,
            maximum_amount_per_payment: most.map(|most| most.to_string()),
            retailer: agreement.seller.as_ref().map(retailer_of),
        })
    }

    /// Only which agreement it is, for a payment under one that the gateway knows.
    pub(super) fn later(agreement: &'a Agreement) -> Option<Self> {
        Some(Self { id: id_of(agreement)?, ..Self::default() })
    }
}

/// Anything that the gateway has no word for is another type.
fn kind_of(word: &str) -> &'static str {
    match word {
        "recurring" => "RECURRING",
        "installment" => "INSTALLMENT",
        "unscheduled" => "UNSCHEDULED",
        _ => "OTHER",
    }
}

fn variability_of(word: &str) -> Option<&'static str> {
    match word {
        "fixed" => Some("FIXED"),
        "variable" => Some("VARIABLE"),
        _ => None,
    }
}

fn frequency_of(word: &str) -> &'static str {
    match word {
        "irregular" => "AD_HOC",
        "daily" => "DAILY",
        "weekly" => "WEEKLY",
        "semi_monthly" => "FORTNIGHTLY",
        "monthly" => "MONTHLY",
        "quarterly" => "QUARTERLY",
        "semi_annually" => "TWICE_YEARLY",
        "yearly" => "YEARLY",
        _ => "OTHER",
    }
}

fn retailer_of(seller: &Seller) -> Retailer {
    let short = |text: &Option<String>, max| shortened(text.as_deref(), max);
    Retailer {
        trading_name: short(&seller.name, 100),
        abbreviated_trading_name: short(&seller.short_name, 10),
        merchant_category_code: short(&seller.category_code, 4),
    }
}

/// One line of at most so many characters; `None` for nothing.
pub(super) fn shortened(text: Option<&str>, max: usize) -> Option<String> {
    let text: String = line(text?)?.chars().take(max).collect();
    line(&text)
}
