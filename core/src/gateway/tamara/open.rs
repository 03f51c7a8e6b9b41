//! The checkout session, which opens a charge.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use super::account::{Tamara, TamaraAmount};
use super::answer::fault;
use crate::gateway::charge::{Opened, Order, OrderItem, Outcome, Report};
use crate::gateway::exchange::{Incoming, Outgoing};
use crate::gateway::pay_later::{Fault, id};
use crate::gateway::payer::{Payer, shortened};
use crate::gateway::text::{page_address, params};
use crate::value::money::Money;
use crate::wire::object::Object;
use crate::words::Language;

/// The member of the data of a charge that has the address of its page.
pub(super) const PAGE: &str = "checkout_url";

/// The most characters of a part of a name, of an e-mail address, and of the name and the description of an order.
const MAX_NAME: usize = 64;
const MAX_EMAIL: usize = 254;
const MAX_DESCRIPTION: usize = 256;
/// The way of paying; the payer chooses among those that Tamara offers on its page.
const PAYMENT_TYPE: &str = "PAY_BY_INSTALMENTS";
/// What is bought is not said: Tamara wants one of its words.
const ITEM_TYPE: &str = "Physical";
/// A part of an address that is not known: Tamara takes no empty one.
const NOT_KNOWN: &str = "-";

/// The request for a session, in the wire format.
#[derive(Serialize)]
struct TamaraSession<'a> {
    order_reference_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    order_number: Option<&'a str>,
    total_amount: TamaraAmount,
    shipping_amount: TamaraAmount,
    tax_amount: TamaraAmount,
    description: String,
    country_code: &'a str,
    payment_type: &'static str,
    locale: &'static str,
    items: Vec<TamaraItem<'a>>,
    consumer: TamaraConsumer<'a>,
    shipping_address: TamaraPlace<'a>,
    merchant_url: TamaraUrls<'a>,
}

/// What is bought, as sessions and captures name it.
#[derive(Serialize)]
pub(super) struct TamaraItem<'a> {
    reference_id: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    name: &'a str,
    sku: &'a str,
    quantity: u32,
    unit_price: TamaraAmount,
    total_amount: TamaraAmount,
}

#[derive(Serialize)]
struct TamaraConsumer<'a> {
    first_name: &'a str,
    last_name: &'a str,
    phone_number: &'a str,
    email: &'a str,
}

#[derive(Serialize)]
struct TamaraPlace<'a> {
    first_name: &'a str,
    last_name: &'a str,
    line1: &'a str,
    city: &'a str,
    country_code: &'a str,
    phone_number: &'a str,
}

#[derive(Serialize)]
struct TamaraUrls<'a> {
    success: &'a str,
    failure: &'a str,
    cancel: &'a str,
    notification: &'a str,
}

/// The request that opens a charge.
pub(super) fn request(tamara: &Tamara, order: &Order) -> Outgoing {
    let (first_name, last_name) = order.payer.both_names(MAX_NAME).unwrap_or_default();
    let phone = order.payer.telephone().map(|phone| phone.e164()).unwrap_or_default();
    let said = shortened(order.order_no.as_deref(), MAX_DESCRIPTION);
    let description = said.or_else(|| shortened(Some(&order.merchant), MAX_DESCRIPTION));
    let (line1, city, country_code) = place(&order.payer, tamara.country());
    let body = TamaraSession {
        order_reference_id: order.reference.as_str(),
        order_number: order.order_no.as_deref(),
        total_amount: TamaraAmount::of(order.total),
        shipping_amount: TamaraAmount::zero_of(order.total),
        tax_amount: TamaraAmount::zero_of(order.total),
        description: description.unwrap_or_else(|| order.reference.as_str().to_string()),
        country_code: tamara.country(),
        payment_type: PAYMENT_TYPE,
        locale: match order.language {
            Language::En => "en_US",
            Language::Ar => "ar_SA",
        },
        items: order.items.iter().map(item).collect(),
        consumer: TamaraConsumer {
            first_name: &first_name,
            last_name: &last_name,
            phone_number: &phone,
            email: order.payer.plain_email(MAX_EMAIL).unwrap_or_default(),
        },
        shipping_address: TamaraPlace {
            first_name: &first_name,
            last_name: &last_name,
            line1,
            city,
            country_code,
            phone_number: &phone,
        },
        merchant_url: TamaraUrls {
            success: &order.return_url,
            failure: &order.return_url,
            cancel: &order.return_url,
            notification: &order.callback_url,
        },
    };
    tamara.api().post("/checkout", &body)
}

fn item(item: &OrderItem) -> TamaraItem<'_> {
    let price = item.unit_price;
    // Items cost the total of their order together, so that their product is an amount.
    let total = price.minor().checked_mul(i64::from(item.quantity));
    let total = total.and_then(|minor| Money::new(minor, price.currency()).ok()).unwrap_or(price);
    TamaraItem {
        reference_id: &item.reference,
        kind: ITEM_TYPE,
        name: &item.name,
        sku: &item.reference,
        quantity: item.quantity,
        unit_price: TamaraAmount::of(price),
        total_amount: TamaraAmount::of(total),
    }
}

/// Where the goods go, otherwise where the payer lives: street, city and country.
fn place<'a>(payer: &'a Payer, home: &'a str) -> (&'a str, &'a str, &'a str) {
    let shipping = payer.shipping.as_deref().map(|place| (&place.line1, &place.city, &place.country));
    let billing = payer.billing.as_deref().map(|place| (&place.line1, &place.city, &place.country));
    shipping.or(billing).map_or((NOT_KNOWN, NOT_KNOWN, home), |(line1, city, country)| (line1, city, country))
}

/// The answer to the request that opens a charge.
pub(super) fn opened(order: &Order, answer: &Incoming) -> Opened {
    let unknown = || Opened::Reported(Report::bare(order.reference.as_str(), Outcome::Unknown));
    if !matches!(answer.status, 200 | 201) {
        return match fault(answer) {
            Fault::Refused(message) | Fault::Conflict(message) => Opened::Refused { message },
            Fault::Nothing => unknown(),
        };
    }
    let session = Object::read(&answer.body, |session| {
        (session.text("order_id"), session.text("checkout_url"), session.optional_text("status"))
    });
    let Some((made, page, status)) = session else { return unknown() };
    let is_new = status.is_none_or(|status| status == "new");
    match (id(&made), page_address(&page).filter(|_| is_new)) {
        (Some(made), Some(page_url)) => Opened::Reported(Report {
            gateway_id: Some(made.to_string()),
            params: params(&[(PAGE, Some(&page_url))]),
            ..Report::bare(order.reference.as_str(), Outcome::Open { page_url })
        }),
        _ => unknown(),
    }
}
