//! The module for the pages of shops: the class [`Checkout`], whose methods are what a payer does, by the rules of the server.
//! Nothing here needs a document.

mod client;
mod failure;
mod given;
mod payer;
mod session;

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

use checkout_core::words::Wallet;
use js_sys::{Function, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::future_to_promise;

use self::failure::Failure;
use self::payer::{Payer, Plan};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
import type { Method, Outcome, Quote, Service, Session, WalletOutcome } from "../types.js";
/** The transaction, and where Till is. */
export interface CheckoutOptions {
  /** The origin of Till, such as `https://pay.example.com`. */
  origin: string;
  /** The `session_id` of the payment transaction. */
  sessionId: string;
  /** The merchant's public key, if the merchant sends one; never a private key. */
  publicKey?: string;
}
/** What every call takes. */
export interface CallOptions {
  /** Ends the call: its promise is rejected with the reason of the signal. A payment that was sent may have been made. */
  signal?: AbortSignal;
}
/** What a payment takes. */
export interface PayOptions extends CallOptions {
  /** How much the payer pays, if they may choose it. */
  amount?: string;
  /** What the page showed that this costs: nothing else is charged, and a refusal is `price_changed`. */
  shown?: { total?: string; currency: string };
}
/** What a payment on the page of a gateway takes. */
export interface SubmitOptions extends PayOptions {
  /** Whether the payer's card is saved. */
  saveCard?: boolean;
  /** Another phone number of the payer. */
  phone?: string;
}
/** The payer has to confirm at `redirect_url` (3-D Secure). */
export interface Challenge {
  status: "3DS";
  redirect_url: string;
  session_id: string;
  reference_number: string;
  approved?: undefined;
}
"#;

/// What each method and wallet of a transaction that was loaded costs for an amount: as [`Checkout::quote`], which loads it.
///
/// # Errors
/// `invalid_fields` for an amount that the payer cannot choose.
#[wasm_bindgen(js_name = quoteOf, unchecked_return_type = "Quote[]")]
pub fn quote_of(
    #[wasm_bindgen(unchecked_param_type = "Session")] session: JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "string")] amount: JsValue,
) -> Result<JsValue, JsValue> {
    Ok(payer::quote_of(session, amount)?)
}

/// A checkout of one payment transaction.
#[wasm_bindgen]
pub struct Checkout {
    payer: Rc<Payer>,
}

/// Every promise is of this one type of future: each other would be a kilobyte of the module.
fn promise(work: Pin<Box<dyn Future<Output = Result<JsValue, Failure>>>>) -> Promise {
    future_to_promise(async move { work.await.map_err(JsValue::from) })
}

#[wasm_bindgen]
impl Checkout {
    /// A checkout of a transaction at the origin of Till.
    ///
    /// # Errors
    /// Of an option that is not what it must be.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "CheckoutOptions")] options: &JsValue,
    ) -> Result<Self, JsValue> {
        Ok(Self { payer: Rc::new(Payer::of(options)?) })
    }

    /// The transaction: its state, methods, wallets and saved cards. Lists are empty if it cannot be paid.
    #[wasm_bindgen(unchecked_return_type = "Promise<Session>")]
    pub fn load(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "CallOptions")] options: &JsValue,
    ) -> Promise {
        self.carry_out(self.payer.load(options))
    }

    /// The methods that the transaction offers.
    #[wasm_bindgen(unchecked_return_type = "Promise<Method[]>")]
    pub fn methods(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "CallOptions")] options: &JsValue,
    ) -> Promise {
        self.carry_out(self.payer.methods(options))
    }

    /// What each method and wallet costs for an amount, computed as the server does; the whole if none is given. What cannot
    /// be charged is left out. `invalid_fields` for an amount that the payer cannot choose.
    #[wasm_bindgen(unchecked_return_type = "Promise<Quote[]>")]
    pub fn quote(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "string")] amount: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "CallOptions")] options: &JsValue,
    ) -> Promise {
        self.carry_out(self.payer.quote(amount, options))
    }

    /// The payer chose a method that uses the page of a gateway; the browser goes on at `redirect_url`. `payment_declined` if
    /// the gateway refuses it at once.
    #[wasm_bindgen(unchecked_return_type = "Promise<{ redirect_url: string }>")]
    pub fn submit(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] code: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "SubmitOptions")] options: &JsValue,
    ) -> Promise {
        self.carry_out(self.payer.submit(code, options))
    }

    /// The payer pays with a saved card. `redirect_url` is the page of a challenge, or where a paid payer goes.
    #[wasm_bindgen(js_name = payWithCard, unchecked_return_type = "Promise<Outcome | Challenge>")]
    pub fn pay_with_card(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] token: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "PayOptions")] options: &JsValue,
    ) -> Promise {
        self.carry_out(self.payer.pay_with_card(token, options))
    }

    /// The payer pays with the token of Apple Pay: `payment.token`, or its JSON text, of which every byte is passed on. A
    /// declined payment is an outcome; so is a lost answer whose outcome is found in the transaction.
    #[wasm_bindgen(js_name = payByApplePay, unchecked_return_type = "Promise<WalletOutcome | Challenge>")]
    pub fn pay_by_apple_pay(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Service")] service: JsValue,
        #[wasm_bindgen(unchecked_param_type = "object | string")] token: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "PayOptions")] options: &JsValue,
    ) -> Promise {
        self.carry_out(self.payer.pay_by(Wallet::ApplePay, service, token, options))
    }

    /// The payer pays with what Google Pay returned: `response.details`, or its JSON text, of which every byte is passed on. As
    /// with Apple Pay.
    #[wasm_bindgen(js_name = payByGooglePay, unchecked_return_type = "Promise<WalletOutcome | Challenge>")]
    pub fn pay_by_google_pay(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Service")] service: JsValue,
        #[wasm_bindgen(unchecked_param_type = "object | string")] token: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "PayOptions")] options: &JsValue,
    ) -> Promise {
        self.carry_out(self.payer.pay_by(Wallet::GooglePay, service, token, options))
    }

    /// The merchant session that a sheet of Apple Pay needs, as Apple issued it. `invalid_fields` for an address at which Apple
    /// validates nobody.
    #[wasm_bindgen(js_name = merchantSession, unchecked_return_type = "Promise<object>")]
    pub fn merchant_session(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Service")] service: JsValue,
        #[wasm_bindgen(js_name = validationURL, unchecked_param_type = "string")] validation_url: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "PayOptions")] options: &JsValue,
    ) -> Promise {
        self.carry_out(self.payer.merchant_session(service, validation_url, options))
    }

    /// Calls `changed` with the transaction, and again whenever it changed, until its state is final; then the promise
    /// resolves to it. It goes on when the connection breaks, but not after a first question without an answer.
    #[wasm_bindgen(unchecked_return_type = "Promise<Session>")]
    pub fn follow(
        &self,
        #[wasm_bindgen(unchecked_param_type = "(session: Session) => void")] changed: Function,
        #[wasm_bindgen(unchecked_optional_param_type = "CallOptions")] options: &JsValue,
    ) -> Promise {
        promise(Box::pin(Rc::clone(&self.payer).follow(changed, options.clone())))
    }

    /// Cancels the transaction.
    #[wasm_bindgen(unchecked_return_type = "Promise<Outcome>")]
    pub fn cancel(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "CallOptions")] options: &JsValue,
    ) -> Promise {
        self.carry_out(self.payer.cancel(options))
    }
}

impl Checkout {
    fn carry_out(&self, plan: Result<Plan, Failure>) -> Promise {
        promise(Box::pin(Rc::clone(&self.payer).carry_out(plan)))
    }
}

#[cfg(test)]
mod tests;
