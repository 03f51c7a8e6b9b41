//! Saving the card with which the payer paid on the page: the gateway makes a token of the session's card.

use alloc::boxed::Box;
use alloc::string::{String, ToString};

use super::account::MpgsAccount;
use super::message::{Funds, PageSession, Tokenize};
use super::read::{CardState, good};
use crate::card::expiry::Expiry;
use crate::card::{BankToken, last_four};
use crate::gateway::charge::{CardReport, PgParams};
use crate::gateway::exchange::{Incoming, Outgoing};

/// The longest token.
const MAX_TOKEN: usize = 40;
/// The most characters of a scheme's name that are stored.
const MAX_BRAND_CHARS: usize = 32;

/// The request for a token. It moves no money.
pub(super) fn request(account: &MpgsAccount, session: &str) -> Result<Outgoing, &'static str> {
    account.post_token(&Tokenize {
        session: PageSession { id: session },
        source_of_funds: Funds { kind: "CARD", token: None, provided: None },
    })
}

/// The saved card; `None` if the gateway saved none, or does not say until when it is valid. `params` are what the order
/// says about the card.
pub(super) fn read(answer: &Incoming, params: &PgParams) -> Option<Box<CardReport>> {
    let part = good(answer)?;
    let is_valid = part.is_success() && part.text("status").as_deref() == Some("VALID");
    let token = part.text("token").filter(|token| is_valid && is_token(token))?;
    let card = CardState::of(&part);
    let known = |given: Option<String>, name: &str| given.or_else(|| params.get(name).cloned());
    let month = known(card.month, "card_expiry_month")?;
    let year = known(card.year, "card_expiry_year")?;
    let brand = known(card.brand, "card_type");
    Some(Box::new(CardReport {
        token: BankToken(token.to_string()),
        brand: brand.map(|brand| brand.chars().take(MAX_BRAND_CHARS).collect()),
        holder: None,
        number: known(card.number, "card_number").as_deref().and_then(last_four),
        expiry: Expiry::parse(&month, &year)?,
    }))
}

fn is_token(token: &str) -> bool {
    (1..=MAX_TOKEN).contains(&token.len()) && token.bytes().all(|byte| byte.is_ascii_graphic())
}
