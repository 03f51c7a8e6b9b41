//! The connector `acme` (`docs/gateway-acme.md`): its page, inquiries, refunds and signed callbacks, JSON over HTTPS.
//!
//! It decides how far an answer can be trusted. Only a complete payment says that money moved; whatever cannot be read
//! is [`Outcome::Unknown`](super::charge::Outcome::Unknown), because the gateway may have charged.

mod answer;
mod callback;
mod request;

use alloc::boxed::Box;
use alloc::string::ToString;

use super::callback::{Callback, CallbackContext};
use super::capabilities::Capabilities;
use super::charge::{ChargeOperation, ChargeRef, Opened, Order, Report};
use super::check::Checked;
use super::connector::{Connector, Declaration};
use super::credentials::{CredentialField, Credentials};
use super::exchange::{Incoming, Returned};
use super::instrument::Instrument;
use super::operation::{OperationOrder, OperationOutcome, OperationRef, OperationReport};
use super::step::Step;
use crate::value::money::totals::Totals;
use crate::value::shape::TextShape;
use crate::words::{ChildOperation, Operation};

/// What the gateway can do, and what it needs.
pub const DECLARATION: Declaration = Declaration {
    capabilities: Capabilities {
        payments: &[Operation::Purchase],
        operations: &[ChildOperation::Refund],
        usual_operations: &[ChildOperation::Refund],
        refunds_parts: true,
        page_hosts: &["https://pay.gateway.example"],
        ..Capabilities::NONE
    },
    // What it cannot charge is not offered: its step, its smallest and its largest amount in each currency.
    totals: |_| Totals::ALL,
    credentials: &[
        CredentialField::secret(API_KEY, "the key of the API", TextShape::Line { max: 255 }),
        CredentialField::secret(
            SIGNING_SECRET,
            "the secret under which callbacks are signed",
            TextShape::Line { max: 255 },
        ),
    ],
    needs_endpoint: false,
    // Of the reference of a payment, and of the key of idempotency.
    longest_reference: 64,
    codes_without_reason: &[],
    connect: Some(|credentials| Box::new(Acme { credentials })),
};

/// The name of the key of the API.
pub const API_KEY: &str = "api_key";
/// The name of the secret of the callbacks.
pub const SIGNING_SECRET: &str = "signing_secret";

/// The address for real payments.
const ENDPOINT: &str = "https://api.gateway.example";
/// The address for tests.
const TEST_ENDPOINT: &str = "https://api.test.gateway.example";

/// Implements the protocol for one merchant.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Acme {
    credentials: Credentials,
}

impl Connector for Acme {
    fn open<'c>(&'c self, order: &'c Order) -> Step<'c, Opened> {
        let is_page = order.card.is_none() && order.instrument == Instrument::Page && !order.saves_card;
        if !is_page || order.operation != ChargeOperation::Purchase {
            let message = "the gateway has payments on its page only, and no saved cards".to_string();
            return Step::Done(Opened::Refused { message: Some(message) });
        }
        // The page moves the money, but the payer may be faster than the answer.
        Step::act(self.payment(order), |answer| answer::opened(&order.reference, answer))
    }

    /// What the browser brings back is not signed, and nothing of it is needed: the gateway is asked by our reference.
    fn inquire<'c>(&'c self, charge: &'c ChargeRef, _: Option<&'c Returned>) -> Step<'c, Report> {
        Step::ask(self.inquiry(charge), |answer| answer::charge(&charge.reference, answer))
    }

    /// The page cannot be closed: the inquiry says what became of it.
    fn withdraw<'c>(&'c self, charge: &'c ChargeRef) -> Step<'c, Report> {
        self.inquire(charge, None)
    }

    fn operate<'c>(&'c self, order: &'c OperationOrder) -> Step<'c, OperationReport> {
        if order.operation != ChildOperation::Refund {
            return Step::Done(OperationReport {
                message: Some("the gateway gives money back, and does nothing else".to_string()),
                ..OperationReport::bare(order.reference.as_str(), OperationOutcome::Refused)
            });
        }
        Step::act(self.refund(order), |answer| answer::requested(&order.reference, answer))
    }

    fn inquire_operation<'c>(&'c self, operation: &'c OperationRef) -> Step<'c, OperationReport> {
        Step::ask(self.refund_inquiry(operation), |answer| answer::operation(&operation.reference, answer))
    }

    fn read_callback(&self, request: &Incoming, context: &CallbackContext) -> Option<Callback> {
        callback::read(self.credentials.get(SIGNING_SECRET), request, context)
    }

    /// The account of the key: it moves nothing.
    fn check(&self) -> Step<'_, Checked> {
        Step::ask(self.account(), answer::checked)
    }
}

#[cfg(test)]
mod tests;
