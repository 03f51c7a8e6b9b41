//! The hosted page as data: which screen every state and stage shows, the methods, the return to the
//! merchant.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod links;
mod methods;
mod states;

use std::time::Duration;

use std::rc::Rc;

use checkout_core::attempt::Attempt;
use checkout_core::attempt::stage::Stage;
use checkout_core::checkout::landing::landing;
use checkout_core::checkout::page::{
    Onward, PageScene, PageView, PaidWith, SentForm, TransactionPage, page, status,
};
use checkout_core::flow::payer::open_page::{Visit, open_page, status as polled};
use checkout_core::gateway::icon::Icon;
use checkout_core::gateway::mark::Mark;
use checkout_core::operation::begin::Books;
use checkout_core::rejection::Rejection;
use checkout_core::rejection::refusal::CardRefusal;
use checkout_core::settings::situation::Situation;
use checkout_core::state::State;
use checkout_core::strings::screen::{PageStatus, ScreenNotice};
use checkout_core::testing::world::BEGINNING;
use checkout_core::transaction::Transaction;
use checkout_core::value::id::{ReferenceNumber, SessionId};
use checkout_core::value::web_address::Reach;
use checkout_core::webhook::delivery::DeliveryStatus;
use checkout_core::words::Language;
use checkout_tests::shop::{Shop, form, order, refused};
use pollster::block_on;
use serde_json::{Value, json};

/// A transaction and an attempt of it, to be put into any state and stage.
struct Fixture {
    transaction: Transaction,
    attempt: Attempt,
    situation: Situation,
}

impl Fixture {
    fn new(pg_codes: &[&str], change: impl FnOnce(&mut Value)) -> Self {
        let shop = Shop::open(1);
        let mut body = order(pg_codes);
        change(&mut body);
        let session_id = shop.create(&body);
        let _waiting = shop.pay_to_page(&session_id, pg_codes.first().unwrap());
        Self {
            transaction: shop.transaction(&session_id),
            attempt: shop.latest(&session_id),
            situation: shop.situation(),
        }
    }

    fn scene<'a>(&'a self, latest: Option<&'a Attempt>, delivery: Option<DeliveryStatus>) -> PageScene<'a> {
        PageScene {
            cards: &[],
            transaction: &self.transaction,
            latest,
            delivery,
            books: None,
            situation: &self.situation,
            sent: None,
            language: None,
            asked: None,
            is_replaced: false,
            is_repriced: false,
            attempts: &[],
            public_url: "https://pay.example.com",
            reach: Reach::Public,
        }
    }

    fn page(&self, latest: Option<&Attempt>) -> TransactionPage {
        page(self.scene(latest, None))
    }

    fn staged(&self, stage: Stage) -> Attempt {
        Attempt { stage, ..self.attempt.clone() }
    }
}

fn codes(page: &TransactionPage) -> Vec<&str> {
    page.methods.iter().map(|method| method.code.as_str()).collect()
}

#[test]
fn a_receipt_is_about_the_attempt_that_was_paid_and_not_about_a_later_one() {
    let mut fixture = Fixture::new(&["knet"], |_| ());
    fixture.transaction.state = State::Paid;
    let paid = Attempt { number: 1, stage: Stage::Success, ..fixture.attempt.clone() };
    let later = Attempt {
        number: 2,
        stage: Stage::Failed,
        reference: ReferenceNumber::parse("7H3K9M2P4Q5R").unwrap(),
        ..fixture.attempt.clone()
    };
    let transaction = fixture.transaction.clone();
    let books = Books { transaction, settled: Some(paid.clone()), children: Vec::new() };
    let shown = page(PageScene { books: Some(&books), ..fixture.scene(Some(&later), None) });
    assert_eq!(shown.last.unwrap().reference, paid.reference.as_str());
    let declined = page(fixture.scene(Some(&later), None));
    assert_eq!(declined.last.unwrap().reference, later.reference.as_str());
}

const ENDED: [Stage; 3] = [Stage::Failed, Stage::Canceled, Stage::Error];

