//! Tap's API v2: charges, authorisations, tokens, refunds, lists, idempotent strings and webhooks with their hash strings.

mod objects;

use std::cell::RefCell;
use std::collections::BTreeMap;
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
use sandbox_bank::operation;
use serde_json::{Value, json};
use sha2::Sha256;

use super::forms::unfit_for_tap;
use super::ledger::{Charge, Ledger, Move, Opening, currency};
use super::message::{Asked, header, message};
use super::{Exclusive, Gateway, Notice, number};

/// How long a page can be paid.
const PAGE: Duration = Duration::from_mins(30);
/// How long a queued refund takes.
const REFUND: Duration = Duration::from_hours(2);
/// Where its pages are.
const PAGES: &str = "https://checkout.payments.tap.company/?mode=page&token=";

/// Tap with one account.
#[derive(Debug)]
pub struct Tap {
    ledger: Ledger,
    origin: String,
    key: String,
    /// The saved card of each token that was not used yet: customer and card.
    tokens: RefCell<BTreeMap<String, (String, String)>>,
}

fn said(body: &Value) -> Incoming {
    answer_json(200, &body.to_string())
}

fn fault(status: u16, code: &str, text: &str) -> Incoming {
    answer_json(status, &json!({"errors": [{"code": code, "description": text}]}).to_string())
}

fn invalid(text: &str) -> Incoming {
    fault(400, "1100", text)
}

impl Tap {
    /// An account of this name.
    #[must_use]
    pub fn new(clock: &ManualClock, name: &str) -> Self {
        Self {
            ledger: Ledger::new(clock, name),
            origin: format!("https://tap-{name}.example.com"),
            key: format!("sk_test_{}", name.replace('-', "0")),
            tokens: RefCell::default(),
        }
    }

    fn carry_out(&self, asked: &Asked) -> Incoming {
        match (asked.method, asked.segments().as_slice()) {
            (HttpMethod::Get, ["v2", kind @ ("charges" | "authorize"), id]) => {
                self.item_of(kind, id).map_or_else(|| fault(404, "1143", "Id is invalid"), |item| said(&item))
            }
            (HttpMethod::Get, ["v2", "refunds", id]) => match self.refund_of(id) {
                Some(refund) => said(&self.refund(&refund)),
                None => fault(404, "1143", "Id is invalid"),
            },
            (HttpMethod::Get, ["v2", "card", customer, card]) => self.show_card(customer, card),
            (HttpMethod::Post, ["v2", kind, "list"]) => self.list(asked, kind),
            (HttpMethod::Post, ["v2", "authorize", id, "void"]) => self.void(id),
            (HttpMethod::Post, ["v2", "tokens"]) => self.token(asked),
            (HttpMethod::Post, ["v2", "charges"]) if asked.text("/source/id").starts_with("auth_") => {
                self.once(asked, |asked| self.capture(asked))
            }
            (HttpMethod::Post, ["v2", "charges"]) => self.once(asked, |asked| self.make(asked, false)),
            (HttpMethod::Post, ["v2", "authorize"]) => self.once(asked, |asked| self.make(asked, true)),
            (HttpMethod::Post, ["v2", "refunds"]) => self.once(asked, |asked| self.give_back(asked)),
            _ => {
                self.ledger.protest(format!("Tap has no {:?} {:?}", asked.method, asked.path));
                fault(404, "1000", "no such resource")
            }
        }
    }

    /// A request with an idempotent string that was answered is answered as before.
    fn once(&self, asked: &Asked, act: impl FnOnce(&Asked) -> Incoming) -> Incoming {
        let name = asked.text("/reference/idempotent");
        if name.is_empty() {
            self.ledger.protest(format!("Tap is asked without an idempotent string: {}", asked.json));
        }
        let key = format!("{} {name}", asked.path.join("/"));
        let known = self.ledger.answers.borrow().get(&key).cloned();
        if let Some((_, answer)) = known {
            return answer;
        }
        let answer = act(asked);
        if answer.status == 200 {
            self.ledger.answers.borrow_mut().insert(key, (Vec::new(), answer.clone()));
        }
        answer
    }

    /// An amount as Tap takes it: a number, with at most the decimals of its currency.
    fn price(asked: &Asked) -> Option<Money> {
        let currency = currency(asked.text("/currency"))?;
        let number = asked.json.pointer("/amount").filter(|amount| amount.is_number())?;
        Money::parse(&number.to_string(), currency).ok()
    }

