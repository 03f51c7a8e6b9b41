//! A charge: its states, and what an opening, the payer, an inquiry or the time makes of it.

pub(crate) mod view;

use alloc::string::String;
use core::time::Duration;

use checkout_core::gateway::charge::ChargeOperation;
use checkout_core::value::money::Money;
use checkout_core::value::time::Timestamp;
use checkout_core::words::Language;

use crate::card::{Behaviour, TestCard};
use crate::wallet::Token;

/// How long the bank works on the card that answers late.
const LATE: Duration = Duration::from_secs(20);

/// The state of a charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChargeStatus {
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

impl ChargeStatus {
    const ALL: [Self; 6] =
        [Self::Open, Self::Challenged, Self::Processing, Self::Approved, Self::Declined, Self::Canceled];

    /// The word of records.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Challenged => "challenged",
            Self::Processing => "processing",
            Self::Approved => "approved",
            Self::Declined => "declined",
            Self::Canceled => "canceled",
        }
    }

    /// The status that a word of records names.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == word)
    }

    /// The word in the protocol, which has no word for the 3-D Secure step.
    #[must_use]
    pub const fn wire(self) -> &'static str {
        match self {
            Self::Open | Self::Challenged => "open",
            Self::Processing | Self::Approved | Self::Declined | Self::Canceled => self.as_str(),
        }
    }

    /// Whether its page still waits for the payer.
    #[must_use]
    pub const fn waits_for_payer(self) -> bool {
        match self {
            Self::Open | Self::Challenged => true,
            Self::Processing | Self::Approved | Self::Declined | Self::Canceled => false,
        }
    }

    /// Whether nothing more happens to it.
    const fn is_final(self) -> bool {
        match self {
            Self::Approved | Self::Declined | Self::Canceled => true,
            Self::Open | Self::Challenged | Self::Processing => false,
        }
    }
}

/// A charge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Charge {
    /// Its id, which is also the secret of its page's address.
    pub id: String,
    /// Whose it is: the key under which its callbacks are signed.
    pub account: String,
    /// What was asked for.
    pub terms: ChargeTerms,
    /// Its state.
    pub status: ChargeStatus,
    /// The card with which it is paid, if it is known by now.
    pub card: Option<&'static TestCard>,
    /// How many inquiries are left without an answer.
    pub silent_inquiries: u8,
    /// How many inquiries are then answered with an error.
    pub failing_inquiries: u8,
    /// When it is approved, if it is processed.
    pub due_at: Option<Timestamp>,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// When it was approved, declined or canceled.
    pub ended_at: Option<Timestamp>,
}

/// What was asked for when a charge was opened. The same reference with other terms is another charge, and
/// refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChargeTerms {
    /// The merchant's reference: one charge each.
    pub reference: String,
    /// What the payer is to pay.
    pub amount: Money,
    /// Take it, only hold it, or only confirm the card.
    pub operation: ChargeOperation,
    /// Whether the card is to be saved.
    pub saves_card: bool,
    /// The language of the page.
    pub language: Language,
    /// The merchant's name, as the payer reads it.
    pub merchant: String,
    /// Where the payer goes when the charge has ended.
    pub return_url: String,
    /// Where the bank sends its callback.
    pub callback_url: String,
}

/// A request to open a charge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// What is asked for.
    pub terms: ChargeTerms,
    /// How it is to be paid.
    pub means: Means,
}

/// How a charge is to be paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Means {
    /// On the page of the bank.
    Page,
    /// At once, by the token of a wallet.
    Wallet(Token),
    /// At once, by a card that the bank has saved.
    SavedCard {
        /// Which one.
        card: &'static TestCard,
        /// Whether the payer asked for it, who can then be asked for 3-D Secure.
        is_payer_present: bool,
    },
}

/// What a payer does on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PayerAction {
    /// Pays with a card.
    Pay(&'static TestCard),
    /// Passes the 3-D Secure step.
    Confirm,
    /// Fails the 3-D Secure step.
    Fail,
    /// Gives up.
    Cancel,
}

/// A charge after something was done to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The charge as it is now.
    pub charge: Charge,
    /// How often the bank reports it by a callback at once.
    pub callbacks: usize,
}

/// How the bank treats an inquiry about a charge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Inquiry {
    /// It answers, and nothing changes.
    Answered,
    /// It gives no answer; the charge after that.
    Silent(Charge),
    /// It answers with an error; the charge after that.
    Failing(Charge),
}

/// How paying changes a charge.
#[derive(Debug, Clone, Copy)]
struct Payment {
    status: ChargeStatus,
    card: Option<&'static TestCard>,
    callbacks: usize,
    silent_inquiries: u8,
    failing_inquiries: u8,
    due_in: Option<Duration>,
}

impl Payment {
    const fn ending(status: ChargeStatus, card: Option<&'static TestCard>) -> Self {
        Self { status, card, callbacks: 1, silent_inquiries: 0, failing_inquiries: 0, due_in: None }
    }

    fn by_card(card: &'static TestCard) -> Self {
        let approved = Self::ending(ChargeStatus::Approved, Some(card));
        match card.behaviour {
            Behaviour::Approve | Behaviour::DeclineDebits | Behaviour::WrongAmount => approved,
            Behaviour::Decline => Self { status: ChargeStatus::Declined, ..approved },
            Behaviour::ThreeDSecure => Self { status: ChargeStatus::Challenged, callbacks: 0, ..approved },
            Behaviour::TimeoutAfterCharging => Self { callbacks: 0, silent_inquiries: 2, ..approved },
            Behaviour::LateCallback => {
                Self { status: ChargeStatus::Processing, callbacks: 0, due_in: Some(LATE), ..approved }
            }
            Behaviour::DuplicateCallback => Self { callbacks: 2, ..approved },
            Behaviour::ServerError => Self { callbacks: 0, failing_inquiries: 1, ..approved },
        }
    }

