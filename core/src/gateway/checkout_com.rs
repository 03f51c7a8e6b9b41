//! The connector of Checkout.com: its unified payments API, JSON in and out (`docs/gateway-checkout_com.md`).
//!
//! A page is a session of its Hosted Payments Page, which moves no money until the payer pays there; wallets and saved cards
//! are payments. Captures, refunds and voids are only accepted: what became of them is an action of the payment, which can be
//! asked for. An answer in which the reference, the amount or the currency cannot be read is
//! [`Outcome::Unknown`](super::charge::Outcome::Unknown).

mod account;
mod amount;
mod callback;
mod decline;
mod dispute;
mod fault;
mod inquire;
mod listing;
mod open;
mod operation;
mod page;
mod payment;
mod raw;
mod request;
mod wallet;

use alloc::boxed::Box;

pub use self::account::{
    CHANNEL, CheckoutCom, METHODS, PREFIX, PUBLIC_KEY, SECRET_KEY, WEBHOOK_SECRET, WEBHOOK_SECRET_NEXT,
};
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

/// What Checkout.com can do, and what it needs.
pub const DECLARATION: Declaration = Declaration {
    capabilities: Capabilities {
        payments: &[Operation::Purchase, Operation::Authorize],
        saves_cards: true,
        verifies_cards: true,
        charges_saved_cards: true,
        debits_saved_cards: true,
        wallets: &[Wallet::ApplePay, Wallet::GooglePay],
        operations: &[ChildOperation::Capture, ChildOperation::Refund, ChildOperation::Void],
        usual_operations: &[ChildOperation::Capture, ChildOperation::Refund, ChildOperation::Void],
        captures_parts: true,
        refunds_parts: true,
        lists_charges: true,
        reports_disputes: true,
        capture_days: Some(7),
        page_hosts: &["https://*.checkout.com"],
        ..Capabilities::NONE
    },
    totals: amount::totals,
    credentials: &[
        CredentialField::secret(SECRET_KEY, "the secret key (sk_) of the API", TextShape::Line { max: 255 }),
        CredentialField::public(
            PREFIX,
            "the first part of the account's own address of the API: the first eight characters of the client id",
            TextShape::Alphanumeric { min: 8, max: 8 },
        ),
        CredentialField::public(
            PUBLIC_KEY,
            "the public key (pk_), which wallets need",
            TextShape::Line { max: 255 },
        )
        .optional(),
        CredentialField::public(
            CHANNEL,
            "the processing channel (pc_), if the account has several",
            TextShape::Line { max: 64 },
        )
        .optional(),
        CredentialField::public(
            METHODS,
            "the payment methods of the page; without them all that the account has",
            TextShape::Words(account::PAGE_METHODS),
        )
        .optional(),
        CredentialField::secret(
            WEBHOOK_SECRET,
            "the signature key of the webhook; without it no webhook is accepted",
            TextShape::Line { max: 255 },
        )
        .optional(),
        CredentialField::secret(
            WEBHOOK_SECRET_NEXT,
            "a second signature key that is accepted while the first one is replaced",
            TextShape::Line { max: 255 },
        )
        .optional(),
    ],
    needs_endpoint: false,
    // The reference.
    longest_reference: 50,
    codes_without_reason: decline::WITHOUT_REASON,
    connect: Some(|credentials| Box::new(CheckoutCom::new(credentials))),
};

impl Connector for CheckoutCom {
    fn open<'c>(&'c self, order: &'c Order) -> Step<'c, Opened> {
        open::open(self, order)
    }

    fn inquire<'c>(&'c self, charge: &'c ChargeRef, _: Option<&'c Returned>) -> Step<'c, Report> {
        inquire::inquire(self, charge)
    }

    fn operate<'c>(&'c self, order: &'c OperationOrder) -> Step<'c, OperationReport> {
        operation::operate(self, order)
    }

    fn inquire_operation<'c>(&'c self, operation: &'c OperationRef) -> Step<'c, OperationReport> {
        operation::inquire(self, operation)
    }

    /// Checkout.com reports all events of an account at one address.
    fn read_callback(&self, request: &Incoming, context: &CallbackContext) -> Option<Callback> {
        callback::read(&self.webhook_secrets(), request, context)
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

    /// The payments with a reference that no payment has: it needs the key, and moves nothing.
    fn check(&self) -> Step<'_, Checked> {
        Step::ask(self.get("/payments?limit=1&reference=till-check"), inquire::read_checked)
    }
}
