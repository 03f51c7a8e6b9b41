//! Stripe's API v1 in the version of 2023-08-16: Checkout Sessions, `PaymentIntents`, refunds, lists, keys of idempotency
//! and signed events.

mod objects;
mod operations;
mod page;

use std::time::Duration;

use checkout_core::gateway::charge::ChargeOperation;
use checkout_core::gateway::exchange::{HttpMethod, Incoming, Outgoing, Returned};
use checkout_core::testing::clock::ManualClock;
use checkout_core::testing::http::json as answer_json;
use checkout_core::value::money::Money;
use checkout_core::value::time::Timestamp;
use checkout_core::words::ChildOperation;
use hmac::{Hmac, Mac};
use sandbox_bank::charge::ChargeStatus;
use serde_json::{Value, json};
use sha2::Sha256;

use super::forms::fits_stripe;
use super::ledger::{Charge, Ledger, Move, Opening, currency};
use super::message::{Asked, field, header, message};
use super::{Exclusive, Gateway, Notice, number};

const VERSION: &str = "2023-08-16";

/// Stripe with one account.
#[derive(Debug)]
pub struct Stripe {
    ledger: Ledger,
    origin: String,
    key: String,
    secret: String,
}

fn said(status: u16, body: &Value) -> Incoming {
    answer_json(status, &body.to_string())
}

fn fault(status: u16, kind: &str, code: &str, text: &str) -> Incoming {
    said(status, &json!({"error": {"type": kind, "code": code, "message": text}}))
}

fn invalid(text: &str) -> Incoming {
    fault(400, "invalid_request_error", "parameter_invalid", text)
}

fn missing(what: &str) -> Incoming {
    fault(404, "invalid_request_error", "resource_missing", &format!("No such {what}"))
}

/// The members of a nested form field, such as those of `metadata[…]`.
fn nested(form: &[(String, String)], name: &str) -> Value {
    let inner = |key: &str| key.strip_prefix(name)?.strip_prefix('[')?.strip_suffix(']').map(str::to_owned);
    let members = form.iter().filter_map(|(key, value)| Some((inner(key)?, json!(value))));
    Value::Object(members.collect())
}

impl Stripe {
    /// An account of this name.
    #[must_use]
    pub fn new(clock: &ManualClock, name: &str) -> Self {
        Self {
            ledger: Ledger::new(clock, name),
            origin: format!("https://stripe-{name}.example.com"),
            key: format!("rk_test_{}", name.replace('-', "0")),
            secret: format!("whsec_{}", name.replace('-', "0")),
        }
    }

    fn carry_out(&self, asked: &Asked) -> Incoming {
        let mut emails = ["customer_email", "email"].into_iter().filter_map(|name| asked.field(name));
        if let Some(email) = emails.find(|email| !fits_stripe(email)) {
            self.ledger.protest(format!("Stripe does not take the address {email}"));
            return invalid(&format!("Invalid email address: {email}"));
        }
        match (asked.method, asked.segments().as_slice()) {
            (HttpMethod::Get, ["v1", "checkout", "sessions"]) => self.list_sessions(asked),
            (HttpMethod::Get, ["v1", "checkout", "sessions", id]) => self.show_session(asked, id),
            (HttpMethod::Get, ["v1", "payment_intents"]) => self.list_intents(asked),
            (HttpMethod::Get, ["v1", "payment_intents", id]) => self.show_intent(asked, id),
            (HttpMethod::Get, ["v1", "refunds"]) => self.list_refunds(asked),
            (HttpMethod::Get, ["v1", "refunds", id]) => match self.refund_of(id) {
                Some(refund) => said(200, &self.refund(&refund, false)),
                None => missing("refund"),
            },
            (HttpMethod::Post, ["v1", "checkout", "sessions"]) => self.open_session(asked),
            (HttpMethod::Post, ["v1", "checkout", "sessions", id, "expire"]) => self.expire(asked, id),
            (HttpMethod::Post, ["v1", "payment_intents"]) => self.charge(asked),
            (HttpMethod::Post, ["v1", "payment_intents", id]) => self.mark(asked, id),
            (HttpMethod::Post, ["v1", "payment_intents", id, "capture"]) => self.capture(asked, id),
            (HttpMethod::Post, ["v1", "payment_intents", id, "cancel"]) => self.cancel(asked, id),
            (HttpMethod::Post, ["v1", "refunds"]) => self.give_back(asked),
            _ => {
                self.ledger.protest(format!("Stripe has no {:?} {:?}", asked.method, asked.path));
                missing("address")
            }
        }
    }

