//! How an attempt is to be paid, and what came of it.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::card::CardToken;
use crate::card::agreement::CycleClaim;
use crate::card::ladder::TryClaim;
use crate::card::usage::{CardUse, ChargeInitiator};
use crate::checkout::page::ConsentText;
use crate::gateway::instrument::{FormOfPayment, Instrument};
use crate::gateway::profile::Profile;
use crate::gateway::shown::ShownPrice;
use crate::payment::routing::PaymentRoute;
use crate::port::Record;
use crate::record::audit::Actor;
use crate::record::decision::RoutingDecision;
use crate::record::idempotency::StoredAnswer;
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::transaction::Transaction;
use crate::value::id::{DeliveryId, ReferenceNumber};
use crate::value::money::Money;
use crate::violation::{CardRule, Rule, Violation};
use crate::words::Language;

/// How a payment is to be made.
pub(crate) struct Plan<'a> {
    /// The gateway that was chosen.
    pub(crate) profile: &'a Profile,
    /// How much of the transaction's amount.
    pub(crate) principal: Money,
    pub(crate) purpose: PaymentPurpose,
    /// The gateways that are tried.
    pub(crate) route: PaymentRoute<'a>,
    /// What the merchant's server asked for, if it did.
    pub(crate) order: Option<ServerOrder>,
}

/// Who pays, and with what.
pub(crate) enum PaymentPurpose {
    /// The payer, on a page of the gateway.
    Page {
        /// What the payer read and chose.
        payer: PageReader,
        /// Whether the gateway is asked to save the card.
        saves_card: bool,
    },
    /// The payer, by a wallet, or in cash.
    Native {
        instrument: Instrument,
        /// What the payer was shown that it costs.
        shown: Option<ShownPrice>,
    },
    /// The payer, with a saved card.
    SavedCard {
        /// The card.
        token: CardToken,
        /// What the payer read and chose.
        payer: PageReader,
    },
    /// The merchant, with a saved card.
    Debit {
        /// The card.
        token: CardToken,
        /// The cycle of an agreement that it takes.
        cycle: Option<CycleClaim>,
        /// That the card may be debited once more, if the merchant did not ask for this debit.
        retry: Option<TryClaim>,
    },
}

/// A payer at the hosted page.
pub(crate) struct PageReader {
    /// The language that the payer chose, if they did.
    pub(crate) language: Option<Language>,
    /// What the payer was shown that it costs.
    pub(crate) shown: Option<ShownPrice>,
    /// What the payer agreed to.
    pub(crate) agreed: Option<Agreed>,
}

/// How a merchant's server names the payment that it asks for, and who asks.
pub(crate) struct ServerOrder {
    /// The reference of the first attempt.
    pub(crate) reference: ReferenceNumber,
    /// What is stored with that for the same request, if it comes again.
    pub(crate) claim: Option<StoredAnswer>,
    /// Who asks.
    pub(crate) actor: Actor,
}

impl PaymentPurpose {
    /// What the gateway is asked to charge.
    pub(super) fn instrument(&self) -> Instrument {
        match self {
            Self::Native { instrument, .. } => instrument.clone(),
            Self::Page { .. } | Self::SavedCard { .. } | Self::Debit { .. } => Instrument::Page,
        }
    }

    pub(super) const fn form(&self) -> FormOfPayment {
        match self {
            Self::Page { .. } => FormOfPayment::Redirect,
            Self::Native { instrument, .. } => instrument.form(),
            Self::SavedCard { .. } | Self::Debit { .. } => FormOfPayment::TokenPay,
        }
    }

    /// What is done with a card, if the transaction alone does not say it.
    pub(super) fn card(&self) -> Option<CardUse> {
        match self {
            Self::Page { saves_card, .. } => saves_card.then_some(CardUse::Save),
            Self::Native { .. } => None,
            Self::SavedCard { token, .. } => Some(CardUse::Charge(token.clone(), ChargeInitiator::Payer)),
            Self::Debit { token, .. } => Some(CardUse::Charge(token.clone(), ChargeInitiator::Merchant)),
        }
    }

    pub(super) fn cycle(&self) -> Option<&CycleClaim> {
        if let Self::Debit { cycle, .. } = self { cycle.as_ref() } else { None }
    }

    pub(super) fn retry(&self) -> Option<&TryClaim> {
        if let Self::Debit { retry, .. } = self { retry.as_ref() } else { None }
    }

    /// The payer at the hosted page, if that is where the payment was begun.
    pub(super) const fn reader(&self) -> Option<&PageReader> {
        match self {
            Self::Page { payer, .. } | Self::SavedCard { payer, .. } => Some(payer),
            Self::Native { .. } | Self::Debit { .. } => None,
        }
    }

    /// What the payer was shown that it costs.
    pub(super) fn shown(&self) -> Option<&ShownPrice> {
        if let Self::Native { shown, .. } = self {
            return shown.as_ref();
        }
        self.reader()?.shown.as_ref()
    }
}

/// How one attempt is to be made.
pub(super) struct AttemptPlan<'a> {
    pub(super) profile: &'a Profile,
    pub(super) principal: Money,
    pub(super) purpose: &'a PaymentPurpose,
    pub(super) reference: ReferenceNumber,
    /// What is stored with it for the same request, if it comes again.
    pub(super) claim: Option<StoredAnswer>,
    /// Who of the merchant asked for it; `None` for a payer.
    pub(super) actor: Option<Actor>,
    /// Why it goes to this gateway.
    pub(super) decision: Option<Box<RoutingDecision>>,
    /// Whether another gateway is tried if this one cannot be reached, so that it has only a part of the time.
    pub(super) has_next: bool,
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
