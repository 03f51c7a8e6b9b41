//! What callers do with the service: one flow each, called as the Worker calls it, with a check of its
//! answer.

use checkout_core::access::Caller;
use checkout_core::access::operator::ROOT;
use checkout_core::api::pay::PayForm;
use checkout_core::attempt::stage::Stage;
use checkout_core::flow::deliver::handle;
use checkout_core::flow::ending::end;
use checkout_core::flow::merchant::create::{CreateAnswer, CreateInput, create};
use checkout_core::flow::merchant::retrieve::retrieve;
use checkout_core::flow::merchant::{native, operate};
use checkout_core::flow::operator::merchant::replace_settings;
use checkout_core::flow::payer::come_back::{come_back, destination};
use checkout_core::flow::payer::open_page::{Visit, open_page, status};
use checkout_core::flow::payer::pay::pay;
use checkout_core::flow::sdk::outcome::{self, answer_about};
use checkout_core::flow::sdk::wallet;
use checkout_core::flow::sweep::sweep;
use checkout_core::flow::{Failure, answer_proved, identify};
use checkout_core::payment::ending::Ending;
use checkout_core::payment::payer::GivenPayer;
use checkout_core::port::Doorbell;
use checkout_core::rejection::{RefusedRequest, Rejection};
use checkout_core::route::Action;
use checkout_core::state::State;
use checkout_core::value::id::{DeliveryId, ReferenceNumber, SessionId};
use checkout_core::words::Wallet;
use checkout_tests::shop::{form, session_of, token};
use serde_json::{Value, json};

use crate::scene::{Order, Scene, settings};

/// What a payer says who is asked.
fn filled_in() -> GivenPayer {
    GivenPayer {
        phone: Some("50009876".into()),
        email: Some("payer@example.com".into()),
        first_name: Some("Dana".into()),
        last_name: Some("Al-Ali".into()),
    }
}

impl Scene {
    /// Notes how an errand ended, and that it was not refused for an unexpected reason.
    pub(crate) fn ended<T>(
        &self,
        what: &str,
        result: Result<T, Failure>,
        is_expected: fn(&Rejection) -> bool,
    ) -> Option<T> {
        match result {
            Ok(done) => {
                self.weather.note(|| format!("{what}: done"));
                Some(done)
            }
            Err(failed @ (Failure::World(_) | Failure::Unwritten)) => {
                self.weather.note(|| format!("{what}: {failed:?}"));
                None
            }
            Err(Failure::Refused(RefusedRequest { rejection, .. })) => {
                self.weather.note(|| format!("{what}: refused, {rejection:?}"));
                self.weather
                    .holds(is_expected(&rejection), || format!("{what} was refused with {rejection:?}"));
                None
            }
        }
    }

    /// The merchant's server is identified.
    pub(crate) async fn caller(&self, action: Action) -> Option<Caller> {
        self.ended("identify", self.identified(action).await, |_| false)
    }

    async fn identified(&self, action: Action) -> Result<Caller, Failure> {
        let principal = identify(&self.world, &self.credential, action, None).await?;
        Ok(principal.into_caller().unwrap())
    }

    async fn created(&self, key: &str, body: &str) -> Result<CreateAnswer, Failure> {
        answer_proved(&self.world, async || {
            let caller = self.identified(Action::Create).await?;
            let input = CreateInput {
                caller,
                idempotency_key: Some(key),
                body: body.as_bytes(),
                file: None,
                wrong: &[],
            };
            create(&self.world, input).await
        })
        .await
    }

    /// The merchant creates an order, perhaps again: the same key gives the same answer.
    pub(crate) async fn create(&self, order: &Order) {
        // A gateway that the operator removed cannot be a gateway of an order.
        let is_expected = |rejection: &Rejection| matches!(rejection, Rejection::Invalid(_));
        let result = self.created(&order.key, &order.body).await;
        let Some(answer) = self.ended("create", result, is_expected) else { return };
        let known = order.answer.replace(Some(answer.body.clone()));
        self.weather.holds(known.is_none_or(|known| known == answer.body), || {
            format!("{} got two answers", order.key)
        });
        *order.session_id.borrow_mut() = Some(session_of(&answer));
    }

