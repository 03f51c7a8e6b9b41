//! What a payer does: the calls, and what is made of their answers.

use std::rc::Rc;

use checkout_core::sdk::callback::{SdkCallback, SdkStatus};
use checkout_core::sdk::payment::Submitted;
use checkout_core::sdk::service::WalletService;
use checkout_core::sdk::session::CheckoutSdk;
use checkout_core::value::id::SessionId;
use checkout_core::words::Wallet;
use js_sys::Function;
use serde::Serialize;
use wasm_bindgen::JsValue;
use web_sys::AbortSignal;

use super::client::{Client, Reply, Request, wait};
use super::failure::Failure;
use super::given::{Body, Given, option, read, token_of, written};
use super::session::{Sight, is_about, said};
use crate::follow::pause;
use crate::quote::{order, quotes};
use crate::wallet::{Order, Outcome, PAY_WITHIN, SESSION_WITHIN};

/// How often a lost answer is asked about.
const QUESTIONS: u32 = 4;

/// The payer of one transaction.
#[derive(Debug)]
pub(super) struct Payer {
    client: Client,
    session_id: SessionId,
}

type Reading = Box<dyn FnOnce(Reply) -> Result<JsValue, Failure>>;

/// A call, and what is made of its answer. Every call is carried out by one future: another for each would be a tenth of the module.
pub(super) struct Plan {
    call: Request,
    signal: Option<AbortSignal>,
    read: Reading,
    /// For a payment: what is made of the outcome of its transaction if its answer is lost.
    found: Option<fn(&Reply, &SdkCallback) -> JsValue>,
}

/// The answer to a payment by wallet that was lost, made of the outcome of its transaction.
#[derive(Serialize)]
struct Found<'a> {
    approved: bool,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    redirect_url: Option<&'a str>,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    callback_payload: JsValue,
}

impl Payer {
    /// # Errors
    /// Of an option that is not what it must be.
    pub(super) fn of(options: &JsValue) -> Result<Self, Failure> {
        let needed = |name| option::<String>(options, name).map(Option::unwrap_or_default);
        let session_id = SessionId::parse(&needed("sessionId")?);
        let about = "must be the session_id of a payment transaction";
        let session_id = session_id.ok_or_else(|| Failure::invalid("sessionId", about))?;
        Ok(Self { client: Client::of(&needed("origin")?, option(options, "publicKey")?)?, session_id })
    }

    pub(super) fn load(&self, options: &JsValue) -> Result<Plan, Failure> {
        self.of_session(options, |answer| Ok(answer.body))
    }

    pub(super) fn methods(&self, options: &JsValue) -> Result<Plan, Failure> {
        self.of_session(options, |answer| Ok(answer.member("payment_methods")))
    }

    pub(super) fn quote(&self, amount: JsValue, options: &JsValue) -> Result<Plan, Failure> {
        self.of_session(options, move |answer| quote_of(answer.body, amount))
    }

    pub(super) fn submit(&self, code: JsValue, options: &JsValue) -> Result<Plan, Failure> {
        let given = Given::read(options)?;
        let code: String = read(code, "code")?;
        let body = given.body(Body { pg_code: Some(&code), channel: Some("web_sdk"), ..Body::default() })?;
        let call = Request::post(format!("submit/{}/", self.session_id), body, PAY_WITHIN);
        Ok(Plan::of(call, given, |answer| {
            if answer.is_ok && answer.read::<Submitted>().is_err() {
                return Err(Failure::declined(answer.read::<SdkCallback>()?.message));
            }
            answer.body()
        }))
    }

    pub(super) fn pay_with_card(&self, token: JsValue, options: &JsValue) -> Result<Plan, Failure> {
        let given = Given::read(options)?;
        let token: String = read(token, "token")?;
        let session_id = Some(self.session_id.as_str());
        let body = given.body(Body { session_id, token: Some(&token), ..Body::default() })?;
        let call = Request::post("submit-token/".into(), body, PAY_WITHIN);
        let session_id = self.session_id.clone();
        let plan = Plan::of(call, given, move |answer| {
            if answer.is_ok { about(answer, &session_id)?.body() } else { Err(answer.refusal()) }
        });
        Ok(Plan { found: Some(|answer, _| answer.member("response")), ..plan })
    }

    pub(super) fn pay_by(
        &self,
        wallet: Wallet,
        service: JsValue,
        token: &JsValue,
        options: &JsValue,
    ) -> Result<Plan, Failure> {
        let given = Given::read(options)?;
        let order = self.order(wallet, service, &given)?;
        let path = match wallet {
            Wallet::ApplePay => "apay/pay/",
            Wallet::GooglePay => "gpay/pay/",
        };
        let call = Request::post(path.into(), order.payment(&token_of(token)?), PAY_WITHIN);
        let plan = Plan::of(call, given, move |answer| {
            let Some(said) = said(&answer) else { return Err(answer.refusal()) };
            match Outcome::read(&order.session_id, Some(said)) {
                Outcome::Lost => Err(foreign()),
                // A declined payment is an outcome, and keeps the words of the answer.
                Outcome::Onward { .. } | Outcome::Refused(_) => Ok(answer.body),
            }
        });
        let found = |answer: &Reply, outcome: &SdkCallback| {
            written(&Found {
                approved: outcome.status == SdkStatus::Success,
                message: &outcome.message,
                redirect_url: outcome.redirect_url.as_deref(),
                callback_payload: answer.member("response"),
            })
        };
        Ok(Plan { found: Some(found), ..plan })
    }

