//! Adyen Checkout, version 72: payment links, payments, modifications that are done later, and signed webhooks that are
//! repeated until they are accepted.

mod webhook;

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use checkout_core::gateway::charge::ChargeOperation;
use checkout_core::gateway::exchange::{HttpMethod, Incoming, Outgoing};
use checkout_core::testing::clock::ManualClock;
use checkout_core::testing::http::json as answer_json;
use checkout_core::value::money::Money;
use checkout_core::value::time::Timestamp;
use checkout_core::words::ChildOperation;
use sandbox_bank::charge::ChargeStatus;
use sandbox_bank::operation;
use serde_json::{Value, json};

use super::forms::unfit_for_adyen;
use super::ledger::{Charge, Ledger, Move, Opening, currency};
use super::message::{Asked, header, message};
use super::{Exclusive, Gateway, Notice, number};

const KEY: &str = "AQE-key-of-the-shop";
const ACCOUNT: &str = "ShopECOM";
const HMAC_KEY: &str = "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056";
/// How long a link can be paid.
const PAGE: Duration = Duration::from_hours(24);
/// How long a modification takes.
const MODIFICATION: Duration = Duration::from_mins(2);

/// Adyen with one merchant account.
#[derive(Debug)]
pub struct Adyen {
    ledger: Ledger,
    origin: String,
}

fn said(status: u16, body: &Value) -> Incoming {
    answer_json(status, &body.to_string())
}

fn fault(status: u16, code: &str, text: &str) -> Incoming {
    said(status, &json!({"status": status, "errorCode": code, "message": text, "errorType": "validation"}))
}

/// The id of a payment or a modification.
fn psp_reference(number: u32) -> String {
    format!("PSP{number:013}")
}

fn link_id(charge: &Charge) -> String {
    format!("PL{:016}", charge.number)
}

fn card_id(charge: &Charge) -> String {
    format!("CARD{:012}", charge.number)
}

fn written(money: Money) -> Value {
    json!({"currency": money.currency().code(), "value": money.minor()})
}

impl Adyen {
    /// A merchant account at an address of this name.
    #[must_use]
    pub fn new(clock: &ManualClock, name: &str) -> Self {
        Self { ledger: Ledger::new(clock, name), origin: format!("https://adyen-{name}.example.com") }
    }

