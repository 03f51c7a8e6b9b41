//! Disputes: the payer's bank wants a payment back. What a gateway says about one, whatever its own words for it are.

use alloc::string::{String, ToString};

use super::charge::PgParams;
use crate::record::facts::{FactCode, Facts, priced};
use crate::value::money::{Currency, Money};
use crate::value::time::Timestamp;
use crate::words::word_list;

word_list! {
    /// How a dispute is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum DisputeStatus {
        /// The merchant has to answer it.
        NeedsAnswer = "needs_answer",
        /// It was answered, or something else is awaited.
        UnderReview = "under_review",
        /// The merchant has the money.
        Won = "won",
        /// The payer has the money.
        Lost = "lost",
        /// It is over without a decision: it was taken back, or the money had been given back before.
        Closed = "closed",
    }
}

/// A dispute about a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dispute {
    /// The gateway's id of it.
    pub id: String,
    /// How it is.
    pub status: DisputeStatus,
    /// Why, as the gateway's code.
    pub reason: Option<String>,
    /// How much is disputed.
    pub amount: Option<Money>,
    /// Until when it has to be answered.
    pub answer_until: Option<Timestamp>,
    /// When the gateway said so by itself; `None` of what it answered, which is how the dispute is.
    pub said_at: Option<Timestamp>,
}

/// A dispute as a gateway reports it that cannot be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DisputeReport {
    /// Our reference of the payment.
    pub reference: String,
    /// How the dispute is, with when that was said.
    pub dispute: Dispute,
}

/// What a gateway answers about the disputes of a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Disputes {
    /// The one that matters most: which has to be answered, otherwise the newest.
    Of {
        /// Our reference of the payment.
        reference: String,
        /// The dispute.
        dispute: Dispute,
    },
    /// The payment was made elsewhere with the same account.
    OfOthers,
    /// The answer cannot be read, or has none yet.
    Unclear,
}

#[cfg(any(feature = "checkout_com", feature = "stripe", test))]
impl Disputes {
    /// Chooses among the disputes of a payment, the newest first.
    pub(crate) fn choose(reference: String, mut disputes: impl Iterator<Item = Dispute> + Clone) -> Self {
        let waits = disputes.clone().find(|dispute| dispute.status == DisputeStatus::NeedsAnswer);
        let chosen = waits.or_else(|| disputes.next());
        chosen.map_or(Self::Unclear, |dispute| Self::Of { reference, dispute })
    }
}

/// The most bytes of an id or a reason.
#[cfg(any(feature = "adyen", feature = "checkout_com", feature = "stripe", test))]
const MAX_CODE: usize = 64;

/// An id or a code of a gateway; `None` for any other text.
#[cfg(any(feature = "adyen", feature = "checkout_com", feature = "stripe", test))]
pub(crate) fn code(text: &str) -> Option<String> {
    let is_code = |byte: u8| byte.is_ascii_alphanumeric() || b"_-. ".contains(&byte);
    let is_fit = (1..=MAX_CODE).contains(&text.len()) && text.bytes().all(is_code);
    is_fit.then(|| text.to_string())
}

const ID: &str = "dispute_id";
const STATUS: &str = "dispute_status";
const REASON: &str = "dispute_reason";
const AMOUNT: &str = "dispute_amount";
const CURRENCY: &str = "dispute_currency";
const ANSWER_UNTIL: &str = "dispute_answer_until";
const SAID_AT: &str = "dispute_said_at";

impl DisputeStatus {
    /// How far a dispute is: of two reports from the same second the one that is further counts.
    const fn progress(self) -> u8 {
        match self {
            Self::NeedsAnswer => 0,
            Self::UnderReview => 1,
            Self::Closed => 2,
            Self::Won => 3,
            Self::Lost => 4,
        }
    }
}

