//! The request that opens a charge: a session of the gateway's page, or a payment with a saved card or a wallet.

use alloc::borrow::Cow;
use alloc::string::ToString;

use serde_json::value::RawValue;

use super::account::MpgsAccount;
use super::agreement::AgreementPart;
use super::message::{
    AddressPart, CardPart, Customer, DevicePayment, DisplayControl, Funds, InitiateCheckout, Interaction,
    MpgsMerchant, OrderPart, Pay, PayerBilling, PaymentSource, ProvidedCard,
};
use crate::card::usage::ChargeInitiator;
use crate::gateway::charge::{CardCharge, ChargeOperation, Order};
use crate::gateway::exchange::Outgoing;
use crate::gateway::instrument::WalletPayload;
use crate::gateway::payer::{fitting, shortened};
use crate::value::country::alpha3;
use crate::wire::json::text_of;
use crate::wire::members::Members;
use crate::words::Wallet;

/// For how many seconds the page waits for the payer.
pub(super) const PAGE_SECONDS: u32 = 1_800;
/// How often the payer may try again on the page before it sends them back.
const RETRIES: u8 = 3;
const MAX_NAME: usize = 40;
const MAX_REFERENCE: usize = 40;
const MAX_DESCRIPTION: usize = 127;
const MAX_PERSON: usize = 50;
const MAX_EMAIL: usize = 254;
const MAX_STREET: usize = 100;
const MAX_STATE: usize = 20;
const MAX_POSTCODE: usize = 10;

/// The request for a session of the page.
///
/// # Errors
/// If it could not be written.
pub(super) fn session(account: &MpgsAccount, order: &Order) -> Result<Outgoing, &'static str> {
    let agreement = order.agreement.as_deref();
    let back = order.return_url.as_str();
    account.post_session(&InitiateCheckout {
        api_operation: "INITIATE_CHECKOUT",
        interaction: Interaction {
            operation: match order.operation {
                ChargeOperation::Purchase => "PURCHASE",
                ChargeOperation::Authorize => "AUTHORIZE",
                ChargeOperation::Verify => "VERIFY",
            },
            merchant: MpgsMerchant { name: shortened(Some(&order.merchant), MAX_NAME).unwrap_or_default() },
            locale: order.language.as_str(),
            return_url: back,
            cancel_url: back,
            timeout_url: back,
            redirect_merchant_url: back,
            retry_attempt_count: RETRIES,
            timeout: PAGE_SECONDS,
            display_control: DisplayControl::CARD_ONLY,
        },
        order: OrderPart { id: Some(order.reference.as_str()), ..order_part(account, order) },
        customer: customer(order),
        billing: billing(order),
        transaction: PaymentSource { reference: order.reference.as_str(), source: "INTERNET" },
        agreement: agreement
            .and_then(|agreement| AgreementPart::first(agreement, order.total.currency(), order.opened_at)),
    })
}

/// The payment with a saved card.
///
/// # Errors
/// What is missing, if the gateway cannot be asked.
pub(super) fn saved_card(
    account: &MpgsAccount,
    order: &Order,
    charge: &CardCharge,
) -> Result<Outgoing, &'static str> {
    let agreement = charge.agreement.as_deref();
    let (source, agreement) = match charge.initiator {
        ChargeInitiator::Payer => {
            let first = |agreement| AgreementPart::first(agreement, order.total.currency(), order.opened_at);
            ("INTERNET", agreement.and_then(first))
        }
        ChargeInitiator::Merchant => {
            let later = agreement.and_then(AgreementPart::later);
            let missing = "a payment without the payer needs an agreement that has an id";
            ("MERCHANT", Some(later.ok_or(missing)?))
        }
    };
    let funds = Funds {
        kind: "CARD",
        token: Some(&charge.token.0),
        provided: Some(ProvidedCard {
            card: CardPart { stored_on_file: Some("STORED"), device_payment: None },
        }),
    };
    pay(account, order, order_part(account, order), MpgsMeans { funds, source, agreement })
}

