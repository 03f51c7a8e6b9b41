//! What a payer agrees to before a card is charged again or saved: who, how much, how often, until when, and how to
//! stop.
//!
//! Decision: the form carries the version and a hash of what was shown. A payer who pressed the button over another
//! text, because the merchant changed the terms meanwhile, reads the new one first. A form without it, such as one of
//! a client that is not the page, pays without evidence. Where saving is a tick of the payer, only a form with the tick
//! agrees to something.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use checkout_scan::text::hex_of;
use sha2::{Digest, Sha256};

use super::{brand_of, clean};
use crate::payment::principal::choice;
use crate::payment::routing::offered;
use crate::settings::MerchantSettings;
use crate::settings::brand::Support;
use crate::strings::consent::{ConsentWords, VERSION};
use crate::strings::sentence::{Piece, pieces};
use crate::strings::{Strings, day};
use crate::transaction::Transaction;
use crate::transaction::agreement::Agreement;
use crate::value::money::Money;
use crate::words::Language;
use crate::words::payment_type::PaymentType;

/// The hexadecimal digits of the hash that the form carries.
const MARK_DIGITS: usize = 32;

/// What is shown above the button.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentText {
    /// The heading; a tick has none.
    pub title: Option<&'static str>,
    /// The sentences.
    pub lines: Vec<ConsentLine>,
}

/// A sentence with its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentLine {
    /// The sentence, with places.
    pub sentence: &'static str,
    values: Vec<(&'static str, String)>,
}

impl ConsentLine {
    /// The value of a place.
    #[must_use]
    pub fn value(&self, name: &str) -> &str {
        let found = self.values.iter().find(|(known, _)| *known == name);
        found.map_or("", |(_, value)| value)
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for piece in pieces(self.sentence) {
            text.push_str(match piece {
                Piece::Words(words) => words,
                Piece::Place(name) => self.value(name),
            });
        }
        text
    }
}

/// What the text depends on.
pub(in crate::checkout) struct Agreed<'a> {
    pub(in crate::checkout) payment_type: PaymentType,
    /// Without fees.
    pub(in crate::checkout) amount: Money,
    /// Whether the payer chooses it.
    pub(in crate::checkout) is_chosen: bool,
    pub(in crate::checkout) agreement: Option<&'a Agreement>,
    /// Whether a method of the transaction has a fee.
    pub(in crate::checkout) has_fee: bool,
    /// Whether the payer may have the card saved.
    pub(in crate::checkout) can_save_card: bool,
    pub(in crate::checkout) merchant: &'a str,
    pub(in crate::checkout) support: &'a Support,
}

impl ConsentText {
    /// What the payer of a transaction agrees to; `None` if the card is neither charged again
    /// nor can be saved.
    #[must_use]
    pub fn of(transaction: &Transaction, settings: &MerchantSettings, language: Language) -> Option<Self> {
        let agreed = Agreed {
            payment_type: transaction.details.payment_type,
            amount: transaction.amount,
            agreement: transaction.details.agreement.as_deref(),
            has_fee: offered(transaction, settings).any(|(_, quote)| !quote.fee.is_zero()),
            can_save_card: offered(transaction, settings)
                .any(|(profile, _)| profile.can_save_card(transaction)),
            merchant: &clean(settings.name.text(language)),
            support: &brand_of(transaction, settings).support,
            is_chosen: choice(transaction).is_some(),
        };
        Self::new(&agreed, language)
    }

    pub(in crate::checkout) fn new(agreed: &Agreed<'_>, language: Language) -> Option<Self> {
        let words = ConsentWords::of(language);
        let named = |sentence| line(sentence, [("merchant", agreed.merchant.to_string())]);
        let (title, who) = match agreed.payment_type {
            PaymentType::OneOff => {
                let text = Self { title: None, lines: Vec::from([named(words.tick)]) };
                return agreed.can_save_card.then_some(text);
            }
            PaymentType::AutoDebit => (words.title, words.who),
            PaymentType::SaveCard => (words.save_title, words.save_who),
        };
        let mut lines = Vec::from([named(who)]);
        if let Some(agreement) = agreed.agreement {
            lines.push(terms(agreement, agreed, Strings::of(language)));
            if agreed.has_fee {
                lines.push(line(words.fee, []));
            }
            lines.push(named(words.frequency(agreement.frequency.as_deref())));
            lines.extend(end(agreement, words, language));
        }
        let contacts = contacts(agreed.support);
        let mut stop = named(if contacts.is_empty() { words.stop } else { words.stop_at });
        stop.values.push(("contacts", contacts));
        lines.push(stop);
        Some(Self { title: Some(title), lines })
    }

    /// The text that is stored.
    #[must_use]
    pub fn text(&self) -> String {
        let lines = self.lines.iter().map(ConsentLine::text);
        let all: Vec<String> = self.title.map(ToString::to_string).into_iter().chain(lines).collect();
        all.join("\n")
    }

    /// What the form carries: the version and the hash of the text.
    #[must_use]
    pub fn mark(&self) -> String {
        let hash = hex_of(Sha256::digest(self.text()));
        format!("{VERSION}.{}", hash.get(..MARK_DIGITS).unwrap_or_default())
    }
}

fn line<const COUNT: usize>(sentence: &'static str, values: [(&'static str, String); COUNT]) -> ConsentLine {
    ConsentLine { sentence, values: Vec::from(values) }
}

/// How much each payment takes. Terms that say nothing of it permit any amount.
fn terms(agreement: &Agreement, agreed: &Agreed<'_>, strings: &'static Strings) -> ConsentLine {
    let amount = agreed.amount;
    let words = ConsentWords::of(strings.language);
    if agreement.amount_variability.as_deref() == Some("fixed") && !amount.is_zero() {
        let same = line(words.same, []);
        return if agreed.is_chosen { same } else { line(words.fixed, [("amount", strings.price(amount))]) };
    }
    let most = agreement.max_amount_per_cycle.as_deref();
    let most = most.and_then(|text| Money::parse(text, amount.currency()).ok());
    match most {
        Some(most) => line(words.up_to, [("most", strings.price(most))]),
        None => line(words.variable, []),
    }
}

/// The shortest pause, the last day and the number of payments.
fn end(agreement: &Agreement, words: &'static ConsentWords, language: Language) -> Vec<ConsentLine> {
    let interval =
        agreement.cycle_interval_days.map(|days| line(words.interval, [("days", days.to_string())]));
    let until =
        agreement.expiry_date.as_deref().map(|date| line(words.until, [("date", day(language, date))]));
    let cycles = agreement.total_cycles.map(|count| line(words.cycles, [("count", count.to_string())]));
    let no_end = (until.is_none() && cycles.is_none()).then(|| line(words.no_end, []));
    [interval, until, cycles, no_end].into_iter().flatten().collect()
}

/// The merchant's mailbox and numbers.
fn contacts(support: &Support) -> String {
    let mut all: Vec<String> = Vec::new();
    for contact in [&support.email, &support.phone, &support.whatsapp].into_iter().flatten() {
        let contact = clean(contact);
        if !all.contains(&contact) {
            all.push(contact);
        }
    }
    all.join(", ")
}
