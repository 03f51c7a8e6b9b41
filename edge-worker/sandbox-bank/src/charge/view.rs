//! A charge as the protocol shows it.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use checkout_core::value::money::Money;
use checkout_core::words::decline::DeclineReason;
use serde::Serialize;

use super::{Charge, ChargeStatus};
use crate::callback::Callback;
use crate::card::{Behaviour, Expiry, HOLDER, TestCard};
use crate::numbers::{auth_code, post_date, rrn, transaction_id};
use crate::reply::to_json;

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
    decline_code: Option<&'static str>,
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

/// What was done to a charge after it was approved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sums {
    pub(crate) captured: Money,
    pub(crate) refunded: Money,
    pub(crate) voided: Money,
}

impl Charge {
    /// The path of its payment page.
    #[must_use]
    pub fn page_path(&self) -> String {
        format!("/sandbox/bank/pay/{}/", self.id)
    }

    /// The charge as JSON; its page is a page of the installation.
    #[must_use]
    pub fn to_json(&self, public_url: &str) -> Vec<u8> {
        self.json_with(public_url, None)
    }

    /// The charge as the list shows it.
    pub(crate) fn listed_json(&self, public_url: &str, sums: Sums) -> Vec<u8> {
        self.json_with(public_url, Some(sums))
    }

    /// The signed callback of the bank.
    #[must_use]
    pub fn callback(&self, public_url: &str) -> Callback {
        Callback::signed(&self.account, self.terms.callback_url.clone(), self.to_json(public_url))
    }

    fn json_with(&self, public_url: &str, sums: Option<Sums>) -> Vec<u8> {
        let is_approved = self.status == ChargeStatus::Approved;
        let amount = self.amount();
        to_json(&ChargeView {
            id: &self.id,
            reference: &self.terms.reference,
            status: self.status.wire(),
            amount: amount.to_string(),
            currency: amount.currency().code(),
            operation: self.terms.operation.as_str(),
            page_url: self.status.waits_for_payer().then(|| format!("{public_url}{}", self.page_path())),
            message: self.message(),
            decline_code: self.decline().map(|(reason, _)| reason.as_str()),
            auth_code: is_approved.then(|| auth_code(&self.id)),
            rrn: is_approved.then(|| rrn(&self.id)),
            transaction_id: is_approved.then(|| transaction_id(&self.id)),
            post_date: self.ended_at.filter(|_| is_approved).map(post_date),
            card: self.card.map(|card| self.card_view(card)),
            captured: sums.map(|sums| sums.captured.to_string()),
            refunded: sums.map(|sums| sums.refunded.to_string()),
            voided: sums.map(|sums| sums.voided.to_string()),
        })
    }

    fn card_view(&self, card: &TestCard) -> CardView {
        let Expiry { month, year } = card.validity.expiry(self.ended_at.unwrap_or(self.opened_at));
        let is_saved = self.status == ChargeStatus::Approved && self.terms.saves_card;
        CardView {
            brand: card.brand,
            number: card.number,
            expiry_month: month,
            expiry_year: year,
            token: is_saved.then(|| card.token(&self.account)),
            holder: HOLDER,
        }
    }

    fn message(&self) -> &'static str {
        match self.status {
            ChargeStatus::Open => "waiting for the payer",
            ChargeStatus::Challenged => "waiting for 3-D Secure",
            ChargeStatus::Processing => "the bank is working on it",
            ChargeStatus::Approved => "approved",
            ChargeStatus::Declined => self.decline().map_or("declined", |(_, message)| message),
            ChargeStatus::Canceled => "canceled",
        }
    }

    /// Why it was declined, if it was, with the words for that.
    fn decline(&self) -> Option<(DeclineReason, &'static str)> {
        let card = self.card.filter(|_| self.status == ChargeStatus::Declined);
        match card {
            Some(card) if card.behaviour == Behaviour::ThreeDSecure => {
                Some((DeclineReason::AuthenticationFailed, "3-D Secure failed"))
            }
            Some(_) => Some((DeclineReason::InsufficientFunds, "insufficient funds")),
            None if self.status == ChargeStatus::Declined => {
                Some((DeclineReason::DoNotHonor, "wallet token altered"))
            }
            None => None,
        }
    }
}
