//! Checkout.com's unified payments API: hosted payments pages, payments with their actions, lists, keys of idempotency and
//! signed events.

mod objects;

use std::time::Duration;

use checkout_core::gateway::charge::ChargeOperation;
use checkout_core::gateway::exchange::{HttpMethod, Incoming, Outgoing};
use checkout_core::testing::clock::ManualClock;
use checkout_core::testing::http::json as answer_json;
use checkout_core::value::money::Money;
use checkout_core::value::time::Timestamp;
use checkout_core::words::ChildOperation;
use hmac::{Hmac, Mac};
use sandbox_bank::charge::ChargeStatus;
use sandbox_bank::operation;
use serde_json::{Value, json};
use sha2::Sha256;

use self::objects::{action_id, code_of, has_payment, page_id, payment_id, source_id, words_of};
use super::forms::unfit_for_checkout_com;
use super::ledger::{Charge, Ledger, Move, Opening, currency};
use super::message::{Asked, header, message};
use super::{Exclusive, Gateway, Notice, number};

const KEY: &str = "sk_sbox_of_the_shop";
const SECRET: &str = "signature-key-of-the-shop";
/// How long a page can be paid.
const PAGE: Duration = Duration::from_mins(30);
/// How long an action takes.
const ACTION: Duration = Duration::from_mins(2);

/// Checkout.com with one account.
#[derive(Debug)]
pub struct CheckoutCom {
    ledger: Ledger,
    origin: String,
}

fn said(status: u16, body: &Value) -> Incoming {
    answer_json(status, &body.to_string())
}

fn invalid(code: &str) -> Incoming {
    said(422, &json!({"request_id": "r", "error_type": "request_invalid", "error_codes": [code]}))
}

/// A documented answer without a body.
fn bare(status: u16) -> Incoming {
    message(status, &[], Vec::new())
}

impl CheckoutCom {
    /// An account at an address of this name.
    #[must_use]
    pub fn new(clock: &ManualClock, name: &str) -> Self {
        Self { ledger: Ledger::new(clock, name), origin: format!("https://checkout-{name}.example.com") }
    }

    fn carry_out(&self, asked: &Asked) -> Incoming {
        if let Some(field) = unfit_for_checkout_com(asked) {
            self.ledger.protest(format!("Checkout.com does not take {field} of {}", asked.json));
            return invalid("field_invalid");
        }
        match (asked.method, asked.segments().as_slice()) {
            (HttpMethod::Post, ["hosted-payments"]) => self.open_page_for(asked),
            (HttpMethod::Get, ["hosted-payments", id]) => {
                let charge = self.ledger.find_by(|charge| charge.is_page && page_id(charge) == *id);
                charge.map_or_else(|| bare(404), |charge| said(200, &Self::page(&charge)))
            }
            (HttpMethod::Post, ["payments"]) => self.pay_at_once(asked),
            (HttpMethod::Post, ["payments", "search"]) => self.search(asked),
            (HttpMethod::Get, ["payments"]) => self.list(asked),
            (HttpMethod::Get, ["payments", id]) => {
                self.by_payment(id).map_or_else(|| bare(404), |charge| said(200, &self.payment(&charge)))
            }
            (HttpMethod::Get, ["payments", id, "actions"]) => {
                self.by_payment(id).map_or_else(|| bare(404), |charge| said(200, &self.actions(&charge)))
            }
            (HttpMethod::Post, ["payments", id, kind]) => self.act(asked, id, kind),
            _ => {
                self.ledger.protest(format!("Checkout.com has no {:?} {:?}", asked.method, asked.path));
                bare(404)
            }
        }
    }

    fn by_payment(&self, id: &str) -> Option<Charge> {
        self.ledger.find_by(|charge| has_payment(charge) && payment_id(charge) == id)
    }

    /// What every request for money has; `None` if something is missing.
    fn opening(asked: &Asked, page: Option<Duration>) -> Option<Opening> {
        let value = asked.json.get("amount").and_then(Value::as_i64)?;
        let money = Money::new(value, currency(asked.text("/currency"))?).ok()?;
        let in_tens = money.currency().minor_units() == 3;
        let is_whole = !asked.text("/reference").is_empty()
            && asked.text("/success_url").starts_with("https://")
            && asked.text("/metadata/charge") == asked.text("/reference")
            && !(in_tens && value.checked_rem(10) != Some(0));
        let operation = match (value, asked.json.get("capture")) {
            (0, _) => ChargeOperation::Verify,
            (_, Some(Value::Bool(false))) => ChargeOperation::Authorize,
            _ => ChargeOperation::Purchase,
        };
        let stored = "/payment_method_configuration/card/store_payment_details";
        is_whole.then(|| Opening {
            reference: asked.text("/reference").into(),
            asked: money,
            operation,
            page,
            saves_card: asked.text(stored) == "enabled",
            card: Value::Null,
            memo: Value::Null,
        })
    }

