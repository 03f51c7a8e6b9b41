//! What there is to choose from: the list, the only method, the marks, the saved cards.

use checkout_core::words::card_brand::CardBrand;

use super::*;

fn card(token: u8, fee: &str) -> SavedCardMethod {
    let code = format!("card_{}", format!("{token:02x}").repeat(16));
    SavedCardMethod {
        method: PageMethod { name: "Visa".into(), mark: Mark::Visa, is_chosen: false, ..method(&code, fee) },
        ending: Some("1111".into()),
        expiry: "01/39".into(),
        is_last_month: false,
        fault: None,
        gateway: "mpgs".into(),
    }
}

#[test]
fn the_only_method_needs_no_choice_and_is_named_by_the_heading() {
    for (language, heading) in [(Language::En, "Pay with"), (Language::Ar, "الدفع عبر")] {
        let mut page = page(PageStatus::Payable, language);
        page.methods.truncate(1);
        let body = draw(page.clone());
        assert!(
            body.contains(&format!("<h2 id=\"choose-title\">{heading} <bdi>Method knet</bdi></h2>")),
            "{body}"
        );
        assert!(body.contains("<input type=\"hidden\" name=\"pg_code\" value=\"knet\""));
        assert!(!body.contains("type=\"radio\"") && !body.contains("steady\""));
        page.methods[0].is_cash = true;
        assert!(draw(page).contains("<h2 id=\"choose-title\"><bdi>Method knet</bdi></h2>"));
    }
}

#[test]
fn a_method_next_to_an_expired_card_is_chosen_from_a_list() {
    let mut page = page(PageStatus::Payable, Language::En);
    page.methods.truncate(1);
    page.saved = vec![SavedCardMethod { fault: Some(SavedCardFault::Expired), ..card(1, "0.250") }];
    assert_eq!(draw(page).matches("type=\"radio\"").count(), 2);
}

#[test]
fn where_nothing_is_chosen_the_page_has_the_amount_and_no_radio_button_is_set() {
    let mut page = page(PageStatus::Payable, Language::En);
    page.methods.iter_mut().for_each(|method| method.is_chosen = false);
    let body = draw(page);
    assert!(!body.contains(" checked"));
    assert!(body.contains("<span class=\"steady\">Pay</span>"));
    assert!(body.contains("<small>KWD </small><span>10</span><small>.250</small>"));
}

#[test]
fn the_mark_of_a_network_is_a_file_and_another_is_a_part_of_the_page() {
    let mut page = page(PageStatus::Payable, Language::En);
    page.saved = vec![card(1, "0"), card(2, "0")];
    page.methods[0].mark = Mark::Knet;
    let body = draw(page);
    for (mark, uses) in [("visa", 4), ("knet", 1), ("mada", 0)] {
        let image = format!("<img class=\"emblem\" src=\"/icons/marks/{mark}.svg\" alt=\"\">");
        assert_eq!(body.matches(&image).count(), uses, "{mark}");
    }
    assert_eq!(body.matches("<svg class=\"emblem neutral\"").count(), 1);
    assert!(!body.contains("/icons/card.svg"), "no request for a neutral picture");
}

#[test]
fn saved_cards_with_the_same_fee_say_it_once() {
    let mut page = page(PageStatus::Payable, Language::En);
    let fees = |page: &TransactionPage| {
        let body = draw(page.clone());
        let (_, list) = body.split_once("<fieldset").unwrap();
        let (list, _) = list.split_once("value=\"knet\"").unwrap();
        (list.matches("data-part=\"added\"").count(), list.contains("Saved cards"))
    };
    page.saved = vec![card(1, "0.205"), card(2, "0.205"), card(3, "0.205")];
    assert_eq!(fees(&page), (1, true));
    page.saved[2] = card(3, "0.100");
    assert_eq!(fees(&page), (3, true));
    page.saved.truncate(1);
    assert_eq!(fees(&page), (1, false));
}

