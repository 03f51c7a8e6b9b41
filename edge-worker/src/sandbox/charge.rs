//! A charge at the bank: its state, how a payer's choice changes it, and how the bank reports it.

use core::time::Duration;

use checkout_core::gateway::charge::ChargeOperation;
use checkout_core::gateway::sandbox::{SIGNATURE_HEADER, callback_signature};
use checkout_core::value::money::Money;
use checkout_core::value::time::Timestamp;
use checkout_core::words::Language;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::Callback;
use super::card::{Behaviour, HOLDER, TestCard};
use super::wallet::Token;

/// How long the bank works on the card that answers late.
const LATE: Duration = Duration::from_secs(20);

/// The state of a charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    /// Its page waits for a card.
    Open,
    /// Its page waits for the 3-D Secure step.
    Challenged,
    /// The payer is done, the bank is not.
    Processing,
    /// The money is taken or held, or the card confirmed.
    Approved,
    /// Nothing was taken.
    Declined,
    /// The payer or the merchant gave up.
    Canceled,
}

impl Status {
    const ALL: [Self; 6] =
        [Self::Open, Self::Challenged, Self::Processing, Self::Approved, Self::Declined, Self::Canceled];

    /// The word in the table.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Challenged => "challenged",
            Self::Processing => "processing",
            Self::Approved => "approved",
            Self::Declined => "declined",
            Self::Canceled => "canceled",
        }
    }

    /// The status that a word of the table names.
    pub(super) fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == word)
    }

    /// The word in the protocol, which has no word for the 3-D Secure step.
    const fn wire(self) -> &'static str {
        match self {
            Self::Open | Self::Challenged => "open",
            Self::Processing | Self::Approved | Self::Declined | Self::Canceled => self.as_str(),
        }
    }

    /// Whether its page still waits for the payer.
    pub(super) const fn waits_for_payer(self) -> bool {
        match self {
            Self::Open | Self::Challenged => true,
            Self::Processing | Self::Approved | Self::Declined | Self::Canceled => false,
        }
    }
}

/// A charge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Charge {
    /// Its id, which is also the secret of its page's address.
    pub(super) id: String,
    /// Whose it is: the key under which its callbacks are signed.
    pub(super) account: String,
    /// What was asked for.
    pub(super) terms: Terms,
    /// Its state.
    pub(super) status: Status,
    /// The card that was chosen.
    pub(super) card: Option<&'static TestCard>,
    /// When it was opened.
    pub(super) opened_at: Timestamp,
    /// When it was approved, declined or canceled.
    pub(super) ended_at: Option<Timestamp>,
}

/// What was asked for when a charge was opened. The same reference with other terms is another charge, and
/// refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Terms {
    /// The merchant's reference: one charge each.
    pub(super) reference: String,
    /// What the payer is to pay.
    pub(super) amount: Money,
    /// Take it, only hold it, or only confirm the card.
    pub(super) operation: ChargeOperation,
    /// Whether the card is to be saved.
    pub(super) keep_card: bool,
    /// The language of the page.
    pub(super) language: Language,
    /// The merchant's name, as the payer reads it.
    pub(super) merchant: String,
    /// Where the payer goes when the charge has ended.
    pub(super) return_url: String,
    /// Where the bank sends its callback.
    pub(super) callback_url: String,
}

/// What a payer does on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    /// Pays with a card.
    Pay(&'static TestCard),
    /// Passes the 3-D Secure step.
    Confirm,
    /// Fails the 3-D Secure step.
    Fail,
    /// Gives up.
    Cancel,
}

/// How a command changes a charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    /// Its state after that.
    pub(super) status: Status,
    /// The card, if it is known by now.
    pub(super) card: Option<&'static TestCard>,
    /// How many callbacks are sent at once.
    pub(super) callbacks: usize,
    /// How many inquiries are left without an answer.
    pub(super) silent_inquiries: u8,
    /// How many inquiries are then answered with an error.
    pub(super) failing_inquiries: u8,
    /// After how long it is approved, if it is processed.
    pub(super) due_in: Option<Duration>,
}

impl Step {
    const fn to(status: Status, card: Option<&'static TestCard>) -> Self {
        Self { status, card, callbacks: 1, silent_inquiries: 0, failing_inquiries: 0, due_in: None }
    }
}

/// How `command` changes a charge; `None` if its page does not offer it any more.
pub(super) fn step(charge: &Charge, command: Command) -> Option<Step> {
    match charge.status {
        Status::Open => match command {
            Command::Pay(card) => Some(pay(card)),
            Command::Cancel => Some(Step::to(Status::Canceled, None)),
            Command::Confirm | Command::Fail => None,
        },
        Status::Challenged => match command {
            Command::Confirm => Some(Step::to(Status::Approved, charge.card)),
            Command::Fail => Some(Step::to(Status::Declined, charge.card)),
            Command::Cancel => Some(Step::to(Status::Canceled, charge.card)),
            Command::Pay(_) => None,
        },
        Status::Processing | Status::Approved | Status::Declined | Status::Canceled => None,
    }
}

/// How charging a saved card changes a new charge. The merchant's charges ask for no 3-D Secure step.
pub(super) fn pay_saved(card: &'static TestCard, is_payer_there: bool) -> Step {
    match card.behaviour {
        Behaviour::ThreeDSecure if !is_payer_there => Step::to(Status::Approved, Some(card)),
        Behaviour::Approve
        | Behaviour::Decline
        | Behaviour::ThreeDSecure
        | Behaviour::TimeoutAfterCharging
        | Behaviour::LateCallback
        | Behaviour::DuplicateCallback
        | Behaviour::WrongAmount
        | Behaviour::ServerError => pay(card),
    }
}

