//! What a payer reads while an outcome is awaited, and after a payment that did not succeed.

use checkout_core::checkout::page::{ContactChannel, USUAL_WAIT};
use checkout_core::flow::payer::come_back::destination;
use checkout_core::flow::payer::open_page::Viewer;
use checkout_core::settings::brand::Support;

use super::*;

#[test]
fn an_outcome_is_late_after_the_usual_wait_and_held_when_a_person_decides() {
    let fixture = Fixture::new(&["knet"], |_| ());
    let mut attempt = fixture.staged(Stage::Unknown);
    attempt.inquire_at = Some(BEGINNING);
    attempt.unknown_since = Some(BEGINNING);
    let shown = |attempt: &Attempt, now| status(&fixture.transaction, Some(attempt), now);
    let late = BEGINNING.plus(USUAL_WAIT);
    assert_eq!(shown(&attempt, late.minus(Duration::from_millis(1))), PageStatus::Pending);
    assert_eq!(shown(&attempt, late), PageStatus::Late);
    let held = Attempt { inquire_at: None, ..attempt.clone() };
    for now in [BEGINNING, late] {
        assert_eq!(shown(&held, now), PageStatus::Held);
    }
    // The bank's page waited until the time to pay was over.
    let waiting = fixture.staged(Stage::Redirected);
    let end = fixture.transaction.expires_at;
    assert_eq!(shown(&waiting, end), PageStatus::Pending);
    assert_eq!(shown(&waiting, end.plus(USUAL_WAIT)), PageStatus::Late);
}

#[test]
fn a_payer_is_certainly_uncharged_only_if_every_attempt_has_ended_without_success() {
    let mut fixture = Fixture::new(&["knet"], |_| ());
    for state in State::ALL {
        fixture.transaction.state = state;
        for stage in Stage::ALL {
            let latest = fixture.staged(stage);
            let late_success = [fixture.staged(Stage::Canceled), fixture.staged(Stage::Success)];
            let ended = [fixture.staged(Stage::Canceled)];
            for (attempts, are_unpaid) in [(ended.as_slice(), true), (late_success.as_slice(), false)] {
                let scene = PageScene { attempts, ..fixture.scene(Some(&latest), None) };
                let shown = page(scene);
                let has_ended = matches!(stage, Stage::Failed | Stage::Canceled | Stage::Error);
                let asks = !shown.status.is_success() && shown.status != PageStatus::Payable;
                let expected = has_ended && are_unpaid && asks && !shown.status.is_awaited();
                assert_eq!(shown.guidance.is_uncharged, expected, "{state} {stage} {:?}", shown.status);
            }
        }
    }
}

#[test]
fn a_payer_who_cannot_pay_any_more_asks_for_a_new_link_of_their_order() {
    let mut fixture = Fixture::new(&["knet"], |body| body["order_no"] = json!("A-1 & 2"));
    Rc::make_mut(&mut fixture.situation.settings).brand.support = Support {
        whatsapp: Some("+96599912345".into()),
        email: Some("help@shop.example".into()),
        phone: None,
    };
    for (state, names_order) in
        [(State::Expired, true), (State::Canceled, true), (State::Invalided, true), (State::Failed, true)]
    {
        fixture.transaction.state = state;
        let latest = fixture.staged(Stage::Failed);
        for (language, word) in
            [(Language::En, "new%20payment%20link"), (Language::Ar, "%D8%B1%D8%A7%D8%A8%D8%B7")]
        {
            let scene = PageScene { language: Some(language), ..fixture.scene(Some(&latest), None) };
            let contacts = page(scene).guidance.contacts;
            let channels: Vec<_> = contacts.iter().map(|contact| contact.channel).collect();
            assert_eq!(channels, [ContactChannel::WhatsApp, ContactChannel::Email]);
            for contact in contacts {
                assert!(contact.url.contains(word), "{}", contact.url);
                assert_eq!(contact.url.ends_with("A-1%20%26%202"), names_order, "{}", contact.url);
            }
        }
    }
    fixture.transaction.state = State::Paid;
    let latest = fixture.staged(Stage::Success);
    assert!(fixture.page(Some(&latest)).guidance.contacts.is_empty());
}

#[test]
fn a_payer_who_comes_back_from_a_page_that_another_window_replaced_reads_so() {
    let shop = Shop::open(1);
    let session_id = shop.create(&order(&["knet", "credit-card"]));
    let _first = shop.pay_to_page(&session_id, "knet");
    let replaced = shop.latest(&session_id).reference;
    let _second = shop.pay_to_page(&session_id, "credit-card");
    let current = shop.latest(&session_id).reference;
    assert_ne!(replaced, current);
    let at = |reference| block_on(destination(&shop.world, reference, Some(Language::Ar))).unwrap();
    assert!(at(&replaced).ends_with("&language=ar&replaced=true"), "{}", at(&replaced));
    assert!(at(&current).ends_with("&language=ar"), "{}", at(&current));
    let notice = |is_replaced| {
        let visit = Visit { is_replaced, viewer: Viewer::Person, ..Visit::PERSON };
        match block_on(open_page(&shop.world, Some(&session_id), visit)).unwrap() {
            PageView::Transaction(page) => page.notice,
            PageView::NotFound { .. } => panic!("there is a transaction"),
        }
    };
    assert_eq!(notice(true), Some(ScreenNotice::Replaced));
    assert_eq!(notice(false), None);
}
