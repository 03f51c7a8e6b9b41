//! Mastercard Gateway's REST interface with JSON, version 100: sessions of its page, orders with their transactions, tokens
//! and notifications. A request with known ids is answered as the first time.

mod objects;

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use checkout_core::gateway::charge::ChargeOperation;
use checkout_core::gateway::exchange::{HttpMethod, Incoming, Outgoing, Returned};
use checkout_core::testing::clock::ManualClock;
use checkout_core::value::money::Money;
use checkout_core::value::time::Timestamp;
use checkout_core::words::ChildOperation;
use sandbox_bank::charge::ChargeStatus;
use serde_json::{Value, json};

use super::forms::unfit_for_mpgs;
use super::ledger::{Charge, Ledger, Move, Opening, currency};
use super::message::{Asked, header, message, written_date};
use super::{Exclusive, Gateway, Notice, number};

const MERCHANT: &str = "TESTSHOP01";
const PASSWORD: &str = "password-of-the-api";
const SECRET: &str = "0123456789ABCDEF0123456789ABCDEF";
/// How long a session can be paid.
const PAGE: Duration = Duration::from_mins(59);
/// The most tries on a page.
const TRIES: u32 = 4;

/// Mastercard Gateway with one merchant.
#[derive(Debug)]
pub struct Mpgs {
    ledger: Ledger,
    origin: String,
}

impl Mpgs {
    /// The host of a bank of this name.
    #[must_use]
    pub fn new(clock: &ManualClock, name: &str) -> Self {
        Self { ledger: Ledger::new(clock, name), origin: format!("https://mpgs-{name}.example.com") }
    }

    /// An answer has its moment.
    fn said(&self, status: u16, body: &Value) -> Incoming {
        let date = written_date(self.ledger.now());
        message(
            status,
            &[("content-type", "application/json"), ("date", &date)],
            body.to_string().into_bytes(),
        )
    }

    fn invalid(&self, field: &str, text: &str) -> Incoming {
        let error = json!({"cause": "INVALID_REQUEST", "explanation": text, "field": field});
        self.said(400, &json!({"error": error, "result": "ERROR"}))
    }

    fn carry_out(&self, asked: &Asked) -> Incoming {
        let Some(path) = asked.segments().get(6..).map(<[&str]>::to_vec) else {
            return self.invalid("", "no such address");
        };
        match (asked.method, path.as_slice()) {
            (HttpMethod::Get, ["paymentOptionsInquiry"]) => self
                .said(200, &json!({"merchant": MERCHANT, "result": "SUCCESS", "paymentTypes": {"card": {}}})),
            (HttpMethod::Post, ["session"]) => self.open_session(asked),
            (HttpMethod::Post, ["token"]) => self.save(asked),
            (HttpMethod::Get, ["order", order]) => match self.ledger.seen(order).filter(Self::has_order) {
                Some(charge) => self.said(200, &self.order(&charge)),
                None => self.invalid("order.id", "Unable to find order"),
            },
            (HttpMethod::Get, ["order", order, "transaction", name]) => {
                match self.ledger.seen(order).and_then(|charge| self.transaction(&charge, name)) {
                    Some(found) => self.said(200, &found),
                    None => self.invalid("transaction.id", "Unable to find transaction"),
                }
            }
            (HttpMethod::Put, ["order", order, "transaction", name]) => {
                let known = self.ledger.find(order).and_then(|charge| self.transaction(&charge, name));
                match known {
                    Some(known) => self.said(201, &known),
                    None => self.put(asked, order, name),
                }
            }
            _ => {
                self.ledger.protest(format!("the gateway has no {:?} {:?}", asked.method, asked.path));
                self.invalid("", "no such address")
            }
        }
    }

    fn amount(asked: &Asked, part: &str) -> Option<Money> {
        let currency = currency(asked.text(&format!("/{part}/currency")))?;
        Money::parse(asked.text(&format!("/{part}/amount")), currency).ok()
    }

    fn open_session(&self, asked: &Asked) -> Incoming {
        if let Some(field) = unfit_for_mpgs(asked) {
            self.ledger.protest(format!("the gateway does not take {field} of {}", asked.json));
            return self.invalid(field, "the value is invalid");
        }
        let operation = match asked.text("/interaction/operation") {
            "PURCHASE" => Some(ChargeOperation::Purchase),
            "AUTHORIZE" => Some(ChargeOperation::Authorize),
            "VERIFY" => Some(ChargeOperation::Verify),
            _ => None,
        };
        let money = match operation {
            Some(ChargeOperation::Verify) => currency(asked.text("/order/currency")).map(Money::zero),
            _ => Self::amount(asked, "order"),
        };
        let reference = asked.text("/order/id");
        let is_whole = asked.text("/apiOperation") == "INITIATE_CHECKOUT"
            && (1..=40).contains(&reference.len())
            && asked.text("/interaction/returnUrl").starts_with("https://")
            && asked.text("/order/notificationUrl").ends_with(&format!("/{reference}/"));
        let (Some(operation), Some(money), true) = (operation, money, is_whole) else {
            self.ledger.protest(format!("the gateway can make no session of {}", asked.json));
            return self.invalid("interaction", "no such session");
        };
        let charge = self.ledger.open(Opening {
            reference: reference.into(),
            asked: money,
            operation,
            page: Some(PAGE),
            saves_card: false,
            card: Value::Null,
            memo: json!({}),
        });
        let session = json!({"id": objects::session(&charge), "updateStatus": "SUCCESS", "version": "0bd01"});
        self.said(
            201,
            &json!({"checkoutMode": "WEBSITE", "merchant": MERCHANT, "result": "SUCCESS", "session": session,
                "successIndicator": "2a14c0"}),
        )
    }