    pub(super) fn merchant_session(
        &self,
        service: JsValue,
        validation_url: JsValue,
        options: &JsValue,
    ) -> Result<Plan, Failure> {
        let given = Given::read(options)?;
        let validation_url: String = read(validation_url, "validationURL")?;
        let body = self.order(Wallet::ApplePay, service, &given)?.session(&validation_url);
        let about = "must be an address at which Apple validates merchants";
        let body = body.ok_or_else(|| Failure::invalid("validationURL", about))?;
        let call = Request::post("apay/validate-session/".into(), body, SESSION_WITHIN);
        Ok(Plan::of(call, given, Reply::body))
    }

    pub(super) fn cancel(&self, options: &JsValue) -> Result<Plan, Failure> {
        let body = "{\"operation\":\"cancel\"}".into();
        let call = Request::post(format!("cancel/{}/", self.session_id), body, PAY_WITHIN);
        Ok(Plan::of(call, Given::read(options)?, Reply::body))
    }

    fn of_session(
        &self,
        options: &JsValue,
        read: impl FnOnce(Reply) -> Result<JsValue, Failure> + 'static,
    ) -> Result<Plan, Failure> {
        let session_id = self.session_id.clone();
        let known = move |answer| read(session(answer, &session_id)?);
        Ok(Plan::of(self.opening(), Given::read(options)?, known))
    }

    /// What an SDK asks that opens.
    fn opening(&self) -> Request {
        Request::get(format!("pymt-txn/submit/{}/", self.session_id))
    }

    fn order(&self, wallet: Wallet, service: JsValue, given: &Given) -> Result<Order, Failure> {
        let service: WalletService = read(service, "service")?;
        let (amount, shown) = (given.amount.as_deref(), given.shown.as_ref());
        Ok(order(&service, wallet, &self.session_id, amount, shown)?)
    }

    pub(super) async fn carry_out(self: Rc<Self>, plan: Result<Plan, Failure>) -> Result<JsValue, Failure> {
        let Plan { call, signal, read, found } = plan?;
        let signal = signal.as_ref();
        let failure = match self.client.ask(call, signal).await.and_then(read) {
            Ok(value) => return Ok(value),
            Err(failure) => failure,
        };
        match (found, failure) {
            (Some(found), Failure::Known(fault)) if fault.is_lost => match self.found_out(signal).await? {
                Some((answer, outcome)) => Ok(found(&answer, &outcome)),
                None => Err(Failure::Known(fault)),
            },
            (_, failure) => Err(failure),
        }
    }

    /// The outcome of a payment whose answer was lost: it may have been made, so its transaction is asked about until that has
    /// ended.
    async fn found_out(&self, signal: Option<&AbortSignal>) -> Result<Option<(Reply, SdkCallback)>, Failure> {
        for asked in 0..QUESTIONS {
            wait(milliseconds(asked), signal).await?;
            let answer = match self.session(signal).await {
                Ok(answer) => answer,
                Err(Failure::Known(_)) => continue,
                Err(aborted @ Failure::Foreign(_)) => return Err(aborted),
            };
            let Ok(session) = answer.read::<CheckoutSdk>() else { continue };
            if let Some(outcome) = session.response.filter(|_| !session.state.is_payable()) {
                return Ok(Some((answer, *outcome)));
            }
        }
        Ok(None)
    }

    async fn session(&self, signal: Option<&AbortSignal>) -> Result<Reply, Failure> {
        session(self.client.ask(self.opening(), signal).await?, &self.session_id)
    }

    pub(super) async fn follow(
        self: Rc<Self>,
        changed: Function,
        options: JsValue,
    ) -> Result<JsValue, Failure> {
        let given = Given::read(&options)?;
        let signal = given.signal.as_ref();
        let (mut known, mut asked) = (None, 0);
        loop {
            let mut least = 0;
            match self.session(signal).await {
                Ok(answer) => {
                    let sight = Sight::of(&answer);
                    let is_final = sight.is_final();
                    if known.as_ref() != Some(&sight) {
                        changed.call1(&JsValue::UNDEFINED, &answer.body).map_err(Failure::Foreign)?;
                        (known, asked) = (Some(sight), 0);
                    }
                    if is_final {
                        return Ok(answer.body);
                    }
                }
                Err(Failure::Known(fault)) if fault.is_passing && known.is_some() => {
                    least = fault.retry_after.unwrap_or(0).saturating_mul(1_000);
                }
                Err(failure) => return Err(failure),
            }
            wait(milliseconds(asked).max(least), signal).await?;
            asked = asked.saturating_add(1);
        }
    }
}

impl Plan {
    fn of(
        call: Request,
        given: Given,
        read: impl FnOnce(Reply) -> Result<JsValue, Failure> + 'static,
    ) -> Self {
        Self { call, signal: given.signal, read: Box::new(read), found: None }
    }
}

/// What each method and wallet of a transaction costs for an amount, or for the whole.
///
/// # Errors
/// Of a transaction that is none, and of an amount that the payer cannot choose.
pub(super) fn quote_of(session: JsValue, amount: JsValue) -> Result<JsValue, Failure> {
    let amount: Option<String> = read(amount, "amount")?;
    Ok(written(&quotes(&read::<CheckoutSdk>(session, "session")?, amount.as_deref())?))
}

/// An answer about a transaction, and no other.
fn about(answer: Reply, session_id: &SessionId) -> Result<Reply, Failure> {
    if is_about(&answer, session_id) { Ok(answer) } else { Err(foreign()) }
}

/// The answer to an SDK that opens.
fn session(answer: Reply, session_id: &SessionId) -> Result<Reply, Failure> {
    if answer.is_ok { about(answer, session_id) } else { Err(answer.refusal()) }
}

fn milliseconds(asked: u32) -> u32 {
    pause(asked).unsigned_abs()
}

fn foreign() -> Failure {
    Failure::unexpected("the answer is about another transaction".into())
}
