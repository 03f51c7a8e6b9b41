//! What happens to the amount field.

use checkout_core::strings::{Price, Strings};
use checkout_core::value::choice::ChoiceError;
use checkout_core::words::Language;

use super::*;
use crate::page::amount::Amount;
use crate::page::cost::{Cost, NO_AMOUNT};

/// A page on which up to 10.000 KWD may be paid: by KNET with a fee of 0.250, in US dollars by card with 2 %.
fn editable() -> Model {
    let mut options = options(PageStatus::Payable);
    options.amount = Some(Amount::of("10.000", "KWD", "10.000").unwrap());
    for (method, terms) in options.methods.iter_mut().zip(["KWD KWD 0.250 0", "KWD USD 0.00 2 3.25"]) {
        method.terms = Terms::parse(terms);
    }
    Model::open(options).0
}

fn typed(text: &str) -> Message {
    Message::Typed(text.into())
}

fn costs(model: &Model) -> Vec<(String, String, String)> {
    let amount = model.amount.as_ref().and_then(|amount| amount.read().ok());
    let costs = model.methods.iter().map(|method| method.cost(amount, Strings::of(Language::En)));
    let total = |cost: &Cost| cost.total.as_ref().map_or(NO_AMOUNT.into(), Price::text);
    costs.map(|cost| (total(&cost), cost.fee, cost.converted)).collect()
}

fn shown(model: &Model) -> Option<ChoiceError> {
    model.amount_error().filter(|_| model.amount.as_ref().is_some_and(Amount::is_shown))
}

#[test]
fn the_costs_follow_what_is_typed_on_any_keyboard() {
    for text in ["4", "4.000", "٤", "٤٫٠"] {
        let (model, effects) = after(editable(), [typed(text)]);
        let text = |texts: [&str; 3]| (texts[0].to_owned(), texts[1].to_owned(), texts[2].to_owned());
        assert_eq!(
            costs(&model),
            [text(["KWD 4.250", "KWD 0.250", ""]), text(["USD 13.26", "USD 0.26", "USD 13.00"])]
        );
        assert_eq!(effects, []);
        let cost = model.methods[0].cost(model.amount.unwrap().read().ok(), Strings::of(Language::En));
        assert_eq!(cost.added, "+0.250");
    }
}

#[test]
fn of_no_amount_there_is_no_cost_and_nothing_is_sent() {
    for text in ["", "4.", "ten", "0", "0.009", "10.001", "4.0001"] {
        let (model, _) = after(editable(), [typed(text)]);
        assert!(costs(&model).iter().all(|(total, fee, _)| total == NO_AMOUNT && fee.is_empty()), "{text:?}");
        assert_eq!(shown(&model), None, "{text:?}: the payer is still typing");
        let (model, effects) = update(model, Message::Submitted);
        assert_eq!(effects, [Effect::FocusAmount], "{text:?}");
        assert!(shown(&model).is_some() && !model.is_busy(), "{text:?}");
    }
}

#[test]
fn what_is_wrong_is_shown_when_the_payer_leaves_the_field_until_it_is_mended() {
    let (model, _) = after(editable(), [typed("11"), Message::LeftAmount]);
    assert_eq!(shown(&model), Some(ChoiceError::OutOfRange));
    let (model, _) = after(model, [typed("1"), typed("1."), typed("1.5")]);
    assert_eq!((shown(&model), model.shown_total()), (None, None));
    let (model, _) = after(model, [Message::LeftAmount]);
    assert_eq!(model.shown_total().as_deref(), Some("1.750 د.ك"));
}

#[test]
fn a_press_sends_the_amount_as_the_wire_has_it() {
    let (_, effects) = after(editable(), [typed(" ٤٫٢٥ "), Message::Submitted]);
    let [Effect::Pay(form)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!(form.amount.as_deref(), Some("4.25"));
    let (model, effects) =
        after(open(PageStatus::Payable), [typed("4"), Message::LeftAmount, Message::Submitted]);
    let [Effect::Pay(form)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!((form.amount.as_ref(), model.amount), (None, None), "a page without the field");
}

#[test]
fn while_paying_the_amount_is_fixed() {
    let (model, _) = after(editable(), [typed("4"), Message::Submitted, typed("5")]);
    assert_eq!(model.amount.unwrap().sent(), "4");
}

#[test]
fn an_amount_that_the_chosen_method_cannot_charge_is_not_sent_through_it() {
    let mut model = editable();
    model.methods[1].terms = Terms::parse("KWD USD 0.00 2 0.01");
    let (model, effects) = after(model, [Message::Chose(code("cash")), typed("0.010"), Message::Submitted]);
    assert_eq!((effects, shown(&model)), (vec![Effect::FocusAmount], Some(ChoiceError::OutOfRange)));
    let (_, effects) = after(model, [Message::Chose(code("knet")), Message::Submitted]);
    assert!(matches!(effects.as_slice(), [Effect::Pay(_)]));
}

#[test]
fn an_amount_whose_total_the_chosen_method_cannot_charge_is_not_sent_through_it() {
    let mut model = editable();
    model.methods[1].terms = Terms::parse("KWD KWD 0.005 0 10:1:5000");
    let card = || Message::Chose(code("cash"));
    for (text, fault) in [
        ("4.010", Some(ChoiceError::NotCharged)),
        ("4.005", None),
        ("4.995", None),
        ("5.005", Some(ChoiceError::NotCharged)),
    ] {
        let (model, _) = after(model.clone(), [card(), typed(text), Message::LeftAmount]);
        assert_eq!(shown(&model), fault, "{text}");
        let (_, effects) = update(model, Message::Submitted);
        assert_eq!(effects == [Effect::FocusAmount], fault.is_some(), "{text}");
    }
}

#[test]
fn an_amount_that_the_merchant_changed_meanwhile_is_rendered_again() {
    let (_, effects) = after(editable(), refused(AMOUNT_REFUSED));
    assert_eq!(effects, [Effect::Reload]);
}