    /// The merchant uses the key of an order for another request.
    pub(crate) async fn misuse_key(&self, order: &Order) {
        let body = format!("{} ", order.body);
        let result = self.created(&order.key, &body).await;
        let is_expected = |rejection: &Rejection| matches!(rejection, Rejection::IdempotencyKeyReused);
        if self.ended("create with another body", result, is_expected).is_some() {
            self.weather.wrong(format!("{} was valid for another body", order.key));
        }
    }

    /// The merchant asks for the state of a payment, and the page does too.
    pub(crate) async fn look(&self, session_id: &SessionId) {
        let was_paid = self.is_paid(session_id);
        let Some(caller) = self.caller(Action::Retrieve).await else { return };
        let shown = retrieve(&self.world, &caller, session_id).await;
        if let Some(shown) = self.ended("retrieve", shown, |_| false) {
            let shown: Value = serde_json::from_str(&shown.body).unwrap();
            let state = shown.get("state").and_then(Value::as_str).and_then(State::parse).unwrap();
            self.weather.holds(!was_paid || state.is_success(), || {
                format!("{session_id} is paid, and {state} is shown")
            });
        }
        let polled = status(&self.world, session_id).await;
        self.ended("status", polled, |_| false);
    }

    pub(crate) fn is_paid(&self, session_id: &SessionId) -> bool {
        let transactions = self.world.inner.store.transactions();
        transactions.iter().any(|found| found.session_id == *session_id && found.state.is_success())
    }

    /// The payer opens the page.
    pub(crate) async fn open_page(&self, session_id: &SessionId) {
        let page = open_page(&self.world, Some(session_id), Visit::PERSON).await;
        self.ended("open the page", page, |_| false);
    }

    /// The payer chooses a method, and how much to pay if that is permitted; the browser follows.
    pub(crate) async fn pay(&self, session_id: &SessionId, code: &str, amount: Option<&str>) {
        // Invalid: the gateway was removed, or must know who pays. Conflict: the transaction was changed five times in a row.
        let is_expected = |rejection: &Rejection| {
            matches!(
                rejection,
                Rejection::NotPayable { .. }
                    | Rejection::AttemptInProgress
                    | Rejection::TooManyAttempts { .. }
                    | Rejection::TooManyDeclines { .. }
                    | Rejection::Invalid(_)
                    | Rejection::Conflict
            )
        };
        let payer = if self.weather.dice.chance(900) { filled_in() } else { GivenPayer::default() };
        let form = PayForm { amount: amount.map(Into::into), payer, ..form(session_id, code) };
        let result = pay(&self.world, &form).await;
        let Some(directed) = self.ended("pay", result, is_expected) else { return };
        self.weather.note(|| format!("the payer goes to {}", directed.url));
        if let Some(reference) = self.bank.page(&directed.url) {
            self.tabs.borrow_mut().insert(reference.clone());
            self.returns.borrow_mut().insert(reference);
        } else {
            // The reference is before the token of the address.
            let reference = directed.url.trim_end_matches('/').rsplit('/').nth(1).unwrap_or_default();
            self.weather.holds(self.attempt(reference).is_some(), || {
                format!("the payer is sent to {}", directed.url)
            });
            self.returns.borrow_mut().insert(reference.to_owned());
        }
        if let Some(id) = directed.deliveries.into_iter().next() {
            self.deliver(&id).await;
        }
    }

