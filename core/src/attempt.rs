//! The record of one payment attempt.

pub mod hold;
pub mod stage;

use alloc::string::String;

use crate::attempt::stage::Stage;
use crate::card::usage::CardUse;
use crate::gateway::charge::{ChargeOperation, PgParams};
use crate::gateway::instrument::FormOfPayment;
use crate::gateway::terms::Quote;
use crate::record::attention::{Attention, Concern};
use crate::value::id::{MerchantId, PgCode, ReferenceNumber, SessionId};
use crate::value::money::Money;
use crate::value::time::Timestamp;

/// One interaction of a payer with one gateway. Amounts are frozen when it is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Its own id, under which the gateway charges at most once.
    pub reference: ReferenceNumber,
    /// The transaction it belongs to.
    pub session_id: SessionId,
    /// The merchant to which it belongs.
    pub merchant: MerchantId,
    /// Counts the attempts of the transaction, from 1.
    pub number: i64,
    /// The gateway.
    pub pg_code: PgCode,
    /// The gateway's family at the time.
    pub pg_name: String,
    /// Charge, only hold, or only confirm the card.
    pub operation: ChargeOperation,
    /// How it is paid.
    pub form_of_payment: FormOfPayment,
    /// Whether the gateway is a simulation.
    pub is_sandbox: bool,
    /// Whether the gateway permits another attempt after this one.
    pub permits_retry: bool,
    /// How it uses saved cards.
    pub card: CardUse,
    /// Its stage.
    pub stage: Stage,
    /// The principal in the currency of the transaction.
    pub principal: Money,
    /// What the payer pays, in the currency charged, and at which rate.
    pub quote: Quote,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When its stage became known. Answers that say nothing new, as in most inquiries, do not change it.
    pub known_at: Timestamp,
    /// When the gateway is asked next; `None` while nobody needs to ask.
    pub inquire_at: Option<Timestamp>,
    /// How often the gateway was asked since the outcome became unknown.
    pub inquiries: i64,
    /// Since when the outcome is unknown.
    pub unknown_since: Option<Timestamp>,
    /// The gateway's page, while it waits for the payer.
    pub page_url: Option<String>,
    /// The gateway's id of the charge.
    pub gateway_id: Option<String>,
    /// Explains a result that is no success, at most 255 characters.
    pub message: Option<String>,
    /// Normalised gateway data.
    pub params: PgParams,
    /// The gateway's last raw answer, as JSON text.
    pub response: Option<String>,
}

/// The message of an attempt whose gateway gave an answer that does not fit it, until a person has decided.
pub(crate) const HELD: &str = "the answer of the gateway does not fit the payment and is being checked";

impl Attempt {
    /// Whether the outcome is still to come.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.stage.is_open()
    }

    /// Whether there is one, and its outcome is still to come.
    pub(crate) fn has_open(latest: Option<&Self>) -> bool {
        latest.is_some_and(Self::is_open)
    }

    /// An entry of the attention list about it.
    #[must_use]
    pub fn attention(&self, concern: Concern, at: Timestamp) -> Attention {
        Attention {
            merchant: self.merchant.clone(),
            session_id: Some(self.session_id.clone()),
            reference: self.reference.clone(),
            reason: concern.reason,
            detail: concern.detail,
            at,
        }
    }

    /// Whether it ended without success, and its gateway gave no answer since that says something else.
    #[must_use]
    pub(crate) fn is_unpaid(&self) -> bool {
        self.has_failed() && self.message.as_deref() != Some(HELD)
    }

    /// Whether it ended without success, and its gateway says something else since: a person decides whether it was paid.
    #[must_use]
    pub(crate) fn is_questioned(&self) -> bool {
        self.has_failed() && !self.is_unpaid()
    }

    const fn has_failed(&self) -> bool {
        matches!(self.stage, Stage::Failed | Stage::Canceled | Stage::Error)
    }

    /// Whether the gateway itself declined it, and not a person who looked at it.
    #[must_use]
    pub(crate) fn was_declined(&self) -> bool {
        self.stage == Stage::Failed && !self.params.is_empty()
    }

    /// Whether its outcome is open and the gateway is not asked about it any more: a person decides.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.stage == Stage::Unknown && self.inquire_at.is_none()
    }

    /// Whether nobody can have paid although the outcome is unknown: it was to be paid on a page of the
    /// gateway, nobody was given the address of that page, and the gateway never said that it has the charge.
    /// Another attempt may replace it if the gateway permits one. An attempt that a person has to look at is
    /// not replaced.
    #[must_use]
    pub fn was_never_shown(&self) -> bool {
        let charges_card = matches!(self.card, CardUse::Charge(..));
        self.stage == Stage::Unknown
            && self.form_of_payment == FormOfPayment::Redirect
            && !charges_card
            && self.page_url.is_none()
            && self.gateway_id.is_none()
            && self.inquire_at.is_some()
            && self.permits_retry
    }
}
