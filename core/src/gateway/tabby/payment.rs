//! A payment of Tabby, as far as it decides anything.

use alloc::string::String;
use alloc::vec::Vec;

use crate::gateway::stored::only;
use crate::value::money::{Currency, Money};
use crate::wire::json;
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

/// A capture or a refund of a payment.
pub(super) struct TabbyMovement {
    pub(super) id: Option<String>,
    pub(super) amount: Money,
    /// Our reference of it.
    pub(super) reference: Option<String>,
}

/// A payment.
pub(super) struct TabbyPayment {
    pub(super) id: String,
    pub(super) status: TabbyStatus,
    pub(super) amount: Money,
    /// Our reference of the charge.
    pub(super) reference: String,
    pub(super) captures: Vec<TabbyMovement>,
    pub(super) refunds: Vec<TabbyMovement>,
}

impl TabbyPayment {
    /// Reads a payment; `None` if something that decides an outcome is missing or unknown.
    pub(super) fn read(body: &(impl AsRef<[u8]> + ?Sized)) -> Option<Self> {
        Object::read(body, Self::of)?
    }

    /// Reads the members of a payment.
    pub(super) fn of(payment: &mut Object<'_>) -> Option<Self> {
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

/// A list of captures or refunds, which may be absent.
fn movements(payment: &mut Object<'_>, name: &str, currency: Currency) -> Option<Vec<TabbyMovement>> {
    let Some(list) = payment.raw(name) else { return Some(Vec::new()) };
    json::items(list)?
        .into_iter()
        .map(|item| {
            Object::read(item.get(), |movement| {
                Some(TabbyMovement {
                    id: movement.optional_text("id"),
                    amount: movement.needed_word("amount", |text| Money::parse(text, currency).ok())?,
                    reference: movement.optional_text("reference_id"),
                })
            })?
        })
        .collect()
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
