//! What a page is made from.

use alloc::string::String;

use crate::api::pay::PayForm;
use crate::attempt::Attempt;
use crate::card::SavedCard;
use crate::operation::begin::{Books, counting};
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::settings::brand::Brand;
use crate::settings::situation::Situation;
use crate::transaction::Transaction;
use crate::value::text::without_bidi_controls;
use crate::value::web_address::Reach;
use crate::webhook::delivery::DeliveryStatus;
use crate::words::Language;

/// A pay form by which nothing is paid: the page shows again what the payer chose and typed.
#[derive(Debug, Clone, Copy)]
pub struct SentForm<'a> {
    /// The form.
    pub form: &'a PayForm,
    /// Why it was refused; `None` if the payer only changed the language.
    pub refusal: Option<&'a Rejection>,
}

/// Everything from which [`page`](super::page()) decides.
#[derive(Debug, Clone, Copy)]
pub struct PageScene<'a> {
    /// The transaction.
    pub transaction: &'a Transaction,
    /// Its latest attempt.
    pub latest: Option<&'a Attempt>,
    /// The state of the notification about the attempt that counts; `None` if there is none.
    pub delivery: Option<DeliveryStatus>,
    /// What was done to a payment that succeeded.
    pub books: Option<&'a Books>,
    /// Its merchant, as the request finds it.
    pub situation: &'a Situation,
    /// The pay form that was sent just now, if one was.
    pub sent: Option<SentForm<'a>>,
    /// The language of the page, if it is not that of the transaction.
    pub language: Option<Language>,
    /// The code of the gateway that the address of the page names, if it names one.
    pub asked: Option<&'a str>,
    /// Whether the payer comes back from an attempt that another one has replaced.
    pub is_replaced: bool,
    /// Whether the payment was refused just now because the page showed another price.
    pub is_repriced: bool,
    /// All attempts, if the payment did not succeed.
    pub attempts: &'a [Attempt],
    /// The cards of the transaction's customer, including expired ones.
    pub cards: &'a [SavedCard],
    /// The origin of the installation.
    pub public_url: &'a str,
    /// Which addresses merchants may name.
    pub reach: Reach,
}

impl<'a> PageScene<'a> {
    /// The attempt that counts for the payer.
    pub(super) fn counting(&self) -> Option<&'a Attempt> {
        counting(self.books, self.latest)
    }
}

/// The merchant's face, with what the transaction changes of it.
pub(super) fn brand_of(transaction: &Transaction, settings: &MerchantSettings) -> Brand {
    match &transaction.details.branding_options {
        Some(own) => settings.brand.with(own),
        None => settings.brand.clone(),
    }
}

pub(in crate::checkout) fn clean(text: &str) -> String {
    without_bidi_controls(text).into_owned()
}
