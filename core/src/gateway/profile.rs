//! What a merchant configured for one `pg_code`: the gateway, the currencies, the fees, and what it can do.

use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use rust_decimal::Decimal;

use super::ConnectorKind;
use super::capabilities::Capabilities;
use super::credentials::StoredCredentials;
use super::flexible::Flexible;
use super::icon::{ChosenIcon, Icon};
use super::restriction::Restriction;
use super::tag::Tag;
use super::terms::{Quote, Terms};
use super::wallet::{ApplePay, GooglePay};
use crate::transaction::Transaction;
use crate::value::id::PgCode;
use crate::value::money::{Currency, ExchangeRate, Money};
use crate::words::card_brand::CardBrand;
use crate::words::payment_type::PaymentType;
use crate::words::{Bilingual, ChildOperation, Operation, Plugin, Wallet};

/// One gateway of a merchant.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches of the settings document")]
pub struct Profile {
    /// The code by which requests name it.
    pub code: PgCode,
    /// What the payer reads.
    pub name: Bilingual,
    /// Its picture, if one is set.
    pub icon: Option<ChosenIcon>,
    /// The protocol that it uses.
    pub connector: ConnectorKind,
    /// The gateway's family (`gateway_name` of a webhook), at most 64 characters.
    pub pg_name: String,
    /// Charge at once, or authorize.
    pub operation: Operation,
    /// The currencies in which it charges amounts of the same currency.
    pub currencies: Vec<Currency>,
    /// The one of `currencies` in which it usually charges.
    pub default_currency: Currency,
    /// The other currencies that it accepts: their amounts are charged in `default_currency`.
    pub exchanges: Vec<Exchange>,
    /// The fees that the payer pays, at most one for each currency charged.
    pub fees: Vec<Fee>,
    /// Whether the payer pays the fee if nothing is exchanged.
    pub charge_default_currency: bool,
    /// Whether it is a simulation that moves no money.
    pub sandbox: bool,
    /// Whether another attempt may follow one that failed.
    pub multiple_attempts: bool,
    /// How long after the payer was sent to it the gateway is asked for the first time.
    pub inquiry_after: Duration,
    /// Whether what is recorded here is compared with its list of charges.
    pub reconciled: bool,
    /// Whether it saves cards for later payments.
    pub tokenization: bool,
    /// Whether it wants the security code of a saved card with every payment of the payer.
    pub cvv_required: bool,
    /// Whether it debits saved cards without the payer.
    pub auto_debit: bool,
    /// The brands of cards that it accepts, as far as they are known.
    pub card_brands: Vec<CardBrand>,
    /// The device wallets that it accepts.
    pub wallets: Vec<Wallet>,
    /// How Apple Pay is offered on pages; `None` if it is accepted by native payments only.
    pub apple_pay: Option<ApplePay>,
    /// How Google Pay is offered on pages.
    pub google_pay: Option<GooglePay>,
    /// What can be done through it to a payment that succeeded.
    pub operations: Vec<ChildOperation>,
    /// The group whose gateways are one payment method for the payer, if it is in one.
    pub group: Option<String>,
    /// What the account cannot do although the protocol can.
    pub restrictions: Vec<Restriction>,
    /// The plugins whose transactions may use it.
    pub plugins: Vec<Plugin>,
    /// Whether a simulated gateway is asked before it is offered.
    pub flexible: bool,
    /// The words by which it is found in the payment methods listing.
    pub tags: Vec<Tag>,
    /// What the gateway needs to know the merchant, its secrets sealed.
    pub credentials: StoredCredentials,
    /// The gateway's base address if it is not the usual one.
    pub endpoint: Option<String>,
}

/// A currency that a gateway accepts without charging in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exchange {
    /// The currency.
    pub source: Currency,
    /// What one unit of it is worth in the gateway's default currency.
    pub rate: ExchangeRate,
}

/// The fee of one gateway in one currency: a fixed part and a part of the amount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fee {
    /// The fixed part; its currency is the one to which the fee applies.
    pub fixed: Money,
    /// The share of the amount, in percent.
    pub percent: Decimal,
    /// The label that the payer reads.
    pub description: Bilingual,
}

impl Profile {
    /// What `amount` costs through this gateway; `None` if the gateway does not accept the currency, or
    /// [`Terms::quote`] has no result.
    #[must_use]
    pub fn quote(&self, amount: Money) -> Option<Quote> {
        self.terms(amount.currency())?.quote(amount)
    }