    /// A second page of a reference is the first one: the payer is shown one of them.
    fn open_page_for(&self, asked: &Asked) -> Incoming {
        let has_country = asked.text("/billing/address/country").len() == 2;
        let Some(opening) = Self::opening(asked, Some(PAGE)).filter(|_| has_country) else {
            self.ledger.protest(format!("Checkout.com can make no page of {}", asked.json));
            return invalid("billing_address_country_required");
        };
        let known = self.ledger.find(&opening.reference);
        let page = Self::page(&known.unwrap_or_else(|| self.ledger.open(opening)));
        let part = |name: &str| page.get(name).cloned().unwrap_or_default();
        said(201, &json!({"id": part("id"), "reference": part("reference"), "_links": part("_links")}))
    }

    /// A saved card is charged. How that ends is decided by the reference.
    fn pay_at_once(&self, asked: &Asked) -> Incoming {
        let source = asked.text("/source/id");
        let is_saved = asked.text("/source/type") == "id" && self.ledger.cards.borrow().contains_key(source);
        let is_absent = asked.json.get("merchant_initiated") == Some(&json!(true));
        let first = source.replace("src_", "pay_");
        let is_linked = !is_absent || asked.text("/previous_payment_id") == first;
        let Some(opening) = Self::opening(asked, None).filter(|_| is_saved && is_linked) else {
            self.ledger.protest(format!("Checkout.com cannot charge {}", asked.json));
            return invalid("payment_source_invalid");
        };
        let reference = opening.reference.clone();
        let card = json!({"token": format!("{source}|{first}"), "initiator": if is_absent { "merchant" } else { "payer" }});
        self.ledger.open(Opening { card, ..opening });
        let end = match number(&reference) % 4 {
            2 => ChargeStatus::Declined,
            3 => ChargeStatus::Processing,
            _ => ChargeStatus::Approved,
        };
        let charge = self.ledger.end(&reference, end, None).unwrap();
        let mut payment = self.payment(&charge);
        let members = payment.as_object_mut().unwrap();
        if end == ChargeStatus::Processing {
            return said(202, &payment);
        }
        let (code, summary) = code_of(&charge);
        members.insert("action_id".into(), json!(format!("act_{:026}", charge.number)));
        members.insert("response_code".into(), json!(code));
        members.insert("response_summary".into(), json!(summary));
        said(201, &payment)
    }

    /// An action is accepted, and done later.
    fn act(&self, asked: &Asked, id: &str, kind: &str) -> Incoming {
        let Some(charge) = self.by_payment(id) else { return bare(404) };
        let kind = match kind {
            "captures" => ChildOperation::Capture,
            "refunds" => ChildOperation::Refund,
            "voids" => ChildOperation::Void,
            _ => return bare(404),
        };
        let value = asked.json.get("amount").and_then(Value::as_i64);
        let amount = if kind == ChildOperation::Void { charge.taken } else { value.unwrap_or_default() };
        let reference = asked.text("/reference");
        if reference.is_empty() || asked.text("/metadata/operation") != reference {
            self.ledger.protest(format!("Checkout.com got an operation without a name: {}", asked.json));
        }
        if self.ledger.operate(kind, &charge, reference, amount).is_none() {
            return bare(403);
        }
        let due = self.ledger.now().plus(ACTION);
        let queue = |one: &mut Move| {
            (one.status, one.due_at) = (operation::OperationStatus::Queued, Some(due));
        };
        let one = self.ledger.change_move(reference, queue).unwrap();
        said(202, &json!({"action_id": action_id(&one), "reference": reference}))
    }

    /// The payments with a reference.
    fn list(&self, asked: &Asked) -> Incoming {
        let reference = asked.asked("reference").unwrap_or_default();
        let found = self.ledger.seen(reference).filter(has_payment);
        let data: Vec<Value> = found.iter().map(|charge| self.payment(charge)).collect();
        said(200, &json!({"limit": 20, "skip": 0, "total_count": data.len(), "data": data}))
    }

    /// The payments that were requested in a period.
    fn search(&self, asked: &Asked) -> Incoming {
        let bound = |name: &str| Timestamp::parse(asked.text(name));
        let (Some(from), Some(to)) = (bound("/from"), bound("/to")) else { return invalid("from_invalid") };
        let charges = self.ledger.charges().into_values();
        let is_within = |charge: &Charge| charge.opened_at >= from && charge.opened_at < to;
        let found = charges.filter(|charge| is_within(charge) && has_payment(charge));
        let data: Vec<Value> = found.map(|charge| self.payment(&charge)).collect();
        said(200, &json!({"data": data, "_links": {}, "total_count": data.len()}))
    }
}

impl Gateway for CheckoutCom {
    fn origin(&self) -> &str {
        &self.origin
    }

    fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    fn settings(&self) -> Value {
        json!({
            "connector": "checkout_com", "pg_name": "card_page", "fees": [], "wallets": [], "endpoint": self.origin,
            "credentials": {"secret_key": KEY, "prefix": "vkuhvk4v", "webhook_secret": SECRET},
        })
    }

