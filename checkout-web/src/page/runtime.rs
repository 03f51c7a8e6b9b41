//! The loop: events of the document become messages, effects become calls, and the view follows the model.

use std::cell::RefCell;
use std::rc::Rc;

use checkout_core::value::id::PgCode;
use checkout_core::words::Wallet;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast as _, JsValue, closure::Closure};
use web_sys::{Document, Element, Event, EventTarget, HtmlInputElement, PageTransitionEvent, Window};

use crate::follow::LOOK_EVERY;
use crate::page::client;
use crate::page::data::PageData;
use crate::page::effect::Effect;
use crate::page::model::Model;
use crate::page::options::Options;
use crate::page::sheet::{Owner, Sheets};
use crate::page::update::{Message, update};
use crate::page::view::View;
use crate::wallet::Order;

/// What the address of a page has that was loaded again because of its price. `www/boot.js` removes it.
const REPRICED: &str = "repriced=1";

/// Starts the module on the page, with the browser's sheets of wallets.
///
/// # Errors
/// When the data are not those of a page, or the document is not the page that they describe.
#[wasm_bindgen]
pub fn start(data: &PageData, sheets: Sheets) -> Result<(), JsValue> {
    let options = Options::try_from(data)?;
    let window = web_sys::window().ok_or("there is no window")?;
    let document = window.document().ok_or("there is no document")?;
    let (pay_url, status_url) = (options.pay_url.clone().unwrap_or_default(), options.status_url.clone());
    let (model, effects) = Model::open(options);
    let page = Rc::new(Page {
        view: View::of(document.clone()),
        window: window.clone(),
        pay_url,
        status_url,
        data: data.clone(),
        sheets,
        model: RefCell::new(model),
    });
    page.view.show(&page.model.borrow())?;

    page.follow_form(&document)?;
    page.offer_wallets(&document)?;
    page.listen(&window, "pageshow", |event| {
        let shown = event.dyn_ref::<PageTransitionEvent>()?;
        shown.persisted().then_some(Message::Restored)
    })?;
    page.listen(&document, "visibilitychange", |event| {
        let document = event.target()?.dyn_into::<Document>().ok()?;
        (!document.hidden()).then_some(Message::Seen)
    })?;
    for effect in effects {
        page.perform(effect)?;
    }
    Ok(())
}

struct Page {
    view: View,
    window: Window,
    pay_url: String,
    status_url: String,
    data: PageData,
    sheets: Sheets,
    model: RefCell<Model>,
}

impl Owner for Page {
    fn model(&self) -> Model {
        self.model.borrow().clone()
    }

    fn notify(self: Rc<Self>, message: Message) {
        self.take(message);
    }

    fn withdraw(&self, order: &Order) -> Result<(), JsValue> {
        self.view.withdraw_wallet(order.wallet)
    }
}

impl Page {
    /// Turns the events of one kind into messages, for as long as the page lives.
    fn listen(
        self: &Rc<Self>,
        target: &EventTarget,
        kind: &str,
        read: fn(&Event) -> Option<Message>,
    ) -> Result<(), JsValue> {
        let page = Rc::clone(self);
        let listener = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
            if let Some(message) = read(&event) {
                page.take(message);
            }
        });
        target.add_event_listener_with_callback(kind, listener.as_ref().unchecked_ref())?;
        listener.forget();
        Ok(())
    }

    /// What the payer chooses, types and sends.
    fn follow_form(self: &Rc<Self>, document: &Document) -> Result<(), JsValue> {
        if let Some(form) = document.get_element_by_id("pay-form") {
            self.listen(&form, "change", |event| {
                let field = event.target()?.dyn_into::<HtmlInputElement>().ok()?;
                match field.name().as_str() {
                    "amount" => return Some(Message::LeftAmount),
                    "save_card" => return Some(Message::Ticked(field.checked())),
                    _ => {}
                }
                PgCode::parse(&field.value()).map(Message::Chose)
            })?;
            self.listen(&form, "input", |event| {
                let field = event.target()?.dyn_into::<HtmlInputElement>().ok()?;
                (field.name() == "amount").then(|| Message::Typed(field.value()))
            })?;
            self.listen(&form, "submit", |event| {
                event.prevent_default();
                Some(Message::Submitted)
            })?;
        }
        Ok(())
    }

    /// The buttons of the wallets that the browser has can be pressed.
    fn offer_wallets(self: &Rc<Self>, document: &Document) -> Result<(), JsValue> {
        let Some(place) = document.get_element_by_id("wallets") else { return Ok(()) };
        self.listen(&place, "click", |event| {
            let button = event.target()?.dyn_into::<Element>().ok()?.closest("[data-wallet]").ok()??;
            Wallet::parse(&button.get_attribute("data-wallet")?).map(Message::WalletPressed)
        })?;
        let model = self.model();
        for offered in &model.wallets {
            let (page, wallet) = (Rc::clone(self), offered.wallet);
            if let Some(button) = self.view.button_of(wallet) {
                let then = move |is_there| page.view.offer_wallet(wallet, is_there);
                self.sheets.ask(wallet.as_str(), &button, model.session_id.as_str(), then);
            }
        }
        Ok(())
    }

    fn take(self: &Rc<Self>, message: Message) {
        let (model, effects) = update(self.model.borrow().clone(), message);
        let result = self.view.show(&model);
        self.model.replace(model);
        let result = effects.into_iter().fold(result, |result, effect| result.and(self.perform(effect)));
        // The document refused a change that is only attributes and texts: something else changed the page,
        // and the form works without the module.
        if let Err(error) = result {
            wasm_bindgen::throw_val(error);
        }
    }

    fn after(&self, milliseconds: i32, work: impl FnOnce() + 'static) -> Result<(), JsValue> {
        let due = Closure::once_into_js(work);
        let timer = due.unchecked_ref();
        self.window.set_timeout_with_callback_and_timeout_and_arguments_0(timer, milliseconds).map(drop)
    }

    fn perform(self: &Rc<Self>, effect: Effect) -> Result<(), JsValue> {
        let page = Rc::clone(self);
        match effect {
            Effect::Pay(form) => {
                client::pay(&self.pay_url, &form, move |answer| page.take(Message::Answered(answer)));
            }
            Effect::OpenSheet(order) => {
                if let Some(button) = self.view.button_of(order.wallet) {
                    self.sheets.open(page, order, &button)?;
                }
            }
            Effect::Ask => client::status(&self.status_url, move |answer| page.take(Message::Heard(answer))),
            Effect::AskAfter { milliseconds } => {
                self.after(milliseconds, move || page.take(Message::AskNow))?;
            }
            Effect::LookLater => {
                let looks = move || page.take(Message::LookNow { is_seen: page.view.is_seen() });
                self.after(LOOK_EVERY, looks)?;
            }
            Effect::Go(address) => self.window.location().assign(&address)?,
            Effect::Reload => self.window.location().reload()?,
            Effect::Redraw => {
                // A browser that keeps nothing shows the page as the server renders it.
                let _ = self.data.keep();
                let location = self.window.location();
                let (path, search) = (location.pathname()?, location.search()?);
                location.replace(&format!("{path}{search}&{REPRICED}"))?;
            }
            Effect::FocusBanner => self.view.focus("notice"),
            Effect::FocusAmount => self.view.focus("amount"),
        }
        Ok(())
    }
}