    fn make(&self, asked: &Asked, is_held: bool) -> Incoming {
        if let Some(field) = unfit_for_tap(asked) {
            self.ledger.protest(format!("Tap does not take {field} of {}", asked.json));
            return invalid(field);
        }
        let (reference, source) = (asked.text("/reference/transaction"), asked.text("/source/id"));
        let is_whole = !reference.is_empty()
            && asked.text("/redirect/url").starts_with("https://")
            && asked.text("/post/url").ends_with(&format!("/{reference}/"));
        let (Some(asked_for), true) = (Self::price(asked), is_whole) else {
            self.ledger.protest(format!("Tap can make nothing of {}", asked.json));
            return invalid("no such charge can be made");
        };
        let is_of_payer = asked.json.pointer("/customer_initiated") == Some(&json!(true));
        let card = if source.starts_with("tok_") {
            let Some((customer, card)) = self.tokens.borrow_mut().remove(source) else {
                return invalid("Source id is invalid");
            };
            let agreement = card.replace("card_", "payment_agreement_");
            let is_agreed = is_of_payer || asked.text("/payment_agreement/id") == agreement;
            if asked.text("/customer/id") != customer || !is_agreed {
                self.ledger.protest(format!("Tap cannot charge {}", asked.json));
                return fault(400, "1216", "Agreement id is missing");
            }
            json!({"token": format!("{customer}|{card}|{agreement}"), "initiator": if is_of_payer { "payer" } else { "merchant" }})
        } else {
            Value::Null
        };
        let is_page = card.is_null();
        let charge = self.ledger.open(Opening {
            reference: reference.into(),
            asked: asked_for,
            operation: if is_held { ChargeOperation::Authorize } else { ChargeOperation::Purchase },
            page: is_page.then_some(PAGE),
            saves_card: asked.json.pointer("/save_card") == Some(&json!(true)),
            card,
            memo: json!({"till": asked.text("/metadata/till"), "redirect": asked.text("/redirect/url"), "source": source}),
        });
        if is_page {
            return said(&self.item(&charge));
        }
        let end = match number(reference) % 4 {
            2 => ChargeStatus::Declined,
            3 => ChargeStatus::Processing,
            _ => ChargeStatus::Approved,
        };
        let charge = self.ledger.end(reference, end, None).unwrap();
        said(&self.item(&charge))
    }

    fn token(&self, asked: &Asked) -> Incoming {
        let (card, customer) = (asked.text("/saved_card/card_id"), asked.text("/saved_card/customer_id"));
        if self.ledger.cards.borrow().get(card).is_none_or(|known| known != customer) {
            self.ledger.protest(format!("Tap has no such card: {}", asked.json));
            return invalid("Card id is invalid");
        }
        let token = format!("tok_TS{:06}", self.ledger.next());
        self.tokens.borrow_mut().insert(token.clone(), (customer.to_owned(), card.to_owned()));
        said(&json!({"id": token, "object": "token", "used": false}))
    }

    fn show_card(&self, customer: &str, card: &str) -> Incoming {
        if self.ledger.cards.borrow().get(card).is_none_or(|known| known != customer) {
            return fault(404, "1140", "Card id is invalid");
        }
        said(
            &json!({"id": card, "object": "card", "customer": customer, "brand": "VISA", "exp_month": 1, "exp_year": 39,
            "first_six": "450875", "last_four": "1019", "name": "NOURA"}),
        )
    }

    fn capture(&self, asked: &Asked) -> Incoming {
        let held = self.by_id(asked.text("/source/id")).filter(|held| self.word(held) == "AUTHORIZED");
        let amount = Self::price(asked).map_or(0, |money| money.minor());
        let Some(held) = held.filter(|held| asked.text("/customer/id") == objects::customer(held)) else {
            return invalid("Authorize cannot be captured");
        };
        let reference = asked.text("/reference/transaction");
        match self.ledger.operate(ChildOperation::Capture, &held, reference, amount) {
            Some(done) => said(&Self::captured(&held, &done)),
            None => invalid("too much to capture"),
        }
    }

    /// A void names no reference of the merchant: it is known by that of the authorisation.
    fn void(&self, id: &str) -> Incoming {
        let held = self.by_id(id).filter(|held| self.word(held) == "AUTHORIZED");
        let Some(held) = held else { return invalid("Authorize cannot be voided") };
        let name = format!("void-{}", held.reference);
        let _ = self.ledger.operate(ChildOperation::Void, &held, &name, held.taken);
        said(&self.item(&held))
    }

    fn give_back(&self, asked: &Asked) -> Incoming {
        let charge = self.by_charge_id(asked.text("/charge_id"));
        let (reference, amount) =
            (asked.text("/reference/merchant"), Self::price(asked).map_or(0, |money| money.minor()));
        let done = charge
            .filter(|_| !asked.text("/reason").is_empty())
            .and_then(|charge| self.ledger.operate(ChildOperation::Refund, &charge, reference, amount));
        let Some(refund) = done else { return invalid("Charge cannot be refunded") };
        let is_queued = number(reference).is_multiple_of(4);
        let due_at = is_queued.then(|| self.ledger.now().plus(REFUND));
        let status =
            if is_queued { operation::OperationStatus::Queued } else { operation::OperationStatus::Done };
        let end = |refund: &mut Move| (refund.status, refund.due_at) = (status, due_at);
        said(&self.refund(&self.ledger.change_move(&refund.reference, end).unwrap()))
    }
}

impl Gateway for Tap {
    fn origin(&self) -> &str {
        &self.origin
    }

    fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    fn settings(&self) -> Value {
        json!({
            "connector": "tap", "pg_name": "tap", "currencies": ["KWD", "USD"], "default_currency": "KWD",
            "fees": [], "wallets": [], "endpoint": self.origin, "credentials": {"secret_key": self.key},
        })
    }

