use alloc::vec::Vec;

use super::screen::PauseText;
use super::sentence::{Piece, pieces};
use super::*;
use crate::value::money::Money;
use crate::value::time::{Local, Timestamp};

fn money(text: &str, currency: &str) -> Money {
    Money::parse(text, Currency::parse(currency).unwrap()).unwrap()
}

#[test]
fn a_price_has_the_decimals_of_its_currency_and_its_thousands_apart() {
    for (amount, currency, english, arabic) in [
        ("10.25", "KWD", "KWD 10.250", "10.250 د.ك"),
        ("1234.5", "KWD", "KWD 1,234.500", "1,234.500 د.ك"),
        ("0", "SAR", "SAR 0.00", "0.00 ر.س"),
        ("5", "AED", "AED 5.00", "5.00 د.إ"),
        ("5", "BHD", "BHD 5.000", "5.000 د.ب"),
        ("5", "OMR", "OMR 5.000", "5.000 ر.ع."),
        ("5", "QAR", "QAR 5.00", "5.00 ر.ق"),
        ("999.5", "USD", "USD 999.50", "999.50 USD"),
        ("1234567", "JPY", "JPY 1,234,567", "1,234,567 JPY"),
    ] {
        let money = money(amount, currency);
        assert_eq!(Strings::of(Language::En).price(money), english);
        assert_eq!(Strings::of(Language::Ar).price(money), arabic);
    }
}

#[test]
fn the_parts_of_a_price_are_its_text_and_one_of_them_is_the_whole_number() {
    for language in [Language::En, Language::Ar] {
        let strings = Strings::of(language);
        for (amount, currency, whole) in [("1234.5", "KWD", "1,234"), ("7", "JPY", "7")] {
            let money = money(amount, currency);
            let price = strings.price_parts(money);
            assert_eq!(price.text(), strings.price(money));
            let wholes: Vec<&str> =
                price.parts.iter().filter(|part| part.is_whole).map(|part| part.text.as_str()).collect();
            assert_eq!(wholes, [whole]);
        }
    }
}

#[test]
fn a_code_is_named_apart_only_where_amounts_are_written_without_it() {
    let code = |language, code| Strings::of(language).unwritten_code(Currency::parse(code).unwrap());
    assert_eq!(code(Language::Ar, "KWD"), Some("KWD"));
    assert_eq!(code(Language::Ar, "USD"), None);
    assert_eq!(code(Language::En, "KWD"), None);
}

#[test]
fn a_rate_names_one_unit_and_both_currencies() {
    let [dollar, dinar] = ["USD", "KWD"].map(|code| Currency::parse(code).unwrap());
    assert_eq!(rate(dollar, ExchangeRate::parse("0.30750").unwrap(), dinar), "1 USD = 0.3075 KWD");
}

#[test]
fn a_moment_is_shown_to_the_minute_in_utc() {
    let moment = Timestamp::parse("2026-11-01T01:02:59Z").unwrap();
    assert_eq!(Strings::of(Language::En).moment(moment), "1 November 2026, 01:02 UTC");
    let late = Local { at: Timestamp::parse("2026-11-01T22:30:00Z").unwrap(), ahead: 180 };
    assert_eq!(Strings::of(Language::En).moment(late), "2 November 2026, 01:30 UTC+3");
    assert_eq!(Strings::of(Language::Ar).moment(late), "2 نوفمبر 2026، 01:30 بتوقيت UTC+3");
    assert!(Strings::of(Language::Ar).moment(moment).contains("نوفمبر 2026"));
}

