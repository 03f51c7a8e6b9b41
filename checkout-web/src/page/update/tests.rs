mod amount;
mod price;
mod wallet;

use checkout_core::gateway::terms::Terms;
use checkout_core::strings::screen::PageStatus;
use checkout_core::value::id::SessionId;
use checkout_core::value::money::Money;
use checkout_core::words::Language;
use checkout_core::words::payment_type::PaymentType;

use super::*;
use crate::page::options::{Method, Offered, Options};

fn code(text: &str) -> PgCode {
    PgCode::parse(text).unwrap()
}

fn wallet() -> Offered {
    let terms = Terms::parse("KWD KWD 0.000 2").unwrap();
    Offered {
        wallet: Wallet::ApplePay,
        code: code("mpgs"),
        terms,
        principal: Money::parse("10.000", terms.source).unwrap(),
        pay_url: "/pay/".into(),
        session_url: String::new(),
    }
}

fn options(status: PageStatus) -> Options {
    let method = |name: &str| Method { code: code(name), face: Some(u32::from(name != "knet")), terms: None };
    Options {
        language: Language::Ar,
        session_id: SessionId::generate(0, [7; 19]),
        payment_type: PaymentType::OneOff,
        status,
        status_url: "/status/".into(),
        moved_at: None,
        pay_url: Some("/pay/".into()),
        asks: 0,
        remaining: None,
        saves_card: false,
        consent: None,
        chosen: Some(code("knet")),
        amount: None,
        price: Some("KWD 10.000".into()),
        prices: vec!["knet KWD 10.250".into(), "cash KWD 10.000".into()],
        methods: vec![method("knet"), method("cash")],
        wallets: vec![wallet()],
    }
}

fn open(status: PageStatus) -> Model {
    Model::open(options(status)).0
}

/// The model after some messages, and the effects of the last.
fn after(model: Model, messages: impl IntoIterator<Item = Message>) -> (Model, Vec<Effect>) {
    messages.into_iter().fold((model, Vec::new()), |(model, _), message| update(model, message))
}

fn refused(word: &str) -> [Message; 2] {
    [Message::Submitted, Message::Answered(PayAnswer::Refused(word.into()))]
}

/// What the server says if nothing else changed.
fn said(status: PageStatus) -> StatusAnswer {
    StatusAnswer { status: status.as_str().into(), ..StatusAnswer::default() }
}

fn heard(status: PageStatus, redirect_url: Option<&str>) -> Message {
    let redirect_url = redirect_url.map(String::from);
    Message::Heard(Some(StatusAnswer { redirect_url, ..said(status) }))
}

#[test]
fn a_page_left_open_is_loaded_again_when_money_moved_since() {
    let moved = |at: Option<&str>| {
        Message::Heard(Some(StatusAnswer { moved_at: at.map(String::from), ..said(PageStatus::Paid) }))
    };
    let refunded = Some("2026-11-21T01:02:03Z");
    let paid = open(PageStatus::Paid);
    assert_eq!(update(paid.clone(), Message::Seen).1, [Effect::Ask]);
    assert_eq!(update(paid.clone(), moved(None)).1, []);
    assert_eq!(update(paid, moved(refunded)).1, [Effect::Reload]);
    let shown = Model::open(Options { moved_at: refunded.map(String::from), ..options(PageStatus::Paid) }).0;
    assert_eq!(update(shown.clone(), moved(refunded)).1, []);
    assert_eq!(update(shown, moved(Some("2026-11-21T01:02:04Z"))).1, [Effect::Reload]);
}