    fn show_session(&self, asked: &Asked, id: &str) -> Incoming {
        match self.by_session(id) {
            Some(charge) => said(200, &self.session(&charge, &expanded(asked))),
            None => missing("session"),
        }
    }

    fn show_intent(&self, asked: &Asked, id: &str) -> Incoming {
        match self.by_intent(id) {
            Some(charge) => said(200, &self.intent(&charge, expanded(asked).contains(&"latest_charge"))),
            None => missing("intent"),
        }
    }

    fn open_session(&self, asked: &Asked) -> Incoming {
        let form = |name: &str| asked.field(name).unwrap_or_default();
        let is_setup = form("mode") == "setup";
        let reference = form("client_reference_id");
        let marks = if is_setup {
            "setup_intent_data[metadata][charge]"
        } else {
            "payment_intent_data[metadata][charge]"
        };
        let is_named =
            !reference.is_empty() && form("metadata[charge]") == reference && form(marks) == reference;
        let closes = form("expires_at").parse::<i64>().unwrap_or_default();
        let wait = closes.checked_sub(self.ledger.now().seconds()).unwrap();
        let price = self.price(
            if is_setup { "0" } else { form("line_items[0][price_data][unit_amount]") },
            if is_setup { "usd" } else { form("line_items[0][price_data][currency]") },
        );
        let (Some(asked_for), true, true) = (price, is_named, form("success_url").starts_with("https://"))
        else {
            self.ledger.protest(format!("Stripe can make no session of {:?}", asked.form));
            return invalid("no such session can be made");
        };
        if !(1_800..=86_400).contains(&wait) {
            return invalid("The `expires_at` timestamp must be between 30 minutes and 24 hours from now.");
        }
        let operation = match (is_setup, form("payment_intent_data[capture_method]")) {
            (true, _) => ChargeOperation::Verify,
            (false, "manual") => ChargeOperation::Authorize,
            (false, _) => ChargeOperation::Purchase,
        };
        let charge = self.ledger.open(Opening {
            reference: reference.into(),
            asked: asked_for,
            operation,
            page: Some(Duration::from_secs(wait.unsigned_abs())),
            saves_card: is_setup || form("payment_intent_data[setup_future_usage]") == "off_session",
            card: Value::Null,
            memo: json!({
                "metadata": nested(&asked.form, if is_setup { "setup_intent_data[metadata]" } else { "payment_intent_data[metadata]" }),
                "has_customer": form("customer_creation") == "always",
                "success_url": form("success_url"), "cancel_url": form("cancel_url"),
            }),
        });
        said(200, &self.session(&charge, &expanded(asked)))
    }

    /// An amount as Stripe takes it.
    fn price(&self, number: &str, code: &str) -> Option<Money> {
        let number: i64 = number.parse().ok()?;
        let in_tens = ["bhd", "jod", "kwd", "omr", "tnd"].contains(&code);
        if in_tens && number.checked_rem(10) != Some(0) {
            self.ledger.protest(format!("Stripe does not take {number} {code}"));
            return None;
        }
        Money::new(number, currency(code)?).ok()
    }

    fn expire(&self, asked: &Asked, id: &str) -> Incoming {
        let Some(charge) = self.by_session(id) else { return missing("session") };
        if charge.status != ChargeStatus::Open {
            return invalid("Only Checkout Sessions with a status in [\"open\"] can be expired.");
        }
        let charge = self.ledger.end(&charge.reference, ChargeStatus::Canceled, None).unwrap();
        said(200, &self.session(&charge, &expanded(asked)))
    }

