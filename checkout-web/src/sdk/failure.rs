//! Why a call gave no result: for JavaScript an error of the class `CheckoutError`, or the reason of an aborted signal.

use js_sys::Object;
use serde::Deserialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::quote::Wrong;

#[wasm_bindgen(module = "/src/sdk/error.js")]
extern "C" {
    type CheckoutError;
    #[wasm_bindgen(constructor)]
    fn new(code: &str, message: &str, errors: &JsValue, retry_after: Option<u32>) -> CheckoutError;
}

/// What Till writes about a refusal.
#[derive(Debug, Deserialize)]
pub(super) struct Problem {
    code: String,
    #[serde(default)]
    detail: String,
    #[serde(default, with = "serde_wasm_bindgen::preserve")]
    errors: JsValue,
}

#[derive(Debug)]
pub(super) enum Failure {
    /// It is the caller's: the reason of an aborted signal, or what a function threw.
    Foreign(JsValue),
    /// Something else.
    Known(Fault),
}

#[derive(Debug)]
pub(super) struct Fault {
    code: String,
    message: String,
    errors: JsValue,
    /// After how many seconds the call may succeed.
    pub(super) retry_after: Option<u32>,
    /// Whether what was sent may have been done, although no answer says so.
    pub(super) is_lost: bool,
    /// Whether the same question may be answered later.
    pub(super) is_passing: bool,
}

impl Failure {
    fn known(code: &str, message: String, is_lost: bool) -> Self {
        let (code, errors) = (code.into(), JsValue::UNDEFINED);
        Self::Known(Fault { code, message, errors, retry_after: None, is_lost, is_passing: is_lost })
    }

    /// Something that was given is not what it must be.
    pub(super) fn invalid(field: &str, about: &str) -> Self {
        let errors = Object::new();
        // An object of our own takes every member.
        let _ = js_sys::Reflect::set(&errors, &field.into(), &js_sys::Array::of1(&about.into()));
        let (code, message) = ("invalid_fields".into(), [field, ": ", about].concat());
        Self::Known(Fault {
            code,
            message,
            errors: errors.into(),
            retry_after: None,
            is_lost: false,
            is_passing: false,
        })
    }

    /// No answer could be read. What was sent may have been done.
    pub(super) fn unreachable(cause: &str) -> Self {
        let about =
            "no answer could be read: this page may be offline, or its origin not in allowed_origins: ";
        Self::known("unreachable", [about, cause].concat(), true)
    }

    /// An answer that is not Till's, such as one of a proxy.
    pub(super) fn unexpected(about: String) -> Self {
        Self::known("unexpected_answer", about, true)
    }

    /// The gateway refused the payment at once.
    pub(super) fn declined(message: String) -> Self {
        Self::known("payment_declined", message, false)
    }

    /// Till refused the call.
    pub(super) fn refused(problem: Problem, status: u16, retry_after: Option<u32>) -> Self {
        let Problem { code, detail, errors } = problem;
        let is_passing = status == 429 || status >= 500;
        Self::Known(Fault { code, message: detail, errors, retry_after, is_lost: false, is_passing })
    }
}

impl From<Wrong> for Failure {
    fn from(wrong: Wrong) -> Self {
        match wrong {
            Wrong::Field(field, about) => Self::invalid(field, &about),
            Wrong::PriceChanged => {
                Self::known("price_changed", "shown is not what this payment costs".into(), false)
            }
        }
    }
}

impl From<Failure> for JsValue {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Foreign(reason) => reason,
            Failure::Known(Fault { code, message, errors, retry_after, .. }) => {
                CheckoutError::new(&code, &message, &errors, retry_after).into()
            }
        }
    }
}
