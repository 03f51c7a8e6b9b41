use js_sys::{Function, JSON, Reflect};
use wasm_bindgen_test::wasm_bindgen_test;

use super::*;
use crate::page::data;
use checkout_core::words::Wallet;

/// A page that records what happens.
struct Recorder {
    model: Model,
    heard: RefCell<Vec<Message>>,
}

impl Owner for Recorder {
    fn model(&self) -> Model {
        self.model.clone()
    }

    fn notify(self: Rc<Self>, message: Message) {
        self.heard.borrow_mut().push(message);
    }

    fn withdraw(&self, _: &Order) -> Result<(), JsValue> {
        Ok(())
    }
}

fn recorder() -> (Rc<Recorder>, Order) {
    let model = Model::open(data::tests::page(&[], &JsValue::NULL).unwrap()).0;
    let order = model.order(Wallet::ApplePay).unwrap();
    (Rc::new(Recorder { model, heard: RefCell::default() }), order)
}

fn button() -> HtmlElement {
    let document = web_sys::window().unwrap().document().unwrap();
    let button: HtmlElement = document.create_element("button").unwrap().unchecked_into();
    button.set_attribute("data-country_code", "KW").unwrap();
    button
}

/// Sheets whose functions are these texts.
fn sheets(has: &str, open: &str) -> Sheets {
    let sheet = Object::new();
    for (name, parameters, body) in
        [("has", "facts, session, then", has), ("open", "facts, offer, taker", open)]
    {
        let function = Function::new_with_args(parameters, body);
        Reflect::set(&sheet, &name.into(), &function).unwrap();
    }
    let sheets = Object::new();
    Reflect::set(&sheets, &"apple_pay".into(), &sheet).unwrap();
    sheets.unchecked_into()
}

#[wasm_bindgen_test]
fn a_sheet_shows_what_is_paid_in_the_form_of_its_wallet() {
    let (page, order) = recorder();
    let open = "globalThis.shown = [facts.country_code, offer]";
    sheets("", open).open(page, order, &button()).unwrap();
    let shown = Reflect::get(&js_sys::global(), &"shown".into()).unwrap();
    let expected = r#"["KW",{"session":"0000000000000000000000000000000000000000","total":"4.590","currency":"KWD","parts":["4.500","0.090"],"networks":"amex mada masterCard visa"}]"#;
    assert_eq!(JSON::stringify(&shown).unwrap(), expected);
}

#[wasm_bindgen_test]
fn a_sheet_that_closes_or_is_missing_says_so() {
    for (open, expected) in [
        ("taker.close()", Message::WalletClosed(None)),
        ("taker.refuse()", Message::WalletClosed(Some(PayAnswer::Refused(WALLET_UNAVAILABLE.into())))),
        ("throw new Error('no')", Message::WalletClosed(None)),
        // What is no object is never sent, nor anything to an address that is not of this origin.
        (
            "taker.pay('1', () => taker.close())",
            Message::WalletClosed(Some(PayAnswer::Refused("invalid_fields".into()))),
        ),
        (
            "taker.validate('https://evil.example/', () => taker.close())",
            Message::WalletClosed(Some(PayAnswer::Refused("invalid_fields".into()))),
        ),
    ] {
        let (page, order) = recorder();
        let owner: Rc<dyn Owner> = page.clone();
        let opened = sheets("", open).open(owner, order, &button());
        assert_eq!(opened.is_err(), open.starts_with("throw"), "{open}");
        assert_eq!(*page.heard.borrow(), [expected], "{open}");
    }
}

#[wasm_bindgen_test]
fn a_token_of_another_price_is_not_sent() {
    let (page, order) = recorder();
    let other = Order { typed: None, ..order };
    let owner: Rc<dyn Owner> = page.clone();
    sheets("", "taker.pay('{}', () => taker.close())").open(owner, other, &button()).unwrap();
    let refused = PayAnswer::Refused("price_changed".into());
    assert_eq!(*page.heard.borrow(), [Message::WalletClosed(Some(refused))]);
}

#[wasm_bindgen_test]
fn a_browser_says_whether_it_has_a_wallet() {
    for (has, expected) in [("then(true)", vec![true]), ("then(false)", vec![false]), ("throw 1", vec![])] {
        let answers = Rc::new(RefCell::new(Vec::new()));
        let heard = Rc::clone(&answers);
        sheets(has, "").ask("apple_pay", &button(), "id", move |is_there| heard.borrow_mut().push(is_there));
        assert_eq!(*answers.borrow(), expected, "{has}");
    }
}
