//! Tabby: sessions with a page, payments that are authorised there, then captured, closed and refunded, and webhooks that are
//! only signed by a fixed value.

use std::time::Duration;

use checkout_core::gateway::charge::ChargeOperation;
use checkout_core::gateway::exchange::{HttpMethod, Incoming, Outgoing};
use checkout_core::testing::clock::ManualClock;
use checkout_core::testing::http::json as answer_json;
use checkout_core::value::money::Money;
use checkout_core::value::time::Timestamp;
use checkout_core::words::ChildOperation;
use sandbox_bank::charge::ChargeStatus;
use serde_json::{Value, json};

use super::ledger::{Charge, Ledger, Move, Opening, currency};
use super::message::{Asked, header, message};
use super::{Exclusive, Gateway, Notice};

const KEY: &str = "sk_test_of_the_shop";
const CODE: &str = "shop_kw";
const SECRET: &str = "webhook-secret-of-the-shop";
/// How long a session waits for the payer.
const PAGE: Duration = Duration::from_mins(20);

/// Tabby with one store.
#[derive(Debug)]
pub struct Tabby {
    ledger: Ledger,
    origin: String,
}

fn said(body: &Value) -> Incoming {
    answer_json(200, &body.to_string())
}

fn fault(status: u16, kind: &str, text: &str) -> Incoming {
    answer_json(status, &json!({"status": "error", "errorType": kind, "error": text}).to_string())
}

fn payment_id(charge: &Charge) -> String {
    format!("pay-{:09}", charge.number)
}

fn session_id(charge: &Charge) -> String {
    format!("ses-{:09}", charge.number)
}

fn amount(text: &str, of: &str) -> Option<Money> {
    Money::parse(text, currency(of)?).ok().filter(|money| money.minor() > 0)
}

impl Tabby {
    /// A store at an address of this name.
    #[must_use]
    pub fn new(clock: &ManualClock, name: &str) -> Self {
        Self { ledger: Ledger::new(clock, name), origin: format!("https://tabby-{name}.example.com") }
    }

    fn carry_out(&self, asked: &Asked) -> Incoming {
        match (asked.method, asked.segments().as_slice()) {
            (HttpMethod::Post, ["api", "v2", "checkout"]) => self.open(asked),
            (HttpMethod::Get, ["api", "v2", "checkout", id]) => {
                match self.ledger.find_by(|charge| session_id(charge) == *id) {
                    Some(charge) => said(&self.session(&charge)),
                    None => fault(404, "not_found", "no such session"),
                }
            }
            (HttpMethod::Get, ["api", "v2", "payments"]) => self.list(asked),
            (HttpMethod::Get, ["api", "v2", "payments", id]) => match self.by_id(id) {
                Some(charge) => said(&self.payment(&charge)),
                None => fault(404, "not_found", "no such payment"),
            },
            (HttpMethod::Post, ["api", "v2", "payments", id, what]) => self.operate(asked, id, what),
            _ => {
                self.ledger.protest(format!("Tabby has no {:?} {:?}", asked.method, asked.path));
                fault(404, "not_found", "no such address")
            }
        }
    }

    fn by_id(&self, id: &str) -> Option<Charge> {
        self.ledger.find_by(|charge| payment_id(charge) == id)
    }

    fn open(&self, asked: &Asked) -> Incoming {
        let code = asked.text("/payment/currency");
        let total = amount(asked.text("/payment/amount"), code);
        let reference = asked.text("/payment/order/reference_id");
        let buyer = ["/payment/buyer/name", "/payment/buyer/email", "/payment/buyer/phone"];
        let needed = [
            "/payment/shipping_address/city",
            "/payment/shipping_address/address",
            "/payment/shipping_address/zip",
            "/payment/buyer_history/registered_since",
        ];
        let is_whole = needed.iter().all(|name| asked.json.pointer(name).is_some_and(Value::is_string))
            && buyer.iter().all(|name| !asked.text(name).is_empty())
            && asked.json.pointer("/payment/order_history").is_some_and(Value::is_array)
            && asked.text("/merchant_urls/success").starts_with("https://")
            && asked.text("/merchant_code") == CODE
            && matches!(asked.text("/lang"), "en" | "ar");
        let items = asked.json.pointer("/payment/order/items").and_then(Value::as_array);
        let sum: Option<i64> = items.and_then(|items| {
            let one = |item: &Value| {
                let price = amount(item.get("unit_price")?.as_str()?, code)?.minor();
                price.checked_mul(item.get("quantity")?.as_i64()?)
            };
            items.iter().map(one).sum()
        });
        let total = total.filter(|total| is_whole && !reference.is_empty() && sum == Some(total.minor()));
        let Some(asked_for) = total else {
            self.ledger.protest(format!("Tabby can make no session of {}", asked.json));
            return fault(400, "bad_data", "could not decode request");
        };
        let opening = Opening {
            reference: reference.into(),
            asked: asked_for,
            // What is held becomes a purchase when it is captured under the reference of the order.
            operation: ChargeOperation::Authorize,
            page: Some(PAGE),
            saves_card: false,
            card: Value::Null,
            memo: json!({}),
        };
        let charge = self.ledger.open(opening);
        said(&self.session(&charge))
    }