#[test]
fn every_screen_and_every_notice_differs_between_the_languages() {
    let [english, arabic] = [Language::En, Language::Ar].map(Strings::of);
    let screens = PageStatus::ALL;
    let notices = [
        ScreenNotice::Declined,
        ScreenNotice::Withdrawn,
        ScreenNotice::GatewayTrouble,
        ScreenNotice::PageNotOpened,
        ScreenNotice::Checked,
        ScreenNotice::PriceChanged,
        ScreenNotice::InProgress,
        ScreenNotice::TooManyAttempts,
        ScreenNotice::TooManyDeclines(PauseText::of(61)),
        ScreenNotice::MethodUnknown,
        ScreenNotice::NoWallet,
        ScreenNotice::NotChosen,
        ScreenNotice::CardLocked,
    ];
    for payment_type in [PaymentType::OneOff, PaymentType::AutoDebit, PaymentType::SaveCard] {
        let screens =
            screens.map(|status| (english.screen(status, payment_type), arabic.screen(status, payment_type)));
        let notices =
            notices.map(|notice| (english.notice(notice, payment_type), arabic.notice(notice, payment_type)));
        for (one, other) in screens.into_iter().chain(notices) {
            assert!(one.title.is_ascii() && !one.title.is_empty());
            assert!(!other.title.is_ascii() && one.text.is_empty() == other.text.is_empty(), "{}", one.title);
            assert!(other.text.is_empty() || !other.text.is_ascii(), "{}", one.title);
            assert_eq!(places(one.text), places(other.text), "{}", one.title);
        }
    }
}

