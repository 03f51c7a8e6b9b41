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

use sha2::{Digest, Sha256};

use super::PageMethod;
use super::scene::{brand_of, clean};
use crate::gateway::profile::Profile;
use crate::gateway::terms::Terms;
use crate::payment::routing::accepting;
use crate::settings::MerchantSettings;
use crate::settings::brand::Support;
use crate::strings::consent::{ConsentWords, VERSION};
use crate::strings::sentence::{Piece, pieces};
use crate::strings::{Strings, day, rate};
use crate::transaction::Transaction;
use crate::transaction::agreement::Agreement;
use crate::value::money::Money;
use crate::words::Language;
use crate::words::agreement::Variability;
use crate::words::payment_type::PaymentType;

/// The hexadecimal digits of the hash that the form carries.
const MARK_DIGITS: usize = 32;

/// The places of amounts.
const AMOUNTS: &[&str] = &["amount", "total", "fee"];

/// What is shown above the button.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentText {
    /// The heading; a tick has none.
    pub title: Option<&'static str>,
    /// The sentences.
    pub lines: Vec<ConsentLine>,
}

/// A sentence with its values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConsentLine {
    /// Its pieces in the order of reading.
    pub pieces: Vec<ConsentPiece>,
}

/// A piece of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConsentPiece {
    /// Words of the language.
    Words(&'static str),
    /// A value, which has its own text direction.
    Value(String),
    /// An amount, which is not broken over lines either.
    Amount(String),
}

impl ConsentLine {
    /// The line, followed by a sentence with the values of its places.
    fn with(mut self, sentence: &'static str, values: &[(&str, String)]) -> Self {
        for piece in pieces(sentence) {
            self.pieces.push(match piece {
                Piece::Words(words) => ConsentPiece::Words(words),
                Piece::Place(name) => {
                    let found = values.iter().find(|(known, _)| *known == name);
                    let value = found.map(|(_, value)| value.clone()).unwrap_or_default();
                    if AMOUNTS.contains(&name) {
                        ConsentPiece::Amount(value)
                    } else {
                        ConsentPiece::Value(value)
                    }
                }
            });
        }
        self
    }

    fn text(&self) -> String {
        let parts = self.pieces.iter().map(|piece| match piece {
            ConsentPiece::Words(words) => words,
            ConsentPiece::Value(value) | ConsentPiece::Amount(value) => value.as_str(),
        });
        parts.collect()
    }
}

/// How a method of the transaction charges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::checkout) struct Way {
    name: String,
    fee_label: String,
    terms: Terms,
}

impl Way {
    fn of_gateway(profile: &Profile, amount: Money, strings: &Strings) -> Option<Self> {
        let terms = profile.terms(amount.currency())?;
        let fee = profile.fee(terms.fixed.currency()).map(|fee| fee.description.text(strings.language));
        Some(Self {
            name: clean(profile.name.text(strings.language)),
            fee_label: clean(fee.unwrap_or(strings.label.fee)),
            terms,
        })
    }

    pub(in crate::checkout) fn of_method(method: &PageMethod, strings: &Strings) -> Self {
        Self {
            name: method.name.clone(),
            fee_label: method.fee_label.clone().unwrap_or_else(|| strings.label.fee.to_string()),
            terms: method.terms,
        }
    }
}

/// What the text depends on.
pub(in crate::checkout) struct ConsentBasis<'a> {
    pub(in crate::checkout) payment_type: PaymentType,
    /// Without fees.
    pub(in crate::checkout) amount: Money,
    pub(in crate::checkout) agreement: Option<&'a Agreement>,
    /// The methods of the transaction.
    pub(in crate::checkout) ways: Vec<Way>,
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
        let strings = Strings::of(language);
        let agreed = ConsentBasis {
            payment_type: transaction.details.payment_type,
            amount: transaction.amount,
            agreement: transaction.details.agreement.as_deref(),
            ways: accepting(transaction, settings)
                .filter_map(|(profile, _)| Way::of_gateway(profile, transaction.amount, strings))
                .collect(),
            can_save_card: accepting(transaction, settings)
                .any(|(profile, _)| profile.can_save_card(transaction)),
            merchant: &clean(settings.name.text(language)),
            support: &brand_of(transaction, settings).support,
        };
        Self::new(&agreed, language)
    }

    pub(in crate::checkout) fn new(agreed: &ConsentBasis<'_>, language: Language) -> Option<Self> {
        let words = ConsentWords::of(language);
        let named = |sentence| line(sentence, &[("merchant", agreed.merchant.to_string())]);
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
            lines.push(amounts(agreement, agreed, Strings::of(language)));
            lines.push(named(words.frequency(agreement.frequency)));
            lines.extend(end(agreement, words, language));
        }
        let contacts = contacts(agreed.support);
        let stop = if contacts.is_empty() { words.stop } else { words.stop_at };
        let values = [("merchant", agreed.merchant.to_string()), ("contacts", contacts)];
        lines.push(line(stop, &values));
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
        let hash = hex::encode(Sha256::digest(self.text()));
        format!("{VERSION}.{}", hash.get(..MARK_DIGITS).unwrap_or_default())
    }
}