    /// What the protocol of the gateway can do.
    #[must_use]
    pub const fn capabilities(&self) -> &'static Capabilities {
        &self.connector.declaration().capabilities
    }

    /// How it is offered, if it is a flexible method. A simulated gateway is one if the settings say so, and is offered like
    /// the family that it simulates.
    #[must_use]
    pub fn flexible(&self) -> Option<Flexible> {
        let able = self.capabilities();
        let own = able.flexible.filter(|_| self.flexible || !able.is_simulated)?;
        let simulated = self.family().and_then(|family| family.declaration().capabilities.flexible);
        Some(Flexible { flow: simulated.map_or(own.flow, |family| family.flow), ..own })
    }

    /// Whether the merchant collects the money itself, and no gateway is called.
    #[must_use]
    pub const fn is_cash(&self) -> bool {
        !self.capabilities().is_online
    }

    /// Whether a card with which the payer paid can be saved.
    #[must_use]
    pub(crate) const fn saves_cards(&self) -> bool {
        self.tokenization && self.capabilities().saves_cards
    }

    /// Whether the card with which a transaction is paid can be saved: its customer has an id, and the gateway saves
    /// cards.
    #[must_use]
    pub fn can_save_card(&self, transaction: &Transaction) -> bool {
        transaction.details.customer_id.is_some() && self.saves_cards()
    }

    /// Whether the account confirms a card without an amount.
    #[must_use]
    pub(crate) fn verifies_cards(&self) -> bool {
        self.saves_cards() && self.capabilities().verifies_cards && self.may(Restriction::NoVerification)
    }

    /// Whether a saved card is charged while the payer is there.
    #[must_use]
    pub(crate) fn charges_saved_cards(&self) -> bool {
        let is_able = self.capabilities().charges_saved_cards;
        self.saves_cards() && is_able && self.may(Restriction::NoSavedCardPayment)
    }

    /// Whether transactions of a payment type can be paid through it.
    #[must_use]
    pub(crate) fn serves(&self, kind: PaymentType) -> bool {
        match kind {
            PaymentType::OneOff => true,
            PaymentType::AutoDebit => self.saves_cards(),
            PaymentType::SaveCard => self.verifies_cards(),
        }
    }

    /// Whether a part of what is held can be captured.
    #[must_use]
    pub(crate) fn captures_parts(&self) -> bool {
        self.capabilities().captures_parts && self.may(Restriction::FullCapture)
    }

    /// Whether what a capture leaves is released at once.
    #[must_use]
    pub(crate) fn captures_once(&self) -> bool {
        self.capabilities().captures_once || !self.may(Restriction::SingleCapture)
    }

    /// Whether a part of what was taken can be given back.
    #[must_use]
    pub(crate) fn refunds_parts(&self) -> bool {
        self.capabilities().refunds_parts && self.may(Restriction::FullRefund)
    }

    fn may(&self, restriction: Restriction) -> bool {
        !self.restrictions.contains(&restriction)
    }

    /// Whether the merchant may charge a card without the payer: the settings allow it, and the gateway can do it.
    pub(crate) const fn debits_cards(&self) -> bool {
        self.auto_debit && self.capabilities().debits_saved_cards
    }

    /// How the gateway charges amounts in `currency`, directly or by exchange; `None` if it does not accept
    /// it.
    #[must_use]
    pub fn terms(&self, currency: Currency) -> Option<Terms> {
        let (charged, rate) = if self.currencies.contains(&currency) {
            (currency, None)
        } else {
            let exchange = self.exchanges.iter().find(|exchange| exchange.source == currency)?;
            (self.default_currency, Some(exchange.rate))
        };
        let fee = self.fee(charged).filter(|_| rate.is_some() || self.charge_default_currency);
        Some(Terms {
            source: currency,
            rate,
            fixed: fee.map_or_else(|| Money::zero(charged), |fee| fee.fixed),
            percent: fee.map_or(Decimal::ZERO, |fee| fee.percent),
            totals: (self.connector.declaration().totals)(charged),
        })
    }

    /// The currencies that the gateway accepts: those in which it charges, then those that it exchanges.
    pub fn accepted(&self) -> impl Iterator<Item = Currency> {
        self.currencies.iter().copied().chain(self.exchanges.iter().map(|exchange| exchange.source))
    }

    /// Whether the gateway accepts amounts in `currency`, directly or by exchange.
    #[must_use]
    pub fn takes(&self, currency: Currency) -> bool {
        self.accepted().any(|taken| taken == currency)
    }

    /// The fee that a quote of this gateway has; `None` if nothing is added.
    #[must_use]
    pub(crate) fn fee_of(&self, quote: Quote) -> Option<&Fee> {
        self.fee(quote.amount.currency()).filter(|_| !quote.fee.is_zero())
    }

    /// The fee for charges in `currency`, if one is configured.
    #[must_use]
    pub fn fee(&self, currency: Currency) -> Option<&Fee> {
        self.fees.iter().find(|fee| fee.fixed.currency() == currency)
    }
}

impl Profile {
    /// The family of gateways that the name says, if there is a connector for it: a simulated gateway has that of another.
    #[must_use]
    pub(crate) fn family(&self) -> Option<ConnectorKind> {
        ConnectorKind::ALL.into_iter().find(|kind| kind.as_str().eq_ignore_ascii_case(&self.pg_name))
    }

    /// The picture of ours for the gateway: the one that is set, otherwise that of its family.
    #[must_use]
    pub fn own_icon(&self) -> Icon {
        if let Some(ChosenIcon::Own(icon)) = &self.icon {
            return *icon;
        }
        Icon::of_family(&self.pg_name).unwrap_or(self.capabilities().icon)
    }

    /// The address of the gateway's picture, as the API gives it.
    #[must_use]
    pub fn icon_address(&self, public_url: &str) -> String {
        match &self.icon {
            Some(ChosenIcon::At(address)) => address.as_str().into(),
            Some(ChosenIcon::Own(_)) | None => self.own_icon().address(public_url),
        }
    }

    /// The address of the picture in WebP. A merchant sets one picture, in whatever format.
    pub(crate) fn webp_address(&self, public_url: &str) -> String {
        match &self.icon {
            Some(ChosenIcon::At(address)) => address.as_str().into(),
            Some(ChosenIcon::Own(_)) | None => self.own_icon().webp_address(public_url),
        }
    }
}
