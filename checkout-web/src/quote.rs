//! What a transaction costs by each of its methods and wallets, computed of what the server answers to an SDK.

use checkout_core::gateway::terms::{self, Terms};
use checkout_core::gateway::wallet::sheet::{Parts, Prices, prices};
use checkout_core::sdk::method::MethodMembers;
use checkout_core::sdk::service::WalletService;
use checkout_core::sdk::session::CheckoutSdk;
use checkout_core::strings::Price;
use checkout_core::value::choice::{AmountChoice, ChoiceError, PrincipalError, typed_amount};
use checkout_core::value::id::{PgCode, SessionId};
use checkout_core::value::money::{Currency, Money};
use checkout_core::words::{Language, Wallet};
use serde::{Deserialize, Serialize};

use crate::wallet::Order;

/// What a page showed that a payment costs.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Shown {
    /// What is paid, fees included.
    #[serde(default)]
    pub total: Option<String>,
    /// The currency in which it is paid.
    pub currency: Currency,
}

/// What is wrong with what a page handed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wrong {
    /// A field, and what it must be.
    Field(&'static str, String),
    /// The page showed something else than what is to be paid.
    PriceChanged,
}

/// What a method or a wallet costs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Quote {
    /// The code of the gateway.
    pub code: PgCode,
    /// The wallet, for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flow: Option<Wallet>,
    /// The currency in which the gateway charges.
    pub currency_code: Currency,
    /// What the payer pays; for a wallet in the form of its sheet.
    pub total: String,
    /// The fee, which is a part of it.
    pub fee: String,
    /// The total as the hosted page shows it, in the language of the transaction.
    pub display: String,
    /// Of a wallet, for an amount that the payer typed: the amount and the fee in the form of its sheet, if it shows them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<[String; 2]>,
}

/// What each method and wallet costs for an amount that the payer typed, or for the whole. What cannot be charged is left out.
///
/// # Errors
/// What is wrong with the amount.
pub fn quotes(session: &CheckoutSdk, typed: Option<&str>) -> Result<Vec<Quote>, Wrong> {
    let typed = match typed {
        Some(typed) => chosen(session, &typed_amount(typed))?,
        None => None,
    };
    let methods =
        session.payment_methods.iter().filter_map(|method| of_method(method, typed, session.language));
    let services =
        session.payment_services.iter().filter_map(|service| of_service(service, typed, session.language));
    Ok(methods.chain(services).collect())
}

/// The amount that a payer chose; `None` for the whole of a transaction that offers no choice.
fn chosen(session: &CheckoutSdk, typed: &str) -> Result<Option<Money>, Wrong> {
    let whole = money(&session.amount, session.currency_code)?;
    match AmountChoice::up_to(whole).filter(|_| session.is_amount_editable) {
        Some(choice) => choice.read(typed).map(Some).map_err(|error| match error {
            ChoiceError::Amount(error) => Wrong::Field("amount", error.to_string()),
            ChoiceError::OutOfRange | ChoiceError::NotCharged | ChoiceError::Ambiguous => {
                Wrong::Field("amount", PrincipalError::OutOfRange(choice).to_string())
            }
        }),
        None if money(typed, whole.currency())? == whole => Ok(None),
        None => Err(Wrong::Field("amount", PrincipalError::Fixed(whole).to_string())),
    }
}

fn money(text: &str, currency: Currency) -> Result<Money, Wrong> {
    Money::parse(text, currency).map_err(|error| Wrong::Field("amount", error.to_string()))
}

fn of_method(method: &MethodMembers, typed: Option<Money>, language: Language) -> Option<Quote> {
    let MethodMembers { code, currency_code, .. } = method;
    let (total, fee) = match typed {
        Some(amount) => {
            let quote = quote(method.terms, amount)?;
            (quote.total.to_string(), quote.fee.to_string())
        }
        None => (method.amount.clone(), method.fee.clone()),
    };
    let display = display(&total, *currency_code, language)?;
    let (code, currency_code) = (code.clone(), *currency_code);
    Some(Quote { code, flow: None, currency_code, total, fee, display, parts: None })
}

fn of_service(service: &WalletService, typed: Option<Money>, language: Language) -> Option<Quote> {
    let WalletService { code, flow, currency_code, .. } = service;
    let Prices { total, parts } = sheet_of(service, typed)?;
    let fee = match typed {
        Some(amount) => quote(service.terms, amount)?.fee.to_string(),
        None => service.fee.clone(),
    };
    let display = display(&total, *currency_code, language)?;
    let (code, currency_code, flow) = (code.clone(), *currency_code, Some(*flow));
    let parts = parts.map(|Parts { net, fee }| [net, fee]);
    Some(Quote { code, flow, currency_code, total, fee, display, parts })
}

/// What a gateway charges for an amount that the payer chose.
fn quote(terms: Option<Terms>, amount: Money) -> Option<terms::Quote> {
    terms?.quote(amount)
}

fn display(total: &str, currency: Currency, language: Language) -> Option<String> {
    Some(Price::of(Money::parse(total, currency).ok()?, language).text())
}

/// What the sheet of a wallet shows.
fn sheet_of(service: &WalletService, typed: Option<Money>) -> Option<Prices> {
    if let Some(amount) = typed {
        return prices(service.flow, &quote(service.terms, amount)?);
    }
    let total = service.amount.as_ref().or(service.total_price.as_ref())?;
    Some(Prices { total: total.clone(), parts: None })
}

/// The order of a sheet that was opened for a service: for the whole, or for an amount that the payer chose.
///
/// # Errors
/// If the service is one of another transaction or wallet, its sheet cannot show what is paid, or it showed something else.
pub fn order(
    service: &WalletService,
    wallet: Wallet,
    session_id: &SessionId,
    amount: Option<&str>,
    shown: Option<&Shown>,
) -> Result<Order, Wrong> {
    if service.session_id != *session_id || service.flow != wallet {
        return Err(Wrong::Field(
            "service",
            ["must be one of this transaction for ", wallet.as_str()].concat(),
        ));
    }
    let typed = match (amount, service.terms) {
        (Some(text), Some(terms)) => Some(money(text, terms.source)?),
        (Some(_), None) => {
            return Err(Wrong::Field("amount", "must be left out: the payer cannot choose it".into()));
        }
        (None, _) => None,
    };
    let sheet = sheet_of(service, typed);
    let prices = sheet
        .ok_or_else(|| Wrong::Field("amount", "must be one that the sheet of this wallet can show".into()))?;
    let is_other = |shown: &Shown| {
        shown.currency != service.currency_code
            || shown.total.as_ref().is_some_and(|total| *total != prices.total)
    };
    if shown.is_some_and(is_other) {
        return Err(Wrong::PriceChanged);
    }
    let (session_id, code) = (session_id.clone(), service.code.clone());
    Ok(Order { wallet, session_id, code, typed, prices, currency: service.currency_code })
}

#[cfg(test)]
mod tests;
