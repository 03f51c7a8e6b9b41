//! The payment transaction as it is stored, and its parts that a merchant gives: [`address`], [`agreement`],
//! [`notifications`]. [`draft`](crate::draft) has the rules for a request, [`state`](crate::state) the legal
//! moves.

pub mod address;
pub mod agreement;
mod criteria;
pub mod fields;
pub mod initiator;
pub mod items;
pub mod listing;
pub mod notifications;
pub(crate) mod stored;
pub mod totals;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;
use serde_json::value::RawValue;

use self::address::{Address, ShippingAddress};
use self::agreement::Agreement;
pub use self::criteria::CardAcceptanceCriteria;
use self::fields::transaction_fields;
use self::initiator::Initiator;
use self::notifications::Notifications;
use self::stored::StoredField;
use crate::record::attachment::AttachedFile;
use crate::state::State;
use crate::value::id::{MerchantId, PgCode, SessionId};
use crate::value::json::{self, Unwritten};
use crate::value::money::Money;
use crate::value::time::Timestamp;
use crate::value::web_address::WebAddress;
use crate::wire::object::Object;
use crate::words::payment_type::PaymentType;
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
    /// What a checkout SDK showed last that each gateway costs, line by line; `None` if none asked. A call that says
    /// no price means this one.
    pub shown: Option<String>,
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

macro_rules! declare_details {
    ($($(#[$about:meta])* $name:ident: $type:ty;)*) => {
        /// What the merchant said beyond the required fields. Texts are limited in length and free of control
        /// characters. What is large and seldom given is boxed: a transaction is part of many futures.
        #[derive(Debug, Clone, Default, Serialize)]
        pub struct Details {
            $($(#[$about])* #[serde(skip_serializing_if = "StoredField::is_absent")] pub $name: $type,)*
        }

        impl Details {
            /// Reads stored details; `None` if they are not valid stored details.
            #[must_use]
            pub fn from_json(text: &str) -> Option<Self> {
                Object::read(text, |object| Self { $($name: StoredField::read(object, stringify!($name)),)* })
            }
        }
    };
}
transaction_fields!(stored => declare_details);

impl Details {
    /// What stays when the payer's data is erased: nothing that says who paid, or that the merchant wrote in a form of its
    /// own.
    #[must_use]
    pub(crate) fn without_payer(&self) -> Self {
        Self {
            payment_type: self.payment_type,
            order_no: self.order_no.clone(),
            product_type: self.product_type.clone(),
            vendor_name: self.vendor_name.clone(),
            language: self.language,
            webhook_url: self.webhook_url.clone(),
            due_datetime: self.due_datetime,
            card_acceptance_criteria: self.card_acceptance_criteria,
            initiator_id: self.initiator_id,
            transaction_log_id: self.transaction_log_id,
            unit_code: self.unit_code.clone(),
            is_amount_editable: self.is_amount_editable,
            initiator: self.initiator.clone(),
            ..Self::default()
        }
    }

    /// The language in which a payer sees their page, where it does not follow from the transaction: an address has to
    /// name it.
    #[must_use]
    pub(crate) fn unlike(&self, shown: Option<Language>) -> Option<Language> {
        shown.filter(|shown| self.language != Some(*shown))
    }

    /// The requirements for a card: what the merchant said, and if the merchant left it open for
    /// `auto_debit`, the default of 30 days. The default is never stored, so that it follows the payment
    /// type.
    pub(crate) fn card_criteria(&self) -> Option<CardAcceptanceCriteria> {
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

    /// The language of all communication, and of a page whose reader names none.
    #[must_use]
    pub fn language(&self) -> Language {
        self.language.unwrap_or_default()
    }

    /// The country of the billing address.
    pub(crate) fn billing_country(&self) -> Option<&str> {
        self.billing_address.as_ref().map(|address| address.country.as_str())
    }

    /// The text in which they are stored.
    pub(crate) fn to_text(&self) -> Result<String, Unwritten> {
        json::write(self)
    }
}

impl PartialEq for Details {
    fn eq(&self, other: &Self) -> bool {
        self.to_text() == other.to_text()
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

    /// Whether the card of the payment is saved without anyone choosing so: for an agreement, or because
    /// saving it is the purpose.
    pub(crate) const fn saves_card_by_itself(&self) -> bool {
        self.details.payment_type.saves_card() && self.details.customer_id.is_some()
    }
}

impl Transaction {
    /// Whether the time to pay is over at `now`.
    #[must_use]
    pub fn is_over(&self, now: Timestamp) -> bool {
        now >= self.expires_at
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
