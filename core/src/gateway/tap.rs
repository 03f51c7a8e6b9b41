//! The connector of Tap Payments: its API v2, JSON with amounts in major units (`docs/gateway-tap.md`).
//!
//! A charge and an authorisation are two kinds of objects with the same members. A capture is a charge whose source is an
//! authorisation. Every object carries our reference in `reference.transaction`, a refund in `reference.merchant`, and an answer
//! in which the reference, the amount or the currency cannot be read is [`Outcome::Unknown`](super::charge::Outcome::Unknown).

mod account;
mod amount;
mod callback;
mod card;
mod decline;
mod fault;
mod find;
mod item;
mod listing;
mod open;
mod operation;
mod payer;
mod raw;
mod refund;
mod request;
mod wallet;
mod words;

use alloc::boxed::Box;
use alloc::string::ToString;

pub use self::account::{MERCHANT_ID, SECRET_KEY};
use self::account::{SOURCE, SOURCES, Tap};
use super::callback::{Callback, CallbackContext};
use super::capabilities::Capabilities;
use super::charge::{ChargeRef, Opened, Order, Report};
use super::check::Checked;
use super::connector::{Connector, Declaration};
use super::credentials::CredentialField;
use super::exchange::{Incoming, Returned};
use super::listing::{ChargePage, Period};
use super::operation::{OperationOrder, OperationRef, OperationReport};
use super::step::Step;
use crate::value::shape::TextShape;
use crate::words::{ChildOperation, Operation, Wallet};

/// What Tap can do, and what it needs.
pub const DECLARATION: Declaration = Declaration {
    capabilities: Capabilities {
        payments: &[Operation::Purchase, Operation::Authorize],
        currencies: amount::CURRENCIES,
        saves_cards: true,
        charges_saved_cards: true,
        debits_saved_cards: true,
        wallets: &[Wallet::ApplePay, Wallet::GooglePay],
        operations: &[ChildOperation::Capture, ChildOperation::Refund, ChildOperation::Void],
        usual_operations: &[ChildOperation::Capture, ChildOperation::Refund, ChildOperation::Void],
        captures_parts: true,
        captures_once: true,
        capture_days: Some(7),
        refunds_parts: true,
        lists_charges: true,
        page_hosts: &["https://*.tap.company"],
        ..Capabilities::NONE
    },
    totals: amount::totals,
    credentials: &[
        CredentialField::secret(
            SECRET_KEY,
            "the secret key (sk_) of the account, which signs the webhooks as well",
            TextShape::Line { max: 255 },
        ),
        CredentialField::public(
            MERCHANT_ID,
            "the merchant of the account that is charged for, if it has several",
            TextShape::Line { max: 64 },
        )
        .optional(),
        CredentialField::public(
            SOURCE,
            "what the payer can pay with on Tap's page; everything that is enabled if it is left out",
            TextShape::Word(SOURCES),
        )
        .optional(),
    ],
    needs_endpoint: false,
    // Tap states no limit.
    longest_reference: 64,
    codes_without_reason: decline::WITHOUT_REASON,
    connect: Some(|credentials| Box::new(Tap { credentials })),
};

impl Connector for Tap {
    fn open<'c>(&'c self, order: &'c Order) -> Step<'c, Opened> {
        open::open(self, order)
    }

    fn inquire<'c>(&'c self, charge: &'c ChargeRef, returned: Option<&'c Returned>) -> Step<'c, Report> {
        find::inquire(self, charge, returned)
    }

    fn operate<'c>(&'c self, order: &'c OperationOrder) -> Step<'c, OperationReport> {
        operation::operate(self, order)
    }

    fn inquire_operation<'c>(&'c self, operation: &'c OperationRef) -> Step<'c, OperationReport> {
        operation::inquire(self, operation)
    }

    /// Tap reports at the address of each charge and refund.
    fn read_callback(&self, request: &Incoming, context: &CallbackContext) -> Option<Callback> {
        callback::read(self.credentials.get(SECRET_KEY), request, context)
    }

    fn list_charges<'c>(
        &'c self,
        period: Period,
        cursor: Option<&'c str>,
    ) -> Option<Step<'c, Option<ChargePage>>> {
        Some(listing::list(self, period, cursor))
    }

    /// The newest charge: it moves nothing, and needs the key.
    fn check(&self) -> Step<'_, Checked> {
        if let Some(reason) = self.misplaced_key() {
            return Step::Done(Checked::Refused(Some(reason.to_string())));
        }
        Step::ask(self.newest(), |answer| match (answer.status, fault::refusal(answer)) {
            (200, _) => Checked::Accepted,
            (401 | 403, refusal) => Checked::Refused(refusal.and_then(|refusal| refusal.message)),
            (_, Some(refusal)) if refusal.is_nothing_found() => Checked::Accepted,
            _ => Checked::Unclear,
        })
    }
}

#[cfg(test)]
mod tests;
