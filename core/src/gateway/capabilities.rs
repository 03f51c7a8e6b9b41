//! What the protocol of a gateway can do. The settings check, the payment methods listing, the page and the operations follow
//! it; nothing else asks which connector it is.

use super::flexible::Flexible;
use super::icon::Icon;
use crate::value::money::Currency;
use crate::words::{ChildOperation, Operation, Wallet};

/// What a connector can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent abilities of a gateway")]
pub struct Capabilities {
    /// Whether there is a gateway to call; otherwise the merchant collects the money and says so.
    pub is_online: bool,
    /// Whether its usual gateway is the simulated bank, which not every installation has.
    pub is_simulated: bool,
    /// Whether it takes money at once, holds it, or both; a profile does one of them.
    pub payments: &'static [Operation],
    /// The only currencies that it charges; empty for every one.
    pub currencies: &'static [&'static str],
    /// Whether it saves the card with which the payer pays on its page.
    pub saves_cards: bool,
    /// Whether it confirms a card without an amount, so that it can be saved.
    pub verifies_cards: bool,
    /// Whether it charges a saved card while the payer is there.
    pub charges_saved_cards: bool,
    /// Whether it charges a saved card without the payer.
    pub debits_saved_cards: bool,
    /// The device wallets whose tokens it charges.
    pub wallets: &'static [Wallet],
    /// Whether it gets merchant sessions from Apple, which sheets on pages need.
    pub starts_apple_sessions: bool,
    /// What can be done to a payment that succeeded.
    pub operations: &'static [ChildOperation],
    /// Those of them that banks enable for every merchant: a profile that names none has these.
    pub usual_operations: &'static [ChildOperation],
    /// Whether a part of what is held can be captured, or only all of it.
    pub captures_parts: bool,
    /// Whether what a capture leaves is released at once, so that there is no second one.
    pub captures_once: bool,
    /// Whether a part of a payment can be given back, or only all of it.
    pub refunds_parts: bool,
    /// Whether a charge can be withdrawn before it is paid.
    pub withdraws: bool,
    /// Whether it knows nothing of a charge that nobody has paid, although its page was open.
    pub knows_only_paid: bool,
    /// Whether it lists its charges, so that they can be compared.
    pub lists_charges: bool,
    /// Whether it reports disputes about payments.
    pub reports_disputes: bool,
    /// Where its pages are, if not at the address that the settings name: sources as a content security policy writes
    /// them, to which a payer may be redirected.
    pub page_hosts: &'static [&'static str],
    /// The most characters of an order number, if they are fewer than ours.
    pub longest_order: Option<usize>,
    /// The members of `pg_params` that the payer must see with the result, success or not.
    pub receipt: &'static [&'static str],
    /// How the method is offered, if its gateway may be asked first or needs to know the payer.
    pub flexible: Option<Flexible>,
    /// For how many days what is held can be captured by the merchant.
    pub capture_days: Option<u16>,
    /// The picture of a gateway whose family is not known.
    pub icon: Icon,
}

impl Capabilities {
    /// A gateway that can be called and can do nothing: a connector declares what it can do in addition.
    pub(crate) const NONE: Self = Self {
        is_online: true,
        is_simulated: false,
        payments: &[],
        currencies: &[],
        saves_cards: false,
        verifies_cards: false,
        charges_saved_cards: false,
        debits_saved_cards: false,
        wallets: &[],
        starts_apple_sessions: false,
        operations: &[],
        usual_operations: &[],
        captures_parts: false,
        captures_once: false,
        refunds_parts: false,
        withdraws: false,
        knows_only_paid: false,
        lists_charges: false,
        reports_disputes: false,
        page_hosts: &[],
        longest_order: None,
        receipt: &[],
        flexible: None,
        capture_days: None,
        icon: Icon::Card,
    };

    /// Whether it charges amounts of a currency.
    #[must_use]
    pub(crate) fn charges_in(&self, currency: Currency) -> bool {
        self.currencies.is_empty() || self.currencies.contains(&currency.code())
    }
}
