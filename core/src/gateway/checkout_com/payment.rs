//! Reads a payment, in the answer to its request, to a question about it, and on a list.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};

use super::account::{PAYMENT, SOURCE, id};
use super::{amount, decline, raw};
use crate::card::expiry::Expiry;
use crate::card::{BankToken, last_four};
use crate::gateway::charge::{CardReport, Outcome, PgParams, Report};
use crate::gateway::text::{line, page_address, params, words};
use crate::value::money::Money;
use crate::wire::object::Object;

/// The most characters of a scheme's name and of a holder's name that are stored.
const MAX_BRAND_CHARS: usize = 32;
const MAX_HOLDER_CHARS: usize = 64;

/// How a payment is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PaymentStatus {
    /// The money was taken, or is held, whatever was given back of it.
    Approved,
    /// The card was confirmed.
    Verified,
    /// What was held is released.
    Voided,
    /// It was declined.
    Declined,
    /// It ended without having been paid.
    Ended,
    /// It goes on.
    Pending,
}

impl PaymentStatus {
    /// The status of a word, which lists write in other letters.
    fn of(word: &str) -> Option<Self> {
        let plain: String = word.chars().filter(char::is_ascii_alphanumeric).collect();
        Some(match plain.to_ascii_lowercase().as_str() {
            "authorized" | "captured" | "partiallycaptured" | "refunded" | "partiallyrefunded" => {
                Self::Approved
            }
            "cardverified" => Self::Verified,
            "voided" => Self::Voided,
            "declined" => Self::Declined,
            "canceled" | "expired" => Self::Ended,
            "pending" => Self::Pending,
            _ => return None,
        })
    }
}

/// A payment in the wire format.
pub(super) struct Payment {
    pub(super) id: String,
    pub(super) reference: String,
    pub(super) total: Option<Money>,
    pub(super) status: Option<PaymentStatus>,
    pub(super) balances: Balances,
    /// Our mark of a payment, as our request set it.
    mark: Option<String>,
    word: String,
    is_approved: Option<bool>,
    redirect: Option<String>,
    code: Option<String>,
    summary: Option<String>,
    auth_code: Option<String>,
    network_reference: Option<String>,
    retrieval_reference: Option<String>,
    moment: Option<String>,
    card: PaidCard,
}

/// The sums of a payment, as they are counted.
#[derive(Clone, Copy, Default)]
pub(super) struct Balances {
    pub(super) voided: Option<i64>,
    pub(super) captured: Option<i64>,
    pub(super) refunded: Option<i64>,
}

/// What pays a payment.
#[derive(Default)]
struct PaidCard {
    id: Option<String>,
    kind: Option<String>,
    scheme: Option<String>,
    holder: Option<String>,
    last_four: Option<String>,
    bin: Option<String>,
    expiry: Option<Expiry>,
}

impl PaidCard {
    fn read(source: &mut Object<'_>) -> Self {
        let number = |source: &mut Object<'_>, name| {
            source.raw(name).map(|raw| raw.get().trim_matches('"').to_string()).unwrap_or_default()
        };
        let (month, year) = (number(source, "expiry_month"), number(source, "expiry_year"));
        let month = if month.len() == 1 { format!("0{month}") } else { month };
        Self {
            id: source.optional_text("id"),
            kind: source.optional_text("type"),
            scheme: source.optional_text("scheme"),
            holder: source.optional_text("name"),
            last_four: source.optional_text("last4").filter(|digits| is_digits(digits, 4)),
            bin: source.optional_text("bin"),
            expiry: year.strip_prefix("20").and_then(|year| Expiry::parse(&month, year)),
        }
    }

    /// The number with at most its first six and its last four digits.
    fn number(&self) -> Option<String> {
        let last = self.last_four.as_deref()?;
        let first = self.bin.as_deref().and_then(|bin| bin.get(..6)).filter(|first| is_digits(first, 6));
        Some(format!("{}******{last}", first.unwrap_or("******")))
    }

    /// What the payer paid with: the scheme of a card, otherwise the payment method.
    fn brand(&self) -> Option<String> {
        let brand = self.scheme.as_deref().or(self.kind.as_deref()).and_then(words)?;
        Some(brand.chars().take(MAX_BRAND_CHARS).collect())
    }

    fn holder(&self) -> Option<String> {
        let holder = self.holder.as_deref().and_then(words)?;
        Some(holder.chars().take(MAX_HOLDER_CHARS).collect())
    }
}

fn is_digits(text: &str, count: usize) -> bool {
    text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit())
}

impl Payment {
    /// The payment in a body; `None` if it cannot be read.
    pub(super) fn parse<B: AsRef<[u8]> + ?Sized>(body: &B) -> Option<Self> {
        Object::read(body, Self::read)
    }