#[test]
fn every_state_and_stage_has_its_screen() {
    let mut fixture = Fixture::new(&["knet"], |_| ());
    for state in [State::Created, State::Pending, State::Attempted] {
        fixture.transaction.state = state;
        for (latest, in_time, over) in [
            (None, PageStatus::Payable, PageStatus::Expired),
            (Some(Stage::Sending), PageStatus::Pending, PageStatus::Late),
            (Some(Stage::Redirected), PageStatus::Payable, PageStatus::Pending),
            (Some(Stage::Unknown), PageStatus::Pending, PageStatus::Late),
            (Some(Stage::Failed), PageStatus::Declined, PageStatus::Expired),
            (Some(Stage::Canceled), PageStatus::Declined, PageStatus::Expired),
            (Some(Stage::Error), PageStatus::Declined, PageStatus::Expired),
        ] {
            let attempt = latest.map(|stage| fixture.staged(stage));
            let end = fixture.transaction.expires_at;
            let late = if in_time == PageStatus::Pending { PageStatus::Late } else { in_time };
            for (now, expected) in
                [(BEGINNING, in_time), (end.minus(Duration::from_millis(1)), late), (end, over)]
            {
                assert_eq!(
                    status(&fixture.transaction, attempt.as_ref(), now),
                    expected,
                    "{state} {latest:?} {now}"
                );
            }
        }
    }
    for (state, expected) in [
        (State::Authorized, PageStatus::Authorized),
        (State::Paid, PageStatus::Paid),
        (State::Refunded, PageStatus::Paid),
        (State::Cod, PageStatus::CashOnDelivery),
        (State::Failed, PageStatus::Failed),
        (State::Canceled, PageStatus::Canceled),
        (State::Expired, PageStatus::Expired),
        (State::Invalided, PageStatus::Invalid),
    ] {
        fixture.transaction.state = state;
        for latest in [None].into_iter().chain(Stage::ALL.map(Some)) {
            let attempt = latest.map(|stage| fixture.staged(stage));
            for now in [BEGINNING, fixture.transaction.expires_at] {
                assert_eq!(
                    status(&fixture.transaction, attempt.as_ref(), now),
                    expected,
                    "{state} {latest:?}"
                );
            }
        }
    }
}

#[test]
fn a_declined_payer_is_shown_why_unless_something_else_is_to_be_said() {
    let mut fixture = Fixture::new(&["knet"], |_| ());
    fixture.transaction.state = State::Attempted;
    for (stage, notice) in [
        (Stage::Failed, ScreenNotice::Declined),
        (Stage::Canceled, ScreenNotice::Withdrawn),
        (Stage::Error, ScreenNotice::GatewayTrouble),
    ] {
        let attempt = fixture.staged(stage);
        assert_eq!(fixture.page(Some(&attempt)).notice, Some(notice));
        let form = form(&fixture.transaction.session_id, "knet");
        let sent = Some(SentForm { form: &form, refusal: Some(&Rejection::AttemptInProgress) });
        let said = page(PageScene { sent, ..fixture.scene(Some(&attempt), None) });
        assert_eq!(said.notice, Some(ScreenNotice::InProgress));
        let gone = Rejection::CardRefused(CardRefusal::Unknown);
        let sent = Some(SentForm { form: &form, refusal: Some(&gone) });
        let said = page(PageScene { sent, ..fixture.scene(Some(&attempt), None) });
        assert_eq!(said.notice, Some(ScreenNotice::MethodUnknown), "a card that was removed elsewhere");
    }
    assert_eq!(fixture.page(Some(&fixture.attempt)).notice, None);
    fixture.transaction.state = State::Failed;
    assert_eq!(fixture.page(Some(&fixture.staged(Stage::Failed))).notice, None, "the screen itself says it");
}

#[test]
fn the_page_is_in_the_language_of_the_payer_otherwise_of_the_order() {
    let fixture = Fixture::new(&["knet"], |body| body["language"] = json!("ar"));
    let shown = fixture.page(None);
    assert_eq!((shown.language, shown.merchant.as_str()), (Language::Ar, "متجر تجريبي"));
    assert_eq!(shown.methods.first().unwrap().name, "كي نت");
    let english = page(PageScene { language: Some(Language::En), ..fixture.scene(None, None) });
    assert_eq!((english.language, english.merchant.as_str()), (Language::En, "Demo Store"));
}

#[test]
fn an_order_that_names_no_language_has_a_page_in_that_of_its_readers_browser() {
    let shop = Shop::open(3);
    let unnamed = shop.create(&order(&["knet"]));
    let mut body = order(&["knet"]);
    body["language"] = json!("en");
    let english = shop.create(&body);
    let shown = |session_id: &SessionId, language, accepted| {
        let visit = Visit { language, accepted, ..Visit::PERSON };
        match block_on(open_page(&shop.world, Some(session_id), visit)).unwrap() {
            PageView::Transaction(page) => page.language,
            PageView::NotFound { .. } => panic!("there is a page"),
        }
    };
    let (arabic, none) = (Some(Language::Ar), None);
    assert_eq!(shown(&unnamed, none, arabic), Language::Ar);
    assert_eq!(shown(&unnamed, none, none), Language::En);
    assert_eq!(shown(&unnamed, Some(Language::En), arabic), Language::En, "the payer chose");
    assert_eq!(shown(&english, none, arabic), Language::En, "the merchant chose");
    assert_eq!(shown(&english, arabic, none), Language::Ar);
}

