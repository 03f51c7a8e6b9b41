use checkout_core::checkout::page::{Contact, ContactChannel, PaidWith};
use checkout_core::route::Route;
use checkout_core::strings::screen::Aftermath;

use super::*;

/// A sentence as it is rendered for the page of the tests.
fn said(text: &str) -> String {
    text.replace("{merchant}", "<bdi>Demo Store</bdi>")
}

#[test]
fn what_became_of_the_money_is_said_in_place_of_success() {
    use checkout_core::checkout::page::{OutcomeAmount, ShownMovement};
    use checkout_core::words::ChildOperation;

    let at = Timestamp::parse("2026-12-24T10:00:00Z").unwrap();
    for language in LANGUAGES {
        let strings = Strings::of(language);
        for (aftermath, operation, is_queued) in [
            (Aftermath::Captured, ChildOperation::Capture, false),
            (Aftermath::PartlyCaptured, ChildOperation::Capture, false),
            (Aftermath::RestReleased, ChildOperation::Capture, false),
            (Aftermath::Voided, ChildOperation::Void, false),
            (Aftermath::Refunded, ChildOperation::Refund, false),
            (Aftermath::RefundedExceptFee, ChildOperation::Refund, false),
            (Aftermath::PartlyRefunded, ChildOperation::Refund, false),
            (Aftermath::RefundQueued, ChildOperation::Refund, true),
        ] {
            let mut page = page(PageStatus::Paid, language);
            let (amount, whole) = (money("4.125"), money("10.500"));
            page.aftermath =
                Some((aftermath, OutcomeAmount { operation, is_queued, amount, whole, times: 2 }));
            page.movements = vec![ShownMovement { operation, is_queued, amount: money("2.000"), at }];
            let body = draw(page);
            let screen = strings.aftermath().screen(aftermath);
            let price = |amount| super::super::price::amount(strings, amount).into_string();
            let said = said(screen.text)
                .replace("{amount}", &price(amount))
                .replace("{total}", &price(whole))
                .replace("{fee}", &price(money("6.375")));
            assert!(body.contains(screen.title) && body.contains(&said), "{aftermath:?} {said}");
            let (_, leads) = body.split_once("<p class=\"price\">").unwrap();
            assert!(leads.split_once("</p>").unwrap().0.contains(&price(amount)), "{aftermath:?}");
            assert!(
                !body.contains(strings.screen(PageStatus::Paid, PaymentType::OneOff).title),
                "{aftermath:?}"
            );
            assert!(
                body.contains(strings.aftermath().label(operation, is_queued))
                    && body.contains(&strings.price(money("2.000")))
            );
            assert!(body.contains("2026-12-24T10:00:00Z"), "{aftermath:?}");
        }
    }
}

#[test]
fn a_receipt_for_machines_is_only_in_the_code_and_only_of_a_success() {
    for status in STATUSES {
        let page = page(status, Language::En);
        let code = Route::ReceiptCode(page.session_id.clone()).path();
        let body = draw(page);
        assert_eq!(body.contains(&code), status.is_success(), "{status:?}");
        assert!(!body.replace(&code, "").contains("/b/checkout/receipt/"), "{status:?}");
    }
    let unsigned = TransactionPage { has_signed_receipt: false, ..page(PageStatus::Paid, Language::En) };
    assert!(!draw(unsigned).contains("/b/checkout/receipt/"), "money that was returned has no receipt");
}

#[test]
fn only_a_payer_who_certainly_was_not_charged_reads_so() {
    for language in LANGUAGES {
        let words = Strings::of(language).guide().not_charged;
        for status in STATUSES.into_iter().filter(|status| !status.can_pay()) {
            for is_uncharged in [true, false] {
                let mut page = page(status, language);
                page.guidance.is_uncharged = is_uncharged;
                assert_eq!(draw(page).contains(&format!("<p class=\"uncharged\">{words}</p>")), is_uncharged);
            }
        }
        let mut declined = page(PageStatus::Declined, language);
        declined.last.as_mut().unwrap().decline = Some(DeclineReason::WrongPin);
        assert!(!draw(declined.clone()).contains(words));
        declined.guidance.is_uncharged = true;
        assert!(draw(declined).contains(words));
    }
}

#[test]
fn the_amount_leads_only_where_it_was_paid_or_is_held() {
    for status in STATUSES.into_iter().filter(|status| !status.can_pay()) {
        let body = draw(page(status, Language::En));
        assert_eq!(body.contains("<p class=\"price\">"), status.is_success(), "{status:?}");
        assert!(body.contains("KWD 10."), "{status:?}");
    }
}