    fn answer(&self, request: &Outgoing) -> Incoming {
        if header(request, "authorization") != Some(&format!("Bearer {KEY}")) {
            self.ledger.protest("Checkout.com does not know the key".into());
            return bare(401);
        }
        let asked = Asked::read(request, &self.origin);
        let Some(key) = header(request, "cko-idempotency-key") else { return self.carry_out(&asked) };
        let known = self.ledger.answers.borrow().get(key).cloned();
        if let Some((_, answer)) = known {
            return answer;
        }
        let answer = self.carry_out(&asked);
        // What was not carried out is not stored.
        if answer.status < 400 {
            let stored = (request.body.clone(), answer.clone());
            self.ledger.answers.borrow_mut().insert(key.to_owned(), stored);
        }
        answer
    }

    fn is_opening(&self, request: &Outgoing) -> bool {
        let path = request.url.strip_prefix(&self.origin);
        request.method == HttpMethod::Post && matches!(path, Some("/hosted-payments" | "/payments"))
    }

    fn is_operation(&self, request: &Outgoing) -> bool {
        ["/captures", "/refunds", "/voids"].iter().any(|end| request.url.ends_with(end))
    }

    fn refusal(&self) -> Incoming {
        bare(403)
    }

    fn issuer_refusal(&self) -> Incoming {
        invalid("action_not_allowed")
    }

    fn open_page(&self, url: &str) -> Option<String> {
        let id = url.strip_prefix("https://pay.sandbox.checkout.com/page/")?;
        self.ledger.find_by(|charge| charge.is_page && page_id(charge) == id).map(|charge| charge.reference)
    }

    /// A try that is declined leaves the page as it is.
    fn pay(&self, reference: &str, end: ChargeStatus, taken: Option<i64>) {
        let Some(charge) = self.ledger.find(reference) else { return };
        let is_untouched = end == ChargeStatus::Canceled && charge.status == ChargeStatus::Open;
        if charge.is_page && is_untouched {
            return;
        }
        if charge.is_page && matches!(end, ChargeStatus::Declined | ChargeStatus::Canceled) {
            let _ = self.ledger.end(reference, ChargeStatus::Open, None);
            let now = self.ledger.now();
            let _ = self.ledger.change(reference, |charge| {
                charge.tries = charge.tries.saturating_add(1);
                charge.ended_at = Some(now);
            });
            return;
        }
        let ended = self.ledger.end(reference, end, taken).unwrap();
        if ended.status == ChargeStatus::Approved && ended.saves_card {
            self.ledger.cards.borrow_mut().insert(source_id(&ended), payment_id(&ended));
        }
    }

    /// A page that was tried in vain ends as its payment did.
    fn close(&self, reference: &str) {
        let was_tried = self.ledger.find(reference).is_some_and(|charge| charge.tries > 0);
        let end = if was_tried { ChargeStatus::Declined } else { ChargeStatus::Canceled };
        let _ = self.ledger.end(reference, end, None);
    }

    fn exclusive(&self) -> Exclusive {
        Exclusive::Never
    }

    fn misstates(&self, charge: &Charge) -> bool {
        charge.operation != ChargeOperation::Verify
    }

    fn notice(&self, charge: &Charge) -> Option<Notice> {
        let kind = match charge.status {
            ChargeStatus::Approved => "payment_approved",
            ChargeStatus::Open
            | ChargeStatus::Challenged
            | ChargeStatus::Processing
            | ChargeStatus::Declined
            | ChargeStatus::Canceled => has_payment(charge).then_some("payment_declined")?,
        };
        let payment = self.payment(charge);
        Some(event(kind, &payment, false))
    }

    fn operation_notice(&self, operation: &Move) -> Option<Notice> {
        let charge = self.ledger.find(&operation.charge)?;
        let word = words_of(operation.kind).1;
        let (kind, is_outcome) = match operation.status {
            operation::OperationStatus::Done => (format!("payment_{word}ed"), false),
            operation::OperationStatus::Refused => {
                let word = if word == "captur" { "capture" } else { word };
                (format!("payment_{word}_declined"), true)
            }
            operation::OperationStatus::Queued => return None,
        };
        let data = json!({
            "id": payment_id(&charge), "action_id": action_id(operation), "reference": operation.reference,
            "amount": operation.amount, "currency": charge.asked.currency().code(),
            "metadata": {"charge": charge.reference, "operation": operation.reference},
        });
        Some(event(&kind, &data, is_outcome))
    }

    fn seal(&self, body: &[u8], _: Timestamp) -> Incoming {
        signed(SECRET, body)
    }

    fn forge(&self, body: &[u8], _: Timestamp) -> Incoming {
        signed("the key of a thief", body)
    }
}

fn event(kind: &str, data: &Value, is_outcome: bool) -> Notice {
    let event = json!({"id": "evt_1", "type": kind, "version": "1.0.29", "data": data});
    Notice { body: event.to_string().into_bytes(), is_outcome }
}

/// An event as Checkout.com sends it.
fn signed(secret: &str, body: &[u8]) -> Incoming {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(body);
    let signature = hex::encode(mac.finalize().into_bytes());
    message(0, &[("cko-signature", &signature)], body.to_vec())
}
