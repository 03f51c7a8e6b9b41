//! The totals of a payment transaction, as the answers to create and retrieve show them (`billing`).
//!
//! Decision: the sums are those of the first method that is offered; if none is offered any more, those of the transaction without a fee.

use alloc::string::String;

use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::body::{AnswerBody, BodyMember};
use crate::gateway::profile::Profile;
use crate::gateway::terms::Quote;
use crate::strings::Strings;
use crate::transaction::Transaction;
use crate::value::money::Money;
use crate::words::Language;

/// The sums.
#[derive(Serialize, JsonSchema)]
pub struct Billing<'a> {
    /// Everything together.
    amount: Sum<'a>,
    /// The fee of the method.
    fee: Sum<'a>,
    /// The amount without the fee.
    sub_total: Sum<'a>,
}

/// One sum, for machines and for readers.
#[derive(Serialize, JsonSchema)]
struct Sum<'a> {
    /// ISO 4217 code.
    currency_code: &'static str,
    /// For a reader: the code and the amount, in every language.
    display: String,
    /// What it is, in the language of the page.
    label: &'a str,
    /// In major units.
    value: String,
}

impl<'a> Sum<'a> {
    fn body(self) -> AnswerBody<'a> {
        let mut body = AnswerBody::default();
        body.text("currency_code", self.currency_code);
        body.text("display", self.display);
        body.text("label", self.label);
        body.text("value", self.value);
        body
    }

    fn of(money: Money, label: &'a str) -> Self {
        Self {
            currency_code: money.currency().code(),
            display: Strings::of(Language::En).price(money),
            label,
            value: money.text(),
        }
    }
}

impl<'a> Billing<'a> {
    /// The sums as an object in a body.
    pub(crate) fn body(self) -> AnswerBody<'a> {
        let mut body = AnswerBody::default();
        for (name, sum) in [("amount", self.amount), ("fee", self.fee), ("sub_total", self.sub_total)] {
            body.0.insert(name, BodyMember::Object(sum.body()));
        }
        body
    }

    /// The sums of a transaction; `first` is the first method that is offered.
    pub(crate) fn of(transaction: &Transaction, first: Option<(&'a Profile, Quote)>) -> Self {
        let language = transaction.details.language();
        let labels = &Strings::of(language).label;
        let amount = transaction.amount;
        let plain = Quote { amount, fee: Money::zero(amount.currency()), total: amount, rate: None };
        let quote = first.map_or(plain, |(_, quote)| quote);
        let fee = first.and_then(|(profile, quote)| profile.fee_of(quote));
        Self {
            amount: Sum::of(quote.total, labels.total),
            fee: Sum::of(quote.fee, fee.map_or(labels.fee, |fee| fee.description.text(language))),
            sub_total: Sum::of(quote.amount, labels.amount),
        }
    }
}
