//! What is known about something a person looks at: stored as codes with values, so that everyone reads it in their own language.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::value::json::write_texts;
use crate::value::money::Money;
use crate::value::time::Timestamp;
use crate::words::word_list;

word_list! {
    /// A fact, or the part of one that follows another. Its texts are in [`strings::facts`](crate::strings::facts).
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum FactCode {
        /// A text, as it is.
        Said = "said",
        /// The gateway answered about another reference than this.
        OtherReference = "other_reference",
        /// A total was asked for, and the gateway names another.
        OtherTotal = "other_total",
        /// The same of an operation, its amount and its currency.
        OtherAmount = "other_amount",
        /// The same as the gateway's list has it.
        OtherListedTotal = "other_listed_total",
        /// An operation and its amount: done after it had been refused.
        DoneLate = "done_late",
        /// An operation and its amount that the gateway took back, and what it says.
        OperationTakenBack = "operation_taken_back",
        /// The gateway took the money back, and what it says.
        MoneyTakenBack = "money_taken_back",
        /// The payer's bank disputes a payment, and waits for an answer.
        DisputeNeedsAnswer = "dispute_needs_answer",
        /// The dispute is looked at.
        DisputeUnderReview = "dispute_under_review",
        /// The merchant won it.
        DisputeWon = "dispute_won",
        /// The payer won it.
        DisputeLost = "dispute_lost",
        /// It is over without a decision.
        DisputeClosed = "dispute_closed",
        /// How much is disputed.
        DisputedAmount = "disputed_amount",
        /// Why, as the gateway's code.
        DisputeReason = "dispute_reason",
        /// Until when it is to be answered.
        AnswerUntil = "answer_until",
        /// The gateway never said what became of a payment.
        PaymentSilent = "payment_silent",
        /// The same of an operation.
        OperationSilent = "operation_silent",
        /// A card was confirmed, although money was asked for by then.
        OnlyCard = "only_card",
        /// What was paid, and what is asked for by then.
        OldPrice = "old_price",
        /// The state of the transaction.
        InState = "in_state",
        /// An operation and its reference, which gives money back.
        GivesBack = "gives_back",
        /// The gateway calls a payment declined that succeeded here.
        ListedDeclined = "listed_declined",
        /// The gateway calls it canceled.
        ListedCanceled = "listed_canceled",
        /// The gateway still waits for the payer.
        ListedOpen = "listed_open",
        /// The gateway does not know it.
        NotListed = "not_listed",
        /// What was captured at the gateway, and here.
        CapturedTotal = "captured_total",
        /// What was refunded at the gateway, and here.
        RefundedTotal = "refunded_total",
        /// What was voided at the gateway, and here.
        VoidedTotal = "voided_total",
        /// A charge of the gateway's list that nobody asked for: its total and reference.
        UnknownCharge = "unknown_charge",
        /// The same of one whose total the gateway does not name: its reference.
        UnknownChargeUnnamed = "unknown_charge_unnamed",
        /// A receiver that answered that it is gone.
        ReceiverGone = "receiver_gone",
        /// A receiver that failed for five days.
        ReceiverFailed = "receiver_failed",
        /// A kind of message and its id.
        Message = "message",
        /// A kind of message.
        MessageKind = "message_kind",
        /// It goes to the payer.
        ToPayer = "to_payer",
        /// It goes to an address.
        To = "to",
        /// It is about an order.
        AboutOrder = "about_order",
        /// It ended with a status.
        EndedWithStatus = "ended_with_status",
        /// It ended without an answer.
        EndedSilent = "ended_silent",
        /// It failed once.
        FailedOnce = "failed_once",
        /// It failed so many times.
        FailedTimes = "failed_times",
        /// Its last try was answered with a status.
        LastStatus = "last_status",
        /// Its last try had no answer.
        LastSilent = "last_silent",
        /// A gateway that failed so many times in a row.
        GatewayFailed = "gateway_failed",
        /// What was due and could not be handled.
        NotProcessed = "not_processed",
        /// What is stored is not what was asked for.
        NotIntact = "not_intact",
        /// Another attempt settles the payment.
        OtherAttempt = "other_attempt",
        /// What is left, and what was when it was asked for.
        LessLeft = "less_left",
        /// It was tried to the end.
        TriedToTheEnd = "tried_to_the_end",
        /// The gateway did not do it, and gave no reason.
        NotDone = "not_done",
        /// An operation that a state does not permit: the state, and the rejection in English.
        NotInState = "not_in_state",
        /// An amount that is not available: what is, and the rejection in English.
        NotAvailable = "not_available",
        /// Held money has to be captured before a moment.
        CaptureBefore = "capture_before",
    }
}

