//! The agreement under which later payments are made, in the gateway's words.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use core::time::Duration;

use serde::Serialize;

use crate::gateway::payer::shortened;
use crate::transaction::agreement::{Agreement, Seller};
use crate::value::digest::digest;
use crate::value::money::Currency;
use crate::value::time::Timestamp;
use crate::value::time::date::Date;
use crate::words::agreement::{AgreementType, Frequency, Variability};

/// The longest id, in characters.
const MAX_ID: usize = 100;
const DAY: Duration = Duration::from_hours(24);

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
    start_date: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expiry_date: Option<Date>,
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
        let most = agreement.max_amount_per_cycle.as_ref().and_then(|most| most.in_currency(currency));
        // The gateway refuses a date in the past.
        let is_past = |start: &Date| start.begins_at().plus(DAY) <= at;
        Some(Self {
            id: id_of(agreement)?,
            kind: Some(kind_of(agreement.kind)),
            amount_variability: agreement.amount_variability.map(variability_of),
            payment_frequency: agreement.frequency.map(frequency_of),
            start_date: agreement.start_date.filter(|start| !is_past(start)),
            expiry_date: agreement.expiry_date,
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

const fn kind_of(kind: AgreementType) -> &'static str {
    match kind {
        AgreementType::Recurring => "RECURRING",
        AgreementType::Installment => "INSTALLMENT",
        AgreementType::Unscheduled => "UNSCHEDULED",
        AgreementType::EventBased | AgreementType::Other => "OTHER",
    }
}

const fn variability_of(variability: Variability) -> &'static str {
    match variability {
        Variability::Fixed => "FIXED",
        Variability::Variable => "VARIABLE",
    }
}

const fn frequency_of(frequency: Frequency) -> &'static str {
    match frequency {
        Frequency::Irregular => "AD_HOC",
        Frequency::Daily => "DAILY",
        Frequency::Weekly => "WEEKLY",
        Frequency::SemiMonthly => "FORTNIGHTLY",
        Frequency::Monthly => "MONTHLY",
        Frequency::Quarterly => "QUARTERLY",
        Frequency::SemiAnnually => "TWICE_YEARLY",
        Frequency::Yearly => "YEARLY",
        Frequency::Other => "OTHER",
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