#[test]
fn every_end_has_a_next_step_also_without_an_address_of_the_merchant() {
    for language in LANGUAGES {
        let strings = Strings::of(language);
        for status in STATUSES.into_iter().filter(|status| !status.can_pay()) {
            let mut page = page(status, language);
            page.merchant_link = None;
            let body = draw(page.clone());
            let next = if status.is_success() {
                strings.guide().close_page.to_owned()
            } else if status.is_final() {
                said(strings.guide().ask_merchant)
            } else {
                strings.action.check_again.to_owned()
            };
            assert!(body.contains(&next), "{status:?}");
            page.guidance.contacts = vec![Contact {
                channel: ContactChannel::WhatsApp,
                url: "https://wa.me/96599912345?text=x".into(),
                shown: "+96599912345".into(),
            }];
            let body = draw(page);
            assert!(
                body.contains("href=\"https://wa.me/96599912345?text=x\"") && body.contains("+96599912345")
            );
            assert!(!body.contains(&said(strings.guide().ask_merchant)), "{status:?}");
        }
    }
}

#[test]
fn the_way_back_names_the_merchant_and_then_its_host() {
    let body = draw(page(PageStatus::Paid, Language::En));
    assert!(
        body.contains("Return to <bdi>Demo Store</bdi><small><bdi dir=\"ltr\">shop.example</bdi></small>")
    );
}

#[test]
fn a_page_without_a_script_asks_less_and_less_often_for_an_outcome() {
    for (refreshes, seconds) in [(0, 5), (1, 10), (2, 20), (3, 30), (200, 30)] {
        let body = draw(TransactionPage { refreshes, ..page(PageStatus::Late, Language::Ar) });
        let start = format!("content=\"{seconds};url=/b/checkout/redirect/start/?session_id=");
        assert!(body.contains(&start), "{refreshes}");
        assert!(body.contains(&format!("&amp;onward={}\"", refreshes + 1)), "{refreshes}");
    }
}

#[test]
fn the_title_of_the_window_begins_with_what_happened() {
    for language in LANGUAGES {
        let strings = Strings::of(language);
        for notice in [ScreenNotice::Declined, ScreenNotice::Withdrawn, ScreenNotice::Replaced] {
            let page = TransactionPage { notice: Some(notice), ..page(PageStatus::Declined, language) };
            let title = strings.notice(notice, PaymentType::OneOff).title;
            assert!(draw(page).contains(&format!("<title>{title} · Demo Store</title>")), "{notice:?}");
        }
    }
}

#[test]
fn what_a_payer_did_on_purpose_is_no_alarm() {
    for (notice, is_calm) in
        [(ScreenNotice::Withdrawn, true), (ScreenNotice::Replaced, true), (ScreenNotice::Declined, false)]
    {
        let body = draw(TransactionPage { notice: Some(notice), ..page(PageStatus::Declined, Language::En) });
        let (_, shown) = body.split_once("<div class=\"notice").unwrap();
        let shown = shown.split('>').next().unwrap();
        assert_eq!(shown.starts_with(" calm\"") && shown.contains("role=\"status\""), is_calm, "{notice:?}");
        assert_eq!(shown.contains("role=\"alert\""), !is_calm, "{notice:?}");
    }
}

#[test]
fn the_receipt_names_the_card_or_the_wallet_and_not_who_holds_it() {
    let card = PaidWith::Card { brand: Some("VISA".into()), ending: "1019".into() };
    for (paid_with, words) in [(card, "VISA"), (PaidWith::Wallet(Wallet::ApplePay), "Apple Pay")] {
        let mut page = page(PageStatus::Paid, Language::Ar);
        page.last.as_mut().unwrap().paid_with = Some(paid_with);
        assert!(draw(page).contains(words), "{words}");
    }
}

#[test]
fn until_when_it_can_be_paid_is_said_on_the_last_day() {
    for is_last_day in [true, false] {
        let page = TransactionPage { is_last_day, ..page(PageStatus::Payable, Language::En) };
        assert_eq!(draw(page).contains("Pay by "), is_last_day);
    }
}

#[test]
fn a_payer_who_asks_for_nothing_reads_it_in_their_language_and_can_change_it() {
    for language in LANGUAGES {
        for (code, status) in [
            ("not_found", 404),
            ("method_not_allowed", 405),
            ("unavailable", 503),
            ("too_many_requests", 429),
        ] {
            let reply = render_nothing(&Nothing { language, status, code, has_link: true });
            assert_eq!(reply.status, status);
            let other = if language == Language::En { "ar" } else { "en" };
            let link = format!("href=\"?language={other}\"");
            assert!(reply.body.contains(&link), "{}", reply.body);
            assert!(reply.body.contains(&format!("<html lang=\"{}\"", language.as_str())));
            let alone = render_nothing(&Nothing { language, status, code, has_link: false });
            assert!(!alone.body.contains("class=\"language\""));
        }
    }
}
