//! The protocol of a gateway.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::callback::{Callback, CallbackContext};
use super::capabilities::Capabilities;
use super::charge::{ChargeRef, Opened, Order, Report};
use super::check::Checked;
use super::credentials::{CredentialField, Credentials};
use super::dispute::Disputes;
use super::exchange::{Incoming, Returned};
use super::flexible::{Offer, OfferOrder};
use super::listing::{ChargePage, Period};
use super::operation::{OperationOrder, OperationRef, OperationReport};
use super::step::Step;
use super::wallet::{SessionAnswer, SessionOrder};
use crate::value::money::Currency;
use crate::value::money::totals::Totals;

/// A codec of one gateway's protocol: it builds requests and reads answers, and never sends.
///
/// Reading never fails: what cannot be read is [`Outcome::Unknown`](super::charge::Outcome::Unknown), because
/// the gateway may have charged.
pub trait Connector {
    /// Opens a charge. The gateway must charge at most once for one reference.
    fn open<'c>(&'c self, order: &'c Order) -> Step<'c, Opened>;

    /// Asks for the outcome of a charge. `returned` is what the payer's browser brought back from the gateway's page, if
    /// that is the occasion: a hint what to ask, unless it is signed.
    fn inquire<'c>(&'c self, charge: &'c ChargeRef, returned: Option<&'c Returned>) -> Step<'c, Report>;

    /// Withdraws a charge that the payer has not completed, if the gateway can. What says how the charge ended, or that it
    /// goes on, is the report.
    fn withdraw<'c>(&'c self, charge: &'c ChargeRef) -> Step<'c, Report> {
        self.inquire(charge, None)
    }

    /// Captures, refunds or voids. The gateway must do it at most once for one reference.
    fn operate<'c>(&'c self, order: &'c OperationOrder) -> Step<'c, OperationReport>;

    /// Asks for the outcome of an operation.
    fn inquire_operation<'c>(&'c self, operation: &'c OperationRef) -> Step<'c, OperationReport>;

    /// Gets a merchant session from Apple, which the sheet of Apple Pay needs to open. It charges nothing, and contains
    /// nothing about the payer.
    fn start_session<'c>(&'c self, _: &'c SessionOrder) -> Step<'c, SessionAnswer> {
        Step::Done(SessionAnswer::Refused(None))
    }

    /// Asks whether a flexible method takes an order, without charging.
    fn offers<'c>(&'c self, _: &'c OfferOrder) -> Step<'c, Offer> {
        Step::Done(Offer::Shown(Vec::new()))
    }

    /// What the gateway reported by itself, and what it wants to be answered; `None` if it is not certain that the gateway
    /// sent it.
    fn read_callback(&self, request: &Incoming, context: &CallbackContext) -> Option<Callback>;

    /// Asks for the charges that changed in a period: those that were opened, ended, captured, refunded or voided in it.
    /// `cursor` is what the page before gave as the start of this one. The result is `None` for a page that cannot be read;
    /// no step for a gateway that has no list.
    fn list_charges<'c>(&'c self, _: Period, _: Option<&'c str>) -> Option<Step<'c, Option<ChargePage>>> {
        None
    }

    /// Asks for the disputes of a payment, which has this id at the gateway. A gateway that reports none says nothing.
    fn disputes<'c>(&'c self, _: &str) -> Step<'c, Disputes> {
        Step::Done(Disputes::OfOthers)
    }

    /// Asks whether the gateway accepts the credentials, without charging.
    fn check(&self) -> Step<'_, Checked>;
}

/// What a gateway's folder declares.
#[derive(Debug, Clone, Copy)]
pub struct Declaration {
    /// What the protocol can do.
    pub capabilities: Capabilities,
    /// The totals that it can charge in a currency: what cannot be charged is not offered.
    pub totals: fn(Currency) -> Totals,
    /// What it needs to act for a merchant.
    pub credentials: &'static [CredentialField],
    /// Whether the settings must name the gateway's address, because each bank has its own.
    pub needs_endpoint: bool,
    /// The most characters of what the gateway is given to know a charge or an operation by.
    pub longest_reference: usize,
    /// The decline codes that are known and mean nothing that we have a reason for; every other code with
    /// [`Reason::Other`](super::decline::DeclineReason::Other) is missing in the connector's table.
    pub codes_without_reason: &'static [&'static str],
    /// Makes the connector; `None` if there is no gateway to call.
    pub connect: Option<fn(Credentials) -> Box<dyn Connector>>,
}
