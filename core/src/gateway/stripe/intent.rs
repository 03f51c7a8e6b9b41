//! Reads `PaymentIntents`, and what they say about a charge.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};

use super::amount;
use super::decline;
use super::fault::StripeFault;
use super::raw::{raw_of, shown};
use super::request::id;
use super::words::{CaptureMethod, IntentStatus};
use crate::card::expiry::Expiry;
use crate::card::{BankToken, last_four};
use crate::gateway::charge::{CardReport, ChargeOperation, Outcome, PgParams, Report};
use crate::gateway::text::{self, is_in_the_clear, line, page_address};
use crate::value::money::Money;
use crate::wire::object::Object;

/// The address of `PaymentIntents`.
pub(super) const PATH: &str = "/v1/payment_intents";
/// How their ids begin.
pub(super) const PREFIX: &str = "pi_";
/// The mark in the metadata of an intent that belongs to a page, on which the payer can try again.
pub(super) const PAGE: &str = "page";

/// The most characters of a scheme's name and of a holder's name that are stored.
const MAX_BRAND_CHARS: usize = 32;
const MAX_HOLDER_CHARS: usize = 64;

/// A `PaymentIntent`. Members that decide an outcome are required.
pub(super) struct Intent {
    pub(super) id: String,
    /// `None` for a word that is not known.
    pub(super) status: Option<IntentStatus>,
    amount: i64,
    received: Option<i64>,
    currency: String,
    capture_method: Option<CaptureMethod>,
    pub(super) marks: Marks,
    cancellation_reason: Option<String>,
    last_error: Option<StripeFault>,
    next_url: Option<String>,
    pub(super) charge: Option<IntentCharge>,
    card: SavedAs,
}

/// Our metadata of an object.
#[derive(Default)]
pub(super) struct Marks {
    pub(super) charge: Option<String>,
    pub(super) capture: Option<String>,
    pub(super) void: Option<String>,
    pub(super) refund: Option<String>,
    is_page: bool,
}

impl Marks {
    pub(super) fn read(object: &mut Object<'_>) -> Self {
        let marks = object.object("metadata", |metadata| Self {
            charge: metadata.optional_text("charge"),
            capture: metadata.optional_text("capture"),
            void: metadata.optional_text("void"),
            refund: metadata.optional_text("refund"),
            is_page: metadata.optional_text(PAGE).is_some(),
        });
        marks.unwrap_or_default()
    }
}

/// What a saved card is charged by, if it is saved.
pub(super) struct SavedAs {
    pub(super) customer: Option<String>,
    pub(super) method: Option<String>,
    pub(super) is_saved: bool,
}

/// The try of an intent that counts: Stripe calls it a charge.
pub(super) struct IntentCharge {
    id: String,
    has_succeeded: bool,
    pub(super) refunded: Option<i64>,
    pub(super) captured: Option<i64>,
    seller_message: Option<String>,
    pub(super) card: Option<CardFacts>,
}

/// What is known of a card.
#[derive(Default)]
pub(super) struct CardFacts {
    brand: Option<String>,
    last4: Option<String>,
    month: Option<u8>,
    year: Option<u16>,
    auth_code: Option<String>,
    holder: Option<String>,
}

impl CardFacts {
    pub(super) fn read(card: &mut Object<'_>) -> Self {
        Self {
            brand: card.optional_text("brand"),
            last4: card.optional_text("last4"),
            month: card.number("exp_month"),
            year: card.number("exp_year"),
            auth_code: card.optional_text("authorization_code"),
            holder: None,
        }
    }

    pub(super) fn held_by(self, holder: Option<String>) -> Self {
        Self { holder: holder.filter(|name| !is_in_the_clear(name)), ..self }
    }

    fn month(&self) -> Option<String> {
        self.month.map(|month| format!("{month:02}"))
    }

    /// The last two digits.
    fn year(&self) -> Option<String> {
        self.year.and_then(|year| year.checked_rem(100)).map(|year| format!("{year:02}"))
    }

    /// The card as it is saved; `None` if its token or its month is not known.
    pub(super) fn saved(&self, by: &SavedAs) -> Option<Box<CardReport>> {
        let customer = by.customer.as_deref().and_then(|customer| id(customer, "cus_"))?;
        let method = by.method.as_deref().and_then(|method| id(method, "pm_"))?;
        let short = |text: &Option<String>, max| {
            let line = text.as_deref().and_then(line)?;
            Some(line.chars().take(max).collect::<String>())
        };
        Some(Box::new(CardReport {
            token: BankToken(format!("{customer}|{method}")),
            brand: short(&self.brand, MAX_BRAND_CHARS),
            holder: short(&self.holder, MAX_HOLDER_CHARS),
            number: self.last4.as_deref().and_then(last_four),
            expiry: Expiry::parse(&self.month()?, &self.year()?)?,
        }))
    }

