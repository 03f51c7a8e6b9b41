//! Saved cards and wallets.

use super::*;

fn saved(fault: Option<SavedCardFault>) -> SavedCardMethod {
    let token = "card_07070707070707070707070707070707";
    SavedCardMethod {
        method: PageMethod { name: "<b>VISA".into(), ..method(token, "0") },
        ending: Some("1111".into()),
        expiry: "01/39".into(),
        is_last_month: false,
        fault,
        gateway: "credit-card".into(),
    }
}

#[test]
fn a_saved_card_is_a_method_without_a_script_and_an_expired_one_is_none() {
    for language in LANGUAGES {
        let words = &Strings::of(language).ways;
        let usable =
            draw(TransactionPage { saved: vec![saved(None)], ..page(PageStatus::Payable, language) });
        assert!(usable.contains("value=\"card_07070707070707070707070707070707\""));
        assert!(usable.contains("&lt;b&gt;VISA") && !usable.contains("<b>VISA"));
        for text in [words.ending_in, words.good_until, "01/39", "1111"] {
            assert!(usable.contains(text), "{text}");
        }
        assert!(!usable.contains(" disabled"));
        for (fault, word) in [
            (SavedCardFault::Expired, words.expired),
            (SavedCardFault::ExpiresTooSoon, words.expires_too_soon),
        ] {
            let over = draw(TransactionPage {
                saved: vec![saved(Some(fault))],
                ..page(PageStatus::Payable, language)
            });
            assert!(over.contains(word) && over.contains(" disabled"), "{fault:?}");
        }
    }
}

#[test]
fn a_card_in_its_last_month_says_so_and_can_be_chosen() {
    for language in [Language::En, Language::Ar] {
        let words = Strings::of(language).ways.last_month;
        for is_last_month in [true, false] {
            let card = SavedCardMethod { is_last_month, ..saved(None) };
            let body = draw(TransactionPage { saved: vec![card], ..page(PageStatus::Payable, language) });
            assert_eq!(body.contains(words), is_last_month);
            assert!(!body.contains(" disabled"));
        }
    }
}

#[test]
fn the_tick_is_rendered_only_if_a_method_saves_cards() {
    for (can_save_card, saves_card) in [(false, false), (true, false), (true, true)] {
        let rendered = draw(TransactionPage {
            methods: vec![PageMethod { can_save_card, ..method("knet", "0") }],
            saves_card,
            ..page(PageStatus::Payable, Language::En)
        });
        assert_eq!(rendered.contains("name=\"save_card\""), can_save_card);
        assert_eq!(rendered.contains("value=\"true\" checked"), saves_card);
    }
}

#[test]
fn the_button_of_a_wallet_waits_in_its_place_with_what_its_sheet_shows() {
    let button = WalletButton {
        wallet: Wallet::ApplePay,
        code: "mpgs".into(),
        principal: money("10.250"),
        quote: quote("10.250", "0.250"),
        terms: method("mpgs", "0.250").terms,
        fee_label: Some("Card <fee>".into()),
        country: "KW".into(),
        shop_name: "\"><script>".into(),
        google_pay: None,
    };
    let rendered = draw(TransactionPage { wallets: vec![button], ..page(PageStatus::Payable, Language::Ar) });
    assert!(rendered.contains("<div class=\"express\" data-express=\"apple_pay\">"));
    assert!(rendered.contains("<button class=\"wallet\" type=\"button\" aria-disabled=\"true\""));
    assert!(
        rendered.contains("data-terms=\"KWD KWD 0.250 0\" data-amount=\"10.250\"")
            && !rendered.contains("<fee>")
    );
    assert!(!rendered.contains("\"><script>"));
}
