use super::*;

/// What the script reports, one message after the other.
fn hear(model: Model, details: &[&str]) -> (Model, Vec<Effect>) {
    after(model, details.iter().map(|detail| read_wallet(detail).unwrap()))
}

#[test]
fn a_sheet_keeps_everything_else_waiting_and_leads_on() {
    let (model, effects) = hear(open(PageStatus::Payable), &["pressed"]);
    assert_eq!((model.is_busy(), effects), (true, Vec::new()));
    assert_eq!(update(model.clone(), Message::Submitted), (model.clone(), Vec::new()));
    let (model, effects) = hear(model, &["go https://shop.example/?a=b c"]);
    assert_eq!(effects, [Effect::Go("https://shop.example/?a=b c".into())]);
    assert!(model.is_busy());
}

#[test]
fn a_sheet_that_is_closed_leaves_the_page_as_it_was() {
    let (model, effects) = hear(open(PageStatus::Payable), &["pressed", "closed"]);
    assert_eq!((model.phase, effects), (Phase::Choosing, Vec::new()));
    let still = open(PageStatus::Payable);
    assert_eq!(hear(still.clone(), &["closed"]), (still, Vec::new()), "no sheet was open");
}

#[test]
fn a_declined_wallet_is_rendered_by_the_server() {
    assert_eq!(hear(open(PageStatus::Payable), &["pressed", "refused payment_declined"]).1, [Effect::Reload]);
}

#[test]
fn a_lost_answer_is_asked_about_because_it_may_have_been_paid() {
    let (model, effects) = hear(open(PageStatus::Payable), &["pressed", "lost"]);
    assert_eq!(effects, [Effect::FocusBanner, Effect::Ask]);
    assert_eq!(model.banner, Banner::Shown(Alert::Offline));
}

#[test]
fn an_address_that_is_not_of_the_web_is_never_gone_to() {
    for address in ["javascript:alert(1)", "//evil.example", "undefined", ""] {
        let (_, effects) = hear(open(PageStatus::Payable), &["pressed", &format!("go {address}")]);
        assert_eq!(effects, [Effect::FocusBanner, Effect::Ask], "{address}");
    }
}

#[test]
fn no_sheet_opens_over_an_amount_that_cannot_be_paid_or_while_something_is_under_way() {
    let mut wrong = options(PageStatus::Payable);
    wrong.amount = Some(Amount::of("11", "KWD", "10.000").unwrap());
    let (model, effects) = hear(Model::open(wrong).0, &["pressed"]);
    assert_eq!((model.phase, effects), (Phase::Choosing, vec![Effect::FocusAmount]));
    let (paying, _) = update(open(PageStatus::Payable), Message::Submitted);
    assert_eq!(hear(paying.clone(), &["pressed"]), (paying, Vec::new()));
}

#[test]
fn what_the_script_never_says_is_not_heard() {
    for detail in ["", "paid", "Pressed", " "] {
        assert_eq!(read_wallet(detail), None, "{detail:?}");
    }
}

#[test]
fn the_tick_goes_with_the_form() {
    for is_set in [true, false] {
        let (_, effects) = after(open(PageStatus::Payable), [Message::Ticked(is_set), Message::Submitted]);
        let [Effect::Pay(form)] = effects.as_slice() else { panic!("{effects:?}") };
        assert_eq!(form.saves_card, is_set);
    }
}