    /// The card of a session is saved, once it was paid with.
    fn save(&self, asked: &Asked) -> Incoming {
        let session = asked.text("/session/id");
        let charge = self.ledger.find_by(|charge| charge.is_page && objects::session(charge) == session);
        let Some(charge) = charge.filter(|charge| charge.status == ChargeStatus::Approved) else {
            return self.invalid("session.id", "the session has no card");
        };
        let token = format!("9{:015}", charge.number);
        self.ledger.cards.borrow_mut().insert(token.clone(), session.into());
        let card = json!({"brand": "MASTERCARD", "scheme": "MASTERCARD", "expiry": "0139", "number": "512345xxxxxx0008"});
        self.said(
            201,
            &json!({"repositoryId": MERCHANT, "response": {"gatewayCode": "BASIC_VERIFICATION_SUCCESSFUL"},
                "result": "SUCCESS", "status": "VALID", "token": token, "version": "100",
                "sourceOfFunds": {"type": "CARD", "provided": {"card": card}}}),
        )
    }

    fn put(&self, asked: &Asked, order: &str, name: &str) -> Incoming {
        let kind = match asked.text("/apiOperation") {
            "PAY" | "AUTHORIZE" => return self.pay_at_once(asked, order, name),
            "CAPTURE" => ChildOperation::Capture,
            "REFUND" => ChildOperation::Refund,
            "VOID" => ChildOperation::Void,
            other => {
                self.ledger.protest(format!("the gateway has no operation {other}"));
                return self.invalid("apiOperation", "no such operation");
            }
        };
        let Some(charge) = self.ledger.find(order).filter(Self::has_order) else {
            return self.invalid("order.id", "Unable to find order");
        };
        let amount = match kind {
            ChildOperation::Void
                if asked.text("/transaction/targetTransactionId") == objects::payment(&charge) =>
            {
                charge.taken
            }
            ChildOperation::Void => 0,
            ChildOperation::Capture | ChildOperation::Refund => {
                Self::amount(asked, "transaction").map_or(0, |money| money.minor())
            }
        };
        if self.ledger.operate(kind, &charge, name, amount).is_none() {
            return self.invalid("apiOperation", "not possible");
        }
        let charge = self.ledger.find(order).unwrap();
        self.said(201, &self.transaction(&charge, name).unwrap())
    }

    /// A saved card or a wallet is charged. How that ends is decided by the reference.
    fn pay_at_once(&self, asked: &Asked, order: &str, name: &str) -> Incoming {
        if let Some(field) = unfit_for_mpgs(asked) {
            self.ledger.protest(format!("the gateway does not take {field} of {}", asked.json));
            return self.invalid(field, "the value is invalid");
        }
        let token = asked.text("/sourceOfFunds/token");
        let is_card = self.ledger.cards.borrow().contains_key(token);
        let device = asked.text("/sourceOfFunds/provided/card/devicePayment/paymentToken");
        let is_wallet = serde_json::from_str::<Value>(device).is_ok()
            && asked.text("/order/walletProvider") == "APPLE_PAY";
        let money = Self::amount(asked, "order");
        let (Some(money), true) = (money, (is_card || is_wallet) && order == name) else {
            self.ledger.protest(format!("the gateway cannot charge {}", asked.json));
            return self.invalid("sourceOfFunds", "no such card");
        };
        let is_absent = asked.text("/transaction/source") == "MERCHANT";
        let card = json!({
            "token": token, "initiator": if is_absent { "merchant" } else { "payer" },
            "agreement": {"id": asked.text("/agreement/id")},
        });
        let is_held = asked.text("/apiOperation") == "AUTHORIZE";
        self.ledger.open(Opening {
            reference: order.into(),
            asked: money,
            operation: if is_held { ChargeOperation::Authorize } else { ChargeOperation::Purchase },
            page: None,
            saves_card: false,
            card: if is_card { card } else { Value::Null },
            memo: json!({}),
        });
        let end = match number(order) % 4 {
            2 => ChargeStatus::Declined,
            3 => ChargeStatus::Processing,
            _ => ChargeStatus::Approved,
        };
        let charge = self.ledger.end(order, end, None).unwrap();
        self.said(201, &self.transaction(&charge, name).unwrap())
    }
}

impl Gateway for Mpgs {
    fn origin(&self) -> &str {
        &self.origin
    }

    fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    fn settings(&self) -> Value {
        json!({
            "connector": "mpgs", "pg_name": "mpgs", "wallets": ["apple_pay"], "apple_pay": null, "endpoint": self.origin,
            "credentials": {
                "merchant_id": MERCHANT, "password": PASSWORD, "notification_secret": SECRET, "version": "100",
            },
        })
    }

    fn answer(&self, request: &Outgoing) -> Incoming {
        let expected = format!("Basic {}", STANDARD.encode(format!("merchant.{MERCHANT}:{PASSWORD}")));
        let base = format!("{}/api/rest/version/100/merchant/{MERCHANT}/", self.origin);
        if header(request, "authorization") != Some(&expected) || !request.url.starts_with(&base) {
            self.ledger.protest(format!("the gateway does not let {} in", request.url));
            return self.said(401, &json!({"error": {"cause": "INVALID_REQUEST"}, "result": "ERROR"}));
        }
        self.carry_out(&Asked::read(request, &self.origin))
    }

    fn is_opening(&self, request: &Outgoing) -> bool {
        let asked = Asked::read(request, &self.origin);
        match asked.segments().get(6..) {
            Some(["session"]) => true,
            Some(["order", order, "transaction", name]) => request.method == HttpMethod::Put && order == name,
            _ => false,
        }
    }

    fn is_operation(&self, request: &Outgoing) -> bool {
        request.method == HttpMethod::Put && !self.is_opening(request)
    }

    fn refusal(&self) -> Incoming {
        self.invalid("merchant", "the account is closed")
    }

    fn open_page(&self, url: &str) -> Option<String> {
        let session = url.strip_prefix(&self.origin)?.strip_prefix("/checkout/pay/")?;
        let session = session.strip_suffix("?checkoutVersion=1.0.0")?;
        let charge = self.ledger.find_by(|charge| charge.is_page && objects::session(charge) == session);
        charge.map(|charge| charge.reference)
    }

    /// A try that is declined can be repeated on the page, until it sends the payer back.
    fn pay(&self, reference: &str, end: ChargeStatus, taken: Option<i64>) {
        let Some(charge) = self.ledger.find(reference) else { return };
        let end = match end {
            ChargeStatus::Declined if charge.is_page => {
                let tried =
                    self.ledger.change(reference, |charge| charge.tries = charge.tries.saturating_add(1));
                if tried.unwrap().tries < TRIES && charge.status == ChargeStatus::Open {
                    return;
                }
                ChargeStatus::Declined
            }
            ChargeStatus::Canceled => return self.close(reference),
            ChargeStatus::Open
            | ChargeStatus::Challenged
            | ChargeStatus::Processing
            | ChargeStatus::Approved
            | ChargeStatus::Declined => end,
        };
        let _ = self.ledger.end(reference, end, taken);
    }

    fn close(&self, reference: &str) {
        if let Some(charge) = self.ledger.find(reference).filter(|charge| charge.status == ChargeStatus::Open)
        {
            let end = if charge.tries > 0 { ChargeStatus::Declined } else { ChargeStatus::Canceled };
            let _ = self.ledger.end(reference, end, None);
        }
    }

    /// Who leaves the page cannot go on there.
    fn leave(&self, reference: &str) -> Returned {
        self.close(reference);
        let indicator = self.ledger.find(reference).filter(|charge| charge.status == ChargeStatus::Approved);
        let indicator = if indicator.is_some() { "2a14c0" } else { "0" };
        let fields = [("resultIndicator", indicator), ("sessionVersion", "0bd01")];
        Returned { fields: fields.map(|(name, value)| (name.to_owned(), value.to_owned())).into() }
    }

    fn exclusive(&self) -> Exclusive {
        Exclusive::OnceShown
    }

    fn misstates(&self, charge: &Charge) -> bool {
        charge.operation != ChargeOperation::Verify
    }

    fn names_agreements(&self) -> bool {
        true
    }

    fn has_account_address(&self) -> bool {
        false
    }

    fn notice(&self, charge: &Charge) -> Option<Notice> {
        let last = if charge.is_page { charge.tries.to_string() } else { charge.reference.clone() };
        let name = if charge.status == ChargeStatus::Approved { objects::payment(charge) } else { last };
        let body = self.transaction(charge, &name)?.to_string().into_bytes();
        Some(Notice { body, is_outcome: false })
    }

    fn operation_notice(&self, operation: &Move) -> Option<Notice> {
        let charge = self.ledger.find(&operation.charge)?;
        let body = self.transaction(&charge, &operation.reference)?.to_string().into_bytes();
        Some(Notice { body, is_outcome: false })
    }

    fn seal(&self, body: &[u8], _: Timestamp) -> Incoming {
        message(0, &[("x-notification-secret", SECRET)], body.to_vec())
    }

    fn forge(&self, body: &[u8], _: Timestamp) -> Incoming {
        message(0, &[("x-notification-secret", "0123456789ABCDEF0123456789ABCDEE")], body.to_vec())
    }
}