    /// How a new charge is paid; `None` if its page waits for a card.
    fn at_opening(means: Means) -> Option<Self> {
        match means {
            Means::Page => None,
            Means::Wallet(Token::Card(card)) => Some(Self::by_card(card)),
            Means::Wallet(Token::Altered) => Some(Self::ending(ChargeStatus::Declined, None)),
            Means::SavedCard { card, is_payer_present } => {
                let by_merchant = Some(card.behaviour).filter(|_| !is_payer_present);
                Some(match by_merchant {
                    Some(Behaviour::ThreeDSecure) => Self::ending(ChargeStatus::Approved, Some(card)),
                    Some(Behaviour::DeclineDebits) => Self::ending(ChargeStatus::Declined, Some(card)),
                    Some(
                        Behaviour::Approve
                        | Behaviour::Decline
                        | Behaviour::TimeoutAfterCharging
                        | Behaviour::LateCallback
                        | Behaviour::DuplicateCallback
                        | Behaviour::WrongAmount
                        | Behaviour::ServerError,
                    )
                    | None => Self::by_card(card),
                })
            }
        }
    }

    /// What an action of the payer does to a charge; `None` if its page does not offer it any more.
    fn on_page(charge: &Charge, action: PayerAction) -> Option<Self> {
        let ending = |status| Some(Self::ending(status, charge.card));
        match charge.status {
            ChargeStatus::Open => match action {
                PayerAction::Pay(card) => Some(Self::by_card(card)),
                PayerAction::Cancel => ending(ChargeStatus::Canceled),
                PayerAction::Confirm | PayerAction::Fail => None,
            },
            ChargeStatus::Challenged => match action {
                PayerAction::Confirm => ending(ChargeStatus::Approved),
                PayerAction::Fail => ending(ChargeStatus::Declined),
                PayerAction::Cancel => ending(ChargeStatus::Canceled),
                PayerAction::Pay(_) => None,
            },
            ChargeStatus::Processing
            | ChargeStatus::Approved
            | ChargeStatus::Declined
            | ChargeStatus::Canceled => None,
        }
    }

    fn applied_to(self, charge: &Charge, now: Timestamp) -> Changed {
        let charge = Charge {
            status: self.status,
            card: self.card,
            silent_inquiries: self.silent_inquiries,
            failing_inquiries: self.failing_inquiries,
            due_at: self.due_in.map(|wait| now.plus(wait)),
            ended_at: self.status.is_final().then_some(now),
            ..charge.clone()
        };
        Changed { charge, callbacks: self.callbacks }
    }
}

impl Charge {
    /// A new charge. One that needs no page is paid at once; the answer to its opening reports it, and no
    /// callback.
    pub(crate) fn open(id: String, account: &str, opening: &Opening, now: Timestamp) -> Self {
        let charge = Self {
            id,
            account: account.into(),
            terms: opening.terms.clone(),
            status: ChargeStatus::Open,
            card: None,
            silent_inquiries: 0,
            failing_inquiries: 0,
            due_at: None,
            opened_at: now,
            ended_at: None,
        };
        match Payment::at_opening(opening.means) {
            Some(payment) => payment.applied_to(&charge, now).charge,
            None => charge,
        }
    }

    /// What an action of the payer makes of the charge; `None` if its page does not offer it any more.
    #[must_use]
    pub fn act(&self, action: PayerAction, now: Timestamp) -> Option<Changed> {
        Payment::on_page(self, action).map(|payment| payment.applied_to(self, now))
    }

    /// The charge without its payer, if it still waits for one.
    pub(crate) fn cancel(&self, now: Timestamp) -> Option<Self> {
        let is_open = self.status.waits_for_payer();
        is_open.then(|| Self { status: ChargeStatus::Canceled, ended_at: Some(now), ..self.clone() })
    }

    /// How the bank treats an inquiry.
    pub(crate) fn inquire(&self) -> Inquiry {
        if let Some(silent_inquiries) = self.silent_inquiries.checked_sub(1) {
            Inquiry::Silent(Self { silent_inquiries, ..self.clone() })
        } else if let Some(failing_inquiries) = self.failing_inquiries.checked_sub(1) {
            Inquiry::Failing(Self { failing_inquiries, ..self.clone() })
        } else {
            Inquiry::Answered
        }
    }

    /// The charge after the bank has decided what it was working on; `None` if nothing is due. The bank
    /// reports it by a callback.
    #[must_use]
    pub fn finish(&self, now: Timestamp) -> Option<Self> {
        let is_due =
            self.status == ChargeStatus::Processing && self.due_at.is_some_and(|due_at| due_at <= now);
        is_due.then(|| Self {
            status: ChargeStatus::Approved,
            due_at: None,
            ended_at: Some(now),
            ..self.clone()
        })
    }

    /// What was charged or would be; one minor unit less than asked with the card that charges a wrong
    /// amount.
    #[must_use]
    pub fn amount(&self) -> Money {
        let asked = self.terms.amount;
        let is_wrong = self.status == ChargeStatus::Approved
            && self.card.is_some_and(|card| card.behaviour == Behaviour::WrongAmount);
        // The smallest amount has nothing below it that could be charged.
        let by = if asked.minor() > 1 { asked.minor().checked_sub(1) } else { asked.minor().checked_add(1) };
        match by.and_then(|minor| Money::new(minor, asked.currency()).ok()) {
            Some(other) if is_wrong => other,
            Some(_) | None => asked,
        }
    }
}

#[cfg(test)]
mod tests;
