//! The device wallets that a page may offer: each at most once, through the first gateway of the transaction
//! that accepts it on pages.
//!
//! Decision: a payment that saves a card has none, because no wallet provides a card that could be saved; and
//! if the payer may choose how much to pay, the item shows what the whole amount costs.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::value::RawValue;

use crate::answer::billing::Billing;
use crate::answer::body::{AnswerBody, BodyMember};
use crate::answer::sdk::SdkScene;
use crate::gateway::profile::{Fee, Profile};
use crate::gateway::terms::Quote;
use crate::gateway::wallet::sheet::{Prices, prices};
use crate::gateway::wallet::{ApplePay, GooglePay};
use crate::payment::routing::offered;
use crate::route::Route;
use crate::settings::situation::Situation;
use crate::strings::Strings;
use crate::transaction::Transaction;
use crate::value::json;
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

/// The items as a JSON list.
pub(crate) fn services(scene: &SdkScene<'_>, is_payable: bool) -> Option<Box<RawValue>> {
    let offered = wallets(scene.transaction, scene.situation);
    let items = offered.iter().filter(|_| is_payable).filter_map(|(offer, profile, quote)| {
        let prices = prices(offer.wallet(), quote)?;
        let mut body = common(scene, profile, *quote);
        match offer {
            WalletOffer::Apple(apple_pay) => put_apple(&mut body, scene, apple_pay, prices),
            WalletOffer::Google(google_pay) => {
                let items = display_items(scene, profile.fee_of(*quote), &prices);
                body.0.insert("display_items", BodyMember::Objects(items));
                put_google(&mut body, scene, google_pay, prices);
            }
        }
        Some(body)
    });
    let list = json::write(&items.collect::<Vec<_>>());
    RawValue::from_string(list).ok()
}

fn common<'a>(scene: &SdkScene<'a>, profile: &'a Profile, quote: Quote) -> AnswerBody<'a> {
    let transaction = scene.transaction;
    let language = transaction.details.language();
    let mut body = AnswerBody::default();
    body.0.insert("billing", BodyMember::Object(Billing::of(transaction, Some((profile, quote))).body()));
    body.text("code", profile.code.as_str());
    body.text("country_code", &scene.situation.settings.country);
    body.text("currency_code", quote.total.currency().code());
    body.text("fee", quote.fee.text());
    body.text("fee_description", profile.fee_of(quote).map_or("", |fee| fee.description.text(language)));
    body.text("operation", profile.operation.as_str());
    body.text("pg_code", profile.code.as_str());
    body.text("session_id", transaction.session_id.as_str());
    body
}

fn put_apple<'a>(body: &mut AnswerBody<'a>, scene: &SdkScene<'a>, apple_pay: &'a ApplePay, prices: Prices) {
    body.text("amount", prices.total);
    body.text("domain", apple_pay.domain.as_deref().unwrap_or(host_of(scene.public_url)));
    body.text("flow", Wallet::ApplePay.as_str());
    body.text("merchant_id", &apple_pay.merchant_id);
    body.text("payment_url", address(scene, &Route::SdkPayByApplePay));
    let name = scene.situation.settings.name.text(scene.transaction.details.language());
    body.text("shop_name", apple_pay.shop_name.as_deref().unwrap_or(name));
    body.text("validation_url", address(scene, &Route::SdkAppleSession));
}

fn put_google<'a>(
    body: &mut AnswerBody<'a>,
    scene: &SdkScene<'a>,
    google_pay: &'a GooglePay,
    prices: Prices,
) {
    body.text("environment", google_pay.environment.as_str());
    body.text("flow", Wallet::GooglePay.as_str());
    body.text("gateway", &google_pay.gateway);
    body.text("gateway_merchant_id", &google_pay.gateway_merchant_id);
    body.text("merchant_id", &google_pay.merchant_id);
    body.text("merchant_name", &google_pay.merchant_name);
    body.text("payment_url", address(scene, &Route::SdkPayByGooglePay));
    body.text("total_price", prices.total);
}

/// What the total consists of, as Google's sheet lists it; empty without a fee, and if the sheet cannot show the parts.
fn display_items<'a>(scene: &SdkScene<'a>, fee: Option<&'a Fee>, prices: &Prices) -> Vec<AnswerBody<'a>> {
    let Some(parts) = &prices.parts else { return Vec::new() };
    let language = scene.transaction.details.language();
    let labels = &Strings::of(language).label;
    let fee_label = fee.map_or(labels.fee, |fee| fee.description.text(language));
    let item = |label: &'a str, price: &str| {
        let mut item = AnswerBody::default();
        item.text("label", label);
        item.text("price", price.to_string());
        item.text("type", "LINE_ITEM");
        item
    };
    Vec::from([item(labels.amount, &parts.net), item(fee_label, &parts.fee)])
}

fn address(scene: &SdkScene<'_>, route: &Route) -> String {
    alloc::format!("{}{}", scene.public_url, route.path())
}