impl Dispute {
    /// Whether it takes the place of what is known. What a gateway answered always does. Of what it said by itself the latest
    /// counts, in whatever order it comes in.
    pub(crate) fn follows(&self, known: &Self) -> bool {
        match (self.said_at, known.said_at) {
            (Some(at), Some(before)) => {
                let mine = (at.seconds(), self.status.progress(), &self.id);
                mine > (before.seconds(), known.status.progress(), &known.id)
            }
            (Some(_) | None, Some(_) | None) => self != known,
        }
    }

    /// Whether it says the same, at whatever time.
    pub(crate) fn repeats(&self, known: &Self) -> bool {
        Self { said_at: known.said_at, ..self.clone() } == *known
    }

    /// The dispute among the facts of a payment.
    #[must_use]
    pub fn of(params: &PgParams) -> Option<Self> {
        let currency = params.get(CURRENCY).and_then(|code| Currency::parse(code));
        Some(Self {
            id: params.get(ID)?.clone(),
            status: DisputeStatus::parse(params.get(STATUS)?)?,
            reason: params.get(REASON).cloned(),
            amount: params.get(AMOUNT).zip(currency).and_then(|(amount, of)| Money::parse(amount, of).ok()),
            answer_until: params.get(ANSWER_UNTIL).and_then(|text| Timestamp::parse(text)),
            said_at: params.get(SAID_AT).and_then(|text| Timestamp::parse(text)),
        })
    }

    /// The facts of a payment with this dispute in the place of any other.
    pub(crate) fn stored_in(&self, mut params: PgParams) -> PgParams {
        let amount = self.amount.map(|amount| (amount.text(), amount.currency().code().to_string()));
        let (amount, currency) = amount.unzip();
        for (name, value) in [
            (ID, Some(self.id.clone())),
            (STATUS, Some(self.status.as_str().to_string())),
            (REASON, self.reason.clone()),
            (AMOUNT, amount),
            (CURRENCY, currency),
            (ANSWER_UNTIL, self.answer_until.map(Timestamp::text)),
            (SAID_AT, self.said_at.map(Timestamp::text)),
        ] {
            params.remove(name);
            params.extend(value.map(|value| (name.to_string(), value)));
        }
        params
    }