#[test]
fn a_press_sends_the_chosen_method_once() {
    let (model, effects) =
        after(open(PageStatus::Payable), [Message::Chose(code("cash")), Message::Submitted]);
    let [Effect::Pay(form)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!((form.pg_code.as_str(), form.language), ("cash", Some(Language::Ar)));
    assert_eq!(form.shown.map(|shown| shown.to_string()).as_deref(), Some("KWD 10.000"));
    assert!(form.encode().contains("&shown=cash+KWD+10.000"), "{}", form.encode());
    assert_eq!(form.session_id, Some(model.session_id.clone()));
    assert!(model.is_busy());
    assert_eq!(update(model.clone(), Message::Submitted), (model, Vec::new()));
}

#[test]
fn while_paying_the_choice_is_fixed() {
    let (model, _) = after(open(PageStatus::Payable), [Message::Submitted, Message::Chose(code("cash"))]);
    assert_eq!(model.chosen, Some(code("knet")));
}

#[test]
fn a_method_that_is_not_on_the_page_cannot_be_chosen() {
    let (model, _) = after(open(PageStatus::Payable), [Message::Chose(code("other"))]);
    assert_eq!(model.chosen, Some(code("knet")));
}

#[test]
fn without_a_chosen_method_nothing_is_sent_and_the_payer_learns_why() {
    let mut model = open(PageStatus::Payable);
    model.chosen = None;
    let (shown, effects) = update(model, Message::Submitted);
    assert_eq!(shown.banner, Banner::Shown(Alert::Refused(ScreenNotice::NotChosen)));
    assert_eq!((shown.is_busy(), effects), (false, vec![Effect::FocusBanner]));
}

#[test]
fn the_answer_sends_the_browser_to_the_gateway() {
    for address in ["https://bank.example/pay/1", "/sandbox/bank/pay/1/"] {
        let answer = Message::Answered(PayAnswer::Redirect(address.into()));
        let (model, effects) = after(open(PageStatus::Payable), [Message::Submitted, answer]);
        assert_eq!(effects, [Effect::Go(address.into())]);
        assert_eq!(model.phase, Phase::Leaving);
    }
}

#[test]
fn no_answer_sends_the_browser_to_a_script() {
    for address in ["javascript:alert(1)", "data:text/html,x", "//elsewhere.example", "bank", ""] {
        let answer = Message::Answered(PayAnswer::Redirect(address.into()));
        let (model, effects) = after(open(PageStatus::Payable), [Message::Submitted, answer]);
        assert_eq!(effects, [Effect::FocusBanner, Effect::Ask], "{address}");
        assert_eq!(model.banner, Banner::Shown(Alert::NoAnswer));
    }
}

#[test]
fn an_answer_that_does_not_say_what_happened_never_says_that_nothing_was_charged() {
    for word in ["unavailable", "something_new", "gateway_refused"] {
        let (model, effects) = after(open(PageStatus::Payable), refused(word));
        assert_eq!(model.banner, Banner::Shown(Alert::NoAnswer), "{word}");
        assert_eq!(effects, [Effect::FocusBanner, Effect::Ask]);
        let message = Alert::NoAnswer.message(Language::En, PaymentType::OneOff);
        assert!(!message.text.contains("haven't been charged"));
    }
}

#[test]
fn a_payer_who_looks_again_sees_what_happened_elsewhere() {
    for (status, now) in
        [(PageStatus::Payable, "paid"), (PageStatus::Expired, "paid"), (PageStatus::Paid, "late")]
    {
        let (model, effects) = after(open(status), [Message::Seen]);
        assert_eq!(effects, [Effect::Ask]);
        let answer = said(status);
        let (model, effects) = update(model, Message::Heard(Some(answer.clone())));
        assert_eq!(effects, [], "nothing changed");
        let (_, effects) = update(model, Message::Heard(Some(StatusAnswer { status: now.into(), ..answer })));
        assert_eq!(effects, [Effect::Reload]);
    }
}

#[test]
fn another_price_draws_the_page_again() {
    let (model, effects) = after(open(PageStatus::Payable), refused("price_changed"));
    assert_eq!((model.phase, effects), (Phase::Leaving, vec![Effect::Redraw]));
}

#[test]
fn a_refusal_is_shown_and_keeps_what_the_payer_chose() {
    for (word, notice) in [
        ("wallet_not_configured", ScreenNotice::GatewayTrouble),
        ("invalid_fields", ScreenNotice::MethodUnknown),
        ("wallet_unavailable", ScreenNotice::NoWallet),
        ("too_many_attempts", ScreenNotice::TooManyAttempts),
        ("too_many_declines", ScreenNotice::TooManyAttempts),
        ("too_many_requests", ScreenNotice::TooManyAttempts),
    ] {
        let chosen = [Message::Chose(code("cash"))];
        let (model, effects) = after(open(PageStatus::Payable), chosen.into_iter().chain(refused(word)));
        assert_eq!(model.banner, Banner::Shown(Alert::Refused(notice)), "{word}");
        assert_eq!(effects, [Effect::FocusBanner]);
        assert_eq!((model.phase, model.chosen), (Phase::Choosing, Some(code("cash"))));
    }
}

#[test]
fn too_many_declines_say_how_long_to_wait() {
    let waited = [Message::Submitted, Message::Answered(PayAnswer::Wait(301))];
    let (model, effects) = after(open(PageStatus::Payable), waited);
    assert_eq!(
        model.banner,
        Banner::Shown(Alert::Refused(ScreenNotice::TooManyDeclines(PauseText::QuarterHour)))
    );
    assert_eq!((model.phase, effects), (Phase::Choosing, vec![Effect::FocusBanner]));
}

#[test]
fn a_payment_in_progress_is_shown_and_asked_about() {
    let (model, effects) = after(open(PageStatus::Payable), refused("attempt_in_progress"));
    assert_eq!(effects, [Effect::FocusBanner, Effect::Ask]);
    let (_, effects) = update(model, heard(PageStatus::Pending, None));
    assert_eq!(effects, [Effect::Reload]);
}

#[test]
fn a_page_that_is_out_of_date_is_rendered_again() {
    for word in ["not_payable", "not_found"] {
        assert_eq!(after(open(PageStatus::Payable), refused(word)).1, [Effect::Reload]);
    }
}

#[test]
fn without_a_connection_the_payer_can_press_again() {
    let lost = [Message::Submitted, Message::Answered(PayAnswer::Lost)];
    let (model, _) = after(open(PageStatus::Payable), lost);
    assert_eq!(model.banner, Banner::Shown(Alert::Offline));
    let (model, effects) = update(model, Message::Submitted);
    assert!(matches!(effects.as_slice(), [Effect::Pay(_)]));
    assert_eq!(model.banner, Banner::Hidden);
}

#[test]
fn an_answer_that_nobody_waits_for_changes_nothing() {
    let model = open(PageStatus::Payable);
    let answer = Message::Answered(PayAnswer::Redirect("https://bank.example/".into()));
    assert_eq!(update(model.clone(), answer), (model, Vec::new()));
}

#[test]
fn waiting_asks_after_1_2_3_and_then_every_5_seconds() {
    let (mut model, effects) = Model::open(options(PageStatus::Pending));
    let mut pauses = effects;
    for _ in 0..5 {
        let (asking, effects) = update(model, Message::AskNow);
        assert_eq!(effects, [Effect::Ask]);
        let (waiting, effects) = update(asking, heard(PageStatus::Pending, None));
        pauses.extend(effects);
        model = waiting;
    }
    let pauses: Vec<_> = pauses
        .into_iter()
        .filter_map(
            |effect| if let Effect::AskAfter { milliseconds } = effect { Some(milliseconds) } else { None },
        )
        .collect();
    assert_eq!(pauses, [1_000, 2_000, 3_000, 5_000, 5_000, 5_000]);
}

#[test]
fn waiting_goes_on_without_a_connection() {
    let (model, effects) = update(open(PageStatus::Pending), Message::Heard(None));
    assert!(!model.is_connected);
    assert_eq!(effects, [Effect::AskAfter { milliseconds: 2_000 }]);
    assert!(update(model, heard(PageStatus::Pending, None)).0.is_connected);
}

#[test]
fn an_outcome_is_rendered_again_or_leads_to_the_merchant() {
    let (_, effects) = update(open(PageStatus::Pending), heard(PageStatus::Paid, None));
    assert_eq!(effects, [Effect::Reload]);
    let (model, effects) =
        update(open(PageStatus::Pending), heard(PageStatus::Paid, Some("https://shop.example/")));
    assert_eq!(effects, [Effect::Go("https://shop.example/".into())]);
    assert_eq!(update(model.clone(), heard(PageStatus::Paid, None)), (model, Vec::new()));
}

#[test]
fn a_final_page_is_at_rest_unless_the_merchant_has_yet_to_be_notified() {
    let (model, effects) = Model::open(options(PageStatus::Paid));
    assert_eq!((model.phase, effects), (Phase::Resting, Vec::new()));
    assert_eq!(
        update(model.clone(), heard(PageStatus::Paid, Some("https://shop.example/"))),
        (model, Vec::new())
    );

    let awaiting = Options { asks: 38, ..options(PageStatus::Paid) };
    let (mut model, _) = Model::open(awaiting);
    let mut asked = 0;
    while model.phase != Phase::Resting {
        model = update(model, heard(PageStatus::Paid, None)).0;
        asked += 1;
        assert!(asked < 100);
    }
}

#[test]
fn a_page_that_comes_back_is_usable_and_checks_itself() {
    let answer = Message::Answered(PayAnswer::Redirect("https://bank.example/".into()));
    let (model, effects) = after(open(PageStatus::Payable), [Message::Submitted, answer, Message::Restored]);
    assert_eq!((model.phase, effects), (Phase::Choosing, vec![Effect::Ask]));
    let (same, effects) = update(model.clone(), heard(PageStatus::Payable, None));
    assert_eq!((same.phase, effects), (Phase::Choosing, Vec::new()));
    assert_eq!(
        update(model, heard(PageStatus::Paid, Some("https://shop.example/"))).1,
        [Effect::Reload],
        "a payer who comes back to the page is not sent away from it"
    );
}

#[test]
fn the_end_of_the_time_to_pay_is_asked_about_when_it_is_near() {
    let near = Options { remaining: Some(60_000), ..options(PageStatus::Payable) };
    assert_eq!(Model::open(near).1, [Effect::AskAfter { milliseconds: 63_000 }, Effect::LookLater]);
    for remaining in [None, Some(-1), Some(86_400_001), Some(i32::MAX)] {
        let far = Options { remaining, ..options(PageStatus::Payable) };
        assert_eq!(Model::open(far).1, [Effect::LookLater]);
    }
}
