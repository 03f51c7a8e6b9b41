//! Tamara: sessions with a page, orders that are authorised after they were paid, then captured, canceled and refunded, and
//! notifications whose token is signed.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use checkout_core::gateway::charge::ChargeOperation;
use checkout_core::gateway::exchange::{HttpMethod, Incoming, Outgoing};
use checkout_core::testing::clock::ManualClock;
use checkout_core::testing::http::json as answer_json;
use checkout_core::value::money::Money;
use checkout_core::value::time::Timestamp;
use checkout_core::webhook::signature::hmac_sha256;
use checkout_core::words::ChildOperation;
use sandbox_bank::charge::ChargeStatus;
use serde_json::{Value, json};

use super::ledger::{Charge, Ledger, Move, Opening, currency};
use super::message::{Asked, header, message};
use super::{Exclusive, Gateway, Notice};

const KEY: &str = "token-of-the-shop";
const SECRET: &str = "notification-token-of-the-shop";
/// How long a session waits for the payer.
const PAGE: Duration = Duration::from_mins(30);
/// How long the token of a notification is valid.
const TOKEN: i64 = 900;

/// Tamara with one merchant.
#[derive(Debug)]
pub struct Tamara {
    ledger: Ledger,
    origin: String,
}

fn said(body: &Value) -> Incoming {
    answer_json(200, &body.to_string())
}

fn fault(status: u16, text: &str) -> Incoming {
    answer_json(status, &json!({"message": text, "errors": [{"error_code": "made_up"}]}).to_string())
}

fn order_id(charge: &Charge) -> String {
    format!("order-{:09}", charge.number)
}

/// The name of a capture that the merchant did not ask for.
fn own_capture(reference: &str) -> String {
    format!("{reference}-by-tamara")
}

/// An amount in a request: a number with the currency's decimals.
fn amount(asked: &Asked, name: &str) -> Option<Money> {
    let written = asked.json.get(name)?;
    let number = written.get("amount").filter(|number| number.is_number())?.to_string();
    let money = Money::parse(&number, currency(written.get("currency")?.as_str()?)?).ok()?;
    Some(money).filter(|money| money.minor() > 0)
}

fn written(minor: i64, like: Money) -> Value {
    let money = Money::new(minor, like.currency()).unwrap();
    let number: serde_json::Number = money.to_string().parse().unwrap();
    json!({"amount": number, "currency": like.currency().code()})
}

impl Tamara {
    /// A merchant at an address of this name.
    #[must_use]
    pub fn new(clock: &ManualClock, name: &str) -> Self {
        Self { ledger: Ledger::new(clock, name), origin: format!("https://tamara-{name}.example.com") }
    }

    fn carry_out(&self, asked: &Asked) -> Incoming {
        match (asked.method, asked.segments().as_slice()) {
            (HttpMethod::Post, ["checkout"]) => self.open(asked),
            (HttpMethod::Get, ["merchants", "orders", "reference-id", reference]) => {
                match self.ledger.seen(reference) {
                    Some(charge) => said(&self.order(&charge)),
                    None => fault(404, "Order not found"),
                }
            }
            (HttpMethod::Post, ["orders", id, "authorise"]) => self.act(id, |charge| self.authorise(charge)),
            (HttpMethod::Post, ["orders", id, "cancel"]) => self.act(id, |charge| self.cancel(charge, asked)),
            (HttpMethod::Post, ["payments", "capture"]) => {
                self.act(asked.text("/order_id"), |charge| self.capture(charge, asked))
            }
            (HttpMethod::Post, ["payments", "simplified-refund", id]) => {
                self.act(id, |charge| self.refund(charge, asked))
            }
            _ => {
                self.ledger.protest(format!("Tamara has no {:?} {:?}", asked.method, asked.path));
                fault(404, "no such address")
            }
        }
    }

    fn act(&self, id: &str, act: impl FnOnce(&Charge) -> bool) -> Incoming {
        let Some(charge) = self.ledger.find_by(|charge| order_id(charge) == id) else {
            return fault(404, "Order not found");
        };
        if !act(&charge) {
            return fault(409, "the order cannot be changed");
        }
        said(&json!({"order_id": id, "status": "made"}))
    }

