//! The connector of Stripe: its API v1, forms out and JSON in (`docs/gateway-stripe.md`).
//!
//! The page is a Checkout Session; saved cards and Google Pay are charged by a `PaymentIntent`. Every object carries our
//! reference in its metadata, and an answer in which the reference, the amount or the currency cannot be read is
//! [`Outcome::Unknown`](super::charge::Outcome::Unknown).

mod account;
mod amount;
mod callback;
mod decline;
mod dispute;
mod fault;
mod find;
mod inquire;
mod intent;
mod listing;
mod open;
mod operation;
mod raw;
mod refund;
mod request;
mod session;
mod words;

use alloc::boxed::Box;
use alloc::format;

pub use self::account::{ENDPOINT, SECRET_KEY, Stripe, VERSION, WEBHOOK_SECRET, WEBHOOK_SECRET_NEXT};
use super::callback::{Callback, CallbackContext};
use super::capabilities::Capabilities;
use super::charge::{ChargeRef, Opened, Order, Report};
use super::check::Checked;
use super::connector::{Connector, Declaration};
use super::credentials::CredentialField;
use super::dispute::Disputes;
use super::exchange::{Incoming, Returned};
use super::listing::{ChargePage, Period};
use super::operation::{OperationOrder, OperationRef, OperationReport};
use super::step::Step;
use crate::value::shape::TextShape;
use crate::words::{ChildOperation, Operation, Wallet};

/// What Stripe can do, and what it needs.
pub const DECLARATION: Declaration = Declaration {
    capabilities: Capabilities {
        payments: &[Operation::Purchase, Operation::Authorize],
        currencies: amount::CURRENCIES,
        saves_cards: true,
        verifies_cards: true,
        charges_saved_cards: true,
        debits_saved_cards: true,
        wallets: &[Wallet::GooglePay],
        operations: &[ChildOperation::Capture, ChildOperation::Refund, ChildOperation::Void],
        usual_operations: &[ChildOperation::Capture, ChildOperation::Refund, ChildOperation::Void],
        captures_parts: true,
        captures_once: true,
        refunds_parts: true,
        withdraws: true,
        lists_charges: true,
        reports_disputes: true,
        page_hosts: &["https://checkout.stripe.com", "https://hooks.stripe.com"],
        capture_days: Some(7),
        ..Capabilities::NONE
    },
    totals: amount::totals,
    credentials: &[
        CredentialField::secret(
            SECRET_KEY,
            "the secret key (sk_) or restricted key (rk_) of the account",
            TextShape::Line { max: 255 },
        ),
        CredentialField::secret(
            WEBHOOK_SECRET,
            "the signing secret (whsec_) of the webhook endpoint",
            TextShape::Line { max: 255 },
        )
        .optional(),
        CredentialField::secret(
            WEBHOOK_SECRET_NEXT,
            "a second signing secret that is valid too, while the first one is replaced",
            TextShape::Line { max: 255 },
        )
        .optional(),
    ],
    needs_endpoint: false,
    // The `client_reference_id`; idempotency keys may have 255, metadata 500.
    longest_reference: 200,
    codes_without_reason: &["duplicate_transaction"],
    connect: Some(|credentials| Box::new(Stripe::new(credentials))),
};

impl Connector for Stripe {
    fn open<'c>(&'c self, order: &'c Order) -> Step<'c, Opened> {
        open::open(self, order)
    }

    fn inquire<'c>(&'c self, charge: &'c ChargeRef, returned: Option<&'c Returned>) -> Step<'c, Report> {
        // The payer left the page by its way back. The session is closed, so that it cannot be paid later; if it was paid
        // in the meantime, Stripe does not close it, and says so.
        if returned.is_some_and(|returned| returned.field(open::LEFT) == Some(open::BY_CANCELING)) {
            return inquire::withdraw(self, charge);
        }
        inquire::inquire(self, charge)
    }

    fn withdraw<'c>(&'c self, charge: &'c ChargeRef) -> Step<'c, Report> {
        inquire::withdraw(self, charge)
    }

    fn operate<'c>(&'c self, order: &'c OperationOrder) -> Step<'c, OperationReport> {
        operation::operate(self, order)
    }

    fn inquire_operation<'c>(&'c self, operation: &'c OperationRef) -> Step<'c, OperationReport> {
        operation::inquire(self, operation)
    }

    /// Stripe reports all events of an account at one address.
    fn read_callback(&self, request: &Incoming, context: &CallbackContext) -> Option<Callback> {
        callback::read(self, request, context)
    }

    fn list_charges<'c>(
        &'c self,
        period: Period,
        cursor: Option<&'c str>,
    ) -> Option<Step<'c, Option<ChargePage>>> {
        Some(listing::list(self, period, cursor))
    }

    fn disputes<'c>(&'c self, payment: &str) -> Step<'c, Disputes> {
        dispute::ask(self, payment)
    }

    /// The newest `PaymentIntent`: a permission that every other request needs as well, and the answer is not read further
    /// than that it is a list.
    fn check(&self) -> Step<'_, Checked> {
        if let Some(reason) = self.misplaced_key() {
            return Step::Done(Checked::Refused(Some(reason.into())));
        }
        Step::ask(self.get(&format!("{}?limit=1", intent::PATH)), |answer| match answer.status {
            200 if find::is_list(&answer.body) => Checked::Accepted,
            401 | 403 => Checked::Refused(fault::message_of(&answer.body)),
            _ => Checked::Unclear,
        })
    }
}
