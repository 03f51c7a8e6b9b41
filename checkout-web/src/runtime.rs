//! The loop: events of the document become messages, effects become calls, and the view follows the model.

use std::cell::RefCell;
use std::rc::Rc;

use checkout_core::value::id::PgCode;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast as _, JsValue, closure::Closure};
use wasm_bindgen_futures::spawn_local;
use web_sys::{CustomEvent, Document, Event, EventTarget, HtmlInputElement, PageTransitionEvent, Window};

use crate::client;
use crate::effect::Effect;
use crate::model::Model;
use crate::options::Options;
use crate::update::{Message, PayAnswer, read_wallet, update};
use crate::view::View;

/// What the address of a page has that was loaded again because of its price. `www/boot.js` removes it.
const REPRICED: &str = "repriced=1";

/// Starts the module on the page. `options` is the text of `www/boot.js`.
///
/// # Errors
/// When the options are not those of a page, or the document is not the page that they describe.
#[wasm_bindgen]
pub fn start(options: &str) -> Result<(), JsValue> {
    let options = Options::read(options)?;
    let window = web_sys::window().ok_or("there is no window")?;
    let document = window.document().ok_or("there is no document")?;
    let (pay_url, status_url) = (options.pay_url.clone().unwrap_or_default(), options.status_url.clone());
    let (model, effects) = Model::open(options);
    let page = Rc::new(Page {
        view: View::of(document.clone()),
        window: window.clone(),
        pay_url,
        status_url,
        model: RefCell::new(model),
    });
    page.view.show(&page.model.borrow())?;

    if let Some(form) = document.get_element_by_id("pay-form") {
        page.listen(&form, "change", |event| {
            let field = event.target()?.dyn_into::<HtmlInputElement>().ok()?;
            match field.name().as_str() {
                "amount" => return Some(Message::LeftAmount),
                "save_card" => return Some(Message::Ticked(field.checked())),
                _ => {}
            }
            PgCode::parse(&field.value()).map(Message::Chose)
        })?;
        page.listen(&form, "input", |event| {
            let field = event.target()?.dyn_into::<HtmlInputElement>().ok()?;
            (field.name() == "amount").then(|| Message::Typed(field.value()))
        })?;
        page.listen(&form, "submit", |event| {
            event.prevent_default();
            Some(Message::Submitted)
        })?;
    }
    if let Some(checkout) = document.get_element_by_id("checkout") {
        page.listen(&checkout, "wallet", |event| {
            read_wallet(&event.dyn_ref::<CustomEvent>()?.detail().as_string()?)
        })?;
    }
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
    model: RefCell<Model>,
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

    fn perform(self: &Rc<Self>, effect: Effect) -> Result<(), JsValue> {
        let page = Rc::clone(self);
        match effect {
            Effect::Pay(form) => spawn_local(async move {
                let answer: PayAnswer = client::pay(&page.window, &page.pay_url, &form).await;
                page.take(Message::Answered(answer));
            }),
            Effect::Ask => spawn_local(async move {
                let answer = client::status(&page.window, &page.status_url).await;
                page.take(Message::Heard(answer));
            }),
            Effect::AskAfter { milliseconds } => {
                let due = Closure::once_into_js(move || page.take(Message::AskNow));
                self.window.set_timeout_with_callback_and_timeout_and_arguments_0(
                    due.unchecked_ref(),
                    milliseconds,
                )?;
            }
            Effect::Go(address) => self.window.location().assign(&address)?,
            Effect::Reload => self.window.location().reload()?,
            Effect::Redraw => {
                let location = self.window.location();
                let search = location.search()?;
                location.set_search(&format!("{search}&{REPRICED}"))?;
            }
            Effect::FocusBanner => self.view.focus("notice"),
            Effect::FocusAmount => self.view.focus("amount"),
        }
        Ok(())
    }
}
