//! What is asked of a gateway, and what it can say about one charge.

use crate::wire::json;
use crate::wire::members::Members;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use crate::card::BankToken;
use crate::card::expiry::Expiry;
use crate::card::usage::ChargeInitiator;
use crate::gateway::instrument::{FormOfPayment, Instrument};
use crate::gateway::payer::Payer;
use crate::transaction::agreement::Agreement;
use crate::value::id::ReferenceNumber;
use crate::value::money::Money;
use crate::value::time::Timestamp;
use crate::words::word_list;
use crate::words::{Language, Operation};

word_list! {
    /// What a gateway is asked to do with a card.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ChargeOperation {
        /// Take the money.
        Purchase = "purchase",
        /// Hold the money.
        Authorize = "authorize",
        /// Only confirm the card, with the amount zero, so that it can be saved.
        Verify = "verify",
    }
}

impl ChargeOperation {
    /// The operation by which a success moves the transaction. Decision: after a verification nothing is left
    /// to be collected, so the transaction is `paid`, whether its gateway charges or authorizes other
    /// payments.
    #[must_use]
    pub(crate) const fn settles_as(self) -> Operation {
        match self {
            Self::Purchase | Self::Verify => Operation::Purchase,
            Self::Authorize => Operation::Authorize,
        }
    }

    /// The operation indicator of a notification: `payment` or `authorization`.
    #[must_use]
    pub const fn indicator(self) -> &'static str {
        match self.settles_as() {
            Operation::Purchase => "payment",
            Operation::Authorize => "authorization",
        }
    }
}

impl From<Operation> for ChargeOperation {
    fn from(operation: Operation) -> Self {
        match operation {
            Operation::Purchase => Self::Purchase,
            Operation::Authorize => Self::Authorize,
        }
    }
}

/// A charge to be opened at a gateway.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// Our reference of the attempt: the gateway charges at most once for it.
    pub reference: ReferenceNumber,
    /// What the payer pays, fees included, in the currency of the gateway.
    pub total: Money,
    /// Charge at once, only hold the money, or only confirm the card.
    pub operation: ChargeOperation,
    /// The saved card that is charged without a page.
    pub card: Option<CardCharge>,
    /// Whether the gateway is asked to save the card.
    pub saves_card: bool,
    /// The instrument with which the payer pays.
    pub instrument: Instrument,
    /// The language of the gateway's page.
    pub language: Language,
    /// The merchant's name in that language.
    pub merchant: String,
    /// The merchant's order number.
    pub order_no: Option<String>,
    /// Who pays, as far as the merchant says it.
    pub payer: Payer,
    /// What is bought; together it costs the total.
    pub items: Vec<OrderItem>,
    /// The merchant's country, ISO 3166 in two letters.
    pub country: String,
    /// The agreement under which a card is saved.
    pub agreement: Option<Box<Agreement>>,
    /// When the attempt was opened.
    pub opened_at: Timestamp,
    /// Where the payer's browser comes back.
    pub return_url: String,
    /// Where the gateway reports by itself.
    pub callback_url: String,
}

/// An item of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderItem {
    /// What it is called, at most 128 characters.
    pub name: String,
    /// How many there are, at least one.
    pub quantity: u32,
    /// What one of them costs.
    pub unit_price: Money,
    /// Its number in the order, from 1.
    pub reference: String,
}

/// What of the normalised data of a gateway is about the payer or the card.
pub const PERSONAL_PARAMS: &[&str] = &[
    "card_details",
    "card_expiry",
    "card_expiry_month",
    "card_expiry_year",
    "card_holder",
    "card_number",
    "cardholder_email",
    "full_card_expiry",
    "pg_message",
];

/// A charge that was opened before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChargeRef {
    /// Our reference of the attempt.
    pub reference: ReferenceNumber,
    /// The gateway's id of the charge, as far as it has said it.
    pub gateway_id: Option<String>,
    /// What is charged, fees included.
    pub total: Money,
    /// Charge at once, only hold the money, or only confirm the card.
    pub operation: ChargeOperation,
    /// How it is paid.
    pub form: FormOfPayment,
    /// Whether the gateway is asked to save the card.
    pub saves_card: bool,
    /// What the gateway said last, normalised.
    pub params: PgParams,
    /// When the attempt was opened.
    pub opened_at: Timestamp,
}

/// A charge of a card that the gateway has saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardCharge {
    /// The gateway's own token of the card.
    pub token: BankToken,
    /// Whether the payer is there.
    pub initiator: ChargeInitiator,
    /// The agreement under which it is charged.
    pub agreement: Option<Box<Agreement>>,
}

/// What the gateway said about one charge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The reference that the gateway names.
    pub reference: String,
    /// What was or would be charged, if the gateway gives it.
    pub total: Option<Money>,
    /// The outcome of the charge.
    pub outcome: Outcome,
    /// The gateway's own words about it, at most 255 characters.
    pub message: Option<String>,
    /// The gateway's id of the charge.
    pub gateway_id: Option<String>,
    /// Normalised gateway data.
    pub params: PgParams,
    /// The raw answer as JSON text.
    pub raw: Option<String>,
    /// The card that the gateway has saved, if it says so.
    pub card: Option<Box<CardReport>>,
}

impl Report {
    /// A report that gives nothing but the outcome.
    #[must_use]
    pub fn bare(reference: &str, outcome: Outcome) -> Self {
        Self {
            reference: reference.into(),
            total: None,
            outcome,
            message: None,
            gateway_id: None,
            params: PgParams::new(),
            raw: None,
            card: None,
        }
    }
}

/// What a gateway says about a card that it has saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardReport {
    /// Its own token of the card.
    pub token: BankToken,
    /// The scheme.
    pub brand: Option<String>,
    /// The name on the card.
    pub holder: Option<String>,
    /// The number, masked.
    pub number: Option<String>,
    /// Until when it is valid.
    pub expiry: Expiry,
}

/// Normalised gateway data by key.
pub type PgParams = BTreeMap<String, String>;

/// The fields as they were stored: one JSON object of texts.
#[must_use]
pub fn stored_params(text: &str) -> Option<PgParams> {
    let members = Members::read(text.as_bytes()).ok()?;
    members.all().map(|(name, raw)| Some((name.into(), json::text_of(raw)?.into_owned()))).collect()
}

/// The outcome of a charge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The money was taken or held, or the card confirmed.
    Approved,
    /// The gateway declined; nothing was taken.
    Declined,
    /// The payer gave up, or the charge was withdrawn; nothing was taken.
    Canceled,
    /// The gateway's page waits for the payer at this address.
    Open {
        /// The address of the page, or the text of a [`PageForm`](super::page_form::PageForm).
        page_url: String,
    },
    /// The gateway knows no charge with this reference.
    Absent,
    /// Nothing certain: the answer is unreadable, late, or says that the gateway does not know either.
    Unknown,
}

/// What a gateway answered to the request that opens a charge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opened {
    /// It reports on the charge.
    Reported(Report),
    /// It certainly did not accept the request; its message, at most 255 characters.
    Refused {
        /// The gateway's message.
        message: Option<String>,
    },
}
