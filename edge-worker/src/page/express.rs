//! The buttons of device wallets, which pay without a choice in the list.
//!
//! Their place is in the page from the first paint, in every browser that may have the wallet as far as a style
//! sheet can know, so that nothing moves when the page's script finds the wallet and shows its button.

use checkout_core::checkout::page::{TransactionPage, WalletButton};
use checkout_core::route::Route;
use checkout_core::strings::Strings;
use checkout_core::words::Wallet;
use maud::{Markup, html};

use super::mark;

/// The buttons. They have the data that their sheets need, for the script; those about the merchant have the names of the API.
pub(super) fn draw(page: &TransactionPage, strings: &Strings) -> Markup {
    html! {
        @if !page.wallets.is_empty() {
            div #wallets .wallets {
                @for button in &page.wallets { (express(page, button, strings)) }
                p .or { (strings.ways.or) }
            }
        }
    }
}

fn express(page: &TransactionPage, button: &WalletButton, strings: &Strings) -> Markup {
    let google = button.google_pay.as_ref();
    let session = (button.wallet == Wallet::ApplePay).then(|| Route::SdkAppleSession.path());
    let fee_label = button.fee_label.as_deref().unwrap_or(strings.label.fee);
    let fee = Some(button.quote.fee).filter(|fee| !fee.is_zero());
    let direction = strings.language.direction();
    let is_editable = page.amount_field.is_some();
    html! {
        div .express data-express=(button.wallet.as_str()) hidden[button.prices().is_none()] {
            button .wallet type="button" aria-disabled="true"
                data-wallet=(button.wallet.as_str()) data-code=(button.code) data-terms=(button.terms)
                data-amount=(button.principal) data-net_label=(strings.label.amount) data-fee_label=(fee_label)
                data-country_code=(button.country)
                data-shop_name=(button.shop_name) data-pay-url=(Route::of_page_wallet(button.wallet).path())
                data-session-url=[session]
                data-environment=[google.map(|google| google.environment.as_str())]
                data-gateway=[google.map(|google| &google.gateway)]
                data-gateway_merchant_id=[google.map(|google| &google.gateway_merchant_id)]
                data-merchant_id=[google.map(|google| &google.merchant_id)] {
                span .unseen { (strings.ways.pay_with) " " }
                (mark::of_wallet(button.wallet))
            }
            small .quiet data-cost=(button.code) {
                bdi .sum dir=(direction) data-part="total" { (strings.price(button.quote.total)) }
                @if is_editable || fee.is_some() {
                    span data-part="fee-line" hidden[fee.is_none()] {
                        " " (strings.label.including) " " bdi { (fee_label) } " "
                        bdi .sum dir=(direction) data-part="fee" { (fee.map(|fee| strings.price(fee)).unwrap_or_default()) }
                    }
                }
            }
        }
    }
}
