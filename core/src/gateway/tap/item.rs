//! Charges and authorisations: what Tap says about one of them.

use alloc::string::{String, ToString};

use super::card::{SavedUnder, TapCard, text_or_number};
use super::request::{AUTHORIZE, CHARGES, id};
use super::words::ChargeStatus;
use super::{amount, decline, raw};
use crate::gateway::charge::{ChargeOperation, Outcome, PgParams, Report};
use crate::gateway::text::{page_address, params, words};
use crate::value::money::Money;
use crate::value::time::Timestamp;
use crate::wire::object::Object;

/// What an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TapKind {
    /// It takes money.
    Charge,
    /// It holds money.
    Authorization,
}

impl TapKind {
    /// What an operation makes.
    pub(super) const fn of(operation: ChargeOperation) -> Self {
        match operation {
            ChargeOperation::Purchase | ChargeOperation::Verify => Self::Charge,
            ChargeOperation::Authorize => Self::Authorization,
        }
    }

    /// The address of such objects.
    pub(super) const fn path(self) -> &'static str {
        match self {
            Self::Charge => CHARGES,
            Self::Authorization => AUTHORIZE,
        }
    }

    /// How their ids begin.
    pub(super) const fn prefix(self) -> &'static str {
        match self {
            Self::Charge => "chg_",
            Self::Authorization => "auth_",
        }
    }

    /// The names under which a list may have them.
    pub(super) const fn lists(self) -> &'static [&'static str] {
        match self {
            Self::Charge => &["charges"],
            Self::Authorization => &["authorizes", "authorizations", "authorize"],
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Charge => "charge",
            Self::Authorization => "authorize",
        }
    }
}

/// A charge or an authorisation. Members that decide an outcome are required.
pub(super) struct TapItem {
    pub(super) kind: TapKind,
    pub(super) id: String,
    /// `None` for a word that is not known.
    pub(super) status: Option<ChargeStatus>,
    pub(super) amount: Option<Money>,
    references: References,
    transaction: TapTransaction,
    answer: Answer,
    pub(super) source: Option<String>,
    method: Option<String>,
    pub(super) card: TapCard,
    pub(super) saved: SavedUnder,
    pub(super) mark: Option<String>,
}

#[derive(Default)]
struct References {
    ours: Option<String>,
    payment: Option<String>,
    acquirer: Option<String>,
}

#[derive(Default)]
struct TapTransaction {
    url: Option<String>,
    authorization: Option<String>,
    created: Option<String>,
}

#[derive(Default)]
struct Answer {
    code: Option<String>,
    message: Option<String>,
}

impl TapItem {
    /// The object in a text; `None` if it is none of these, or a member is missing or of another type.
    pub(super) fn parse<B: AsRef<[u8]> + ?Sized>(text: &B) -> Option<Self> {
        Object::read(text, |item| {
            let word = item.text("object");
            let kind = [TapKind::Charge, TapKind::Authorization].into_iter().find(|kind| kind.word() == word);
            kind.map(|kind| Self::read(item, kind))
        })?
    }

    fn read(item: &mut Object<'_>, kind: TapKind) -> Self {
        let references = item.object("reference", |reference| References {
            ours: reference.optional_text("transaction"),
            payment: reference.optional_text("payment"),
            acquirer: reference.optional_text("acquirer"),
        });
        let transaction = item.object("transaction", |transaction| TapTransaction {
            url: transaction.optional_text("url"),
            authorization: transaction.optional_text("authorization_id"),
            created: transaction.raw("created").and_then(text_or_number),
        });
        let answer = item.object("response", |response| Answer {
            code: response.optional_text("code"),
            message: response.optional_text("message"),
        });
        let source = item
            .object("source", |source| (source.optional_text("id"), source.optional_text("payment_method")));
        let (source, method) = source.unwrap_or_default();
        Self {
            kind,
            id: item.text("id"),
            status: ChargeStatus::parse(&item.text("status")),
            amount: amount::read(item),
            references: references.unwrap_or_default(),
            transaction: transaction.unwrap_or_default(),
            answer: answer.unwrap_or_default(),
            source,
            method,
            card: item.object("card", TapCard::read).unwrap_or_default(),
            saved: SavedUnder {
                customer: item.object("customer", |customer| customer.optional_text("id")).flatten(),
                agreement: item.object("payment_agreement", |it| it.optional_text("id")).flatten(),
            },
            mark: item.object("metadata", |metadata| metadata.optional_text("till")).flatten(),
        }
    }

