//! The totals of a payment transaction, as the answers to create and retrieve show them (`billing`).
//!
//! Decision: the sums are those of the first method that is offered; if none is offered any more, those of the transaction without a fee.

use alloc::string::ToString;

use crate::gateway::profile::Profile;
use crate::gateway::terms::Quote;
use crate::sdk::billing::{Billing, Sum};
use crate::strings::{Strings, coded, rate};
use crate::transaction::Transaction;
use crate::value::money::Money;

fn sum(money: Money, label: &str) -> Sum {
    Sum {
        currency_code: money.currency(),
        display: coded(money),
        label: label.to_string(),
        value: money.text(),
    }
}

/// The sums of a transaction; `first` is the first method that is offered.
pub(crate) fn billing(transaction: &Transaction, first: Option<(&Profile, Quote)>) -> Billing {
    let language = transaction.details.language();
    let labels = &Strings::of(language).label;
    let amount = transaction.amount;
    let plain = Quote { amount, fee: Money::zero(amount.currency()), total: amount, rate: None };
    let quote = first.map_or(plain, |(_, quote)| quote);
    let fee = first.and_then(|(profile, quote)| profile.fee_of(quote));
    Billing {
        amount: sum(quote.total, labels.total),
        fee: sum(quote.fee, fee.map_or(labels.fee, |fee| fee.description.text(language))),
        exchange: quote.rate.map(|by| rate(amount.currency(), by, quote.amount.currency())),
        sub_total: sum(quote.amount, labels.amount),
    }
}