    fn open(&self, asked: &Asked) -> Incoming {
        let total = amount(asked, "total_amount");
        let needed = [
            "/order_reference_id",
            "/description",
            "/consumer/first_name",
            "/consumer/last_name",
            "/consumer/phone_number",
            "/consumer/email",
            "/shipping_address/line1",
            "/shipping_address/city",
            "/shipping_address/country_code",
            "/merchant_url/success",
            "/merchant_url/failure",
            "/merchant_url/cancel",
            "/merchant_url/notification",
        ];
        let is_whole = needed.iter().all(|name| !asked.text(name).is_empty())
            && asked.text("/country_code") == "KW"
            && asked.text("/payment_type") == "PAY_BY_INSTALMENTS"
            && asked.json.get("items").and_then(Value::as_array).is_some_and(|items| !items.is_empty());
        let Some(total) = total.filter(|_| is_whole) else {
            self.ledger.protest(format!("Tamara can make no order of {}", asked.json));
            return fault(400, "the order is incomplete");
        };
        let charge = self.ledger.open(Opening {
            reference: asked.text("/order_reference_id").into(),
            asked: total,
            // What is held becomes a purchase when it is captured under the reference of the order.
            operation: ChargeOperation::Authorize,
            page: Some(PAGE),
            saves_card: false,
            card: Value::Null,
            memo: json!({}),
        });
        let url = format!("{}/c/{}", self.origin, order_id(&charge));
        said(
            &json!({"order_id": order_id(&charge), "checkout_id": "c", "checkout_url": url, "status": "new"}),
        )
    }

    fn status(&self, charge: &Charge) -> &'static str {
        let sum = |kind| self.ledger.sum(&charge.reference, kind);
        let captured = self.captured(charge);
        match (charge.status, charge.memo("is")) {
            (ChargeStatus::Open | ChargeStatus::Challenged | ChargeStatus::Processing, _) => "new",
            (ChargeStatus::Declined, _) => "declined",
            (ChargeStatus::Canceled, _) => "expired",
            (ChargeStatus::Approved, "") => "approved",
            (ChargeStatus::Approved, _) if sum(ChildOperation::Void) > 0 => "canceled",
            (ChargeStatus::Approved, _) if sum(ChildOperation::Refund) == captured && captured > 0 => {
                "fully_refunded"
            }
            (ChargeStatus::Approved, _) if sum(ChildOperation::Refund) > 0 => "partially_refunded",
            (ChargeStatus::Approved, _) if captured == charge.taken => "fully_captured",
            (ChargeStatus::Approved, _) if captured > 0 => "partially_captured",
            (ChargeStatus::Approved, _) => "authorised",
        }
    }

    fn captured(&self, charge: &Charge) -> i64 {
        let parts = self.ledger.sum(&charge.reference, ChildOperation::Capture);
        if charge.is_held() { parts } else { charge.taken }
    }

    fn order(&self, charge: &Charge) -> Value {
        let moves = self.ledger.moves().into_values().filter(|one| one.charge == charge.reference);
        let (mut captures, mut refunds) = (Vec::new(), Vec::new());
        for one in moves {
            let amount = written(one.amount, charge.asked);
            let id = format!("mov-{:09}", one.number);
            match one.kind {
                ChildOperation::Capture if one.reference == own_capture(&charge.reference) => {
                    captures.push(json!({"capture_id": id, "total_amount": amount}));
                }
                ChildOperation::Capture => captures.push(json!({
                    "capture_id": id, "total_amount": amount, "shipping_info": {"tracking_number": one.reference},
                })),
                ChildOperation::Refund => refunds.push(json!({
                    "refund_id": id, "total_amount": amount, "merchant_refund_id": one.reference,
                })),
                ChildOperation::Void => {}
            }
        }
        if !charge.is_held() {
            captures.push(json!({
                "capture_id": format!("mov-{:09}", charge.number), "total_amount": written(charge.taken, charge.asked),
                "shipping_info": {"tracking_number": charge.reference},
            }));
        }
        json!({
            "order_id": order_id(charge), "order_reference_id": charge.reference, "status": self.status(charge),
            "total_amount": written(charge.asked.minor(), charge.asked),
            "captured_amount": written(self.captured(charge), charge.asked),
            "transactions": {"cancels": [], "captures": captures, "refunds": refunds},
        })
    }

    fn authorise(&self, charge: &Charge) -> bool {
        self.status(charge) == "approved"
            && self
                .ledger
                .change(&charge.reference, |charge| charge.memo = json!({"is": "authorised"}))
                .is_some()
    }

    /// What is captured whole under the reference of the order is a purchase.
    fn capture(&self, charge: &Charge, asked: &Asked) -> bool {
        let reference = asked.text("/shipping_info/tracking_number");
        let Some(minor) = amount(asked, "total_amount").map(|money| money.minor()) else { return false };
        let is_said = !asked.text("/shipping_info/shipped_at").is_empty()
            && !asked.text("/shipping_info/shipping_company").is_empty();
        if !is_said || !matches!(self.status(charge), "authorised" | "partially_captured") {
            return false;
        }
        if reference != charge.reference {
            return self.ledger.operate(ChildOperation::Capture, charge, reference, minor).is_some();
        }
        let is_whole = minor == charge.taken && self.captured(charge) == 0;
        let purchase = |charge: &mut Charge| charge.operation = ChargeOperation::Purchase;
        is_whole && self.ledger.change(reference, purchase).is_some()
    }

    fn refund(&self, charge: &Charge, asked: &Asked) -> bool {
        let minor = amount(asked, "total_amount").map_or(0, |money| money.minor());
        let reference = asked.text("/merchant_refund_id");
        !asked.text("/comment").is_empty()
            && self.ledger.operate(ChildOperation::Refund, charge, reference, minor).is_some()
    }

    fn cancel(&self, charge: &Charge, asked: &Asked) -> bool {
        let minor = amount(asked, "total_amount").map_or(0, |money| money.minor());
        let name = format!("{}-canceled", charge.reference);
        self.status(charge) == "authorised"
            && minor == charge.taken
            && self.ledger.operate(ChildOperation::Void, charge, &name, minor).is_some()
    }
}

