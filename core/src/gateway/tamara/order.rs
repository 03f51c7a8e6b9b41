//! An order of Tamara, as far as it decides anything.

use alloc::string::String;
use alloc::vec::Vec;

use crate::gateway::exchange::Incoming;
use crate::gateway::pay_later::{Movement, NamedPayment};
use crate::gateway::stored::only;
use crate::value::money::{Currency, Money};
use crate::wire::object::Object;
use crate::words::word_list;

word_list! {
    /// How an order is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum TamaraStatus {
        /// The payer has not finished on the page.
        New = "new",
        /// The payer has paid, and Tamara waits for the authorisation.
        Approved = "approved",
        /// Tamara looks at it.
        OnHold = "on_hold",
        /// Tamara declined on its page.
        Declined = "declined",
        /// The money is held.
        Authorised = "authorised",
        /// Everything that was held is released.
        Canceled = "canceled",
        /// A part of what was held is released.
        Updated = "updated",
        /// Everything is taken.
        FullyCaptured = "fully_captured",
        /// A part is taken.
        PartiallyCaptured = "partially_captured",
        /// Everything was given back.
        FullyRefunded = "fully_refunded",
        /// A part was given back.
        PartiallyRefunded = "partially_refunded",
        /// The time of the page or of the order is over.
        Expired = "expired",
    }
}

/// An order.
pub(super) struct TamaraOrder {
    pub(super) id: String,
    pub(super) status: TamaraStatus,
    pub(super) total: Money,
    /// Our reference of the charge.
    pub(super) reference: String,
    /// What was captured altogether.
    pub(super) captured: Money,
    pub(super) captures: Vec<Movement>,
    pub(super) refunds: Vec<Movement>,
}

impl TamaraOrder {
    /// The order in an answer; `None` if something that decides an outcome is missing or unknown.
    pub(super) fn of(answer: &Incoming) -> Option<Self> {
        if answer.status != 200 {
            return None;
        }
        Object::read(&answer.body, Self::read)?
    }

    fn read(order: &mut Object<'_>) -> Option<Self> {
        let id = order.text("order_id");
        let status = order.needed_word("status", TamaraStatus::parse)?;
        let reference = order.text("order_reference_id");
        let total = amount(order, "total_amount")?;
        let taken = match order.raw("captured_amount") {
            Some(_) => amount(order, "captured_amount")?,
            None => Money::zero(total.currency()),
        };
        let (captures, refunds) = order
            .object("transactions", |moved| {
                let captures = movements(moved, "captures", |one| {
                    let number = one.object("shipping_info", |info| info.optional_text("tracking_number"));
                    (one.optional_text("capture_id"), number.flatten())
                });
                let refunds = movements(moved, "refunds", |one| {
                    (one.optional_text("refund_id"), one.optional_text("merchant_refund_id"))
                });
                Some((captures?, refunds?))
            })
            .unwrap_or_else(|| Some((Vec::new(), Vec::new())))?;
        Some(Self { id, status, total, reference, captured: taken, captures, refunds })
    }

    pub(super) fn named(&self) -> NamedPayment<'_> {
        NamedPayment { id: &self.id, reference: &self.reference }
    }

    /// Whether nothing was captured.
    pub(super) fn is_untouched(&self) -> bool {
        self.captured.is_zero() && self.captures.is_empty()
    }
}

/// An amount of an order: a number as it is written, or a text.
fn amount(of: &mut Object<'_>, name: &str) -> Option<Money> {
    of.object(name, |price| {
        let currency = price.needed_word("currency", Currency::parse)?;
        let written = price.raw("amount")?.get().trim_matches('"');
        Money::parse(written, currency).ok()
    })?
}

/// A list of captures or refunds; `names` reads the ids of one: Tamara's, and ours.
fn movements(
    moved: &mut Object<'_>,
    name: &str,
    names: fn(&mut Object<'_>) -> (Option<String>, Option<String>),
) -> Option<Vec<Movement>> {
    Movement::list(moved, name, |movement| {
        let amount = amount(movement, "total_amount")?;
        let (id, reference) = names(movement);
        Some(Movement { id, amount, reference })
    })
}

/// The members of an order that are stored, at every level: nothing about the payer or what is bought.
const MEMBERS: &[&str] = &[
    "amount",
    "cancel_id",
    "canceled_amount",
    "cancels",
    "capture_id",
    "captured_amount",
    "captures",
    "created_at",
    "currency",
    "merchant_refund_id",
    "order_id",
    "order_number",
    "order_reference_id",
    "payment_type",
    "refund_id",
    "refunded_amount",
    "refunds",
    "settlement_status",
    "status",
    "total_amount",
    "transactions",
];

/// What of an answer is stored.
pub(super) fn raw_of(body: &[u8]) -> Option<String> {
    only(body, MEMBERS)
}
