//! The checkout session: what opens a charge and asks whether one would be taken.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use super::account::{MERCHANT_CODE, Tabby};
use super::answer::fault;
use super::find::open_id;
use super::payment::raw_of;
use crate::gateway::charge::{Opened, Order, OrderItem, Outcome, Report};
use crate::gateway::decline::{DeclineReason, note};
use crate::gateway::exchange::{Incoming, Outgoing};
use crate::gateway::pay_later::{Fault, NOT_CAPTURED};
use crate::gateway::payer::Payer;
use crate::gateway::text::{page_address, params};
use crate::value::money::Money;
use crate::wire::json;
use crate::wire::object::Object;
use crate::words::Language;

/// The address of sessions.
pub(super) const PATH: &str = "/api/v2/checkout";
/// The most characters of a part of a name, and of an e-mail address.
const MAX_NAME: usize = 64;
const MAX_EMAIL: usize = 254;
/// The category of every item: the merchant's items have none.
const CATEGORY: &str = "General";

/// The request for a session, in the wire format.
#[derive(Serialize)]
struct TabbySession<'a> {
    payment: TabbySessionPayment<'a>,
    lang: &'static str,
    merchant_code: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    merchant_urls: Option<TabbyUrls<'a>>,
}

#[derive(Serialize)]
struct TabbyUrls<'a> {
    success: &'a str,
    cancel: &'a str,
    failure: &'a str,
}

#[derive(Serialize)]
struct TabbySessionPayment<'a> {
    amount: String,
    currency: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    buyer: TabbyBuyer<'a>,
    shipping_address: TabbyPlace<'a>,
    order: TabbyOrder<'a>,
    buyer_history: TabbyHistory,
    order_history: [(); 0],
}

/// What is not known of the payer is an empty text: Tabby then asks on its page, or declines.
#[derive(Serialize)]
struct TabbyBuyer<'a> {
    name: String,
    email: &'a str,
    phone: String,
}

#[derive(Serialize)]
struct TabbyPlace<'a> {
    city: &'a str,
    address: &'a str,
    zip: &'a str,
}

#[derive(Serialize)]
struct TabbyOrder<'a> {
    reference_id: &'a str,
    items: Vec<TabbyItem<'a>>,
}

#[derive(Serialize)]
struct TabbyItem<'a> {
    reference_id: &'a str,
    title: &'a str,
    quantity: u32,
    unit_price: String,
    category: &'static str,
}

/// A payer of whom the merchant knows no history.
#[derive(Serialize)]
struct TabbyHistory {
    registered_since: String,
    loyalty_level: u32,
}

/// What a session is about.
pub(super) struct SessionSubject<'a> {
    pub(super) reference: &'a str,
    pub(super) total: Money,
    pub(super) payer: &'a Payer,
    pub(super) items: &'a [OrderItem],
    pub(super) language: Language,
    pub(super) order_no: Option<&'a str>,
    /// Since when the payer is known, as RFC 3339 writes it.
    pub(super) since: String,
    /// Where the browser comes back; `None` if nobody goes to the page.
    pub(super) return_url: Option<&'a str>,
}

/// The request for a session.
pub(super) fn request(tabby: &Tabby, subject: SessionSubject<'_>) -> Outgoing {
    let SessionSubject { payer, total, .. } = subject;
    let name = payer.both_names(MAX_NAME).map(|(first, last)| format!("{first} {last}"));
    let body = TabbySession {
        payment: TabbySessionPayment {
            amount: total.to_string(),
            currency: total.currency().code(),
            description: subject.order_no,
            buyer: TabbyBuyer {
                name: name.unwrap_or_default(),
                email: payer.plain_email(MAX_EMAIL).unwrap_or_default(),
                phone: payer.telephone().map(|phone| phone.e164()).unwrap_or_default(),
            },
            shipping_address: place(payer),
            order: TabbyOrder {
                reference_id: subject.reference,
                items: subject.items.iter().map(item).collect(),
            },
            buyer_history: TabbyHistory { registered_since: subject.since, loyalty_level: 0 },
            order_history: [],
        },
        lang: subject.language.as_str(),
        merchant_code: tabby.credentials.get(MERCHANT_CODE),
        merchant_urls: subject.return_url.map(|url| TabbyUrls { success: url, cancel: url, failure: url }),
    };
    tabby.api().post(PATH, &body)
}

fn item(item: &OrderItem) -> TabbyItem<'_> {
    TabbyItem {
        reference_id: &item.reference,
        title: &item.name,
        quantity: item.quantity,
        unit_price: item.unit_price.to_string(),
        category: CATEGORY,
    }
}

/// Where the goods go, otherwise where the payer lives.
fn place(payer: &Payer) -> TabbyPlace<'_> {
    let shipping =
        payer.shipping.as_deref().map(|place| (&place.city, &place.line1, place.postal_code.as_deref()));
    let billing =
        payer.billing.as_deref().map(|place| (&place.city, &place.line1, place.postal_code.as_deref()));
    shipping.or(billing).map_or(TabbyPlace { city: "", address: "", zip: "" }, |(city, address, zip)| {
        TabbyPlace { city, address, zip: zip.unwrap_or_default() }
    })
}