#[test]
fn every_moment_of_a_page_is_that_of_clocks_at_the_merchant() {
    for (zone, ahead) in [("Asia/Kuwait", 180), ("Asia/Kolkata", 330), ("Europe/London", 0)] {
        let shop = Shop::open_with(5, move |settings| settings["time_zone"] = json!(zone));
        let mut body = order(&["cash"]);
        body["due_datetime"] = json!("2026-01-02T10:00:00Z");
        let session_id = shop.create(&body);
        shop.pay(&session_id, "cash").unwrap();
        let PageView::Transaction(page) =
            block_on(open_page(&shop.world, Some(&session_id), Visit::PERSON)).unwrap()
        else {
            panic!("there is a page")
        };
        let moments: Vec<_> = page.moments().collect();
        assert_eq!(moments.len(), 3);
        assert!(moments.into_iter().all(|at| page.local(at).ahead == ahead), "{zone}");
    }
}

#[test]
fn texts_of_others_cannot_turn_the_line_around() {
    let mut fixture = Fixture::new(&["knet"], |body| body["order_no"] = json!("A\u{202e}1"));
    Rc::make_mut(&mut fixture.situation.settings).name.en = "Demo\u{2066} Store".into();
    fixture.attempt.params.insert("card_type".into(), "VI\u{202d}SA".into());
    fixture.attempt.params.insert("card_number".into(), "411111******1111".into());
    let shown = fixture.page(Some(&fixture.staged(Stage::Failed)));
    assert_eq!((shown.order_no.as_deref(), shown.merchant.as_str()), (Some("A1"), "Demo Store"));
    let card = PaidWith::Card { brand: Some("Visa".into()), ending: "1111".into() };
    assert_eq!(shown.last.unwrap().paid_with, Some(card));
}

#[test]
fn a_receipt_has_the_result_the_mark_and_the_name_of_the_fee_of_its_method() {
    let mut fixture = Fixture::new(&["knet"], |_| ());
    fixture.attempt.params.insert("result".into(), "CAPTURED".into());
    fixture.attempt.params.insert("card_type".into(), "VISA".into());
    fixture.attempt.params.insert("card_number".into(), "411111******1111".into());
    let attempt = fixture.staged(Stage::Success);
    let last = fixture.page(Some(&attempt)).last.unwrap();
    assert_eq!(last.data.first(), Some(&("Result", "CAPTURED".to_string())));
    assert_eq!(last.mark, Some(Mark::Knet));
    assert_eq!(last.fee_label.is_some(), !attempt.quote.fee.is_zero());
}

#[test]
fn only_simulated_gateways_make_a_test() {
    let mut fixture = Fixture::new(&["knet", "cash"], |_| ());
    assert!(fixture.page(None).is_test);
    Rc::make_mut(&mut fixture.situation.settings)
        .gateways
        .iter_mut()
        .for_each(|profile| profile.sandbox = profile.code.as_str() == "cash");
    assert!(!fixture.page(None).is_test, "cash moves no money here anyway");
}

#[test]
fn a_page_that_nobody_has_is_not_found_in_the_language_of_the_payer() {
    let shop = Shop::open(2);
    let nobody = SessionId::generate(0, [7; 19]);
    for session_id in [None, Some(&nobody)] {
        let (english, arabic) = (Language::En, Language::Ar);
        for (language, accepted, shown_in) in [
            (None, None, english),
            (Some(arabic), None, arabic),
            (None, Some(arabic), arabic),
            (Some(english), Some(arabic), english),
        ] {
            let visit = Visit { language, accepted, ..Visit::PERSON };
            let shown = block_on(open_page(&shop.world, session_id, visit)).unwrap();
            assert_eq!(shown, PageView::NotFound { language: shown_in });
        }
    }
    assert_eq!(refused(block_on(polled(&shop.world, &nobody))), Rejection::NotFound);
}

#[test]
fn opening_the_page_again_changes_nothing() {
    let shop = Shop::open(3);
    let session_id = shop.create(&order(&["knet"]));
    let open = || match block_on(open_page(&shop.world, Some(&session_id), Visit::PERSON)).unwrap() {
        PageView::Transaction(page) => page,
        PageView::NotFound { .. } => panic!("no page"),
    };
    let first = open();
    let version = shop.transaction(&session_id).version;
    assert_eq!((open(), shop.transaction(&session_id).version), (first, version));
}
