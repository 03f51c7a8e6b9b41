//! A payment of Tabby, as far as it decides anything.

use alloc::string::String;
use alloc::vec::Vec;

use crate::gateway::exchange::Incoming;
use crate::gateway::pay_later::{Movement, NamedPayment};
use crate::gateway::stored::only;
use crate::value::money::{Currency, Money};
use crate::wire::object::Object;
use crate::words::word_list;

word_list! {
    /// How a payment is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum TabbyStatus {
        /// The payer has not finished on the page.
        Created = "CREATED",
        /// The money is held.
        Authorized = "AUTHORIZED",
        /// What was captured is taken, the rest is released.
        Closed = "CLOSED",
        /// Tabby declined on its page.
        Rejected = "REJECTED",
        /// The payer gave up, or the time of the page is over.
        Expired = "EXPIRED",
    }
}

/// A payment.
pub(super) struct TabbyPayment {
    pub(super) id: String,
    pub(super) status: TabbyStatus,
    pub(super) amount: Money,
    /// Our reference of the charge.
    pub(super) reference: String,
    pub(super) captures: Vec<Movement>,
    pub(super) refunds: Vec<Movement>,
}

impl TabbyPayment {
    /// The payment in an answer; `None` if something that decides an outcome is missing or unknown.
    pub(super) fn of(answer: &Incoming) -> Option<Self> {
        if answer.status != 200 {
            return None;
        }
        Object::read(&answer.body, Self::read)?
    }

    fn read(payment: &mut Object<'_>) -> Option<Self> {
        let currency = payment.needed_word("currency", Currency::parse)?;
        let id = payment.text("id");
        let status = payment.needed_word("status", TabbyStatus::parse)?;
        let amount = payment.needed_word("amount", |text| Money::parse(text, currency).ok())?;
        let reference = payment.object("order", |order| order.text("reference_id"))?;
        Some(Self {
            id,
            status,
            amount,
            reference,
            captures: movements(payment, "captures", currency)?,
            refunds: movements(payment, "refunds", currency)?,
        })
    }

    pub(super) fn named(&self) -> NamedPayment<'_> {
        NamedPayment { id: &self.id, reference: &self.reference }
    }

    /// What was captured altogether; `None` if that is no amount.
    pub(super) fn captured(&self) -> Option<Money> {
        self.captures
            .iter()
            .try_fold(Money::zero(self.amount.currency()), |sum, capture| sum.checked_add(capture.amount))
    }

    /// Whether nothing was captured.
    pub(super) fn is_untouched(&self) -> bool {
        self.captures.is_empty()
    }
}

/// A list of captures or refunds.
fn movements(payment: &mut Object<'_>, name: &str, currency: Currency) -> Option<Vec<Movement>> {
    Movement::list(payment, name, |movement| {
        Some(Movement {
            id: movement.optional_text("id"),
            amount: movement.needed_word("amount", |text| Money::parse(text, currency).ok())?,
            reference: movement.optional_text("reference_id"),
        })
    })
}

/// The members of a payment that are stored, at every level: nothing about the payer or what is bought.
const MEMBERS: &[&str] = &[
    "amount",
    "captures",
    "closed_at",
    "created_at",
    "currency",
    "expires_at",
    "id",
    "is_expired",
    "is_test",
    "order",
    "payment",
    "reference_id",
    "refunds",
    "status",
];

/// What of an answer is stored.
pub(super) fn raw_of(body: &[u8]) -> Option<String> {
    only(body, MEMBERS)
}