    fn session(&self, charge: &Charge) -> Value {
        let is_open = charge.status == ChargeStatus::Open;
        let url = format!("{}/?sessionId={}", self.origin, session_id(charge));
        json!({
            "id": session_id(charge), "status": if is_open { "created" } else { "expired" }, "payment": self.payment(charge),
            "configuration": {
                "available_products": {"installments": if is_open { json!([{"web_url": url}]) } else { Value::Null }},
                "products": {"installments": {"type": "installments", "is_available": is_open, "rejection_reason": null}},
            },
        })
    }

    fn moves(&self, charge: &Charge, kind: ChildOperation) -> Vec<Value> {
        let moves = self.ledger.moves().into_values();
        let of = moves.filter(|one| one.charge == charge.reference && one.kind == kind);
        let mut shown: Vec<Value> =
            of.map(|one| Self::movement(charge, &one.reference, one.amount, one.number)).collect();
        if kind == ChildOperation::Capture && !charge.is_held() {
            shown.push(Self::movement(charge, &charge.reference, charge.taken, charge.number));
        }
        shown
    }

    fn movement(charge: &Charge, reference: &str, minor: i64, number: u32) -> Value {
        let amount = Money::new(minor, charge.asked.currency()).unwrap();
        json!({"id": format!("mov-{number:09}"), "amount": amount.to_string(), "reference_id": reference})
    }

    fn is_closed(&self, charge: &Charge) -> bool {
        let done = |kind| self.ledger.sum(&charge.reference, kind);
        let is_whole = done(ChildOperation::Capture) == charge.taken || done(ChildOperation::Void) > 0;
        !charge.is_held() || is_whole || charge.memo("closed") == "yes"
    }

    fn payment(&self, charge: &Charge) -> Value {
        let status = match charge.status {
            ChargeStatus::Open | ChargeStatus::Challenged | ChargeStatus::Processing => "CREATED",
            ChargeStatus::Approved if self.is_closed(charge) => "CLOSED",
            ChargeStatus::Approved => "AUTHORIZED",
            ChargeStatus::Declined => "REJECTED",
            ChargeStatus::Canceled => "EXPIRED",
        };
        json!({
            "id": payment_id(charge), "status": status, "is_test": true, "amount": charge.asked.to_string(),
            "currency": charge.asked.currency().code(), "order": {"reference_id": charge.reference},
            "captures": self.moves(charge, ChildOperation::Capture), "refunds": self.moves(charge, ChildOperation::Refund),
        })
    }

    /// What was paid on the days that are asked for, newest first.
    fn list(&self, asked: &Asked) -> Incoming {
        let number = |name| asked.asked(name).and_then(|text| text.parse::<usize>().ok());
        let (Some(from), Some(to), Some(limit @ 1..=20)) =
            (asked.asked("created_at__gte"), asked.asked("created_at__lte"), number("limit"))
        else {
            self.ledger.protest(format!("Tabby cannot list {:?}", asked.query));
            return fault(400, "bad_data", "cannot parse the filter");
        };
        let is_in = |charge: &Charge| {
            let day: String = charge.opened_at.to_string().chars().take(10).collect();
            day.as_str() >= from && day.as_str() < to
        };
        let paid = |charge: &Charge| charge.status == ChargeStatus::Approved && self.ledger.is_seen(charge);
        let mut found: Vec<Charge> = self.ledger.charges().into_values().collect();
        found.retain(|charge| is_in(charge) && paid(charge));
        found.sort_by_key(|charge| std::cmp::Reverse(charge.opened_at));
        let page = found.iter().skip(number("offset").unwrap_or_default()).take(limit);
        let page: Vec<Value> = page.map(|charge| self.payment(charge)).collect();
        said(&json!({"payments": page, "pagination": {"limit": limit, "total_count": found.len()}}))
    }