    /// A saved card is charged. How that ends is decided by the reference.
    fn charge(&self, asked: &Asked) -> Incoming {
        let form = |name: &str| asked.field(name).unwrap_or_default();
        let (method, customer) = (form("payment_method"), form("customer"));
        let is_saved = self.ledger.cards.borrow().get(method).is_some_and(|known| known == customer);
        let price = self.price(form("amount"), form("currency"));
        let (Some(asked_for), true, "true") = (price, is_saved, form("confirm")) else {
            self.ledger.protest(format!("Stripe cannot charge {:?}", asked.form));
            return invalid("no such payment method");
        };
        let (reference, is_absent) = (form("metadata[charge]"), form("off_session") == "true");
        let is_manual = form("capture_method") == "manual";
        self.ledger.open(Opening {
            reference: reference.into(),
            asked: asked_for,
            operation: if is_manual { ChargeOperation::Authorize } else { ChargeOperation::Purchase },
            page: None,
            saves_card: false,
            card: json!({"token": format!("{customer}|{method}"), "initiator": if is_absent { "merchant" } else { "payer" }}),
            memo: json!({"metadata": nested(&asked.form, "metadata")}),
        });
        let end = match number(reference) % 4 {
            2 => ChargeStatus::Declined,
            3 => ChargeStatus::Processing,
            _ => ChargeStatus::Approved,
        };
        let charge = self.ledger.end(reference, end, None).unwrap();
        let intent = self.intent(&charge, expanded(asked).contains(&"latest_charge"));
        if end == ChargeStatus::Declined {
            let mut error = intent.get("last_payment_error").cloned().unwrap();
            error.as_object_mut().unwrap().insert("payment_intent".into(), intent);
            return said(402, &json!({ "error": error }));
        }
        said(200, &intent)
    }
}

/// What a request wants in full.
fn expanded(asked: &Asked) -> Vec<&str> {
    let fields = asked.query.iter().chain(&asked.form);
    fields.filter(|(name, _)| name == "expand[]").map(|(_, what)| what.as_str()).collect()
}

impl Gateway for Stripe {
    fn origin(&self) -> &str {
        &self.origin
    }

    fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    fn settings(&self) -> Value {
        json!({
            "connector": "stripe", "pg_name": "stripe", "currencies": ["KWD", "USD"], "default_currency": "KWD",
            "fees": [], "wallets": [], "endpoint": self.origin,
            "credentials": {"secret_key": self.key, "webhook_secret": self.secret},
        })
    }

    fn answer(&self, request: &Outgoing) -> Incoming {
        if header(request, "authorization") != Some(&format!("Bearer {}", self.key)) {
            self.ledger.protest("Stripe does not know the key".into());
            return fault(401, "invalid_request_error", "", "Invalid API Key provided");
        }
        if header(request, "stripe-version") != Some(VERSION) {
            self.ledger.protest("Stripe was asked in another version".into());
        }
        let asked = Asked::read(request, &self.origin);
        let Some(key) = header(request, "idempotency-key").filter(|_| asked.method == HttpMethod::Post)
        else {
            return self.carry_out(&asked);
        };
        let content = [request.url.as_bytes(), b"\n", &request.body].concat();
        let known = self.ledger.answers.borrow().get(key).cloned();
        match known {
            Some((known, answer)) if known == content => return answer,
            Some(_) => {
                return fault(400, "idempotency_error", "", "Keys can only be used with the same parameters");
            }
            None => {}
        }
        let answer = self.carry_out(&asked);
        // An answer that refuses the parameters is not stored.
        if answer.status == 200 || answer.status == 402 {
            self.ledger.answers.borrow_mut().insert(key.to_owned(), (content, answer.clone()));
        }
        answer
    }

    fn is_opening(&self, request: &Outgoing) -> bool {
        let path = request.url.strip_prefix(&self.origin);
        request.method == HttpMethod::Post
            && matches!(path, Some("/v1/checkout/sessions" | "/v1/payment_intents"))
    }

    fn is_operation(&self, request: &Outgoing) -> bool {
        request.method == HttpMethod::Post
            && (request.url.ends_with("/capture") || request.url.ends_with("/refunds"))
    }

    fn refusal(&self) -> Incoming {
        fault(403, "invalid_request_error", "account_invalid", "the account is closed")
    }