    fn carry_out(&self, asked: &Asked) -> Incoming {
        if let Some(field) = unfit_for_adyen(asked) {
            self.ledger.protest(format!("Adyen does not take {field} of {}", asked.json));
            return fault(422, "702", &format!("Invalid {field}"));
        }
        match (asked.method, asked.segments().as_slice()) {
            (HttpMethod::Get, ["v72", "paymentLinks", id]) => match self.by_link(id) {
                Some(charge) => said(200, &Self::link(&charge)),
                None => fault(404, "902", "no such link"),
            },
            (HttpMethod::Patch, ["v72", "paymentLinks", id]) => self.expire(asked, id),
            (HttpMethod::Post, ["v72", "paymentLinks"]) => self.open_link(asked),
            (HttpMethod::Post, ["v72", "payments"]) => self.pay_at_once(asked),
            (HttpMethod::Post, ["v72", "applePay", "sessions"]) => {
                said(200, &json!({"data": STANDARD.encode(r#"{"merchantSessionIdentifier":"SSH1"}"#)}))
            }
            (HttpMethod::Post, ["v72", "payments", id, kind]) => self.modify(asked, id, kind),
            _ => {
                self.ledger.protest(format!("Adyen has no {:?} {:?}", asked.method, asked.path));
                fault(404, "000", "no such address")
            }
        }
    }

    fn by_link(&self, id: &str) -> Option<Charge> {
        self.ledger.find_by(|charge| charge.is_page && link_id(charge) == id)
    }

    fn link(charge: &Charge) -> Value {
        let id = link_id(charge);
        let status = match charge.status {
            ChargeStatus::Open | ChargeStatus::Challenged => "active",
            ChargeStatus::Processing => "paymentPending",
            ChargeStatus::Approved => "completed",
            ChargeStatus::Declined | ChargeStatus::Canceled => "expired",
        };
        json!({
            "id": id, "amount": written(charge.asked), "merchantAccount": ACCOUNT, "reference": charge.reference,
            "expiresAt": charge.closes_at.map(|at| at.to_string()), "url": format!("https://test.adyen.link/{id}"),
            "reusable": false, "status": status,
        })
    }

    /// What every request for money has; `None` if something is missing.
    fn opening(asked: &Asked, page: Option<Duration>) -> Option<Opening> {
        let value = asked.json.pointer("/amount/value").and_then(Value::as_i64)?;
        let money = Money::new(value, currency(asked.text("/amount/currency"))?).ok()?;
        let is_whole =
            !asked.text("/reference").is_empty() && asked.text("/returnUrl").starts_with("https://");
        let is_manual = asked.json.get("manualCapture") == Some(&json!(true))
            || asked.text("/additionalData/manualCapture") == "true";
        let saves_card = asked.text("/storePaymentMethodMode") == "enabled";
        let shopper = asked.text("/shopperReference");
        let operation = match (value, is_manual) {
            (0, _) => ChargeOperation::Verify,
            (_, true) => ChargeOperation::Authorize,
            (_, false) => ChargeOperation::Purchase,
        };
        (is_whole && (!saves_card || shopper.len() >= 3)).then(|| Opening {
            reference: asked.text("/reference").into(),
            asked: money,
            operation,
            page,
            saves_card,
            card: Value::Null,
            memo: json!({"flow": asked.text("/metadata/tillFlow"), "shopper": shopper}),
        })
    }

    fn open_link(&self, asked: &Asked) -> Incoming {
        let Some(opening) = Self::opening(asked, Some(PAGE)) else {
            self.ledger.protest(format!("Adyen can make no link of {}", asked.json));
            return fault(422, "100", "Required field is not provided.");
        };
        said(201, &Self::link(&self.ledger.open(opening)))
    }

    fn expire(&self, asked: &Asked, id: &str) -> Incoming {
        let link = self.by_link(id).filter(|charge| charge.status == ChargeStatus::Open);
        let Some(charge) = link.filter(|_| asked.text("/status") == "expired") else {
            return fault(422, "29_004", "The link cannot be changed");
        };
        said(200, &Self::link(&self.ledger.end(&charge.reference, ChargeStatus::Canceled, None).unwrap()))
    }

    /// A saved card or a wallet is charged. How that ends is decided by the reference.
    fn pay_at_once(&self, asked: &Asked) -> Incoming {
        let stored = asked.text("/paymentMethod/storedPaymentMethodId");
        let shopper = asked.text("/shopperReference");
        let is_card = self.ledger.cards.borrow().get(stored).is_some_and(|known| known == shopper);
        let is_wallet =
            STANDARD.decode(asked.text("/paymentMethod/applePayToken")).is_ok_and(|token| !token.is_empty());
        let opening = Self::opening(asked, None).filter(|_| is_card || is_wallet);
        let Some(opening) = opening else {
            self.ledger.protest(format!("Adyen cannot charge {}", asked.json));
            return fault(422, "14_004", "no such payment method");
        };
        let is_absent = asked.text("/shopperInteraction") == "ContAuth";
        let card = json!({"token": stored, "initiator": if is_absent { "merchant" } else { "payer" }});
        let reference = opening.reference.clone();
        self.ledger.open(Opening { card: if is_card { card } else { Value::Null }, ..opening });
        let end = match number(&reference) % 4 {
            2 => ChargeStatus::Declined,
            3 => ChargeStatus::Processing,
            _ => ChargeStatus::Approved,
        };
        let result = match end {
            ChargeStatus::Approved => "Authorised",
            ChargeStatus::Declined => "Refused",
            ChargeStatus::Open
            | ChargeStatus::Challenged
            | ChargeStatus::Processing
            | ChargeStatus::Canceled => "Pending",
        };
        let charge = self.ledger.end(&reference, end, None).unwrap();
        let mut payment = json!({
            "pspReference": psp_reference(charge.number), "merchantReference": reference,
            "amount": written(charge.asked), "additionalData": {"authCode": "044925", "cardSummary": "1111"},
            "resultCode": result,
        });
        if end == ChargeStatus::Declined {
            let refused = payment.as_object_mut().unwrap();
            refused.insert("refusalReason".into(), json!("Not enough balance"));
            refused.insert("refusalReasonCode".into(), json!("12"));
        }
        said(200, &payment)
    }

    /// A modification is received, and done later.
    fn modify(&self, asked: &Asked, id: &str, kind: &str) -> Incoming {
        let charge = self.ledger.find_by(|charge| psp_reference(charge.number) == id);
        let kind = match kind {
            "captures" => ChildOperation::Capture,
            "refunds" => ChildOperation::Refund,
            "cancels" => ChildOperation::Void,
            _ => return fault(404, "000", "no such address"),
        };
        let Some(charge) = charge else { return fault(422, "167", "Original pspReference required") };
        let value = asked.json.pointer("/amount/value").and_then(Value::as_i64);
        let amount = if kind == ChildOperation::Void { charge.taken } else { value.unwrap_or_default() };
        let is_second = kind == ChildOperation::Capture && self.ledger.sum(&charge.reference, kind) > 0;
        let reference = asked.text("/reference");
        if is_second || self.ledger.operate(kind, &charge, reference, amount).is_none() {
            return fault(422, "167", "The payment cannot be modified so");
        }
        let due_at = Some(self.ledger.now().plus(MODIFICATION));
        let queue = |one: &mut Move| (one.status, one.due_at) = (operation::OperationStatus::Queued, due_at);
        let done = self.ledger.change_move(reference, queue).unwrap();
        let mut received = json!({
            "merchantAccount": ACCOUNT, "paymentPspReference": id, "pspReference": psp_reference(done.number),
            "reference": reference, "status": "received",
        });
        if kind != ChildOperation::Void {
            let amount = json!({"currency": charge.asked.currency().code(), "value": amount});
            received.as_object_mut().unwrap().insert("amount".into(), amount);
        }
        said(201, &received)
    }
}

impl Gateway for Adyen {
    fn origin(&self) -> &str {
        &self.origin
    }

    fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    fn settings(&self) -> Value {
        json!({
            "connector": "adyen", "pg_name": "card_page", "wallets": ["apple_pay"], "reconciled": false,
            "endpoint": format!("{}/v72", self.origin),
            "credentials": {"api_key": KEY, "merchant_account": ACCOUNT, "hmac_key": HMAC_KEY},
        })
    }

    fn answer(&self, request: &Outgoing) -> Incoming {
        let asked = Asked::read(request, &self.origin);
        let is_reading =
            matches!(asked.method, HttpMethod::Get | HttpMethod::Patch) || request.url.ends_with("/sessions");
        let is_known = header(request, "x-api-key") == Some(KEY)
            && (is_reading || asked.text("/merchantAccount") == ACCOUNT);
        if !is_known {
            self.ledger.protest(format!("Adyen does not let {} in", request.url));
            return fault(401, "000", "HTTP Status Response - Unauthorized");
        }
        let Some(key) = header(request, "idempotency-key") else { return self.carry_out(&asked) };
        let content = [request.url.as_bytes(), b"\n", &request.body].concat();
        let known = self.ledger.answers.borrow().get(key).cloned();
        match known {
            Some((known, answer)) if known == content => return answer,
            Some(_) => return fault(422, "704", "request already processed or in progress"),
            None => {}
        }
        let answer = self.carry_out(&asked);
        self.ledger.answers.borrow_mut().insert(key.to_owned(), (content, answer.clone()));
        answer
    }

    fn is_opening(&self, request: &Outgoing) -> bool {
        let path = request.url.strip_prefix(&self.origin);
        request.method == HttpMethod::Post && matches!(path, Some("/v72/paymentLinks" | "/v72/payments"))
    }

    fn is_operation(&self, request: &Outgoing) -> bool {
        ["/captures", "/refunds", "/cancels"].iter().any(|end| request.url.ends_with(end))
    }

    fn refusal(&self) -> Incoming {
        fault(403, "901", "Invalid Merchant Account")
    }

    fn issuer_refusal(&self) -> Incoming {
        fault(422, "167", "The payment cannot be modified so")
    }

    fn open_page(&self, url: &str) -> Option<String> {
        self.by_link(url.strip_prefix("https://test.adyen.link/")?).map(|charge| charge.reference)
    }

    /// A try that is declined leaves the link as it is.
    fn pay(&self, reference: &str, end: ChargeStatus, taken: Option<i64>) {
        let Some(charge) = self.ledger.find(reference) else { return };
        match end {
            ChargeStatus::Canceled if charge.is_page && charge.status == ChargeStatus::Open => {}
            ChargeStatus::Declined | ChargeStatus::Canceled if charge.is_page => {
                let _ = self.ledger.end(reference, ChargeStatus::Open, None);
                let now = self.ledger.now();
                let _ = self.ledger.change(reference, |charge| {
                    charge.tries = charge.tries.saturating_add(1);
                    charge.ended_at = Some(now);
                });
            }
            ChargeStatus::Open
            | ChargeStatus::Challenged
            | ChargeStatus::Processing
            | ChargeStatus::Approved
            | ChargeStatus::Declined
            | ChargeStatus::Canceled => {
                let ended = self.ledger.end(reference, end, taken).unwrap();
                if ended.status == ChargeStatus::Approved && ended.saves_card {
                    self.ledger.cards.borrow_mut().insert(card_id(&ended), ended.memo("shopper").to_owned());
                }
            }
        }
    }

    fn exclusive(&self) -> Exclusive {
        Exclusive::OnceShown
    }

    fn misstates(&self, charge: &Charge) -> bool {
        charge.operation != ChargeOperation::Verify
    }

    fn insists(&self) -> bool {
        true
    }

    fn can_be_asked(&self, is_page: bool) -> bool {
        is_page
    }

    fn notice(&self, charge: &Charge) -> Option<Notice> {
        webhook::of_charge(charge)
    }

    fn operation_notice(&self, operation: &Move) -> Option<Notice> {
        webhook::of_operation(&self.ledger.find(&operation.charge)?, operation)
    }

    fn seal(&self, body: &[u8], _: Timestamp) -> Incoming {
        message(0, &[("content-type", "application/json")], body.to_vec())
    }

    /// The amount is another one than was signed.
    fn forge(&self, body: &[u8], now: Timestamp) -> Incoming {
        let text = String::from_utf8_lossy(body).replace(r#""value":"#, r#""value":1"#);
        self.seal(text.as_bytes(), now)
    }
}