    fn operate(&self, asked: &Asked, id: &str, what: &str) -> Incoming {
        let Some(charge) = self.by_id(id) else { return fault(404, "not_found", "no such payment") };
        let reference = asked.text("/reference_id");
        let minor = amount(asked.text("/amount"), charge.asked.currency().code()).map(|money| money.minor());
        let is_known = self.ledger.moves().contains_key(reference)
            || (reference == charge.reference && !charge.is_held());
        let is_done = match (what, minor) {
            ("captures" | "refunds", Some(_)) if is_known => true,
            ("captures", Some(minor)) => {
                let is_open = charge.status == ChargeStatus::Approved && !self.is_closed(&charge);
                is_open && self.capture(&charge, reference, minor)
            }
            ("refunds", Some(minor)) => {
                self.is_closed(&charge)
                    && self.ledger.operate(ChildOperation::Refund, &charge, reference, minor).is_some()
            }
            ("close", _) => self.shut(&charge),
            _ => {
                self.ledger.protest(format!("Tabby cannot do {what} with {}", asked.json));
                false
            }
        };
        if !is_done {
            return fault(400, "bad_data", "the payment cannot be changed");
        }
        said(&self.payment(&self.by_id(id).unwrap()))
    }

    /// What is captured whole under the reference of the order is a purchase.
    fn capture(&self, charge: &Charge, reference: &str, minor: i64) -> bool {
        if reference != charge.reference {
            return self.ledger.operate(ChildOperation::Capture, charge, reference, minor).is_some();
        }
        let is_whole = minor == charge.taken && self.ledger.sum(reference, ChildOperation::Capture) == 0;
        let purchase = |charge: &mut Charge| charge.operation = ChargeOperation::Purchase;
        is_whole && self.ledger.change(reference, purchase).is_some()
    }

    /// What was not captured is released.
    fn shut(&self, charge: &Charge) -> bool {
        if charge.status != ChargeStatus::Approved || self.is_closed(charge) {
            return false;
        }
        if self.ledger.sum(&charge.reference, ChildOperation::Capture) == 0 {
            let name = format!("{}-closed", charge.reference);
            return self.ledger.operate(ChildOperation::Void, charge, &name, charge.taken).is_some();
        }
        self.ledger.change(&charge.reference, |charge| charge.memo = json!({"closed": "yes"})).is_some()
    }
}

impl Gateway for Tabby {
    fn origin(&self) -> &str {
        &self.origin
    }

    fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    fn settings(&self) -> Value {
        json!({
            "connector": "tabby", "pg_name": "tabby", "currencies": ["KWD"], "default_currency": "KWD", "wallets": [],
            "tokenization": false, "auto_debit": false, "reconciled": null, "endpoint": self.origin,
            "credentials": {"secret_key": KEY, "merchant_code": CODE, "country": "KW", "webhook_secret": SECRET},
        })
    }

    fn answer(&self, request: &Outgoing) -> Incoming {
        if header(request, "authorization") != Some(&format!("Bearer {KEY}")) {
            self.ledger.protest(format!("Tabby does not know who sends {}", request.url));
            return fault(401, "not_authorized", "invalid key");
        }
        self.carry_out(&Asked::read(request, &self.origin))
    }

    fn is_opening(&self, request: &Outgoing) -> bool {
        request.method == HttpMethod::Post && request.url.ends_with("/checkout")
    }

    fn is_operation(&self, request: &Outgoing) -> bool {
        request.method == HttpMethod::Post && !self.is_opening(request)
    }

    fn refusal(&self) -> Incoming {
        fault(403, "no_permission", "the store is closed")
    }

    fn issuer_refusal(&self) -> Incoming {
        fault(400, "bad_data", "the payment cannot be changed")
    }

    fn open_page(&self, url: &str) -> Option<String> {
        let session = url.strip_prefix(&self.origin)?.strip_prefix("/?sessionId=")?;
        self.ledger.find_by(|charge| session_id(charge) == session).map(|charge| charge.reference)
    }

    fn pay(&self, reference: &str, end: ChargeStatus, taken: Option<i64>) {
        let _ = self.ledger.end(reference, end, taken);
    }

    fn exclusive(&self) -> Exclusive {
        Exclusive::OnceShown
    }

    /// A void has no name.
    fn names(&self, kind: ChildOperation) -> bool {
        kind != ChildOperation::Void
    }

    /// What is not captured in time is released.
    fn lapse(&self, reference: &str) {
        let held = self.ledger.find(reference).filter(Charge::is_held);
        let _ = held.map(|charge| self.shut(&charge));
    }

    fn misstates(&self, _: &Charge) -> bool {
        false
    }

    fn ponders(&self, _: &Charge) -> bool {
        false
    }

    fn notice(&self, charge: &Charge) -> Option<Notice> {
        let text = self.payment(charge).to_string();
        Some(Notice { body: text.into_bytes(), is_outcome: false })
    }

    fn operation_notice(&self, operation: &Move) -> Option<Notice> {
        self.notice(&self.ledger.find(&operation.charge)?)
    }

    fn seal(&self, body: &[u8], _: Timestamp) -> Incoming {
        message(0, &[("x-webhook-secret", SECRET)], body.to_vec())
    }

    fn forge(&self, body: &[u8], _: Timestamp) -> Incoming {
        message(0, &[("x-webhook-secret", "another-secret")], body.to_vec())
    }
}
