//! A world in memory with the demo merchant, made as an operator makes it, and all that a payment needs.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use checkout_core::access::header::{Credential, parse_authorization};
use checkout_core::access::operator::ROOT;
use checkout_core::access::{Caller, Principal};
use checkout_core::api::pay::PayForm;
use checkout_core::attempt::Attempt;
use checkout_core::flow::deliver::RunReport;
use checkout_core::flow::merchant::create::{CreateAnswer, CreateInput, create};
use checkout_core::flow::merchant::update::{self, Extent};
use checkout_core::flow::operator::merchant::add_merchant;
use checkout_core::flow::payer::come_back::come_back;
use checkout_core::flow::payer::pay::{Directed, pay};
use checkout_core::flow::report::gateway::{ReportAddress, ask_about, call_back};
use checkout_core::flow::sweep::sweep;
use checkout_core::flow::{Failure, answer_proved, identify, principal};
use checkout_core::gateway::exchange::Returned;
use checkout_core::payment::payer::GivenPayer;
use checkout_core::port::{Clock, Registry, SendError, Store};
use checkout_core::record::attention::{Attention, AttentionId};
use checkout_core::record::return_token::ReturnToken;
use checkout_core::rejection::{RefusedRequest, Rejection};
use checkout_core::route::Route;
use checkout_core::settings::MerchantSettings;
use checkout_core::settings::situation::Situation;
use checkout_core::testing::http::empty;
use checkout_core::testing::world::World;
use checkout_core::transaction::Transaction;
use checkout_core::value::id::{DeliveryId, MerchantId, ReferenceNumber, SessionId};
use checkout_core::webhook::delivery::AnswerEffect;
use pollster::block_on;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::bank::Bank;
use crate::delivery::deliver;
use crate::receiver::Receiver;

/// The settings document of the demo merchant.
pub const DEMO_SETTINGS: &str = include_str!("../../scripts/demo-settings.json");
/// Where the demo orders want to be notified.
pub const WEBHOOK_URL: &str = "https://shop.example.com/hook";

/// A world with a merchant, a bank and a receiver.
#[derive(Debug)]
pub struct Shop {
    /// The world.
    pub world: World,
    /// The bank of every gateway.
    pub bank: Bank,
    /// The receiver of the notifications.
    pub receiver: Receiver,
    /// The merchant.
    pub merchant: MerchantId,
    /// What the operator was answered when the merchant was made.
    pub secrets: Value,
}

impl Shop {
    /// Opens the shop. Equal seeds give equal shops.
    #[must_use]
    pub fn open(seed: u64) -> Self {
        Self::open_with(seed, |_| {})
    }

    /// Opens the shop with settings that differ from the demo document.
    #[must_use]
    pub fn open_with(seed: u64, change: impl FnOnce(&mut Value)) -> Self {
        let world = World::new(seed);
        let (bank, receiver) = (Bank::new(&world.clock), Receiver::default());
        let (for_bank, for_receiver) = (bank.clone(), receiver.clone());
        world.http.answer_by(move |request| {
            if request.url.starts_with(Bank::ORIGIN) {
                return for_bank.answer(request);
            }
            for_receiver.receive(request).map(empty).ok_or(SendError::Unknown)
        });
        let mut settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
        change(&mut settings);
        let body = json!({"merchant_id": "demo", "settings": settings}).to_string();
        let secrets = json_of(&block_on(add_merchant(&world, &ROOT, body.as_bytes())).unwrap());
        Self { world, bank, receiver, merchant: MerchantId::parse("demo").unwrap(), secrets }
    }

    /// The same world with another merchant: its settings and therefore its accounts are the same.
    #[must_use]
    pub fn handed_to(self, merchant: &str) -> Self {
        let settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
        let body = json!({"merchant_id": merchant, "settings": settings}).to_string();
        let secrets = json_of(&block_on(add_merchant(&self.world, &ROOT, body.as_bytes())).unwrap());
        Self { merchant: MerchantId::parse(merchant).unwrap(), secrets, ..self }
    }

    /// One of the secrets of the merchant.
    #[must_use]
    pub fn secret(&self, name: &str) -> &str {
        self.secrets.get(name).and_then(Value::as_str).unwrap()
    }

    /// The holder of the merchant's private key.
    #[must_use]
    pub fn private(&self) -> Caller {
        self.holder(self.secret("private_key"))
    }

    /// The holder of a key.
    #[must_use]
    pub fn holder(&self, key: &str) -> Caller {
        let credential = parse_authorization(&format!("Api-Key {key}"));
        block_on(principal(&self.world, &credential)).unwrap().into_caller().unwrap()
    }