    /// Our reference in it.
    pub(super) fn reference(&self) -> &str {
        self.references.ours.as_deref().unwrap_or_default()
    }

    /// What a charge says. `expected` is what was asked for.
    pub(super) fn report(&self, expected: TapKind, body: &[u8]) -> Report {
        let outcome = if self.kind == expected { self.outcome() } else { Outcome::Unknown };
        let mut params = self.params(&outcome);
        if outcome == Outcome::Declined {
            decline::add(&mut params, self.answer.code.as_deref());
        }
        Report {
            reference: self.reference().to_string(),
            total: self.amount,
            message: self.message(),
            gateway_id: self.gateway_id(),
            params,
            raw: raw::of(body),
            card: None,
            outcome,
        }
    }

    fn outcome(&self) -> Outcome {
        let Some(status) = self.status.filter(|_| self.amount.is_some() && self.references.ours.is_some())
        else {
            return Outcome::Unknown;
        };
        match (status, self.kind) {
            (ChargeStatus::Captured, _) | (ChargeStatus::Authorized, TapKind::Authorization) => {
                Outcome::Approved
            }
            (ChargeStatus::Initiated, _) => {
                let page_url = self.transaction.url.as_deref().and_then(page_address);
                page_url.map_or(Outcome::Unknown, |page_url| Outcome::Open { page_url })
            }
            (ChargeStatus::Declined | ChargeStatus::Failed | ChargeStatus::Restricted, _) => {
                Outcome::Declined
            }
            (ChargeStatus::Abandoned | ChargeStatus::Cancelled | ChargeStatus::Void, _) => Outcome::Canceled,
            (ChargeStatus::Authorized, TapKind::Charge)
            | (ChargeStatus::InProgress | ChargeStatus::TimedOut | ChargeStatus::Unknown, _) => {
                Outcome::Unknown
            }
        }
    }

    pub(super) fn message(&self) -> Option<String> {
        self.answer.message.as_deref().and_then(words)
    }

    pub(super) fn gateway_id(&self) -> Option<String> {
        id(&self.id, self.kind.prefix()).map(ToString::to_string)
    }

    /// The normalised data.
    fn params(&self, outcome: &Outcome) -> PgParams {
        let is_over = matches!(outcome, Outcome::Approved | Outcome::Declined | Outcome::Canceled);
        let result = self.status.filter(|_| is_over).map(ChargeStatus::as_str);
        let (month, year) = self.card.expiry().map(|expiry| (expiry.month(), expiry.year())).unzip();
        let (number, holder, message) = (self.card.number(), self.card.holder(), self.message());
        let created = self.transaction.created.as_deref().and_then(|millis| millis.parse().ok());
        let created = created.map(|millis| Timestamp::from_millis(millis).to_string());
        params(&[
            ("auth_code", self.transaction.authorization.as_deref()),
            ("card_expiry_month", month.as_deref()),
            ("card_expiry_year", year.as_deref()),
            ("card_holder", holder.as_deref()),
            ("card_number", number.as_deref()),
            ("card_type", self.card.brand().or(self.method.as_deref())),
            ("payment_id", Some(self.id.as_str())),
            ("pg_message", message.as_deref()),
            ("post_date", created.as_deref()),
            ("ref", self.references.acquirer.as_deref()),
            ("result", result),
            ("rrn", self.references.acquirer.as_deref()),
            ("track_id", self.references.ours.as_deref()),
            ("transaction_id", self.references.payment.as_deref()),
        ])
    }
}