    pub(super) fn add(&self, params: &mut PgParams) {
        let full_expiry = self.month().zip(self.year()).map(|(month, year)| format!("{month}/{year}"));
        let number = self.last4.as_deref().filter(|digits| digits.len() == 4);
        let number = number.map(|digits| format!("************{digits}"));
        params.extend(text::params(&[
            ("auth_code", self.auth_code.as_deref()),
            ("card_expiry_month", self.month().as_deref()),
            ("card_expiry_year", self.year().as_deref()),
            ("card_holder", self.holder.as_deref()),
            ("card_number", number.as_deref()),
            ("card_type", self.brand.as_deref()),
            ("full_card_expiry", full_expiry.as_deref()),
        ]));
    }
}

/// An object that Stripe gives as its id, or in full if it was asked to.
pub(super) enum Expandable<T> {
    Id(String),
    Full(T),
}

/// A member that is an id or an object; an object is read by `read`.
pub(super) fn expandable<T>(
    object: &mut Object<'_>,
    name: &str,
    read: impl FnOnce(&mut Object<'_>) -> T,
) -> Option<Expandable<T>> {
    let is_text = object.raw(name)?.get().starts_with('"');
    if is_text {
        object.optional_text(name).map(Expandable::Id)
    } else {
        object.object(name, read).map(Expandable::Full)
    }
}

/// The id of a member that is an id or an object.
pub(super) fn id_of(object: &mut Object<'_>, name: &str) -> Option<String> {
    match expandable(object, name, |inner| inner.text("id"))? {
        Expandable::Id(id) | Expandable::Full(id) => Some(id),
    }
}

impl IntentCharge {
    pub(super) fn id(&self) -> &str {
        &self.id
    }

    pub(super) fn read(charge: &mut Object<'_>) -> Self {
        let holder = charge.object("billing_details", |details| details.optional_text("name")).flatten();
        let card = charge.object("payment_method_details", |details| details.object("card", CardFacts::read));
        Self {
            id: charge.text("id"),
            has_succeeded: charge.optional_text("status").is_some_and(|status| status == "succeeded"),
            refunded: charge.number("amount_refunded"),
            captured: charge.number("amount_captured"),
            seller_message: charge
                .object("outcome", |outcome| outcome.optional_text("seller_message"))
                .flatten(),
            card: card.flatten().map(|card| card.held_by(holder)),
        }
    }
}

impl Intent {
    pub(super) fn read(intent: &mut Object<'_>) -> Self {
        let charge = match expandable(intent, "latest_charge", IntentCharge::read) {
            Some(Expandable::Full(charge)) => Some(charge),
            Some(Expandable::Id(_)) | None => None,
        };
        Self {
            id: intent.text("id"),
            status: IntentStatus::parse(&intent.text("status")),
            amount: intent.needed_number("amount").unwrap_or_default(),
            received: intent.number("amount_received"),
            currency: intent.text("currency"),
            capture_method: intent.optional_text("capture_method").as_deref().and_then(CaptureMethod::parse),
            marks: Marks::read(intent),
            cancellation_reason: intent.optional_text("cancellation_reason"),
            last_error: intent.object("last_payment_error", StripeFault::read),
            next_url: intent.object("next_action", read_next).flatten(),
            charge,
            card: SavedAs {
                customer: id_of(intent, "customer"),
                method: id_of(intent, "payment_method"),
                is_saved: intent
                    .optional_text("setup_future_usage")
                    .is_some_and(|usage| usage == "off_session"),
            },
        }
    }

    /// The intent in a body; `None` if a member is missing or of another type, or the body is another object.
    pub(super) fn parse(body: &[u8]) -> Option<Self> {
        let is_intent = |object: &mut Object<'_>| object.text("object") == "payment_intent";
        Object::read(body, |object| is_intent(object).then(|| Self::read(object)))?
    }

    pub(super) fn is_complete(&self) -> bool {
        self.charge.is_some()
    }

    /// An amount in the currency of the intent.
    pub(super) fn money(&self, number: i64) -> Option<Money> {
        amount::read(number, &self.currency)
    }

    pub(super) fn amount(&self) -> Option<Money> {
        self.money(self.amount)
    }

    pub(super) fn received(&self) -> Option<Money> {
        self.money(self.received?)
    }

    /// Whether the money is only held at first; `None` for a word that is not known.
    fn is_manual(&self) -> Option<bool> {
        self.capture_method.map(|method| method == CaptureMethod::Manual)
    }

    /// Whether the money was held and released by us.
    pub(super) fn is_voided(&self) -> bool {
        let was_held = self.charge.as_ref().is_some_and(|charge| charge.has_succeeded);
        self.status == Some(IntentStatus::Canceled) && self.marks.void.is_some() && was_held
    }

    /// What is or would be charged: what was received if it was taken at once, so that a part of it is visible.
    fn total(&self) -> Option<Money> {
        let is_taken = self.status == Some(IntentStatus::Succeeded) && self.is_manual() == Some(false);
        if is_taken { self.received() } else { self.amount() }
    }

    /// `is_ended` says whether the payer cannot try again: the page is over, or there was none.
    fn outcome(&self, expected: Option<ChargeOperation>, is_ended: bool) -> Outcome {
        let expects_manual = match expected {
            Some(ChargeOperation::Purchase) => Some(false),
            Some(ChargeOperation::Authorize) => Some(true),
            Some(ChargeOperation::Verify) => return Outcome::Unknown,
            None => self.is_manual(),
        };
        let is_readable = self.total().is_some() && self.marks.charge.is_some() && self.is_manual().is_some();
        if !is_readable || expects_manual != self.is_manual() {
            return Outcome::Unknown;
        }
        match self.status {
            Some(IntentStatus::Succeeded) => Outcome::Approved,
            Some(IntentStatus::RequiresCapture) if self.is_manual() == Some(true) => Outcome::Approved,
            Some(IntentStatus::RequiresAction) if is_ended => {
                let page_url = self.next_url.as_deref().and_then(page_address);
                page_url.map_or(Outcome::Unknown, |page_url| Outcome::Open { page_url })
            }
            Some(IntentStatus::RequiresPaymentMethod) if is_ended && self.last_error.is_some() => {
                Outcome::Declined
            }
            Some(IntentStatus::Canceled) if self.is_voided() => Outcome::Approved,
            Some(IntentStatus::Canceled) => Outcome::Canceled,
            Some(_) | None => Outcome::Unknown,
        }
    }

    /// What an intent says that has no page of its own.
    pub(super) fn report(&self, expected: Option<ChargeOperation>, body: &[u8]) -> Report {
        self.reported(self.outcome(expected, !self.marks.is_page), body, None)
    }

    /// What the intent of a page says that is over.
    pub(super) fn report_after_page(&self, expected: ChargeOperation, body: &[u8]) -> Report {
        self.reported(self.outcome(Some(expected), true), body, None)
    }

    /// What an intent says that is in the answer of a decline.
    pub(super) fn report_declined(
        &self,
        expected: ChargeOperation,
        fault: &StripeFault,
        body: &[u8],
    ) -> Report {
        let is_ended =
            matches!(self.status, Some(IntentStatus::RequiresPaymentMethod | IntentStatus::Canceled));
        let is_readable = self.amount().is_some() && self.marks.charge.is_some();
        let outcome = match self.outcome(Some(expected), true) {
            Outcome::Declined | Outcome::Canceled | Outcome::Absent | Outcome::Unknown
                if is_ended && is_readable =>
            {
                Outcome::Declined
            }
            Outcome::Approved
            | Outcome::Declined
            | Outcome::Canceled
            | Outcome::Open { .. }
            | Outcome::Absent
            | Outcome::Unknown => Outcome::Unknown,
        };
        self.reported(outcome, body, Some(fault))
    }

    pub(super) fn reported(&self, outcome: Outcome, body: &[u8], fault: Option<&StripeFault>) -> Report {
        let fault = fault.or(self.last_error.as_ref()).filter(|_| outcome == Outcome::Declined);
        let message = match (&outcome, fault) {
            (Outcome::Canceled, _) => self.cancellation_reason.as_deref().and_then(shown),
            (_, Some(fault)) => fault.message.clone(),
            (_, None) => {
                self.charge.as_ref().and_then(|charge| charge.seller_message.as_deref()).and_then(shown)
            }
        };
        let mut params = self.params(&outcome, message.as_deref());
        if let Some(fault) = fault {
            decline::add(&mut params, fault);
        }
        let saved = self.charge.as_ref().and_then(|charge| charge.card.as_ref());
        let saved = saved.filter(|_| self.card.is_saved && outcome == Outcome::Approved);
        Report {
            reference: self.marks.charge.clone().unwrap_or_default(),
            total: self.total(),
            gateway_id: id(&self.id, PREFIX).map(ToString::to_string),
            params,
            raw: raw_of(body),
            card: saved.and_then(|card| card.saved(&self.card)),
            message,
            outcome,
        }
    }

    fn params(&self, outcome: &Outcome, message: Option<&str>) -> PgParams {
        let charge = self.charge.as_ref();
        let result = match (outcome, self.is_manual()) {
            (Outcome::Approved, Some(false)) => Some("CAPTURED"),
            (Outcome::Approved, _) => Some("APPROVED"),
            (Outcome::Declined, Some(false)) => Some("NOT CAPTURED"),
            (Outcome::Declined, _) => Some("DECLINED"),
            (Outcome::Canceled, _) => Some("CANCELED"),
            (Outcome::Open { .. } | Outcome::Absent | Outcome::Unknown, _) => None,
        };
        let mut params = text::params(&[
            ("payment_id", Some(self.id.as_str())),
            ("pg_message", message),
            ("result", result),
            ("track_id", self.marks.charge.as_deref()),
            ("transaction_id", charge.map(|charge| charge.id.as_str())),
        ]);
        if let Some(card) = charge.and_then(|charge| charge.card.as_ref()) {
            card.add(&mut params);
        }
        params
    }

    /// What a page says about the customer for which it saved the card.
    pub(super) fn with_customer(mut self, customer: Option<String>) -> Self {
        self.card.customer = self.card.customer.or(customer);
        self
    }
}

fn read_next(next: &mut Object<'_>) -> Option<String> {
    next.object("redirect_to_url", |redirect| redirect.optional_text("url")).flatten()
}
