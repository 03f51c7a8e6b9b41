//! How an attempt is to be paid, and what came of it.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::card::agreement::CycleClaim;
use crate::card::usage::CardUse;
use crate::checkout::page::ConsentText;
use crate::gateway::instrument::{FormOfPayment, Instrument};
use crate::gateway::profile::Profile;
use crate::gateway::shown::ShownPrice;
use crate::payment::routing::PaymentRoute;
use crate::port::Record;
use crate::record::decision::RoutingDecision;
use crate::record::idempotency::StoredAnswer;
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::transaction::Transaction;
use crate::value::id::{DeliveryId, ReferenceNumber};
use crate::value::money::Money;
use crate::violation::{CardRule, Rule, Violation};
use crate::words::Language;

/// How an attempt is to be paid.
pub(crate) struct Plan<'a> {
    /// The gateway.
    pub(crate) profile: &'a Profile,
    /// How much of the transaction's amount.
    pub(crate) principal: Money,
    /// What it is paid with.
    pub(crate) instrument: Instrument,
    /// The form of payment.
    pub(crate) form: FormOfPayment,
    /// The language that the payer chose, if they did.
    pub(crate) language: Option<Language>,
    /// The saved card that is charged.
    pub(crate) card: Option<CardUse>,
    /// The reference; generated if it is `None`.
    pub(crate) reference: Option<ReferenceNumber>,
    /// What is stored with the attempt for the same request, if it comes again.
    pub(crate) claim: Option<StoredAnswer>,
    /// The cycle of an agreement that it takes.
    pub(crate) cycle: Option<CycleClaim>,
    /// What the payer was shown that it costs.
    pub(crate) shown: Option<ShownPrice>,
    /// What the payer agreed to.
    pub(crate) agreed: Option<Agreed>,
    /// The gateways that are tried; only `profile` if it is `None`.
    pub(crate) route: Option<PaymentRoute<'a>>,
    /// Why it goes to this gateway.
    pub(crate) decision: Option<Box<RoutingDecision>>,
    /// Whether another gateway is tried if this one cannot be reached, so that it has only a part of the time.
    pub(crate) has_next: bool,
}

/// What a payer read above the button that they pressed.
#[derive(Debug, Clone)]
pub(crate) struct Agreed {
    /// In which language.
    pub(crate) language: Language,
    /// The text.
    pub(crate) text: String,
}

impl Agreed {
    /// What the payer read, if it is what the page shows now.
    ///
    /// # Errors
    /// A violation on `consent` if the page shows another text.
    pub(crate) fn read(
        mark: &str,
        language: Language,
        transaction: &Transaction,
        settings: &MerchantSettings,
    ) -> Result<Self, Rejection> {
        let shown = ConsentText::of(transaction, settings, language).filter(|text| text.mark() == mark);
        let text = shown.ok_or_else(Self::other_terms)?.text();
        Ok(Self { language, text })
    }

    pub(super) fn check(
        &self,
        transaction: &Transaction,
        settings: &MerchantSettings,
    ) -> Result<(), Rejection> {
        let shown = ConsentText::of(transaction, settings, self.language);
        let is_same = shown.is_some_and(|shown| shown.text() == self.text);
        if is_same { Ok(()) } else { Err(Self::other_terms()) }
    }

    fn other_terms() -> Rejection {
        Rejection::Invalid([Violation::new("consent", Rule::Card(CardRule::OtherTerms))].into())
    }
}

impl<'a> Plan<'a> {
    /// Without a saved card or an idempotency key.
    pub(crate) fn of(profile: &'a Profile, principal: Money, instrument: Instrument) -> Self {
        let form = instrument.form();
        Self {
            profile,
            principal,
            instrument,
            form,
            language: None,
            card: None,
            reference: None,
            claim: None,
            cycle: None,
            shown: None,
            agreed: None,
            route: None,
            decision: None,
            has_next: false,
        }
    }
}

/// What the gateway is asked to charge with.
pub(super) struct Means<'a> {
    pub(super) profile: &'a Profile,
    pub(super) instrument: Instrument,
    pub(super) language: Option<Language>,
    pub(super) has_next: bool,
}

/// An attempt about which its gateway was asked, and the notifications that came with it.
pub(crate) struct Charged {
    /// The transaction with the attempt.
    pub(crate) record: Record,
    /// Those about the attempts that made room for it: one that was withdrawn, and those that did not reach their gateway.
    pub(crate) earlier: Vec<DeliveryId>,
    /// The one about the attempt itself.
    pub(crate) delivery: Option<DeliveryId>,
}

impl Charged {
    /// The transaction, and all notifications in order.
    pub(crate) fn into_parts(self) -> (Record, Vec<DeliveryId>) {
        (self.record, self.earlier.into_iter().chain(self.delivery).collect())
    }
}
