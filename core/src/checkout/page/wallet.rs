//! The buttons of device wallets. The page's script finds out whether the payer's device has the wallet, and
//! shows a button only then.
//!
//! Decision: a wallet that several gateways take has one button, of the first of them in the merchant's order:
//! to the payer it is one wallet.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::scene::{PageScene, clean};
use crate::answer::sdk::services::{self, WalletOffer};
use crate::gateway::terms::{Quote, Terms};
use crate::gateway::wallet::GooglePay;
use crate::gateway::wallet::sheet::{Prices, prices};
use crate::payment::begin::{WantedPayment, may_open};
use crate::value::money::Money;
use crate::words::{Language, Wallet};

/// A button, with what its sheet needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalletButton {
    /// Which wallet.
    pub wallet: Wallet,
    /// The gateway.
    pub code: String,
    /// What is paid.
    pub principal: Money,
    /// What it costs.
    pub quote: Quote,
    /// How its gateway charges other amounts.
    pub terms: Terms,
    /// The label of the fee, if there is one.
    pub fee_label: Option<String>,
    /// The merchant's country.
    pub country: String,
    /// The shop's name on the sheet.
    pub shop_name: String,
    /// What Google needs.
    pub google_pay: Option<GooglePay>,
}

impl WalletButton {
    /// What its sheet shows; `None` if it cannot show what is paid: the button waits until the payer types another amount.
    #[must_use]
    pub fn prices(&self) -> Option<Prices> {
        prices(self.wallet, &self.quote)
    }
}

/// The buttons of a transaction that can be paid.
pub(super) fn wallets(scene: &PageScene<'_>, principal: Money, language: Language) -> Vec<WalletButton> {
    let PageScene { transaction, latest, situation, .. } = *scene;
    let (settings, now) = (&situation.settings, situation.now);
    let offered = services::wallets(transaction, situation).into_iter();
    let buttons = offered
        .filter(|(_, profile, _)| {
            may_open(transaction, latest, WantedPayment { code: &profile.code, principal }, now).is_ok()
        })
        .filter_map(|(offer, profile, whole)| {
            let own = || settings.name.text(language).to_string();
            let (wallet, shop_name, google_pay) = match offer {
                WalletOffer::Apple(apple_pay) => {
                    (Wallet::ApplePay, apple_pay.shop_name.clone().unwrap_or_else(own), None)
                }
                WalletOffer::Google(google_pay) => {
                    (Wallet::GooglePay, google_pay.merchant_name.clone(), Some(google_pay.clone()))
                }
            };
            let quote = profile.quote(principal).unwrap_or(whole);
            Some(WalletButton {
                wallet,
                code: profile.code.to_string(),
                principal,
                quote,
                terms: profile.terms(principal.currency())?,
                fee_label: profile.fee_of(quote).map(|fee| clean(fee.description.text(language))),
                country: settings.country.clone(),
                shop_name: clean(&shop_name),
                google_pay,
            })
        });
    let mut shown: Vec<WalletButton> = Vec::new();
    for button in buttons {
        if !shown.iter().any(|other| other.wallet == button.wallet) {
            shown.push(button);
        }
    }
    shown
}