fn line(sentence: &'static str, values: &[(&str, String)]) -> ConsentLine {
    ConsentLine::default().with(sentence, values)
}

/// How much each payment takes in all: the price with its fee, or the rule of the fee where the amount is open. Terms
/// that say nothing of the amount permit any. Methods that charge differently are named, each with what it charges.
fn amounts(agreement: &Agreement, agreed: &ConsentBasis<'_>, strings: &'static Strings) -> ConsentLine {
    let amount = agreed.amount;
    let words = ConsentWords::of(strings.language);
    let fixed = agreement.amount_variability == Some(Variability::Fixed) && !amount.is_zero();
    let most = agreement.max_amount_per_cycle.as_ref();
    let most = most.and_then(|most| most.in_currency(amount.currency()));
    let (sentence, limit) = match most {
        _ if fixed => (words.fixed, Some(amount)),
        Some(most) => (words.up_to, Some(most)),
        None => (words.variable, None),
    };
    let mut line = line(sentence, &[]);
    let groups = alike(&agreed.ways);
    let are_many = groups.len() > 1;
    for (place, (way, names)) in groups.iter().enumerate() {
        let name = are_many.then_some(names.as_str());
        if place > 0 && limit.is_some() {
            line = line.with(words.or, &[]);
        }
        line = match limit {
            Some(limit) => price(line, limit, (way, name), strings),
            None => rule(line, (way, name), strings),
        };
    }
    line.with(words.end, &[])
}

/// The methods that charge alike, with their names.
fn alike(ways: &[Way]) -> Vec<(&Way, String)> {
    let mut groups: Vec<(&Way, String)> = Vec::new();
    for way in ways {
        let is_same =
            |known: &Way| known.terms == way.terms && (known.fee_label == way.fee_label || !has_fee(way));
        match groups.iter_mut().find(|(known, _)| is_same(known)) {
            Some((_, names)) => {
                if !names.split(" / ").any(|name| name == way.name) {
                    names.push_str(" / ");
                    names.push_str(&way.name);
                }
            }
            None => groups.push((way, way.name.clone())),
        }
    }
    groups
}

fn has_fee(way: &Way) -> bool {
    !way.terms.fixed.is_zero() || !way.terms.percent.is_zero()
}

/// What an amount costs, with the fee in it.
fn price(
    line: ConsentLine,
    amount: Money,
    way: (&Way, Option<&str>),
    strings: &'static Strings,
) -> ConsentLine {
    let (Way { terms, fee_label, .. }, name) = way;
    let words = ConsentWords::of(strings.language);
    let Some(quote) = terms.quote(amount) else {
        return rule(line.with("{amount}", &[("amount", strings.price(amount))]), way, strings);
    };
    let mut line = line.with("{total}", &[("total", strings.price(quote.total))]);
    if let Some(name) = name {
        line = line.with(words.by, &[("method", name.to_string())]);
    }
    if !quote.fee.is_zero() {
        let fee = [("label", fee_label.clone()), ("fee", strings.price(quote.fee))];
        line = line.with(words.including, &fee);
    }
    exchanged(line, *terms, strings)
}

/// What is added to every amount.
fn rule(line: ConsentLine, way: (&Way, Option<&str>), strings: &'static Strings) -> ConsentLine {
    let (Way { terms, fee_label, .. }, name) = way;
    let words = ConsentWords::of(strings.language);
    let Some(rule) = strings.fee_rule(terms.percent, terms.fixed) else {
        return exchanged(line, *terms, strings);
    };
    let mut line = line.with(words.plus, &[("label", fee_label.clone()), ("rule", rule)]);
    if let Some(name) = name {
        line = line.with(words.by, &[("method", name.to_string())]);
    }
    exchanged(line, *terms, strings)
}

/// That the rate of exchange is that of the day.
fn exchanged(line: ConsentLine, terms: Terms, strings: &'static Strings) -> ConsentLine {
    match terms.rate {
        Some(by) => line.with(
            ConsentWords::of(strings.language).exchanged,
            &[("rate", rate(terms.source, by, terms.fixed.currency()))],
        ),
        None => line,
    }
}

/// The shortest pause, the last day and the number of payments.
fn end(agreement: &Agreement, words: &'static ConsentWords, language: Language) -> Vec<ConsentLine> {
    let interval =
        agreement.cycle_interval_days.map(|days| line(words.interval, &[("days", days.to_string())]));
    let until =
        agreement.expiry_date.map(|date| line(words.until, &[("date", day(language, &date.to_string()))]));
    let cycles = agreement.total_cycles.map(|count| line(words.cycles, &[("count", count.to_string())]));
    let no_end = (until.is_none() && cycles.is_none()).then(|| line(words.no_end, &[]));
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
