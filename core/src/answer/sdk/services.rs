//! The device wallets that a page may offer: each at most once, through the first gateway of the transaction
//! that accepts it on pages.
//!
//! Decision: a payment that saves a card has none, because no wallet provides a card that could be saved; and
//! if the payer may choose how much to pay, the item shows what the whole amount costs.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::answer::billing::billing;
use crate::answer::method::chosen_terms;
use crate::answer::sdk::SdkScene;
use crate::gateway::profile::{Fee, Profile};
use crate::gateway::terms::Quote;
use crate::gateway::wallet::sheet::{Prices, prices};
use crate::gateway::wallet::{ApplePay, GooglePay};
use crate::payment::routing::offered;
use crate::route::Route;
use crate::sdk::service::{DisplayItem, ItemKind, WalletService};
use crate::settings::situation::Situation;
use crate::strings::Strings;
use crate::transaction::Transaction;
use crate::value::web_address::host_of;
use crate::words::Wallet;

/// How a wallet is offered by a gateway.
#[derive(Debug, Clone, Copy)]
pub(crate) enum WalletOffer<'a> {
    /// Apple Pay.
    Apple(&'a ApplePay),
    /// Google Pay.
    Google(&'a GooglePay),
}

impl WalletOffer<'_> {
    /// The wallet.
    pub(crate) const fn wallet(&self) -> Wallet {
        match self {
            Self::Apple(_) => Wallet::ApplePay,
            Self::Google(_) => Wallet::GooglePay,
        }
    }
}

/// The wallets that a transaction offers on pages, each with its gateway and what it costs: a total that the sheet of the
/// wallet can show.
pub(crate) fn wallets<'a>(
    transaction: &Transaction,
    situation: &'a Situation,
) -> Vec<(WalletOffer<'a>, &'a Profile, Quote)> {
    if transaction.details.payment_type.saves_card() {
        return Vec::new();
    }
    let first = |wallet: Wallet| {
        let mut able =
            offered(transaction, situation).filter(|(profile, _)| profile.wallets.contains(&wallet));
        able.find_map(|(profile, quote)| {
            prices(wallet, &quote)?;
            let offer = match wallet {
                Wallet::ApplePay => profile.apple_pay.as_ref().map(WalletOffer::Apple),
                Wallet::GooglePay => profile.google_pay.as_ref().map(WalletOffer::Google),
            };
            offer.map(|offer| (offer, profile, quote))
        })
    };
    [Wallet::ApplePay, Wallet::GooglePay].into_iter().filter_map(first).collect()
}

/// The items.
pub(crate) fn services(scene: &SdkScene<'_>, is_payable: bool) -> Vec<WalletService> {
    let offered = wallets(scene.transaction, scene.situation);
    let items = offered.iter().filter(|_| is_payable).filter_map(|(offer, profile, quote)| {
        let prices = prices(offer.wallet(), quote)?;
        Some(match offer {
            WalletOffer::Apple(apple) => with_apple(plain(scene, profile, *quote), scene, apple, prices),
            WalletOffer::Google(google) => {
                let items = display_items(scene, profile.fee_of(*quote), &prices);
                let service = plain(scene, profile, *quote);
                WalletService { display_items: Some(items), ..with_google(service, scene, google, prices) }
            }
        })
    });
    items.collect()
}

/// What both wallets have.
fn plain(scene: &SdkScene<'_>, profile: &Profile, quote: Quote) -> WalletService {
    let transaction = scene.transaction;
    let language = transaction.details.language();
    let fee = profile.fee_of(quote);
    WalletService {
        amount: None,
        billing: billing(transaction, Some((profile, quote))),
        code: profile.code.clone(),
        country_code: scene.situation.settings.country.clone(),
        currency_code: quote.total.currency(),
        display_items: None,
        domain: None,
        environment: None,
        fee: quote.fee.text(),
        fee_description: fee.map_or_else(String::new, |fee| fee.description.text(language).to_string()),
        flow: Wallet::ApplePay,
        gateway: None,
        gateway_merchant_id: None,
        merchant_id: String::new(),
        merchant_name: None,
        operation: profile.operation,
        payment_url: String::new(),
        pg_code: profile.code.clone(),
        session_id: transaction.session_id.clone(),
        shop_name: None,
        terms: chosen_terms(transaction, profile),
        total_price: None,
        validation_url: None,
    }
}

fn with_apple(
    service: WalletService,
    scene: &SdkScene<'_>,
    apple_pay: &ApplePay,
    prices: Prices,
) -> WalletService {
    let name = scene.situation.settings.name.text(scene.transaction.details.language());
    WalletService {
        amount: Some(prices.total),
        domain: Some(apple_pay.domain.as_deref().unwrap_or(host_of(scene.public_url)).to_string()),
        flow: Wallet::ApplePay,
        merchant_id: apple_pay.merchant_id.clone(),
        payment_url: address(scene, &Route::SdkPayByApplePay),
        shop_name: Some(apple_pay.shop_name.as_deref().unwrap_or(name).to_string()),
        validation_url: Some(address(scene, &Route::SdkAppleSession)),
        ..service
    }
}

fn with_google(
    service: WalletService,
    scene: &SdkScene<'_>,
    google_pay: &GooglePay,
    prices: Prices,
) -> WalletService {
    WalletService {
        environment: Some(google_pay.environment),
        flow: Wallet::GooglePay,
        gateway: Some(google_pay.gateway.clone()),
        gateway_merchant_id: Some(google_pay.gateway_merchant_id.clone()),
        merchant_id: google_pay.merchant_id.clone(),
        merchant_name: Some(google_pay.merchant_name.clone()),
        payment_url: address(scene, &Route::SdkPayByGooglePay),
        total_price: Some(prices.total),
        ..service
    }
}

/// What the total consists of, as Google's sheet lists it; empty without a fee, and if the sheet cannot show the parts.
fn display_items(scene: &SdkScene<'_>, fee: Option<&Fee>, prices: &Prices) -> Vec<DisplayItem> {
    let Some(parts) = &prices.parts else { return Vec::new() };
    let language = scene.transaction.details.language();
    let labels = &Strings::of(language).label;
    let fee_label = fee.map_or(labels.fee, |fee| fee.description.text(language));
    let item = |label: &str, price: &str| DisplayItem {
        label: label.to_string(),
        price: price.to_string(),
        kind: ItemKind::LineItem,
    };
    Vec::from([item(labels.amount, &parts.net), item(fee_label, &parts.fee)])
}

fn address(scene: &SdkScene<'_>, route: &Route) -> String {
    alloc::format!("{}{}", scene.public_url, route.path())
}
