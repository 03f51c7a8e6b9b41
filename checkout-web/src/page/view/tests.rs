//! In a browser: the view against a small page of the server's shape.

use checkout_core::gateway::terms::Terms;
use checkout_core::strings::screen::{PageStatus, ScreenNotice};
use checkout_core::value::id::PgCode;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

use super::*;
use crate::page::data;
use crate::page::model::Alert;
use crate::page::options::{Method, Options};

wasm_bindgen_test_configure!(run_in_browser);

/// `(tag, id, attribute, value)` of the parts, made one by one: the page's policy would refuse markup from
/// text too.
const PARTS: &[(&str, &str, &str, &str)] = &[
    ("bdi", "first", "data-face", "0"),
    ("bdi", "second", "data-face", "1"),
    ("p", "principal", "data-part", "principal"),
    ("input", "amount", "", ""),
    ("p", "amount-fault", "", ""),
    ("div", "notice", "tabindex", "-1"),
    ("strong", "notice-title", "", ""),
    ("p", "notice-text", "", ""),
    ("dl", "notice-details", "", ""),
    ("fieldset", "methods", "", ""),
    ("button", "pay-button", "", ""),
    ("span", "pay-label", "", ""),
    ("span", "pay-busy", "hidden", ""),
    ("p", "live", "", ""),
];

/// A fresh page, and the view of it.
fn page() -> View {
    let document = web_sys::window().unwrap().document().unwrap();
    if let Some(old) = document.get_element_by_id("page") {
        old.parent_node().unwrap().remove_child(&old).unwrap();
    }
    let page = document.create_element("main").unwrap();
    page.set_id("page");
    for (tag, id, attribute, value) in PARTS {
        let part = document.create_element(tag).unwrap();
        if !id.is_empty() {
            part.set_id(id);
        }
        if !attribute.is_empty() {
            part.set_attribute(attribute, value).unwrap();
        }
        page.append_child(&part).unwrap();
    }
    document.document_element().unwrap().append_child(&page).unwrap();
    for id in ["first", "second"] {
        let part = document.get_element_by_id(id).unwrap();
        part.set_class_name("face");
        part.set_attribute("data-part", "total").unwrap();
        for tag in ["small", "span", "small"] {
            part.append_child(&document.create_element(tag).unwrap()).unwrap();
        }
    }
    View::of(document)
}

fn model(status: PageStatus) -> Model {
    let method = |code: &str, face, terms: &str| Method {
        code: PgCode::parse(code).unwrap(),
        face: Some(face),
        terms: Terms::parse(terms),
    };
    let methods = vec![method("knet", 0, "KWD KWD 0.250 0"), method("cash", 1, "KWD KWD 0.000 0")];
    let options =
        Options { status, methods, amount: None, ..data::tests::page(&[], &JsValue::NULL).unwrap() };
    Model::open(options).0
}

fn text(view: &View, selector: &str) -> String {
    view.document.query_selector(selector).unwrap().unwrap().text_content().unwrap()
}

fn is_hidden(view: &View, id: &str) -> bool {
    view.by_id(id).unwrap().has_attribute("hidden")
}

#[wasm_bindgen_test]
fn the_face_of_the_chosen_method_is_marked() {
    let (view, mut model) = (page(), model(PageStatus::Payable));
    let shown =
        |view: &View| ["first", "second"].map(|id| view.by_id(id).unwrap().has_attribute("data-shown"));
    view.show(&model).unwrap();
    assert_eq!(shown(&view), [true, false]);
    model.chosen = PgCode::parse("cash");
    view.show(&model).unwrap();
    assert_eq!(shown(&view), [false, true]);
}

#[wasm_bindgen_test]
fn every_face_follows_what_is_typed() {
    let (view, mut model) = (page(), model(PageStatus::Payable));
    model.amount = Amount::of("4.5", "KWD", "10.000").ok();
    view.show(&model).unwrap();
    assert_eq!(["#first", "#second"].map(|part| text(&view, part)), ["KWD 4.750", "KWD 4.500"]);
    assert_eq!(text(&view, "#principal"), "KWD 4.500");
    model.amount.as_mut().unwrap().type_in("ten".into());
    view.show(&model).unwrap();
    assert_eq!(["#first", "#second"].map(|part| text(&view, part)), [NO_AMOUNT; 2]);
}

#[wasm_bindgen_test]
fn a_busy_button_says_so_and_comes_back() {
    let (view, mut model) = (page(), model(PageStatus::Payable));
    model.phase = Phase::Paying;
    view.show(&model).unwrap();
    let button = view.by_id("pay-button").unwrap();
    assert_eq!(button.get_attribute("aria-disabled").unwrap(), "true");
    assert!(is_hidden(&view, "pay-label") && !is_hidden(&view, "pay-busy"));
    assert!(view.by_id("methods").unwrap().has_attribute("disabled"));
    assert_eq!(text(&view, "#live"), "Opening your payment…");

    model.phase = Phase::Choosing;
    view.show(&model).unwrap();
    assert_eq!(button.get_attribute("aria-disabled").unwrap(), "false");
    assert!(!is_hidden(&view, "pay-label") && is_hidden(&view, "pay-busy"));
    assert!(!view.by_id("methods").unwrap().has_attribute("disabled"));
}

#[wasm_bindgen_test]
fn an_alert_is_shown_in_words_and_takes_the_focus() {
    let (view, mut model) = (page(), model(PageStatus::Declined));
    model.banner = Banner::Shown(Alert::Refused(ScreenNotice::GatewayTrouble));
    view.show(&model).unwrap();
    view.focus("notice");
    assert_eq!(text(&view, "#notice-title"), "The payment could not be started");
    assert!(!is_hidden(&view, "notice") && is_hidden(&view, "notice-details"));
    assert_eq!(view.document.active_element().unwrap().id(), "notice");

    model.banner = Banner::Hidden;
    view.show(&model).unwrap();
    assert!(is_hidden(&view, "notice"));
}

#[wasm_bindgen_test]
fn a_screen_without_a_form_has_only_its_live_line() {
    let (view, mut model) = (page(), model(PageStatus::Pending));
    model.is_connected = false;
    view.show(&model).unwrap();
    assert_eq!(text(&view, "#live"), "No connection");
}

#[wasm_bindgen_test]
fn a_wallet_is_offered_hidden_and_withdrawn() {
    let view = page();
    let places = ["apple_pay", "google_pay"].map(|wallet| {
        let place = view.document.create_element("div").unwrap();
        place.set_class_name("express");
        place.set_attribute("data-express", wallet).unwrap();
        place
    });
    let all = view.document.create_element("div").unwrap();
    all.set_id("wallets");
    for place in &places {
        all.append_child(place).unwrap();
    }
    view.by_id("page").unwrap().append_child(&all).unwrap();
    for wallet in [Wallet::ApplePay, Wallet::GooglePay] {
        view.offer_wallet(wallet, true);
    }
    view.show(&typed("2.5")).unwrap();
    assert!(!places[0].has_attribute("hidden"));
    // A field without an amount changes nothing.
    view.show(&typed("")).unwrap();
    assert!(!places[0].has_attribute("hidden"));
    view.withdraw_wallet(Wallet::GooglePay).unwrap();
    assert!(view.by_id("wallets").is_some());
    view.withdraw_wallet(Wallet::ApplePay).unwrap();
    assert!(view.by_id("wallets").is_none());
}

/// The model of an amount in the field.
fn typed(text: &str) -> Model {
    Model::open(data::tests::page(&["typed"], &text.into()).unwrap()).0
}