    fn read(object: &mut Object<'_>) -> Self {
        let number = object.number::<i64>("amount");
        let currency = object.optional_text("currency");
        let word = object.optional_text("status").unwrap_or_default();
        let link = |links: &mut Object<'_>| links.object("redirect", |link| link.optional_text("href"));
        let summed = |balances: &mut Object<'_>| Balances {
            voided: balances.number("total_voided"),
            captured: balances.number("total_captured"),
            refunded: balances.number("total_refunded"),
        };
        Self {
            id: object.optional_text("id").unwrap_or_default(),
            reference: object.optional_text("reference").unwrap_or_default(),
            total: number.zip(currency).and_then(|(number, currency)| amount::read(number, &currency)),
            status: PaymentStatus::of(&word),
            balances: object.object("balances", summed).unwrap_or_default(),
            mark: object.object("metadata", |marks| marks.optional_text("charge")).flatten(),
            word,
            is_approved: object.flag("approved"),
            redirect: object.object("_links", link).flatten().flatten(),
            code: object.optional_text("response_code"),
            summary: object.optional_text("response_summary"),
            auth_code: object.optional_text("auth_code"),
            network_reference: object.optional_text("scheme_id"),
            retrieval_reference: object
                .object("processing", |processing| processing.optional_text("retrieval_reference_number"))
                .flatten(),
            moment: object.optional_text("processed_on").or_else(|| object.optional_text("requested_on")),
            card: object.object("source", PaidCard::read).unwrap_or_default(),
        }
    }

    /// Its id, if it is fit to be a part of an address.
    pub(super) fn id(&self) -> Option<&str> {
        id(&self.id, PAYMENT)
    }

    /// Whether it was made here: another system with the same account may use references like ours.
    pub(super) fn is_ours(&self) -> bool {
        self.mark.as_deref() == Some(self.reference.as_str())
    }

    /// Whether an answer to a question has to be asked for the reason.
    pub(super) fn lacks_reason(&self) -> bool {
        self.status == Some(PaymentStatus::Declined) && self.code.is_none()
    }

    /// Takes the reason of a decline from the actions of the payment.
    pub(super) fn take_reason(&mut self, code: Option<String>, summary: Option<String>) {
        self.code = code;
        self.summary = summary;
    }

    /// What it says. Without the id, the reference or the amount nothing is certain; the page of a bank moves no money yet.
    pub(super) fn outcome(&self) -> Outcome {
        let is_whole = self.id().is_some() && !self.reference.is_empty() && self.total.is_some();
        let is_refuted = self.is_approved == Some(false);
        match self.status {
            Some(PaymentStatus::Approved | PaymentStatus::Verified) if is_whole && !is_refuted => {
                Outcome::Approved
            }
            Some(PaymentStatus::Declined) if is_whole && self.is_approved != Some(true) => Outcome::Declined,
            Some(PaymentStatus::Voided | PaymentStatus::Ended) if is_whole => Outcome::Canceled,
            Some(PaymentStatus::Pending) if self.id().is_some() => {
                let page_url = self.redirect.as_deref().and_then(page_address);
                page_url.map_or(Outcome::Unknown, |page_url| Outcome::Open { page_url })
            }
            _ => Outcome::Unknown,
        }
    }

    /// The report of a charge; `saves` if its card was to be saved.
    pub(super) fn report(&self, saves: bool, body: &[u8]) -> Report {
        self.reported(self.outcome(), saves, body)
    }

    /// The same with an outcome that is known from elsewhere.
    pub(super) fn reported(&self, outcome: Outcome, saves: bool, body: &[u8]) -> Report {
        let is_approved = outcome == Outcome::Approved;
        let message = self.summary.as_deref().and_then(words).filter(|_| !is_approved);
        let mut params = self.params(message.as_deref());
        if outcome == Outcome::Declined {
            decline::add(&mut params, self.code.as_deref());
        }
        Report {
            reference: self.reference.clone(),
            total: self.total,
            message,
            gateway_id: self.id().map(ToString::to_string),
            params,
            raw: raw::of(body),
            card: if is_approved && saves { self.card() } else { None },
            outcome,
        }
    }

    fn params(&self, message: Option<&str>) -> PgParams {
        let (month, year) = self.card.expiry.map(|expiry| (expiry.month(), expiry.year())).unzip();
        let full = month.as_ref().zip(year.as_ref()).map(|(month, year)| format!("{month}/{year}"));
        params(&[
            ("auth_code", self.auth_code.as_deref().and_then(words).as_deref()),
            ("card_expiry_month", month.as_deref()),
            ("card_expiry_year", year.as_deref()),
            ("card_holder", self.card.holder().as_deref()),
            ("card_number", self.card.number().as_deref()),
            ("card_type", self.card.brand().as_deref()),
            ("full_card_expiry", full.as_deref()),
            ("payment_id", self.id()),
            ("pg_message", message),
            ("post_date", self.moment.as_deref().and_then(|moment| moment.get(..10))),
            ("ref", self.retrieval_reference.as_deref()),
            ("result", words(&self.word).as_deref()),
            ("rrn", self.retrieval_reference.as_deref()),
            ("track_id", line(&self.reference).as_deref()),
            ("transaction_id", self.network_reference.as_deref()),
        ])
    }

    /// The card that was saved with it: its source, and the payment to which later ones refer.
    fn card(&self) -> Option<Box<CardReport>> {
        let source = id(self.card.id.as_deref()?, SOURCE)?;
        Some(Box::new(CardReport {
            token: BankToken(format!("{source}|{}", self.id()?)),
            brand: self.card.brand(),
            holder: self.card.holder(),
            number: self.card.last_four.as_deref().and_then(last_four),
            expiry: self.card.expiry?,
        }))
    }
}
