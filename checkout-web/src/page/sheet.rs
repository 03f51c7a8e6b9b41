//! What the browser's sheets of wallets and the module say to each other: `www/wallet.js` has [`Sheets`], which opens one for
//! an [`Offer`] and hands what the wallet returns to a [`Taker`].

use std::cell::RefCell;
use std::rc::Rc;

use checkout_core::gateway::wallet::sheet::networks;
use js_sys::{Function, Object};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::HtmlElement;

use crate::page::client;
use crate::page::model::Model;
use crate::page::options::Offered;
use crate::page::update::{Message, PayAnswer, WALLET_UNAVAILABLE};
use crate::wallet::{Order, Outcome};

#[wasm_bindgen]
extern "C" {
    /// The sheets of this browser.
    #[derive(Debug, Clone)]
    pub type Sheets;
    /// The one of a wallet.
    #[wasm_bindgen(method, structural, indexing_getter)]
    fn of(this: &Sheets, wallet: &str) -> Sheet;

    /// The sheet of one wallet.
    #[derive(Debug, Clone)]
    pub type Sheet;
    /// Calls `then` with whether the browser has the wallet, now or later. The facts are the data of its button.
    #[wasm_bindgen(method, catch)]
    fn has(this: &Sheet, facts: &JsValue, session_id: &str, then: &JsValue) -> Result<(), JsValue>;
    /// Opens it while the press of its button is handled.
    #[wasm_bindgen(method, catch)]
    fn open(this: &Sheet, facts: &JsValue, offer: &Offer, taker: Taker) -> Result<(), JsValue>;

    /// What a sheet shows about the payment; amounts are texts in the form of its wallet.
    #[derive(Debug, Clone)]
    pub type Offer;
    #[wasm_bindgen(method, setter)]
    fn set_session(this: &Offer, session_id: &str);
    #[wasm_bindgen(method, setter)]
    fn set_total(this: &Offer, total: &str);
    #[wasm_bindgen(method, setter)]
    fn set_currency(this: &Offer, code: &str);
    /// The amount and the fee, if both are shown.
    #[wasm_bindgen(method, setter)]
    fn set_parts(this: &Offer, parts: Vec<String>);
    /// The networks of cards as the wallet names them, with spaces between.
    #[wasm_bindgen(method, setter)]
    fn set_networks(this: &Offer, networks: &str);
}

impl Offer {
    fn of(order: &Order) -> Self {
        let offer: Self = Object::new().unchecked_into();
        offer.set_session(order.session_id.as_str());
        offer.set_total(&order.prices.total);
        offer.set_currency(order.currency.code());
        offer.set_parts(order.parts());
        offer.set_networks(networks(order.wallet));
        offer
    }
}

/// The page, as far as a sheet needs it.
pub(crate) trait Owner {
    /// The model as it is now.
    fn model(&self) -> Model;
    /// Something happened.
    fn notify(self: Rc<Self>, message: Message);
    /// The browser turned out not to have the wallet of an order.
    ///
    /// # Errors
    /// If the document refuses it.
    fn withdraw(&self, order: &Order) -> Result<(), JsValue>;
}

/// Takes what one sheet returns.
#[wasm_bindgen]
pub struct Taker {
    owner: Rc<dyn Owner>,
    order: Order,
    answer: Rc<RefCell<Option<PayAnswer>>>,
}

#[wasm_bindgen]
impl Taker {
    /// Calls `done` with the merchant session of a sheet of Apple Pay, a JSON text, or with nothing.
    pub fn validate(&self, validation_url: &str, done: Function) {
        let answer = Rc::clone(&self.answer);
        let address = self.offered().map(|offered| offered.session_url).unwrap_or_default();
        client::merchant_session(&address, &self.order, validation_url, move |session| {
            let session = session.map_err(|outcome| answer.replace(Some(outcome.into()))).ok();
            call(&done, session.map(JsValue::from));
        });
    }

    /// Submits a token, the text of what the wallet returned. Calls `done` with whether it is paid, or with nothing while
    /// nobody knows.
    pub fn pay(&self, token: &str, done: Function) {
        let answer = Rc::clone(&self.answer);
        let then = move |outcome: Outcome| {
            let verdict = outcome.verdict();
            answer.replace(Some(outcome.into()));
            call(&done, verdict.map(JsValue::from));
        };
        match self.offered() {
            // The sheet showed what is still to be paid.
            Some(offered) if self.owner.model().order(self.order.wallet).as_ref() == Some(&self.order) => {
                client::pay_by_wallet(&offered.pay_url, &self.order, token, then);
            }
            _ => then(Outcome::Refused("price_changed".into())),
        }
    }

    /// The sheet is closed.
    pub fn close(&self) {
        Rc::clone(&self.owner).notify(Message::WalletClosed(self.answer.take()));
    }

    /// The browser has no such wallet, or its owner refuses the merchant.
    ///
    /// # Errors
    /// If the document refuses to be without the button.
    pub fn refuse(&self) -> Result<(), JsValue> {
        let withdrawn = self.owner.withdraw(&self.order);
        let refused = PayAnswer::Refused(WALLET_UNAVAILABLE.into());
        Rc::clone(&self.owner).notify(Message::WalletClosed(Some(refused)));
        withdrawn
    }
}

/// What the sheet does with its answer is its own: a fault of it is no outcome.
fn call(done: &Function, value: Option<JsValue>) {
    if let Err(error) = done.call1(&JsValue::UNDEFINED, &value.unwrap_or_default()) {
        wasm_bindgen::throw_val(error);
    }
}

impl Taker {
    fn offered(&self) -> Option<Offered> {
        self.owner.model().offered(self.order.wallet).cloned()
    }
}

impl Sheets {
    /// Opens the sheet of an order, whose button has the facts.
    ///
    /// # Errors
    /// Of a browser that opens none; the payer can go on.
    pub(crate) fn open(
        &self,
        owner: Rc<dyn Owner>,
        order: Order,
        button: &HtmlElement,
    ) -> Result<(), JsValue> {
        let (sheet, offer) = (self.of(order.wallet.as_str()), Offer::of(&order));
        let taker = Taker { owner: Rc::clone(&owner), order, answer: Rc::default() };
        let opened = sheet.open(&button.dataset(), &offer, taker);
        if opened.is_err() {
            owner.notify(Message::WalletClosed(None));
        }
        opened
    }

    /// Asks whether the browser has a wallet.
    pub(crate) fn ask(
        &self,
        wallet: &str,
        button: &HtmlElement,
        session_id: &str,
        then: impl FnOnce(bool) + 'static,
    ) {
        let then = Closure::once_into_js(then);
        // A browser that cannot answer is one that has none.
        let _ = self.of(wallet).has(&button.dataset(), session_id, &then);
    }
}

#[cfg(test)]
mod tests;
