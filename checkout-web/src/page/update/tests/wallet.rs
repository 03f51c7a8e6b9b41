use super::*;

const PRESSED: Message = Message::WalletPressed(Wallet::ApplePay);

/// The sheet is closed after this outcome.
fn closed(outcome: Outcome) -> Message {
    Message::WalletClosed(Some(outcome.into()))
}

fn onward(address: &str) -> Message {
    closed(Outcome::Onward { approved: Some(true), address: address.into() })
}

#[test]
fn a_sheet_is_opened_for_what_is_shown_keeps_everything_else_waiting_and_leads_on() {
    let (model, effects) = after(open(PageStatus::Payable), [PRESSED]);
    let [Effect::OpenSheet(order)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!(
        (order.prices.total.as_str(), order.parts().as_slice()),
        ("10.200", ["10.000".into(), "0.200".into()].as_slice())
    );
    assert_eq!((&order.session_id, order.typed), (&model.session_id, None));
    assert!(model.is_busy());
    assert_eq!(update(model.clone(), Message::Submitted), (model.clone(), Vec::new()));
    let (model, effects) = after(model, [onward("https://shop.example/?a=b c")]);
    assert_eq!(effects, [Effect::Go("https://shop.example/?a=b c".into())]);
    assert!(model.is_busy());
}

#[test]
fn a_sheet_asks_for_what_is_typed_with_its_fee() {
    let mut typed = options(PageStatus::Payable);
    typed.amount = Some(Amount::of("2.5", "KWD", "10.000").unwrap());
    let (_, effects) = after(Model::open(typed).0, [PRESSED]);
    let [Effect::OpenSheet(order)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!((order.prices.total.as_str(), order.typed.unwrap().to_string().as_str()), ("2.550", "2.500"));
}

#[test]
fn a_sheet_that_is_closed_leaves_the_page_as_it_was() {
    let (model, effects) = after(open(PageStatus::Payable), [PRESSED, Message::WalletClosed(None)]);
    assert_eq!((model.phase, effects), (Phase::Choosing, Vec::new()));
    let still = open(PageStatus::Payable);
    assert_eq!(after(still.clone(), [Message::WalletClosed(None)]), (still, Vec::new()), "no sheet was open");
}

#[test]
fn a_declined_wallet_is_rendered_by_the_server() {
    let declined = closed(Outcome::Refused("payment_declined".into()));
    assert_eq!(after(open(PageStatus::Payable), [PRESSED, declined]).1, [Effect::Reload]);
}

#[test]
fn a_lost_answer_is_asked_about_because_it_may_have_been_paid() {
    let (model, effects) = after(open(PageStatus::Payable), [PRESSED, closed(Outcome::Lost)]);
    assert_eq!(effects, [Effect::FocusBanner, Effect::Ask]);
    assert_eq!(model.banner, Banner::Shown(Alert::Offline));
}

#[test]
fn an_address_that_is_not_of_the_web_is_never_gone_to() {
    for address in ["javascript:alert(1)", "//evil.example", "undefined", ""] {
        let (_, effects) = after(open(PageStatus::Payable), [PRESSED, onward(address)]);
        assert_eq!(effects, [Effect::FocusBanner, Effect::Ask], "{address}");
    }
}

#[test]
fn no_sheet_opens_over_an_amount_that_cannot_be_paid_or_while_something_is_under_way() {
    let mut wrong = options(PageStatus::Payable);
    wrong.amount = Some(Amount::of("11", "KWD", "10.000").unwrap());
    let (model, effects) = after(Model::open(wrong).0, [PRESSED]);
    assert_eq!((model.phase, effects), (Phase::Choosing, vec![Effect::FocusAmount]));
    let (paying, _) = update(open(PageStatus::Payable), Message::Submitted);
    assert_eq!(after(paying.clone(), [PRESSED]), (paying, Vec::new()));
    let google = Message::WalletPressed(Wallet::GooglePay);
    assert_eq!(after(open(PageStatus::Payable), [google]).0.phase, Phase::Choosing, "it is not offered");
}

#[test]
fn the_tick_goes_with_the_form() {
    for is_set in [true, false] {
        let (_, effects) = after(open(PageStatus::Payable), [Message::Ticked(is_set), Message::Submitted]);
        let [Effect::Pay(form)] = effects.as_slice() else { panic!("{effects:?}") };
        assert_eq!(form.saves_card, is_set);
    }
}
