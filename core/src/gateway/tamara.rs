//! The connector of Tamara: a checkout session with its page, and orders that are authorised, captured, canceled and refunded,
//! JSON over HTTPS (`docs/gateway-tamara.md`).
//!
//! A notification comes with a token that is signed and does not cover what the notification says, so it is only a reason to
//! ask. What a payer has paid is `approved` and becomes a payment by the authorisation that the inquiry sends; a gateway that
//! purchases captures it in the same exchange.

mod account;
mod answer;
mod callback;
mod judge;
mod offer;
mod open;
mod operation;
mod order;
mod request;

use alloc::boxed::Box;

use self::account::{API_TOKEN, COUNTRIES, COUNTRY, NOTIFICATION_TOKEN, Tamara};
use super::callback::{Callback, CallbackContext};
use super::capabilities::Capabilities;
use super::charge::{ChargeRef, Opened, Order, Report};
use super::check::Checked;
use super::connector::{Connector, Declaration};
use super::credentials::CredentialField;
use super::exchange::{Incoming, Returned};
use super::flexible::{Offer, OfferOrder};
use super::operation::{OperationOrder, OperationRef, OperationReport};
use super::pay_later;
use super::step::Step;
use crate::value::money::totals::Totals;
use crate::value::shape::TextShape;

/// What Tamara can do, and what it needs.
pub const DECLARATION: Declaration = Declaration {
    capabilities: Capabilities {
        currencies: &["AED", "BHD", "KWD", "OMR", "SAR"],
        page_hosts: &["https://checkout.tamara.co", "https://checkout-sandbox.tamara.co"],
        flexible: Some(pay_later::flexible("tamara")),
        capture_days: Some(21),
        ..pay_later::CAPABILITIES
    },
    totals: |_| Totals::ALL,
    credentials: &[
        CredentialField::secret(API_TOKEN, "the API token of the merchant", TextShape::Line { max: 1_024 }),
        CredentialField::secret(
            NOTIFICATION_TOKEN,
            "the notification token, under which the token of each notification is signed",
            TextShape::Line { max: 255 },
        ),
        CredentialField::public(
            COUNTRY,
            "the country of the store, in two letters",
            TextShape::Word(COUNTRIES),
        ),
    ],
    needs_endpoint: false,
    // Tamara states no limit, and its ids have 36.
    longest_reference: 36,
    codes_without_reason: &[],
    connect: Some(|credentials| Box::new(Tamara { credentials })),
};

impl Connector for Tamara {
    fn open<'c>(&'c self, order: &'c Order) -> Step<'c, Opened> {
        if !pay_later::is_for_page(order) {
            return Step::refused("Tamara has payments on its page only, and saves no cards");
        }
        // The page moves the money, but the payer may be faster than the answer.
        Step::act(open::request(self, order), |answer| open::opened(order, answer))
    }

    /// What the browser brings back is not signed, and nothing of it is needed: the order is asked for by our reference.
    fn inquire<'c>(&'c self, charge: &'c ChargeRef, _: Option<&'c Returned>) -> Step<'c, Report> {
        judge::inquire(self, charge)
    }

    fn operate<'c>(&'c self, order: &'c OperationOrder) -> Step<'c, OperationReport> {
        operation::operate(self, order)
    }

    fn inquire_operation<'c>(&'c self, operation: &'c OperationRef) -> Step<'c, OperationReport> {
        operation::inquire(self, operation)
    }

    fn offers<'c>(&'c self, order: &'c OfferOrder) -> Step<'c, Offer> {
        offer::ask(self, order)
    }

    /// Tamara reports each order at the address that was given with it, and all of them at the address of the account.
    fn read_callback(&self, request: &Incoming, context: &CallbackContext) -> Option<Callback> {
        callback::read(self.credentials.get(NOTIFICATION_TOKEN), request, context)
    }

    /// The ways of paying in the country: the request needs the token, and moves nothing.
    fn check(&self) -> Step<'_, Checked> {
        Step::ask(self.payment_types(), answer::checked)
    }
}

#[cfg(test)]
mod tests;