/// The payment with a device wallet.
///
/// # Errors
/// What is missing, if the gateway cannot be asked.
pub(super) fn wallet(
    account: &MpgsAccount,
    order: &Order,
    wallet: Wallet,
    payload: &WalletPayload,
) -> Result<Outgoing, &'static str> {
    let token = token_of(wallet, payload).ok_or("the wallet gave no token that can be read")?;
    let provider = match wallet {
        Wallet::ApplePay => "APPLE_PAY",
        Wallet::GooglePay => "GOOGLE_PAY",
    };
    let card =
        CardPart { stored_on_file: None, device_payment: Some(DevicePayment { payment_token: &token }) };
    let funds = Funds { kind: "CARD", token: None, provided: Some(ProvidedCard { card }) };
    let part = OrderPart { wallet_provider: Some(provider), ..order_part(account, order) };
    pay(account, order, part, MpgsMeans { funds, source: "INTERNET", agreement: None })
}

/// By what is paid, and on whose initiative.
struct MpgsMeans<'a> {
    funds: Funds<'a>,
    source: &'static str,
    agreement: Option<AgreementPart<'a>>,
}

fn pay(
    account: &MpgsAccount,
    order: &Order,
    part: OrderPart<'_>,
    means: MpgsMeans<'_>,
) -> Result<Outgoing, &'static str> {
    let reference = order.reference.as_str();
    let body = Pay {
        api_operation: match order.operation {
            ChargeOperation::Purchase => "PAY",
            ChargeOperation::Authorize => "AUTHORIZE",
            ChargeOperation::Verify => "VERIFY",
        },
        order: part,
        source_of_funds: means.funds,
        customer: customer(order),
        billing: billing(order),
        transaction: PaymentSource { reference, source: means.source },
        agreement: means.agreement,
    };
    account.put_transaction(reference, reference, &body)
}

fn order_part<'o>(account: &MpgsAccount, order: &'o Order) -> OrderPart<'o> {
    let number = order.order_no.as_deref();
    let reference = order.reference.as_str();
    let is_verification = order.operation == ChargeOperation::Verify;
    OrderPart {
        id: None,
        amount: (!is_verification).then(|| order.total.to_string()),
        currency: order.total.currency().code(),
        description: shortened(number, MAX_DESCRIPTION).unwrap_or_else(|| reference.to_string()),
        reference: number
            .filter(|number| (1..=MAX_REFERENCE).contains(&number.chars().count()))
            .unwrap_or(reference),
        notification_url: account.notification_url(&order.callback_url),
        wallet_provider: None,
    }
}

/// The billing address, if the merchant gives one. What is too long for the gateway would be refused: streets and cities are
/// cut, and a part of a state or a postal code is none.
fn billing(order: &Order) -> Option<PayerBilling> {
    let address = order.payer.billing.as_deref()?;
    Some(PayerBilling {
        address: AddressPart {
            street: shortened(Some(&address.line1), MAX_STREET),
            street2: shortened(address.line2.as_deref(), MAX_STREET),
            city: shortened(Some(&address.city), MAX_STREET),
            state_province: fitting(address.state.as_deref(), MAX_STATE),
            postcode_zip: fitting(address.postal_code.as_deref(), MAX_POSTCODE)
                .filter(|code| is_postcode(code)),
            country: alpha3(&address.country)?,
        },
    })
}

/// The gateway takes letters and digits of ASCII, spaces and hyphens.
fn is_postcode(code: &str) -> bool {
    code.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'-'))
}

/// The payer. The gateway refuses the whole order for an e-mail address or a telephone number in another form than its own.
fn customer(order: &Order) -> Customer {
    let payer = &order.payer;
    Customer {
        email: payer.plain_email(MAX_EMAIL).map(Into::into),
        first_name: shortened(payer.first_name.as_deref(), MAX_PERSON),
        last_name: shortened(payer.last_name.as_deref(), MAX_PERSON),
        phone: payer.telephone().map(|phone| phone.e123()),
    }
}

/// The token that the gateway decrypts: an object of Apple's as it is written, a text of Google's as it is meant.
fn token_of(wallet: Wallet, payload: &WalletPayload) -> Option<Cow<'_, str>> {
    let outer = Members::of(payload.raw())?;
    match wallet {
        Wallet::ApplePay => {
            let token: &RawValue = outer.get("paymentData")?;
            token.get().starts_with('{').then(|| Cow::Borrowed(token.get()))
        }
        Wallet::GooglePay => {
            let method = Members::of(outer.get("paymentMethodData")?)?;
            let tokenization = Members::of(method.get("tokenizationData")?)?;
            text_of(tokenization.get("token")?).filter(|token| token.trim_start().starts_with('{'))
        }
    }
}
