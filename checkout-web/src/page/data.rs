//! What `www/boot.js` hands over: objects whose members are imported one by one, each with its type.

use checkout_core::gateway::terms::Terms;
use checkout_core::strings::screen::PageStatus;
use checkout_core::value::id::{PgCode, SessionId};
use checkout_core::value::money::Money;
use checkout_core::words::payment_type::PaymentType;
use checkout_core::words::{Language, Wallet};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::page::amount::Amount;
use crate::page::options::{Method, Offered, Options};

#[wasm_bindgen]
extern "C" {
    /// The data of the page.
    #[derive(Debug, Clone)]
    pub type PageData;
    #[wasm_bindgen(method, getter)]
    fn language(this: &PageData) -> String;
    #[wasm_bindgen(method, getter, js_name = sessionId)]
    fn session_id(this: &PageData) -> String;
    #[wasm_bindgen(method, getter, js_name = paymentType)]
    fn payment_type(this: &PageData) -> Option<String>;
    #[wasm_bindgen(method, getter)]
    fn status(this: &PageData) -> String;
    #[wasm_bindgen(method, getter, js_name = statusUrl)]
    fn status_url(this: &PageData) -> String;
    #[wasm_bindgen(method, getter, js_name = movedAt)]
    fn moved_at(this: &PageData) -> Option<String>;
    #[wasm_bindgen(method, getter, js_name = payUrl)]
    fn pay_url(this: &PageData) -> Option<String>;
    #[wasm_bindgen(method, getter)]
    fn asks(this: &PageData) -> u32;
    #[wasm_bindgen(method, getter)]
    fn remaining(this: &PageData) -> Option<i32>;
    #[wasm_bindgen(method, getter, js_name = savesCard)]
    fn saves_card(this: &PageData) -> Option<bool>;
    #[wasm_bindgen(method, getter)]
    fn consent(this: &PageData) -> Option<String>;
    #[wasm_bindgen(method, getter)]
    fn chosen(this: &PageData) -> Option<String>;
    #[wasm_bindgen(method, getter)]
    fn typed(this: &PageData) -> Option<String>;
    #[wasm_bindgen(method, getter)]
    fn currency(this: &PageData) -> String;
    #[wasm_bindgen(method, getter)]
    fn most(this: &PageData) -> String;
    #[wasm_bindgen(method, getter)]
    fn price(this: &PageData) -> Option<String>;
    #[wasm_bindgen(method, getter)]
    fn prices(this: &PageData) -> Vec<String>;
    #[wasm_bindgen(method, getter)]
    fn methods(this: &PageData) -> Vec<Listed>;
    #[wasm_bindgen(method, getter)]
    fn wallets(this: &PageData) -> Vec<Listed>;

    /// Keeps what the payer chose for when the page is loaded again.
    #[wasm_bindgen(method, catch)]
    pub(crate) fn keep(this: &PageData) -> Result<(), JsValue>;

    /// A method or the button of a wallet: the data of its element.
    #[derive(Debug, Clone)]
    pub type Listed;
    #[wasm_bindgen(method, getter)]
    fn code(this: &Listed) -> String;
    #[wasm_bindgen(method, getter)]
    fn face(this: &Listed) -> Option<String>;
    #[wasm_bindgen(method, getter)]
    fn terms(this: &Listed) -> Option<String>;
    #[wasm_bindgen(method, getter)]
    fn wallet(this: &Listed) -> String;
    #[wasm_bindgen(method, getter)]
    fn amount(this: &Listed) -> String;
    #[wasm_bindgen(method, getter, js_name = payUrl)]
    fn pay_url(this: &Listed) -> String;
    #[wasm_bindgen(method, getter, js_name = sessionUrl)]
    fn session_url(this: &Listed) -> Option<String>;
}

impl TryFrom<&PageData> for Options {
    type Error = &'static str;

    fn try_from(page: &PageData) -> Result<Self, Self::Error> {
        let mut methods = Vec::new();
        for listed in page.methods() {
            methods.push(Method::try_from(&listed)?);
        }
        let mut wallets = Vec::new();
        for listed in page.wallets() {
            wallets.push(Offered::try_from(&listed)?);
        }
        Ok(Self {
            language: Language::parse(&page.language()).ok_or("language must be a language")?,
            session_id: SessionId::parse(&page.session_id()).ok_or("session_id must be an id")?,
            payment_type: match page.payment_type() {
                Some(word) => PaymentType::parse(&word).ok_or("payment_type must be a type")?,
                None => PaymentType::default(),
            },
            status: PageStatus::parse(&page.status()).ok_or("status must be a status of the page")?,
            status_url: page.status_url(),
            moved_at: page.moved_at(),
            pay_url: page.pay_url(),
            asks: page.asks(),
            remaining: page.remaining(),
            saves_card: page.saves_card().unwrap_or(false),
            consent: page.consent(),
            chosen: match page.chosen() {
                Some(code) => Some(PgCode::parse(&code).ok_or("chosen must be a code")?),
                None => None,
            },
            amount: match page.typed() {
                Some(typed) => Some(Amount::of(&typed, &page.currency(), &page.most())?),
                None => None,
            },
            price: page.price(),
            prices: page.prices(),
            methods,
            wallets,
        })
    }
}

const CODE: &str = "a method must have a code";
const TERMS: &str = "terms must be terms of a gateway";

impl TryFrom<&Listed> for Method {
    type Error = &'static str;

    fn try_from(listed: &Listed) -> Result<Self, Self::Error> {
        let code = PgCode::parse(&listed.code()).ok_or(CODE)?;
        let terms = match listed.terms() {
            Some(terms) => Some(Terms::parse(&terms).ok_or(TERMS)?),
            None => None,
        };
        Ok(Self { code, face: listed.face().and_then(|face| face.parse().ok()), terms })
    }
}

impl TryFrom<&Listed> for Offered {
    type Error = &'static str;

    fn try_from(listed: &Listed) -> Result<Self, Self::Error> {
        let Method { code, terms, .. } = Method::try_from(listed)?;
        let terms = terms.ok_or(TERMS)?;
        Ok(Self {
            wallet: Wallet::parse(&listed.wallet()).ok_or("a wallet must be a wallet")?,
            code,
            principal: Money::parse(&listed.amount(), terms.source)
                .map_err(|_| "a wallet must have an amount")?,
            terms,
            pay_url: listed.pay_url(),
            session_url: listed.session_url().unwrap_or_default(),
        })
    }
}

#[cfg(test)]
pub(crate) mod tests;