    /// The merchant's app passes on a wallet's token, perhaps again under the same key.
    pub(crate) async fn pay_by_wallet(&self, session_id: &SessionId, key: Option<&str>) {
        let is_expected = |rejection: &Rejection| {
            matches!(
                *rejection,
                Rejection::NotPayable { .. }
                    | Rejection::AttemptInProgress
                    | Rejection::TooManyAttempts { .. }
                    | Rejection::TooManyDeclines { .. }
                    | Rejection::InstrumentNotOffered
                    | Rejection::WalletNotConfigured
                    | Rejection::Invalid(_)
                    | Rejection::Conflict
            )
        };
        let body = format!(r#"{{"session_id":"{session_id}","payload":{{"paymentData":{{}}}}}}"#);
        let key = key.map(|key| format!("{key}-{session_id}"));
        let Some(caller) = self.caller(Action::PayByWallet).await else { return };
        let input = native::PaymentInput { caller, idempotency_key: key.as_deref(), body: body.as_bytes() };
        let result = native::pay_by_wallet(&self.world, Wallet::ApplePay, input).await;
        let Some(answer) = self.ended("pay by wallet", result, is_expected) else { return };
        let notified: Value = serde_json::from_str(&answer.body).unwrap();
        if let Some(reference) =
            notified.get("redirect_url").and_then(Value::as_str).and_then(|url| self.bank.page(url))
        {
            self.tabs.borrow_mut().insert(reference.clone());
            self.returns.borrow_mut().insert(reference);
        }
        for id in &answer.deliveries {
            self.deliver(id).await;
        }
    }

    /// A page passes on a wallet's token; if the answer is approved, the transaction is paid.
    pub(crate) async fn pay_on_page(&self, session_id: &SessionId, code: &str) {
        let is_expected = |rejection: &Rejection| {
            matches!(
                *rejection,
                Rejection::NotPayable { .. }
                    | Rejection::AttemptInProgress
                    | Rejection::TooManyAttempts { .. }
                    | Rejection::TooManyDeclines { .. }
                    | Rejection::InstrumentNotOffered
                    | Rejection::Invalid(_)
                    | Rejection::Conflict
            )
        };
        let body = format!(
            r#"{{"session_id":"{session_id}","code":"{code}","apple_pay_payload":{{"paymentData":{{}}}}}}"#
        );
        let result = wallet::pay(&self.world, Wallet::ApplePay, body.as_bytes()).await;
        let Some(paid) = self.ended("pay on a page", result, is_expected) else { return };
        for id in paid.awaited.iter().chain(&paid.earlier) {
            self.deliver(id).await;
        }
        let result = answer_about(&self.world, &paid.reference, outcome::AnswerForm::Approval).await;
        let Some(answer) = self.ended("answer the page", result, |_| false) else { return };
        let notified: Value = serde_json::from_str(&answer.body).unwrap();
        let approved = notified.get("approved").and_then(Value::as_bool);
        let stage = self.attempt(paid.reference.as_str()).map(|attempt| attempt.stage);
        self.weather.holds(approved != Some(true) || stage == Some(Stage::Success), || {
            format!("{} is shown as approved, and is {stage:?}", paid.reference)
        });
        if let Some(reference) =
            notified.get("redirect_url").and_then(Value::as_str).and_then(|url| self.bank.page(url))
        {
            self.tabs.borrow_mut().insert(reference.clone());
            self.returns.borrow_mut().insert(reference);
        }
    }

    /// An SDK cancels the transaction: afterwards it cannot be paid, and nothing of it is open.
    pub(crate) async fn cancel(&self, session_id: &SessionId) {
        // Conflict: the transaction was changed five times in a row.
        let is_expected = |rejection: &Rejection| {
            matches!(
                rejection,
                Rejection::NotCancelable { .. } | Rejection::AttemptInProgress | Rejection::Conflict
            )
        };
        let result = end(&self.world, session_id, Ending::CanceledByPayer, None).await;
        let Some(done) = self.ended("cancel", result, is_expected) else { return };
        let transaction = &done.record.transaction;
        self.weather.holds(transaction.state == State::Canceled, || {
            format!("{session_id} was canceled, and is {}", transaction.state)
        });
        for id in &done.deliveries {
            self.deliver(id).await;
        }
    }

    /// The merchant moves money of a payment, perhaps under a key that was used before.
    pub(crate) async fn operate(
        &self,
        session_id: &SessionId,
        operation: &str,
        amount: Option<&str>,
        key: Option<&str>,
    ) {
        let is_expected = |rejection: &Rejection| {
            matches!(
                *rejection,
                Rejection::OperationNotAllowed { .. }
                    | Rejection::OperationUnsupported
                    | Rejection::OperationForeignCurrency
                    | Rejection::OperationAmount { .. }
                    | Rejection::OperationIndivisible { .. }
                    | Rejection::OperationRefused { .. }
                    | Rejection::OperationDeclined { .. }
                    | Rejection::OperationInProgress
                    | Rejection::Invalid(_)
                    | Rejection::Conflict
            )
        };
        let mut body = json!({ "session_id": session_id.as_str(), "operation": operation });
        if let (Some(amount), Some(members)) = (amount, body.as_object_mut()) {
            members.insert("amount".into(), amount.into());
        }
        let body = body.to_string();
        let Some(caller) = self.caller(Action::Operate).await else { return };
        let input = operate::OperationInput {
            caller,
            tracking_key: key,
            idempotency_key: None,
            body: body.as_bytes(),
        };
        let result = Box::pin(operate::operate(&self.world, input)).await;
        let Some(answer) = self.ended(operation, result, is_expected) else { return };
        for id in &answer.deliveries {
            self.deliver(id).await;
        }
    }

    /// The payer comes back from the bank; the merchant is notified before the payer is redirected.
    pub(crate) async fn come_back(&self, reference: &str) {
        let reference = ReferenceNumber::parse(reference).unwrap();
        let is_expected = |rejection: &Rejection| matches!(rejection, Rejection::Conflict);
        let token = token(&self.world.inner, &reference);
        let returned = self.bank.leave(reference.as_str());
        let result = come_back(&self.world, &reference, Some(&token), &returned).await;
        let Some(awaited) = self.ended("come back", result, is_expected) else { return };
        if let Some(awaited) = awaited {
            self.deliver(&awaited.id).await;
        }
        let landed = destination(&self.world, &reference, None).await;
        let Some(url) = self.ended("destination", landed, |_| false) else { return };
        let is_home = url.starts_with("https://shop.example.com/thanks");
        self.weather.holds(!is_home || !self.is_awaited(reference.as_str()), || {
            format!("{reference} is awaited, and the payer left")
        });
    }

    /// Whether an attempt is open that decides whether its transaction is paid.
    fn is_awaited(&self, reference: &str) -> bool {
        let open = self.attempt(reference).filter(|attempt| attempt.stage.is_open());
        let transactions = self.world.inner.store.transactions();
        open.is_some_and(|attempt| {
            transactions
                .iter()
                .any(|found| found.session_id == attempt.session_id && found.state.is_payable())
        })
    }

    /// A notification is tried.
    pub(crate) async fn deliver(&self, id: &DeliveryId) {
        let handled = handle(&self.world, &[Doorbell::Delivery(id.clone())]).await;
        self.weather.note(|| format!("deliver: {handled:?}"));
    }

    /// The cron handler runs.
    pub(crate) async fn sweep(&self) {
        let swept = sweep(&self.world).await;
        self.weather.note(|| format!("sweep: {swept:?}"));
    }

    /// The operator removes gateways, or adds them again, and changes the exchange rate.
    pub(crate) async fn replace_settings(&self, without: &[&str], rate: &str) {
        let document = settings(&self.bank, without, rate, self.terms).to_string();
        let result = replace_settings(&self.world, &ROOT, &self.merchant, "", document.as_bytes()).await;
        self.ended("replace settings", result, |rejection| matches!(rejection, Rejection::Conflict));
    }
}
