//! Simulated gateways, one per protocol, written from the gateways' public documents and not from our connectors. Each
//! takes requests as bytes, refuses those that its documents do not permit, and has one [`Ledger`] of what was really
//! charged, captured and given back.

pub mod adyen;
pub mod checkout_com;
pub mod forms;
pub mod knet;
pub mod ledger;
pub mod message;
pub mod mpgs;
pub mod stripe;
pub mod tabby;
pub mod tamara;
pub mod tap;

use std::fmt;

use checkout_core::gateway::exchange::{Incoming, Outgoing, Returned};
use checkout_core::value::time::Timestamp;
use checkout_core::words::ChildOperation;
use sandbox_bank::charge::ChargeStatus;
use serde_json::Value;

use ledger::{Charge, Ledger, Move};

/// A simulated gateway with one account.
pub trait Gateway: fmt::Debug {
    /// The address at which it is.
    fn origin(&self) -> &str;

    /// What was really charged, captured and given back.
    fn ledger(&self) -> &Ledger;

    /// The members of a settings document that connect a merchant with it; those that are `null` must be absent.
    fn settings(&self) -> Value;

    /// Carries out a request.
    fn answer(&self, request: &Outgoing) -> Incoming;

    /// Whether a request opens a charge.
    fn is_opening(&self, request: &Outgoing) -> bool;

    /// Whether a request asks for a capture, a refund or a void.
    fn is_operation(&self, request: &Outgoing) -> bool;

    /// The answer to a request that is refused although nothing is wrong with it: the account is closed.
    fn refusal(&self) -> Incoming;

    /// The answer to an operation that the issuer refuses.
    fn issuer_refusal(&self) -> Incoming {
        self.refusal()
    }

    /// The payer's browser comes to a page of the gateway; the reference of its charge.
    fn open_page(&self, url: &str) -> Option<String>;

    /// The payer tries to end the charge of a page in this way, with this amount; `None` for the amount that was
    /// asked for. `Processing` for a try on which the bank decides later.
    fn pay(&self, reference: &str, end: ChargeStatus, taken: Option<i64>);

    /// The page of a charge closes by itself.
    fn close(&self, reference: &str) {
        let _ = self.ledger().end(reference, ChargeStatus::Canceled, None);
    }

    /// The payer leaves the page by its way back; what the browser brings.
    fn leave(&self, _reference: &str) -> Returned {
        Returned::default()
    }

    /// Whether another charge of the same payment may be opened while the payer can pay this one.
    fn exclusive(&self) -> Exclusive;

    /// Whether a request for an operation of this kind names it, so that it differs from every other one.
    fn names(&self, _kind: ChildOperation) -> bool {
        true
    }

    /// The time in which something that is held can be captured is over.
    fn lapse(&self, _reference: &str) {}

    /// Whether it knows nothing of a charge that nobody has paid, although its page is open.
    fn knows_only_paid(&self) -> bool {
        false
    }

    /// Whether the outcome of a charge can be asked for at any time.
    fn can_be_asked(&self, _is_page: bool) -> bool {
        true
    }

    /// Whether it may take another amount than it was asked for.
    fn misstates(&self, _charge: &Charge) -> bool {
        true
    }

    /// Whether the bank may decide on a charge of a page after the payer is done.
    fn ponders(&self, _charge: &Charge) -> bool {
        true
    }

    /// Whether a payment under an agreement names it.
    fn names_agreements(&self) -> bool {
        false
    }

    /// Whether its notices are repeated until they are acknowledged.
    fn insists(&self) -> bool {
        false
    }

    /// Whether its notices go to one address for the account; otherwise each charge has its own.
    fn has_account_address(&self) -> bool {
        true
    }

    /// The body of its notice about a charge as it is now; `None` if it sends none.
    fn notice(&self, charge: &Charge) -> Option<Notice>;

    /// The body of its notice about an operation as it is now; `None` if it sends none.
    fn operation_notice(&self, operation: &Move) -> Option<Notice>;

    /// A notice as it is sent at this moment.
    fn seal(&self, body: &[u8], now: Timestamp) -> Incoming;

    /// A notice as someone sends it who does not know the secrets.
    fn forge(&self, body: &[u8], now: Timestamp) -> Incoming;
}

/// Whether another charge of the same payment may be opened while the payer can pay one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exclusive {
    /// Never: the gateway is asked to withdraw the first one, and says whether it did.
    Always,
    /// Never, once the payer was shown its page: what nobody was shown cannot be paid.
    OnceShown,
    /// At any time: a page cannot be closed, and the gateway does not know whether it is open.
    Never,
}

/// What a gateway sends by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// The bytes.
    pub body: Vec<u8>,
    /// Whether it contains the outcome; otherwise it is a reason to ask.
    pub is_outcome: bool,
}

/// A number that a reference always has: it decides how a charge ends that needs no page.
#[must_use]
pub fn number(reference: &str) -> u32 {
    reference.bytes().map(u32::from).sum()
}