    /// Who calls an endpoint with this `Authorization` header, or why nobody may.
    ///
    /// # Errors
    /// The rejection.
    pub fn identify(&self, authorization: Option<&str>, route: &Route) -> Result<Principal, Rejection> {
        let action = route.facts().action;
        let credential = Credential::offered(action, authorization);
        match block_on(answer_proved(&self.world, async || {
            identify(&self.world, &credential, action, None).await
        })) {
            Ok(principal) => Ok(principal),
            Err(failure) => Err(refused(Err::<(), _>(failure))),
        }
    }

    /// The header of one of the merchant's keys.
    #[must_use]
    pub fn authorization(&self, key: &str) -> String {
        format!("Api-Key {}", self.secret(key))
    }

    /// The settings of the merchant.
    #[must_use]
    pub fn settings(&self) -> Rc<MerchantSettings> {
        self.situation().settings
    }

    /// The merchant, as a request at this moment finds it.
    #[must_use]
    pub fn situation(&self) -> Situation {
        let found = block_on(self.world.store.merchant(&self.merchant)).unwrap().unwrap();
        found.at(self.world.clock.now())
    }

    /// The bank takes this long for each answer from now on.
    pub fn be_slow(&self, by: Duration) {
        let (bank, clock) = (self.bank.clone(), self.world.clock.clone());
        self.world.http.answer_by(move |request| {
            clock.advance(by);
            bank.answer(request)
        });
    }

    /// Creates a transaction.
    ///
    /// # Errors
    /// As the flow.
    pub fn try_create(&self, body: &Value, idempotency_key: Option<&str>) -> Result<CreateAnswer, Failure> {
        let body = body.to_string();
        let input = CreateInput {
            caller: self.private(),
            idempotency_key,
            body: body.as_bytes(),
            file: None,
            wrong: &[],
        };
        block_on(create(&self.world, input))
    }

    /// Creates a transaction that can be created.
    #[must_use]
    pub fn create(&self, body: &Value) -> SessionId {
        session_of(&self.try_create(body, None).unwrap())
    }

    /// The merchant changes some fields of a transaction; what it is answered.
    ///
    /// # Errors
    /// As the flow.
    ///
    /// # Panics
    /// If the answer is not JSON.
    pub fn patch(&self, session_id: &SessionId, body: &Value) -> Result<Value, Failure> {
        self.patch_as(self.private(), session_id, body)
    }

    /// As [`patch`](Self::patch), by another caller.
    ///
    /// # Errors
    /// As the flow.
    ///
    /// # Panics
    /// If the answer is not JSON.
    pub fn patch_as(&self, caller: Caller, session_id: &SessionId, body: &Value) -> Result<Value, Failure> {
        let body = body.to_string();
        let input = update::UpdateInput {
            caller,
            session_id: session_id.clone(),
            extent: Extent::Partial,
            if_match: None,
            body: body.as_bytes(),
            file: None,
            wrong: &[],
        };
        let answer = block_on(update::update(&self.world, input))?;
        Ok(serde_json::from_str(&answer.body).unwrap())
    }

    /// The payer chooses a method.
    ///
    /// # Errors
    /// As the flow.
    pub fn pay(&self, session_id: &SessionId, code: &str) -> Result<Directed, Failure> {
        block_on(pay(&self.world, &form(session_id, code)))
    }

    /// The payer chooses a method and types an amount.
    ///
    /// # Errors
    /// As the flow.
    pub fn pay_amount(&self, session_id: &SessionId, code: &str, amount: &str) -> Result<Directed, Failure> {
        let form = PayForm { amount: Some(amount.into()), ..form(session_id, code) };
        block_on(pay(&self.world, &form))
    }

    /// The payer chooses a method and comes to the gateway's page; returns the reference of the attempt.
    #[must_use]
    pub fn pay_to_page(&self, session_id: &SessionId, code: &str) -> ReferenceNumber {
        let directed = self.pay(session_id, code).unwrap();
        let attempt = self.latest(session_id);
        assert_eq!(Some(directed.url), attempt.page_url, "the payer is sent to the gateway's page");
        attempt.reference
    }

    /// The payer comes back from the gateway.
    ///
    /// # Errors
    /// As the flow.
    pub fn come_back(&self, reference: &ReferenceNumber) -> Result<Option<DeliveryId>, Failure> {
        let token = self.token(reference);
        let back = block_on(come_back(&self.world, reference, Some(&token), &Returned::default()))?;
        Ok(back.map(|awaited| awaited.id))
    }

    /// The token of the address at which the payer of an attempt comes back; without an attempt, one that is
    /// not valid.
    #[must_use]
    pub fn token(&self, reference: &ReferenceNumber) -> ReturnToken {
        token(&self.world, reference)
    }

    /// The address at which the payer of an attempt comes back.
    #[must_use]
    pub fn return_url(&self, reference: &ReferenceNumber) -> String {
        format!("https://pay.example.com/b/gw/v1/return/{reference}/{}/", self.token(reference).as_str())
    }