/// The token of a notification.
fn token(secret: &str, now: Timestamp) -> String {
    let claims = json!({"exp": now.seconds().saturating_add(TOKEN), "iat": now.seconds(), "iss": "Tamara"});
    let parts = [json!({"typ": "JWT", "alg": "HS256"}), claims];
    let signed = parts.map(|part| URL_SAFE_NO_PAD.encode(part.to_string())).join(".");
    let signature = hmac_sha256(secret.as_bytes(), &[signed.as_bytes()]);
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
}

impl Gateway for Tamara {
    fn origin(&self) -> &str {
        &self.origin
    }

    fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    fn settings(&self) -> Value {
        json!({
            "connector": "tamara", "pg_name": "tamara", "currencies": ["KWD"], "default_currency": "KWD", "wallets": [],
            "tokenization": false, "auto_debit": false, "reconciled": null, "endpoint": self.origin,
            "credentials": {"api_token": KEY, "notification_token": SECRET, "country": "KW"},
        })
    }

    fn answer(&self, request: &Outgoing) -> Incoming {
        if header(request, "authorization") != Some(&format!("Bearer {KEY}")) {
            self.ledger.protest(format!("Tamara does not know who sends {}", request.url));
            return fault(401, "Unauthorized");
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
        fault(403, "the merchant is not active")
    }

    fn issuer_refusal(&self) -> Incoming {
        fault(409, "the order cannot be changed")
    }

    fn open_page(&self, url: &str) -> Option<String> {
        let order = url.strip_prefix(&self.origin)?.strip_prefix("/c/")?;
        self.ledger.find_by(|charge| order_id(charge) == order).map(|charge| charge.reference)
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

    /// Tamara ends what was not authorised in time. What was, and is not captured, it captures itself.
    fn lapse(&self, reference: &str) {
        let Some(charge) = self.ledger.find(reference) else { return };
        if charge.memo("is").is_empty() {
            let _ = self.ledger.end(reference, ChargeStatus::Canceled, None);
        } else {
            let (name, rest) = (own_capture(reference), self.ledger.left(&charge, ChildOperation::Capture));
            let _ = self.ledger.operate(ChildOperation::Capture, &charge, &name, rest);
        }
    }

    fn misstates(&self, _: &Charge) -> bool {
        false
    }

    fn ponders(&self, _: &Charge) -> bool {
        false
    }

    fn has_account_address(&self) -> bool {
        false
    }

    fn notice(&self, charge: &Charge) -> Option<Notice> {
        let text = json!({"order_id": order_id(charge), "order_reference_id": charge.reference, "event_type": "order_approved", "data": []});
        Some(Notice { body: text.to_string().into_bytes(), is_outcome: false })
    }

    fn operation_notice(&self, _: &Move) -> Option<Notice> {
        None
    }

    fn seal(&self, body: &[u8], now: Timestamp) -> Incoming {
        let bearer = format!("Bearer {}", token(SECRET, now));
        message(0, &[("authorization", &bearer)], body.to_vec())
    }

    fn forge(&self, body: &[u8], now: Timestamp) -> Incoming {
        let bearer = format!("Bearer {}", token("another", now));
        message(0, &[("authorization", &bearer)], body.to_vec())
    }
}