    fn answer(&self, request: &Outgoing) -> Incoming {
        if header(request, "authorization") != Some(&format!("Bearer {}", self.key)) {
            self.ledger.protest("Tap does not know the key".into());
            return fault(401, "2107", "Unauthorized, Invalid API key");
        }
        self.carry_out(&Asked::read(request, &self.origin))
    }

    fn is_opening(&self, request: &Outgoing) -> bool {
        let asked = Asked::read(request, &self.origin);
        let is_capture = asked.text("/source/id").starts_with("auth_");
        request.method == HttpMethod::Post
            && matches!(asked.segments().as_slice(), ["v2", "charges" | "authorize"])
            && !is_capture
    }

    fn is_operation(&self, request: &Outgoing) -> bool {
        let asked = Asked::read(request, &self.origin);
        let is_capture = asked.text("/source/id").starts_with("auth_");
        request.method == HttpMethod::Post
            && (asked.segments().as_slice() == ["v2", "refunds"]
                || (asked.segments().as_slice() == ["v2", "charges"] && is_capture))
    }

    fn refusal(&self) -> Incoming {
        fault(403, "1109", "the account is closed")
    }

    fn open_page(&self, url: &str) -> Option<String> {
        let id = url.strip_prefix(PAGES)?;
        self.by_id(id).map(|charge| charge.reference)
    }

    /// A charge ends with the first try: the payer is sent back.
    fn pay(&self, reference: &str, end: ChargeStatus, taken: Option<i64>) {
        let charge = self.ledger.end(reference, end, taken);
        let saved = charge.filter(|charge| charge.status == ChargeStatus::Approved && charge.saves_card);
        if let Some(charge) = saved {
            let card = format!("card_TS{:06}", charge.number);
            self.ledger.cards.borrow_mut().insert(card, objects::customer(&charge));
        }
    }

    fn leave(&self, reference: &str) -> Returned {
        let charge = self.ledger.find(reference);
        if charge.as_ref().is_some_and(|charge| charge.is_page && charge.status == ChargeStatus::Open) {
            let _ = self.ledger.end(reference, ChargeStatus::Canceled, None);
        }
        let fields = charge.map(|charge| ("tap_id".to_owned(), objects::id(&charge)));
        Returned { fields: fields.into_iter().collect() }
    }

    fn exclusive(&self) -> Exclusive {
        Exclusive::OnceShown
    }

    /// A void does not.
    fn names(&self, kind: ChildOperation) -> bool {
        kind != ChildOperation::Void
    }

    fn has_account_address(&self) -> bool {
        false
    }

    fn notice(&self, charge: &Charge) -> Option<Notice> {
        let is_sent = !matches!(charge.status, ChargeStatus::Open | ChargeStatus::Processing);
        is_sent.then(|| Notice { body: self.item(charge).to_string().into_bytes(), is_outcome: false })
    }

    fn operation_notice(&self, operation: &Move) -> Option<Notice> {
        let body = match operation.kind {
            ChildOperation::Refund => self.refund(operation),
            ChildOperation::Capture => Self::captured(&self.ledger.find(&operation.charge)?, operation),
            ChildOperation::Void => return None,
        };
        Some(Notice { body: body.to_string().into_bytes(), is_outcome: false })
    }

    fn seal(&self, body: &[u8], _: Timestamp) -> Incoming {
        signed(&self.key, body)
    }

    fn forge(&self, body: &[u8], _: Timestamp) -> Incoming {
        signed("sk_test_of_a_thief", body)
    }
}

/// An object as Tap posts it.
fn signed(key: &str, body: &[u8]) -> Incoming {
    let object: Value = serde_json::from_slice(body).unwrap();
    let text = |pointer: &str| match object.pointer(pointer) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    let amount = Money::parse(&text("/amount"), currency(&text("/currency")).unwrap()).unwrap();
    let created = if object.pointer("/transaction").is_some() { "/transaction/created" } else { "/created" };
    let parts = [
        ("id", text("/id")),
        ("amount", amount.to_string()),
        ("currency", text("/currency")),
        ("gateway_reference", text("/reference/gateway")),
        ("payment_reference", text("/reference/payment")),
        ("status", text("/status")),
        ("created", text(created)),
    ];
    let mut mac = Hmac::<Sha256>::new_from_slice(key.as_bytes()).unwrap();
    for (name, value) in parts {
        mac.update(format!("x_{name}{value}").as_bytes());
    }
    message(0, &[("hashstring", &hex::encode(mac.finalize().into_bytes()))], body.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two public integrations in other languages give the same.
    #[test]
    fn a_webhook_is_signed_as_a_known_one() {
        let vectors: Value =
            serde_json::from_str(include_str!("../../vectors/gateways/signatures.json")).unwrap();
        let known = vectors.as_array().unwrap().iter().filter(|one| one.get("family") == Some(&json!("tap")));
        for one in known {
            let text = |name: &str| one.get(name).and_then(Value::as_str).unwrap();
            let sent = signed(text("secret"), text("message").as_bytes());
            assert_eq!(sent.header("hashstring"), Some(text("expected")), "{}", text("name"));
        }
    }
}
