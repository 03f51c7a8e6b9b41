//! What is learned about an attempt, and on which occasion.

use alloc::string::String;

use crate::gateway::charge::Report;
use crate::gateway::dispute::Dispute;

/// What is learned about an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttemptResult {
    /// The gateway reports.
    Report(Report),
    /// A request was sent and no certain answer came.
    AnswerLost,
    /// The request certainly never reached the gateway, or the gateway refused to accept it; its words.
    NeverSent(Option<String>),
    /// The gateway took the money back after the success; its words.
    TakenBack(Option<String>),
    /// The payer's bank disputes the payment, and this is how the dispute is.
    Disputed(Dispute),
    /// The payer pays in another way, and nobody was given the gateway's page
    /// ([`was_never_shown`](crate::attempt::Attempt::was_never_shown)).
    GivenUp,
}

/// The occasion on which it is learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportOccasion {
    /// The gateway answered the request that opens the charge.
    Opening,
    /// The payer came back from the gateway's page.
    Return,
    /// The gateway reported by itself, or was asked in the background.
    Background,
    /// The gateway reported that something happened, and was asked what.
    Announced,
    /// The merchant asked: what is certain is recorded; what is not certain does not change when the next
    /// inquiry is planned.
    Inquiry,
    /// The time to pay is over, and the gateway was asked to withdraw what the payer has not completed.
    Ending,
    /// The transaction is being canceled, and the gateway was asked to withdraw what the payer has not
    /// completed: if it does, the transaction ends with the attempt.
    Canceling,
}
