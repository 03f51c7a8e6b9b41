//! What gateways report by themselves: about one charge, at the address that they were given with it, or about all charges
//! of an account, at one address.

use alloc::string::String;
use alloc::vec::Vec;

use super::charge::Report;
use super::dispute::DisputeReport;
use super::operation::OperationReport;
use crate::card::BankToken;
use crate::value::id::ReferenceNumber;
use crate::value::time::Timestamp;

/// The most events that one callback reports.
pub const MAX_EVENTS: usize = 100;

/// Where and when a callback came in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallbackContext {
    /// When.
    pub now: Timestamp,
    /// The charge or operation whose address it is; `None` at the address of an account.
    pub subject: Option<ReferenceNumber>,
    /// Where the payer's browser goes on, if the address is that of a charge.
    pub return_url: Option<String>,
}

/// A callback that the gateway certainly sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Callback {
    /// What it says; empty for what concerns no payment.
    pub events: Vec<GatewayEvent>,
    /// What the gateway wants to be answered once everything is stored.
    pub answer: Acknowledgement,
}

/// One thing that a gateway says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GatewayEvent {
    /// How a charge is.
    Charge(Report),
    /// How an operation is.
    Operation(OperationReport),
    /// How a capture is: an operation, or the collection of a charge that the gateway captures by itself, which the report then
    /// names.
    Capture(OperationReport),
    /// It saved the card of a charge.
    Saved(SavedReport),
    /// The payment with this id of the gateway is disputed, or its dispute went on, and only asking says how it is.
    Disputed(String),
    /// How the dispute about a charge is, from a gateway that cannot be asked.
    Dispute(DisputeReport),
    /// Something happened to the charge or the operation with this reference of ours, and only asking says what.
    Ask(String),
}

/// A card that a gateway saved, reported apart from its charge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedReport {
    /// The gateway's id of the charge with which it was saved.
    pub charge_id: String,
    /// The merchant's id of the payer.
    pub customer_id: String,
    /// The gateway's own token of the card.
    pub token: BankToken,
}

/// What a gateway wants to be answered, with status 200 unless it says otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Acknowledgement {
    /// A JSON text.
    Json(&'static str),
    /// A plain text.
    Text(String),
    /// A browser sent it, which goes on to this address.
    Redirect(String),
}

/// What a line begins with that says where the payer's browser goes on.
pub(crate) const ONWARD: &str = "REDIRECT=";

impl Acknowledgement {
    /// The address to which a browser goes on that gets the text instead of the gateway's server.
    #[must_use]
    pub fn onward(&self) -> Option<&str> {
        match self {
            Self::Text(text) => text.strip_prefix(ONWARD),
            Self::Json(_) | Self::Redirect(_) => None,
        }
    }

    /// Whether a browser that gets it goes on; what else a gateway is answered is no page.
    #[must_use]
    pub fn leads_on(&self) -> bool {
        matches!(self, Self::Redirect(_))
    }
}