/// The request that opens a charge.
pub(super) fn open(tabby: &Tabby, order: &Order) -> Outgoing {
    request(
        tabby,
        SessionSubject {
            reference: order.reference.as_str(),
            total: order.total,
            payer: &order.payer,
            items: &order.items,
            language: order.language,
            order_no: order.order_no.as_deref(),
            since: order.opened_at.text(),
            return_url: Some(&order.return_url),
        },
    )
}

/// What a session says.
pub(super) struct TabbySessionAnswer {
    id: String,
    status: String,
    payment: Option<(String, String)>,
    page: Option<String>,
    /// Why no product is available.
    pub(super) rejection: Option<String>,
}

impl TabbySessionAnswer {
    pub(super) fn read(body: &[u8]) -> Option<Self> {
        Object::read(body, |session| {
            let (page, rejection) = session.object("configuration", configuration).unwrap_or_default();
            let payment = session.object("payment", |payment| {
                let reference =
                    payment.object("order", |order| order.optional_text("reference_id")).flatten();
                payment.optional_text("id").zip(reference)
            });
            Self {
                id: session.text("id"),
                status: session.text("status"),
                payment: payment.flatten(),
                page,
                rejection,
            }
        })
    }

    /// Whether the payer may go to the page.
    pub(super) fn is_created(&self) -> bool {
        self.status == "created"
    }

    /// Whether no product is available for this payer and this order.
    pub(super) fn is_rejected(&self) -> bool {
        self.status == "rejected"
    }
}

/// The page of instalments, and why there is none.
fn configuration(configuration: &mut Object<'_>) -> (Option<String>, Option<String>) {
    let page = configuration.object("available_products", |products| {
        let offered = json::items(products.raw("installments")?)?;
        let first = offered.first()?;
        Object::read(first.get(), |product| product.optional_text("web_url"))?
    });
    let rejection = configuration.object("products", |products| {
        products.object("installments", |product| product.optional_text("rejection_reason"))
    });
    let page = page.flatten().as_deref().and_then(page_address);
    (page, rejection.flatten().flatten())
}

/// The page of a session that waits for its payer.
pub(super) fn page_of(body: &[u8]) -> Option<String> {
    TabbySessionAnswer::read(body).filter(TabbySessionAnswer::is_created)?.page
}

/// The answer to the request that opens a charge.
pub(super) fn opened(order: &Order, answer: &Incoming) -> Opened {
    let reference = order.reference.as_str();
    let unknown = || Opened::Reported(Report::bare(reference, Outcome::Unknown));
    if answer.status != 200 {
        return match fault(answer) {
            Fault::Refused(message) | Fault::Conflict(message) => Opened::Refused { message },
            Fault::Nothing => unknown(),
        };
    }
    let Some(session) = TabbySessionAnswer::read(&answer.body) else { return unknown() };
    if session.is_rejected() {
        return Opened::Reported(rejected(reference, &session, &answer.body));
    }
    let known = session.payment.as_ref().filter(|_| session.is_created());
    let opened = known.zip(session.page.as_ref()).and_then(|((payment, named), page)| {
        let report = Report::bare(named, Outcome::Open { page_url: page.clone() });
        Some(Report { gateway_id: Some(open_id(payment, &session.id)?), ..report })
    });
    opened.map_or_else(unknown, Opened::Reported)
}

/// Tabby does not take this payer or this order.
fn rejected(reference: &str, session: &TabbySessionAnswer, body: &[u8]) -> Report {
    let payment = session.payment.as_ref().map(|(payment, _)| payment.as_str());
    let mut params =
        params(&[("payment_id", payment), ("result", Some(NOT_CAPTURED)), ("track_id", Some(reference))]);
    let code = session.rejection.as_deref().unwrap_or_default();
    note(&mut params, reason_of(code), code);
    let named = session.payment.as_ref().map_or(reference, |(_, named)| named);
    Report {
        message: Some(format!("Tabby does not take the payment: {}", words_of(code))),
        params,
        raw: raw_of(body),
        ..Report::bare(named, Outcome::Declined)
    }
}

/// The amount is over what Tabby takes from this payer.
pub(super) const TOO_HIGH: &str = "order_amount_too_high";
/// The amount is under what Tabby takes.
pub(super) const TOO_LOW: &str = "order_amount_too_low";

fn reason_of(code: &str) -> DeclineReason {
    match code {
        TOO_HIGH => DeclineReason::LimitExceeded,
        TOO_LOW => DeclineReason::NotPermitted,
        _ => DeclineReason::Other,
    }
}

fn words_of(code: &str) -> &'static str {
    match code {
        TOO_HIGH => "the amount is too high for it",
        TOO_LOW => "the amount is too low for it",
        _ => "it is not available for this payer",
    }
}