fn pay(card: &'static TestCard) -> Step {
    let approved = Step::to(Status::Approved, Some(card));
    match card.behaviour {
        Behaviour::Approve | Behaviour::WrongAmount => approved,
        Behaviour::Decline => Step { status: Status::Declined, ..approved },
        Behaviour::ThreeDSecure => Step { status: Status::Challenged, callbacks: 0, ..approved },
        Behaviour::TimeoutAfterCharging => Step { callbacks: 0, silent_inquiries: 2, ..approved },
        Behaviour::LateCallback => {
            Step { status: Status::Processing, callbacks: 0, due_in: Some(LATE), ..approved }
        }
        Behaviour::DuplicateCallback => Step { callbacks: 2, ..approved },
        Behaviour::ServerError => Step { callbacks: 0, failing_inquiries: 1, ..approved },
    }
}

/// How a wallet's token changes a new charge.
pub(super) fn pay_by_wallet(token: Token) -> Step {
    match token {
        Token::Card(card) => pay(card),
        Token::Altered => Step::to(Status::Declined, None),
    }
}

/// A charge as the protocol shows it.
#[derive(Serialize)]
struct ChargeView<'a> {
    id: &'a str,
    reference: &'a str,
    status: &'static str,
    amount: String,
    currency: &'static str,
    operation: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    page_url: Option<String>,
    message: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    auth_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rrn: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transaction_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    post_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    card: Option<CardView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    captured: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refunded: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    voided: Option<String>,
}

#[derive(Serialize)]
struct CardView {
    brand: &'static str,
    number: &'static str,
    expiry_month: String,
    expiry_year: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
    holder: &'static str,
}

impl Charge {
    /// The path of its payment page.
    pub(super) fn page_path(&self) -> String {
        format!("/sandbox/bank/pay/{}/", self.id)
    }

    /// What was charged or would be; one minor unit less than asked with the card that charges a wrong
    /// amount.
    fn charged(&self) -> Money {
        let asked = self.terms.amount;
        let is_wrong = self.status == Status::Approved
            && self.card.is_some_and(|card| card.behaviour == Behaviour::WrongAmount);
        // The smallest amount has nothing below it that could be charged.
        let by = if asked.minor() > 1 { asked.minor().checked_sub(1) } else { asked.minor().checked_add(1) };
        match by.and_then(|minor| Money::new(minor, asked.currency()).ok()) {
            Some(other) if is_wrong => other,
            Some(_) | None => asked,
        }
    }

    /// The message about its state.
    fn message(&self) -> &'static str {
        match self.status {
            Status::Open => "waiting for the payer",
            Status::Challenged => "waiting for 3-D Secure",
            Status::Processing => "the bank is working on it",
            Status::Approved => "approved",
            Status::Declined if self.card.is_some_and(|card| card.behaviour == Behaviour::ThreeDSecure) => {
                "3-D Secure failed"
            }
            Status::Declined if self.card.is_none() => "wallet token altered",
            Status::Declined => "insufficient funds",
            Status::Canceled => "canceled",
        }
    }

    /// The charge as JSON.
    pub(super) fn to_json(&self, public_url: &str) -> Vec<u8> {
        self.json_with(public_url, None)
    }

    /// The charge as the list shows it, with what was captured, refunded and voided of it.
    pub(super) fn listed_json(&self, public_url: &str, sums: [Money; 3]) -> Vec<u8> {
        self.json_with(public_url, Some(sums.map(|sum| sum.to_string())))
    }

    fn json_with(&self, public_url: &str, sums: Option<[String; 3]>) -> Vec<u8> {
        let [captured, refunded, voided] = sums.map_or([None, None, None], |sums| sums.map(Some));
        let charged = self.charged();
        let is_approved = self.status == Status::Approved;
        let view = ChargeView {
            id: &self.id,
            reference: &self.terms.reference,
            status: self.status.wire(),
            amount: charged.to_string(),
            currency: charged.currency().code(),
            operation: self.terms.operation.as_str(),
            page_url: self.status.waits_for_payer().then(|| format!("{public_url}{}", self.page_path())),
            message: self.message(),
            auth_code: is_approved.then(|| digits("auth_code", &self.id, 6)),
            rrn: is_approved.then(|| digits("rrn", &self.id, 12)),
            transaction_id: is_approved.then(|| format!("tr_{}", digits("transaction_id", &self.id, 16))),
            post_date: self
                .ended_at
                .filter(|_| is_approved)
                .map(|at| at.to_string().chars().take(10).collect()),
            card: self.card.map(|card| {
                let [expiry_month, expiry_year] = card.good.expiry(self.ended_at.unwrap_or(self.opened_at));
                CardView {
                    brand: card.brand,
                    number: card.number,
                    expiry_month,
                    expiry_year,
                    token: (is_approved && self.terms.keep_card).then(|| card.token(&self.account)),
                    holder: HOLDER,
                }
            }),
            captured,
            refunded,
            voided,
        };
        // Texts always serialise.
        serde_json::to_vec(&view).unwrap_or_default()
    }

    /// The signed callback of the bank.
    pub(super) fn callback(&self, public_url: &str) -> Callback {
        let body = self.to_json(public_url);
        let signature = callback_signature(&self.account, &body);
        Callback {
            url: self.terms.callback_url.clone(),
            headers: vec![("content-type", "application/json".into()), (SIGNATURE_HEADER, signature)],
            body,
        }
    }
}

/// Decimal digits that belong to an id for `purpose`, the same in every report.
pub(super) fn digits(purpose: &str, id: &str, count: usize) -> String {
    let digest = Sha256::new().chain_update(purpose).chain_update(id).finalize();
    digest.iter().take(count).map(|byte| char::from(b'0'.saturating_add(byte.wrapping_rem(10)))).collect()
}

#[cfg(test)]
mod tests;