#[test]
fn every_saved_card_can_be_removed_in_a_form_apart_from_that_which_pays() {
    let mut page = page(PageStatus::Payable, Language::En);
    page.saved = vec![card(1, "0"), SavedCardMethod { fault: Some(SavedCardFault::Expired), ..card(2, "0") }];
    let body = draw(page);
    let (_, removal) = body.split_once("Remove a saved card").unwrap();
    assert_eq!(removal.matches("name=\"remove_card\"").count(), 2);
    assert!(body.find("</form>").unwrap() < body.find("name=\"remove_card\"").unwrap());
}

/// What the button says, without markup, for each place.
fn buttons(page: &TransactionPage) -> Vec<String> {
    let body = draw(page.clone());
    let (_, button) = body.split_once("id=\"pay-label\">").unwrap();
    let (button, _) = button.split_once("</button>").unwrap();
    let text = |part: &str| -> String {
        let mut pieces = part.split('<');
        let first = pieces.next().unwrap_or_default();
        let others = pieces.filter_map(|piece| piece.split_once('>')).map(|(_, words)| words);
        core::iter::once(first).chain(others).collect()
    };
    let said = button.split("data-face=").skip(1).map(|part| text(part.split_once('>').unwrap().1));
    said.map(|text| text.replace('\u{a0}', " ")).collect()
}

#[test]
fn the_button_says_where_it_leads_in_the_words_of_each_method() {
    for (language, said) in [
        (
            Language::En,
            [
                "Pay KWD 10.450 with Visa ending in •••• 1111",
                "Continue to Method knet · KWD 10.500",
                "Continue to Method mpgs · KWD 10.250",
                "Place order · pay KWD 10.250 on delivery",
            ],
        ),
        (
            Language::Ar,
            [
                "دفع 10.450 د.ك باستخدام Visa تنتهي بالأرقام •••• 1111",
                "المتابعة إلى Method knet · 10.500 د.ك",
                "المتابعة إلى Method mpgs · 10.250 د.ك",
                "تأكيد الطلب ودفع 10.250 د.ك عند الاستلام",
            ],
        ),
    ] {
        let mut page = page(PageStatus::Payable, language);
        page.saved = vec![card(1, "0.200")];
        page.methods.push(PageMethod { is_cash: true, ..method("cash", "0") });
        // Where the last attempt waits, the button leads there too.
        page.methods[0].is_waiting = true;
        let found = buttons(&page);
        for (found, said) in found.iter().zip(said) {
            assert!(found.starts_with(said), "{found}");
        }
        assert_eq!(found.len(), 4);
    }
}

#[test]
fn more_methods_than_the_style_sheet_has_rules_for_are_not_named_by_the_button() {
    let mut page = page(PageStatus::Payable, Language::En);
    page.methods = (0..40_u8)
        .map(|place| method(&format!("m-{place}"), if place > 2 { "0" } else { "0.250" }))
        .collect();
    let found = buttons(&page);
    let found: Vec<&str> = found.iter().map(|text| text.trim_end_matches("Pay")).collect();
    assert_eq!(found, ["Pay KWD 10.500", "Pay KWD 10.250"]);
    let body = draw(page);
    let (_, body) = body.split_once("<main").unwrap();
    assert_eq!(body.matches("data-face=\"1\"").count(), 40 - 3 + 2, "the others share a place");
}

#[test]
fn a_gateway_shows_which_cards_it_takes() {
    let mut page = page(PageStatus::Payable, Language::En);
    page.methods[1].card_brands = vec![CardBrand::Visa, CardBrand::Jcb];
    let body = draw(page);
    assert!(body.contains("<img class=\"emblem\" src=\"/icons/marks/visa.svg\" alt=\"Visa\""), "{body}");
    assert!(body.contains("<small>JCB</small>"), "{body}");
    assert_eq!(body.matches("class=\"brands\"").count(), 1);
}

#[test]
fn where_card_details_are_entered_is_said_only_if_a_card_may_be_used() {
    for language in [Language::En, Language::Ar] {
        let words = Strings::of(language).no_card_here;
        let mut page = page(PageStatus::Payable, language);
        page.methods = vec![PageMethod { is_cash: true, ..method("cash", "0") }, method("mpgs", "0")];
        assert!(draw(page.clone()).contains(words));
        page.methods.truncate(1);
        assert!(!draw(page).contains(words));
    }
}