    /// What a person reads about it.
    #[must_use]
    pub fn facts(&self) -> Facts {
        let status = match self.status {
            DisputeStatus::NeedsAnswer => FactCode::DisputeNeedsAnswer,
            DisputeStatus::UnderReview => FactCode::DisputeUnderReview,
            DisputeStatus::Won => FactCode::DisputeWon,
            DisputeStatus::Lost => FactCode::DisputeLost,
            DisputeStatus::Closed => FactCode::DisputeClosed,
        };
        let mut facts = Facts::of(status);
        if let Some(amount) = self.amount {
            facts = facts.and(FactCode::DisputedAmount, &[&priced(amount)]);
        }
        if let Some(reason) = &self.reason {
            facts = facts.and(FactCode::DisputeReason, &[reason]);
        }
        match self.answer_until.filter(|_| self.status == DisputeStatus::NeedsAnswer) {
            Some(until) => facts.and(FactCode::AnswerUntil, &[&until.text()]),
            None => facts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strings::facts::say;
    use crate::words::Language;

    fn dispute(id: &str, status: DisputeStatus) -> Dispute {
        Dispute {
            id: id.into(),
            status,
            reason: Some("fraudulent 10.4".into()),
            amount: Money::parse("10.250", Currency::parse("KWD").unwrap()).ok(),
            answer_until: Timestamp::parse("2026-12-05T18:00:00Z"),
            said_at: None,
        }
    }

    /// What a gateway said by itself in that second of a day.
    fn said(id: &str, status: DisputeStatus, second: u8) -> Dispute {
        let at = alloc::format!("2026-11-28T10:00:{second:02}Z");
        Dispute { said_at: Timestamp::parse(&at), ..dispute(id, status) }
    }

    #[test]
    fn what_was_said_last_counts_whatever_the_order() {
        let first = said("dsp_1", DisputeStatus::NeedsAnswer, 1);
        let second = said("dsp_1", DisputeStatus::UnderReview, 2);
        let same_second = said("dsp_1", DisputeStatus::Won, 2);
        let other = said("dsp_2", DisputeStatus::NeedsAnswer, 3);
        let reports = [&first, &second, &same_second, &other];
        for (place, report) in reports.iter().enumerate() {
            for (other_place, known) in reports.iter().enumerate() {
                assert_eq!(report.follows(known), place > other_place, "{report:?} after {known:?}");
            }
        }
        let answered = dispute("dsp_1", DisputeStatus::Won);
        assert!(answered.follows(&other) && other.follows(&answered) && !answered.follows(&answered));
        let later = said("dsp_1", DisputeStatus::NeedsAnswer, 9);
        assert!(later.follows(&first) && later.repeats(&first) && !second.repeats(&first));
        // What is stored has whole seconds.
        let exact = Dispute { said_at: Timestamp::parse("2026-11-28T10:00:01.250Z"), ..first.clone() };
        let stored = Dispute::of(&exact.stored_in(PgParams::default())).unwrap();
        assert!(!exact.follows(&stored));
    }

    #[test]
    fn a_dispute_is_read_as_it_was_stored_and_leaves_the_other_facts() {
        let known = PgParams::from([("payment_id".into(), "pay_1".into())]);
        assert_eq!(Dispute::of(&known), None);
        for status in DisputeStatus::ALL {
            let full = dispute("dsp_1", status);
            let bare = Dispute { reason: None, amount: None, answer_until: None, ..full.clone() };
            let with_full = full.stored_in(known.clone());
            assert_eq!(Dispute::of(&with_full), Some(full));
            let with_bare = bare.stored_in(with_full);
            assert_eq!((Dispute::of(&with_bare), with_bare.len()), (Some(bare), 3));
        }
    }

    #[test]
    fn the_one_that_waits_is_chosen_before_the_newest() {
        let chosen = |disputes: &[(&str, DisputeStatus)]| {
            let disputes = disputes.iter().map(|(id, status)| dispute(id, *status));
            match Disputes::choose("R".into(), disputes) {
                Disputes::Of { dispute, .. } => Some(dispute.id),
                Disputes::OfOthers | Disputes::Unclear => None,
            }
        };
        let (lost, waits) = (("dsp_2", DisputeStatus::Lost), ("dsp_1", DisputeStatus::NeedsAnswer));
        assert_eq!(chosen(&[lost, waits]).as_deref(), Some("dsp_1"));
        assert_eq!(chosen(&[lost, ("dsp_1", DisputeStatus::Won)]).as_deref(), Some("dsp_2"));
        assert_eq!(chosen(&[]), None);
    }

    #[test]
    fn a_person_reads_how_it_is_how_much_why_and_until_when() {
        let waits = dispute("dsp_1", DisputeStatus::NeedsAnswer);
        assert_eq!(
            say(Language::En, &waits.facts()),
            "the payer's bank disputes the payment, and the gateway waits for an answer: 10.250 KWD, \
             reason fraudulent 10.4, to be answered until 2026-12-05T18:00:00Z"
        );
        let lost = dispute("dsp_1", DisputeStatus::Lost);
        assert!(!say(Language::En, &lost.facts()).contains("until"));
        assert!(say(Language::Ar, &waits.facts()).contains("\u{2068}10.250 KWD\u{2069}"));
    }

    #[test]
    fn only_codes_are_stored() {
        for text in ["dsp_9rjdlsd4epepfjyyf9vl", "10.4", "credit_not_processed 13.6"] {
            assert_eq!(code(text).as_deref(), Some(text));
        }
        for text in ["", "<b>", "a\n", "\u{2068}", &"x".repeat(65)] {
            assert_eq!(code(text), None, "{text}");
        }
    }
}
