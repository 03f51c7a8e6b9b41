//! The protocol of a gateway.

use super::charge::{Opened, Order, Report};
use super::exchange::{Incoming, Outgoing};
use super::listing::{ChargePage, Period};
use super::operation::{OperationOrder, OperationReport};
use super::wallet::{SessionAnswer, SessionOrder};
use crate::value::id::ReferenceNumber;
use crate::words::word_list;

/// A codec of one gateway's protocol. It builds requests and reads answers, and never sends.
///
/// Reading never fails: what cannot be read is [`Outcome::Unknown`](super::charge::Outcome::Unknown), because
/// the gateway may have charged.
pub trait Connector {
    /// The request that opens a charge. The gateway must charge at most once for one reference.
    fn open(&self, order: &Order) -> Outgoing;

    /// What the gateway answered to [`open`](Self::open).
    fn read_open(&self, answer: &Incoming) -> Opened;

    /// The request that asks for the outcome of a charge.
    fn inquire(&self, reference: &ReferenceNumber) -> Outgoing;

    /// The request that withdraws a charge that the payer has not completed.
    fn cancel(&self, reference: &ReferenceNumber) -> Outgoing;

    /// What the gateway answered to [`inquire`](Self::inquire) or [`cancel`](Self::cancel).
    fn read_report(&self, reference: &ReferenceNumber, answer: &Incoming) -> Report;

    /// The request to the gateway to get a merchant session from Apple, which the sheet of Apple Pay needs to
    /// open. It charges nothing, and contains nothing about the payer.
    fn start_session(&self, order: &SessionOrder) -> Outgoing;

    /// What the gateway answered to [`start_session`](Self::start_session).
    fn read_session(&self, answer: &Incoming) -> SessionAnswer;

    /// What the gateway reported by itself; `None` if the request is not signed by the gateway.
    fn read_callback(&self, reference: &ReferenceNumber, request: &Incoming) -> Option<Report>;

    /// The request that captures, refunds or voids. The gateway must do it at most once for one reference.
    fn operate(&self, order: &OperationOrder) -> Outgoing;

    /// What the gateway answered to [`operate`](Self::operate).
    fn read_operate(&self, order: &OperationOrder, answer: &Incoming) -> OperationReport;

    /// The request that asks for the outcome of an operation.
    fn inquire_operation(&self, charge: &ReferenceNumber, reference: &ReferenceNumber) -> Outgoing;

    /// What the gateway answered to [`inquire_operation`](Self::inquire_operation).
    fn read_operation(&self, reference: &ReferenceNumber, answer: &Incoming) -> OperationReport;

    /// What the gateway reported about an operation by itself; `None` if the request is not signed by the
    /// gateway.
    fn read_operation_callback(
        &self,
        reference: &ReferenceNumber,
        request: &Incoming,
    ) -> Option<OperationReport>;

    /// The request for the charges that changed in a period: those that were opened, ended, captured,
    /// refunded or voided in it. `cursor` is what the page before gave as the start of this one. `None` for a
    /// gateway that has no list.
    fn list_charges(&self, period: Period, cursor: Option<&str>) -> Option<Outgoing>;

    /// What the gateway answered to [`list_charges`](Self::list_charges); `None` if it cannot be read.
    fn read_charges(&self, answer: &Incoming) -> Option<ChargePage>;
}

word_list! {
    /// Which connector a profile uses.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ConnectorKind {
        /// The simulated bank.
        Sandbox = "sandbox",
        /// Cash on delivery: there is no gateway to call.
        Cash = "cash",
    }
}

impl ConnectorKind {
    /// Whether it charges cards that were saved before, without a page.
    #[must_use]
    pub(crate) const fn charges_saved_cards(self) -> bool {
        match self {
            Self::Sandbox => true,
            Self::Cash => false,
        }
    }
}

/// What a connector needs to act for a merchant, decrypted for one call.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The gateway's base address, without a trailing slash; `None` for the gateway's usual one.
    pub endpoint: Option<alloc::string::String>,
    /// The key that authenticates the merchant at the gateway.
    pub api_key: alloc::string::String,
}

impl core::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Credentials")
            .field("endpoint", &self.endpoint)
            .field("api_key", &format_args!("[redacted; {} bytes]", self.api_key.len()))
            .finish()
    }
}
