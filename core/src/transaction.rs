//! The payment transaction as it is stored, and its parts that a merchant gives: [`address`], [`agreement`],
//! [`notifications`]. [`draft`](crate::draft) has the rules for a request, [`state`](crate::state) the legal
//! moves.

pub mod address;
pub mod agreement;
pub mod listing;
pub mod notifications;
mod stored;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::words::payment_type::PaymentType;
use address::{Address, ShippingAddress};
use agreement::Agreement;
use notifications::Notifications;

use crate::record::attachment::AttachedFile;
use crate::state::State;
use crate::value::id::{MerchantId, PgCode, SessionId};
use crate::value::money::Money;
use crate::value::time::Timestamp;
use crate::words::{Language, Operation, Plugin};

/// For how many days a card must at least be valid if an `auto_debit` does not say.
const DEFAULT_MIN_EXPIRY_DAYS: u16 = 30;

/// One payment transaction as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Transaction {
    /// Its id on the wire.
    pub session_id: SessionId,
    /// The merchant to which it belongs.
    pub merchant: MerchantId,
    /// The number of its last event; the next change must be the next number.
    pub version: i64,
    /// Its state.
    pub state: State,
    /// When it came to that state: for one whose time is over, the end of its time, even if it is noted
    /// later.
    pub moved_at: Timestamp,
    /// The plugin that it belongs to (`type`).
    pub plugin: Plugin,
    /// What success means: charged, or only authorized, by the attempt that settled it, otherwise through the
    /// first gateway.
    pub operation: Operation,
    /// The amount without fees, in the currency that the merchant chose.
    pub amount: Money,
    /// The gateways from which the payer chooses; never empty.
    pub pg_codes: Vec<PgCode>,
    /// When it was made.
    pub created_at: Timestamp,
    /// From when it can no longer be paid.
    pub expires_at: Timestamp,
    /// The result of the successful attempt.
    pub settlement: Option<Settlement>,
    /// Everything else that the merchant said.
    pub details: Details,
}

/// The result of the successful attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlement {
    /// The gateway that completed the payment.
    pub pg_code: PgCode,
    /// The principal that was paid or authorized, without fees.
    pub settled: Money,
    /// What was taken so far, fees included; `None` while money is only held.
    pub paid: Option<Money>,
}

/// What the merchant said beyond the required fields. Texts are limited in length and free of control
/// characters. What is large and seldom given is boxed: a transaction is part of many futures.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Details {
    /// What the payment is for.
    #[serde(skip_serializing_if = "PaymentType::is_default")]
    pub payment_type: PaymentType,
    /// The merchant's order number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_no: Option<String>,
    /// The merchant's id of the payer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer_id: Option<String>,
    /// The payer's first name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer_first_name: Option<String>,
    /// The payer's last name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer_last_name: Option<String>,
    /// The payer's e-mail address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer_email: Option<String>,
    /// The payer's phone number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer_phone: Option<String>,
    /// Another phone number of the payer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer_phone_2: Option<String>,
    /// The payer's date of birth, `YYYY-MM-DD`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer_birthdate: Option<String>,
    /// For the merchant's tracking.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product_type: Option<String>,
    /// For the merchant's accounting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vendor_name: Option<String>,
    /// The language of the page and of all communication.
    pub language: Language,
    /// Where the payer goes after the payment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redirect_url: Option<String>,
    /// Where notifications go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub webhook_url: Option<String>,
    /// When payment is due; for information only, it never changes the state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due_datetime: Option<Timestamp>,
    /// The agreement under which later payments are made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agreement: Option<Box<Agreement>>,
    /// Where the payer lives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub billing_address: Option<Box<Address>>,
    /// Where the goods go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shipping_address: Option<Box<ShippingAddress>>,
    /// Whether the payer is to give the address of delivery.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capture_delivery_address: Option<bool>,
    /// Whether the payer is to give the place of delivery.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capture_delivery_location: Option<bool>,
    /// The requirements for a card, as the merchant gave them; [`Self::card_criteria`] is what applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card_acceptance_criteria: Option<CardAcceptanceCriteria>,
    /// The merchant's recipients of copies of e-mails to the payer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub email_recipients: Vec<String>,
    /// About which events the payer is notified.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notifications: Option<Notifications>,
    /// The id of the user who made the transaction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initiator_id: Option<u32>,
    /// The merchant's log of a bulk dispatch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transaction_log_id: Option<u32>,
    /// The file that goes with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attachment: Option<Box<AttachedFile>>,
    /// The uploaded file that the merchant named, as the merchant wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attachment_upload_url: Option<String>,
    /// The slug of the merchant's unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit_code: Option<String>,
    /// Whether the payer may choose how much to pay, as the settings said when the transaction was made.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub is_amount_editable: bool,
    /// The merchant's own keys, as the merchant wrote them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra: Option<Box<RawValue>>,
}

/// The requirements for a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CardAcceptanceCriteria {
    /// For how many days a card must at least be valid, 1 to 365.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_expiry_time: Option<u16>,
}

impl Details {
    /// The requirements for a card: what the merchant said, and if the merchant left it open for
    /// `auto_debit`, the default of 30 days. The default is never stored, so that it follows the payment
    /// type.
    #[must_use]
    pub fn card_criteria(&self) -> Option<CardAcceptanceCriteria> {
        let given = self.card_acceptance_criteria;
        match self.payment_type {
            PaymentType::OneOff | PaymentType::SaveCard => given,
            PaymentType::AutoDebit => Some(CardAcceptanceCriteria {
                min_expiry_time: given
                    .and_then(|given| given.min_expiry_time)
                    .or(Some(DEFAULT_MIN_EXPIRY_DAYS)),
            }),
        }
    }
}

impl PartialEq for Details {
    fn eq(&self, other: &Self) -> bool {
        let text = |details: &Self| serde_json::to_string(details).ok();
        text(self) == text(other)
    }
}

impl Transaction {
    /// Moves it to `state`; from a state to itself is no move.
    pub(crate) fn move_to(&mut self, state: State, at: Timestamp) {
        if self.state != state {
            self.state = state;
            self.moved_at = at;
        }
    }

    /// Whether the time to pay is over at `now`.
    #[must_use]
    pub fn is_over(&self, now: Timestamp) -> bool {
        now >= self.expires_at
    }

    /// Whether the card of the payment is saved without anyone choosing so: for an agreement, or because
    /// saving it is the purpose.
    #[must_use]
    pub const fn saves_card_by_itself(&self) -> bool {
        self.details.payment_type.saves_card() && self.details.customer_id.is_some()
    }

    /// The state to show at `now`: a payable transaction whose time is over counts as expired from that
    /// moment, unless an attempt is still open.
    #[must_use]
    pub fn state_at(&self, now: Timestamp, has_open_attempt: bool) -> State {
        if self.state.is_payable() && self.is_over(now) && !has_open_attempt {
            State::Expired
        } else {
            self.state
        }
    }
}