fn places(text: &'static str) -> Vec<&'static str> {
    let mut places: Vec<_> = pieces(text)
        .filter_map(|piece| match piece {
            Piece::Place(name) => Some(name),
            Piece::Words(words) => {
                assert!(!words.contains(['{', '}']), "{text}");
                None
            }
        })
        .collect();
    places.sort_unstable();
    places
}

const NOTICES: [ScreenNotice; 12] = [
    ScreenNotice::PriceChanged,
    ScreenNotice::OtherTerms,
    ScreenNotice::Declined,
    ScreenNotice::Withdrawn,
    ScreenNotice::GatewayTrouble,
    ScreenNotice::PageNotOpened,
    ScreenNotice::Checked,
    ScreenNotice::Replaced,
    ScreenNotice::InProgress,
    ScreenNotice::TooManyAttempts,
    ScreenNotice::MethodUnknown,
    ScreenNotice::NoWallet,
];

#[test]
fn only_screens_have_places_for_values_because_the_script_writes_notices_as_they_are() {
    for strings in Language::ALL.map(Strings::of) {
        for payment_type in [PaymentType::OneOff, PaymentType::SaveCard] {
            for status in PageStatus::ALL {
                let found = places(strings.screen(status, payment_type).text);
                let is_known = |name: &&str| ["amount", "merchant", "moment"].contains(name);
                assert!(found.iter().all(is_known), "{status:?} {found:?}");
            }
            for notice in NOTICES {
                assert_eq!(places(strings.notice(notice, payment_type).text), [""; 0], "{notice:?}");
            }
        }
    }
}

/// Every text of a file of this folder that has a place for the merchant's name.
fn naming_the_merchant(file: &str) -> impl Iterator<Item = &str> {
    file.split('"').filter(|text| text.contains("{merchant}"))
}

#[test]
fn no_arabic_verb_agrees_with_the_name_of_a_merchant() {
    const FILES: [&str; 6] = [
        include_str!("aftermath.rs"),
        include_str!("card.rs"),
        include_str!("consent.rs"),
        include_str!("guide.rs"),
        include_str!("message.rs"),
        include_str!("screens.rs"),
    ];
    // After a preposition a name is no subject, whatever its gender.
    const BEFORE: [&str; 8] = ["إلى", "لدى", "من", "مع", "لصالح", "طرف", "لـ", "جهة"];
    let is_arabic = |text: &&str| text.contains(|letter| ('\u{600}'..='\u{6ff}').contains(&letter));
    let mut seen = 0;
    for text in FILES.into_iter().flat_map(naming_the_merchant).filter(is_arabic) {
        let mut parts: Vec<&str> = text.split("{merchant}").collect();
        parts.pop();
        for part in parts {
            let before = part.trim_end().rsplit(' ').next().unwrap_or_default();
            assert!(BEFORE.contains(&before), "{before} {{merchant}}: {text}");
            seen += 1;
        }
    }
    assert!(seen > 30, "{seen}");
}

#[test]
fn no_text_about_an_open_outcome_says_that_nothing_was_charged() {
    for strings in Language::ALL.map(Strings::of) {
        let certain = strings.guide().not_charged.trim_end_matches('.');
        for status in PageStatus::ALL {
            let text = strings.screen(status, PaymentType::OneOff).text;
            assert!(!text.contains(certain), "the page decides: {status:?}");
        }
        for message in [
            strings.notice(ScreenNotice::PageNotOpened, PaymentType::OneOff),
            strings.notice(ScreenNotice::InProgress, PaymentType::OneOff),
            strings.notice(ScreenNotice::Replaced, PaymentType::OneOff),
            strings.notice.no_answer,
            strings.notice.offline,
        ] {
            assert!(!message.text.contains(certain), "{}", message.text);
        }
    }
}

#[test]
fn payers_read_british_english() {
    let strings = Strings::of(Language::En);
    for status in PageStatus::ALL {
        for payment_type in [PaymentType::OneOff, PaymentType::SaveCard] {
            let HeadedText { title, text } = strings.screen(status, payment_type);
            let words = format!("{title} {text}").to_lowercase();
            assert!(!words.contains("canceled") && !words.contains("authorized"), "{words}");
        }
    }
}

#[test]
fn where_a_card_is_only_saved_no_screen_speaks_of_paying() {
    let strings = Strings::of(Language::En);
    let screens = PageStatus::ALL;
    let notices = [
        ScreenNotice::Declined,
        ScreenNotice::Withdrawn,
        ScreenNotice::GatewayTrouble,
        ScreenNotice::Checked,
        ScreenNotice::InProgress,
    ];
    let messages = screens
        .map(|status| strings.screen(status, PaymentType::SaveCard))
        .into_iter()
        .chain(notices.map(|notice| strings.notice(notice, PaymentType::SaveCard)));
    for message in messages {
        let text = format!("{} {}", message.title, message.text).to_lowercase();
        assert!(!text.contains("pay"), "{text}");
    }
    for text in [strings.card.open_until, strings.card.on_phone].map(str::to_lowercase) {
        assert!(!text.contains("pay"), "{text}");
    }
}

#[test]
fn the_time_to_wait_is_never_shorter_than_it_is() {
    let words = |seconds| {
        Strings::of(Language::En)
            .notice(ScreenNotice::TooManyDeclines(PauseText::of(seconds)), PaymentType::OneOff)
    };
    for (seconds, wait) in [
        (0, "one minute"),
        (60, "one minute"),
        (61, "5 minutes"),
        (300, "5 minutes"),
        (301, "15 minutes"),
        (901, "half an hour"),
        (1_801, "one hour"),
        (3_600, "one hour"),
        (3_601, "6 hours"),
        (86_400, "24 hours"),
    ] {
        assert!(words(seconds).text.ends_with(&format!("{wait}.")), "{seconds}");
    }
}

#[test]
fn what_is_wrong_with_an_amount_names_amounts_that_are_right() {
    let most = money("150", "KWD");
    let choice = AmountChoice::up_to(most).unwrap();
    let said = |language, fault| Strings::of(language).amount_fault(fault, &choice);
    let malformed = ChoiceError::Amount(AmountError::Malformed);
    assert_eq!(said(Language::En, malformed), "Enter an amount, for example 150.000.");
    assert!(said(Language::Ar, malformed).ends_with(" 150.000."));
    assert_eq!(said(Language::En, ChoiceError::OutOfRange), "Enter an amount from KWD 0.010 to KWD 150.000.");
    assert!(said(Language::Ar, ChoiceError::OutOfRange).contains("من 0.010 د.ك إلى 150.000 د.ك"));
}