/// A fact with its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownFact {
    /// What it says.
    pub code: FactCode,
    /// The values in it.
    pub values: Vec<String>,
}

/// Facts that are read one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts(pub Vec<KnownFact>);

/// What is shown instead of a text of a gateway.
pub const HIDDEN: &str = "…";

/// The facts whose last value is what a gateway wrote.
pub const QUOTING: [FactCode; 4] = [
    FactCode::OperationTakenBack,
    FactCode::MoneyTakenBack,
    FactCode::UnknownCharge,
    FactCode::UnknownChargeUnnamed,
];

impl Facts {
    /// One fact without values.
    #[must_use]
    pub fn of(code: FactCode) -> Self {
        Self::default().and(code, &[])
    }

    /// These facts, and one more.
    #[must_use]
    pub fn and(mut self, code: FactCode, values: &[&str]) -> Self {
        self.0.push(KnownFact { code, values: values.iter().map(ToString::to_string).collect() });
        self
    }

    /// Whether nothing is known.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The moment before which held money has to be captured, if they say so.
    #[must_use]
    pub fn capture_before(&self) -> Option<Timestamp> {
        let named = self.0.iter().find(|fact| fact.code == FactCode::CaptureBefore);
        Timestamp::parse(named?.values.first()?)
    }

    /// The text that is stored: a list of lists, each a code with its values.
    #[must_use]
    pub fn stored(&self) -> String {
        let fact = |fact: &KnownFact| {
            let values = fact.values.iter().map(String::as_str);
            let written = core::iter::once(fact.code.as_str()).chain(values).collect::<Vec<&str>>();
            write_texts(written)
        };
        let facts: Vec<String> = self.0.iter().map(fact).collect();
        if facts.is_empty() { String::new() } else { alloc::format!("[{}]", facts.join(",")) }
    }

    /// Reads what is stored. A text that is no list of known facts is one that was stored as it is.
    #[must_use]
    pub fn read(stored: &str) -> Self {
        let fact = |mut parts: Vec<String>| {
            let code = FactCode::parse(parts.first()?)?;
            parts.remove(0);
            Some(KnownFact { code, values: parts })
        };
        let listed: Option<Vec<Vec<String>>> = serde_json::from_str(stored).ok();
        let facts = listed.and_then(|listed| listed.into_iter().map(fact).collect::<Option<_>>());
        facts.map_or_else(|| Self::from(stored), Self)
    }

    /// The facts for someone who may not see who payers are: without what gateways and others wrote.
    #[must_use]
    pub(crate) fn without_quotes(mut self) -> Self {
        self.0.retain(|fact| fact.code != FactCode::Said);
        for fact in &mut self.0 {
            if QUOTING.contains(&fact.code)
                && let Some(quoted) = fact.values.last_mut()
            {
                *quoted = HIDDEN.into();
            }
        }
        self
    }
}

/// A text that is what is known.
impl From<&str> for Facts {
    fn from(text: &str) -> Self {
        if text.is_empty() { Self::default() } else { Self::default().and(FactCode::Said, &[text]) }
    }
}

/// An amount as it is stored in a fact.
#[must_use]
pub(crate) fn priced(money: Money) -> String {
    alloc::format!("{money} {}", money.currency().code())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strings::facts::say;
    use crate::words::Language;

    #[test]
    fn facts_are_read_as_they_were_stored() {
        let facts = Facts::default()
            .and(FactCode::InState, &["paid"])
            .and(FactCode::GivesBack, &["refund", "\"7\"] \\"]);
        assert_eq!(facts.stored(), r#"[["in_state","paid"],["gives_back","refund","\"7\"] \\"]]"#);
        assert_eq!(Facts::read(&facts.stored()), facts);
        assert_eq!(Facts::read(""), Facts::default());
        assert_eq!(Facts::default().stored(), "");
    }

    #[test]
    fn a_sentence_of_an_earlier_version_is_read_as_it_is() {
        for text in ["asked for 1.000 KWD", "[]x", r#"[["unheard","a"]]"#, "[[]]", r#"["said"]"#, "[1]"] {
            assert_eq!(say(Language::Ar, &Facts::read(text)), text);
            assert_eq!(Facts::read(&Facts::from(text).stored()), Facts::from(text));
        }
    }

    #[test]
    fn what_others_wrote_is_hidden() {
        let facts = Facts::default()
            .and(FactCode::OperationTakenBack, &["refund", "1.000", "Noura"])
            .and(FactCode::Said, &["Noura"]);
        let shown = say(Language::En, &facts.without_quotes());
        assert_eq!(shown, "the gateway took back refund of 1.000 after it was done: …");
    }
}