    fn open_page(&self, url: &str) -> Option<String> {
        let id = url.strip_prefix("https://checkout.stripe.com/c/pay/")?;
        self.by_session(id).map(|charge| charge.reference)
    }

    fn pay(&self, reference: &str, end: ChargeStatus, taken: Option<i64>) {
        self.pay_on_page(reference, end, taken);
    }

    fn leave(&self, reference: &str) -> Returned {
        let charge = self.ledger.find(reference);
        let is_left = charge.is_some_and(|charge| charge.is_page && charge.status == ChargeStatus::Open);
        let fields = is_left.then(|| ("stripe".to_owned(), "canceled".to_owned()));
        Returned { fields: fields.into_iter().collect() }
    }

    fn exclusive(&self) -> Exclusive {
        Exclusive::Always
    }

    fn misstates(&self, charge: &Charge) -> bool {
        charge.operation == ChargeOperation::Purchase
    }

    /// A page that only confirms a card is complete once the card is confirmed.
    fn ponders(&self, charge: &Charge) -> bool {
        charge.operation != ChargeOperation::Verify
    }

    fn notice(&self, charge: &Charge) -> Option<Notice> {
        let (kind, object) = match (charge.is_page, charge.status) {
            (true, ChargeStatus::Canceled) => ("checkout.session.expired", self.session(charge, &[])),
            (true, ChargeStatus::Open) => ("payment_intent.payment_failed", self.intent(charge, false)),
            (true, _) => ("checkout.session.completed", self.session(charge, &[])),
            (false, ChargeStatus::Approved) => ("payment_intent.succeeded", self.intent(charge, false)),
            (false, ChargeStatus::Canceled) => ("payment_intent.canceled", self.intent(charge, false)),
            (false, _) => ("payment_intent.payment_failed", self.intent(charge, false)),
        };
        Some(self.event(kind, &object))
    }

    fn operation_notice(&self, operation: &Move) -> Option<Notice> {
        (operation.kind == ChildOperation::Refund)
            .then(|| self.event("charge.refund.updated", &self.refund(operation, false)))
    }

    fn seal(&self, body: &[u8], now: Timestamp) -> Incoming {
        signed(&self.secret, body, now)
    }

    fn forge(&self, body: &[u8], now: Timestamp) -> Incoming {
        signed("whsec_of_a_thief", body, now)
    }
}

/// An event as Stripe sends it: signed with its moment.
fn signed(secret: &str, body: &[u8], now: Timestamp) -> Incoming {
    let moment = now.seconds().to_string();
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(moment.as_bytes());
    mac.update(b".");
    mac.update(body);
    let signature = hex::encode(mac.finalize().into_bytes());
    message(0, &[("stripe-signature", &format!("t={moment},v1={signature}"))], body.to_vec())
}

impl Stripe {
    fn event(&self, kind: &str, object: &Value) -> Notice {
        let id = format!("evt_{}", self.ledger.next());
        let event = json!({"id": id, "object": "event", "api_version": VERSION, "type": kind, "data": {"object": object}});
        Notice { body: event.to_string().into_bytes(), is_outcome: false }
    }

    /// The period of a list, in seconds, and after which id it begins.
    fn window(asked: &Asked) -> (i64, i64, Option<&str>) {
        let bound = |name: &str| field(&asked.query, name).and_then(|text| text.parse::<i64>().ok());
        let from = bound("created[gte]").unwrap_or(0);
        let to = bound("created[lt]")
            .or(bound("created[lte]").and_then(|to| to.checked_add(1)))
            .unwrap_or(i64::MAX);
        (from, to, asked.asked("starting_after"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The signer of Stripe's own library gives the same.
    #[test]
    fn an_event_is_signed_as_a_known_one() {
        let body = br#"{"id":"evt_1","object":"event","type":"payment_intent.succeeded"}"#;
        let sent = signed("whsec_made_up_1", body, Timestamp::from_millis(1_790_000_000_000));
        let expected = "t=1790000000,v1=b5ae671157cf7abc53d9555c53302cdaed35c398ecc9cd187d770bf1e1ded305";
        assert_eq!(sent.header("stripe-signature"), Some(expected));
    }
}
