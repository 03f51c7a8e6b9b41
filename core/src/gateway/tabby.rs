//! The connector of Tabby: a checkout session with its page, and payments that are captured, closed and refunded, JSON over
//! HTTPS (`docs/gateway-tabby.md`).
//!
//! Nothing that Tabby reports by itself is signed, and what the browser brings back is not either: both are reasons to ask. A
//! payment is authorised on the page; a gateway that purchases captures it by the inquiry that finds it so, under our
//! reference, by which Tabby captures once.

mod account;
mod answer;
mod callback;
mod find;
mod judge;
mod offer;
mod operation;
mod payment;
mod session;

use alloc::boxed::Box;

use self::account::{COUNTRIES, COUNTRY, MERCHANT_CODE, SECRET_KEY, Tabby, WEBHOOK_SECRET};
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

/// What Tabby can do, and what it needs.
pub const DECLARATION: Declaration = Declaration {
    capabilities: Capabilities {
        currencies: &["AED", "BHD", "KWD", "QAR", "SAR"],
        captures_once: true,
        page_hosts: &["https://checkout.tabby.ai", "https://checkout.tabby.sa"],
        flexible: Some(pay_later::flexible("tabby")),
        ..pay_later::CAPABILITIES
    },
    totals: |_| Totals::ALL,
    credentials: &[
        CredentialField::secret(
            SECRET_KEY,
            "the secret key (sk_) of the store",
            TextShape::Line { max: 255 },
        ),
        CredentialField::public(
            MERCHANT_CODE,
            "the merchant code of the store, which Tabby gives for each country",
            TextShape::Line { max: 64 },
        ),
        CredentialField::public(
            COUNTRY,
            "the country of the store, in two letters: it decides which of Tabby's addresses is called",
            TextShape::Word(COUNTRIES),
        ),
        CredentialField::secret(
            WEBHOOK_SECRET,
            "the value of the header x-webhook-secret with which the webhook was registered",
            TextShape::Line { max: 255 },
        )
        .optional(),
    ],
    needs_endpoint: false,
    // Tabby states no limit, and its ids have 36.
    longest_reference: 36,
    codes_without_reason: &["not_available"],
    connect: Some(|credentials| Box::new(Tabby { credentials })),
};

impl Connector for Tabby {
    fn open<'c>(&'c self, order: &'c Order) -> Step<'c, Opened> {
        if !pay_later::is_for_page(order) {
            return Step::refused("Tabby has payments on its page only, and saves no cards");
        }
        // The page moves the money, but the payer may be faster than the answer.
        Step::act(session::open(self, order), |answer| session::opened(order, answer))
    }

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

    /// Tabby reports all payments of a merchant code at one address.
    fn read_callback(&self, request: &Incoming, context: &CallbackContext) -> Option<Callback> {
        callback::read(self.credentials.optional(WEBHOOK_SECRET)?, request, context)
    }

    /// The webhooks of the merchant code: the request needs the key and the code, and moves nothing.
    fn check(&self) -> Step<'_, Checked> {
        if let Some(reason) = self.misplaced_key() {
            return Step::Done(Checked::Refused(Some(reason.into())));
        }
        Step::ask(self.webhooks(), answer::checked)
    }
}

#[cfg(test)]
mod tests;