    /// The gateway sends a callback.
    ///
    /// # Errors
    /// As the flow.
    pub fn call_back(&self, reference: &ReferenceNumber) -> Result<Option<DeliveryId>, Failure> {
        let callback = self.bank.callback(reference.as_str());
        let address = ReportAddress::Subject(reference.clone());
        let called = block_on(call_back(&self.world, address, &callback))?;
        let mut deliveries = called.deliveries;
        for reference in &called.questions {
            deliveries.extend(block_on(ask_about(&self.world, reference))?);
        }
        Ok(deliveries.into_iter().next())
    }

    /// Delivers a notification.
    #[must_use]
    pub fn deliver(&self, id: &DeliveryId) -> Option<AnswerEffect> {
        block_on(deliver(&self.world, id)).unwrap()
    }

    /// One run of the sweep; what failed in it fails the test.
    pub fn sweep(&self) -> RunReport {
        let swept = block_on(sweep(&self.world));
        assert_eq!(swept.failures, []);
        swept
    }

    /// Lets this many seconds pass.
    pub fn wait(&self, seconds: u64) {
        self.world.clock.advance(Duration::from_secs(seconds));
    }

    /// A transaction as it is stored.
    #[must_use]
    pub fn transaction(&self, session_id: &SessionId) -> Transaction {
        block_on(self.world.store.load(session_id)).unwrap().unwrap().transaction
    }

    /// The latest attempt of a transaction.
    #[must_use]
    pub fn latest(&self, session_id: &SessionId) -> Attempt {
        self.world.store.attempts(session_id).pop().unwrap()
    }

    /// The results of the attempts of a transaction, in order.
    #[must_use]
    pub fn results(&self, session_id: &SessionId) -> Vec<&'static str> {
        self.world.store.attempts(session_id).iter().map(|attempt| attempt.stage.result()).collect()
    }

    /// The state of a transaction, in words.
    #[must_use]
    pub fn state(&self, session_id: &SessionId) -> &'static str {
        self.transaction(session_id).state.as_str()
    }

    /// The open entries of the attention list.
    #[must_use]
    pub fn attention(&self) -> Vec<AttentionId> {
        block_on(self.world.store.attention(100)).unwrap().iter().map(Attention::id).collect()
    }
}

/// An order over 10.000 KWD that may be paid through these gateways.
#[must_use]
pub fn order(pg_codes: &[&str]) -> Value {
    json!({
        "type": "e_commerce",
        "amount": "10.000",
        "currency_code": "KWD",
        "pg_codes": pg_codes,
        "order_no": "A-1",
        "webhook_url": WEBHOOK_URL,
        "redirect_url": "https://shop.example.com/thanks",
    })
}

/// The pay form of the hosted page.
#[must_use]
pub fn form(session_id: &SessionId, code: &str) -> PayForm {
    PayForm {
        payer: GivenPayer::default(),
        session_id: Some(session_id.clone()),
        pg_code: code.into(),
        amount: None,
        saves_card: false,
        consent: None,
        language: None,
        shown: None,
        is_next: false,
    }
}

/// The session id in the answer to a create request.
#[must_use]
pub fn session_of(answer: &CreateAnswer) -> SessionId {
    // Not a `Value`: `extra` may contain numbers that it cannot represent.
    let body: BTreeMap<String, &RawValue> = serde_json::from_str(&answer.body).unwrap();
    let session_id = body.get("session_id").map(|raw| raw.get().trim_matches('"'));
    session_id.and_then(SessionId::parse).unwrap()
}

/// Why a flow refused; a failure of a port fails the test.
#[must_use]
pub fn refused<T: std::fmt::Debug>(result: Result<T, Failure>) -> Rejection {
    refusal_of(result).rejection
}

/// Why a flow refused, and what its answer names; a failure of a port fails the test.
#[must_use]
pub fn refusal_of<T: std::fmt::Debug>(result: Result<T, Failure>) -> RefusedRequest {
    match result.unwrap_err() {
        Failure::Refused(refused) => refused,
        failed @ (Failure::World(_) | Failure::Unwritten) => panic!("{failed:?}"),
    }
}

/// An answer as its reader sees it.
#[must_use]
pub fn json_of(answer: &impl Serialize) -> Value {
    serde_json::to_value(answer).unwrap()
}

/// The text of a member.
#[must_use]
pub fn text<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value.get(name).and_then(Value::as_str)
}

/// The token of the address at which the payer of an attempt comes back; without an attempt, one that is not
/// valid.
#[must_use]
pub fn token(world: &impl checkout_core::port::World, reference: &ReferenceNumber) -> ReturnToken {
    let record = block_on(world.ledger(reference).load_attempt(reference)).ok().flatten();
    let session_id = record.map(|record| record.transaction.session_id);
    ReturnToken::of(&session_id.unwrap_or_else(|| SessionId::generate(0, [0; 19])), reference)
}
