use alloc::collections::BTreeSet;
use alloc::string::ToString as _;
use alloc::vec::Vec;
use core::mem::discriminant;

use super::{AT, OPEN_UNTIL, SCREEN_NAMES, Sample, Screen, screens};
use crate::strings::screen::{PageStatus, PauseText, ScreenNotice};
use crate::value::money::Currency;
use crate::words::Language;

#[test]
fn every_status_and_notice_has_a_screen_with_its_own_name() {
    let sample = Sample::demo(Language::Ar);
    let names: BTreeSet<_> = screens().iter().map(|screen| screen.name).collect();
    assert_eq!(names.len(), screens().len());
    for name in &names {
        assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{name}");
        assert_eq!(Screen::named(name).unwrap().name, *name);
    }
    let listed: Vec<_> = screens().iter().map(|screen| screen.name).collect();
    assert_eq!(listed, SCREEN_NAMES);
    assert!(Screen::named("payables").is_none());
    for status in PageStatus::ALL {
        let screen = Screen::named(status.as_str()).unwrap();
        assert_eq!(screen.page(&sample).status, status);
    }
    let shown: Vec<ScreenNotice> =
        screens().iter().filter_map(|screen| screen.page(&sample).notice).collect();
    let every = core::iter::successors(Some(ScreenNotice::Declined), |notice| after(*notice));
    for notice in every {
        let is_same = |other: &ScreenNotice| discriminant(other) == discriminant(&notice);
        assert!(shown.iter().any(is_same), "{notice:?} is on no screen");
    }
}

/// The notices in a row. Without an arm for a new one this does not compile.
const fn after(notice: ScreenNotice) -> Option<ScreenNotice> {
    Some(match notice {
        ScreenNotice::Declined => ScreenNotice::Withdrawn,
        ScreenNotice::Withdrawn => ScreenNotice::GatewayTrouble,
        ScreenNotice::GatewayTrouble => ScreenNotice::PageNotOpened,
        ScreenNotice::PageNotOpened => ScreenNotice::Checked,
        ScreenNotice::Checked => ScreenNotice::Replaced,
        ScreenNotice::Replaced => ScreenNotice::OtherTerms,
        ScreenNotice::OtherTerms => ScreenNotice::PriceChanged,
        ScreenNotice::PriceChanged => ScreenNotice::InProgress,
        ScreenNotice::InProgress => ScreenNotice::TooManyAttempts,
        ScreenNotice::TooManyAttempts => ScreenNotice::TooManyDeclines(PauseText::Minute),
        ScreenNotice::TooManyDeclines(_) => ScreenNotice::MethodUnknown,
        ScreenNotice::MethodUnknown => ScreenNotice::NoWallet,
        ScreenNotice::NoWallet => ScreenNotice::NotChosen,
        ScreenNotice::NotChosen => ScreenNotice::CardLocked,
        ScreenNotice::CardLocked => return None,
    })
}

#[test]
fn samples_are_in_their_language_and_currency() {
    for currency in ["KWD", "USD", "JPY", "UYW"].map(|code| Currency::parse(code).unwrap()) {
        let sample = Sample { currency, ..Sample::demo(Language::En) };
        for screen in screens() {
            let page = screen.page(&sample);
            assert_eq!(page.language, Language::En);
            assert_eq!(page.amount.currency(), currency, "{}", screen.name);
            assert!(page.methods.iter().all(|method| method.quote.total.currency() == currency));
        }
    }
    let amount = |code| {
        let sample = Sample { currency: Currency::parse(code).unwrap(), ..Sample::demo(Language::En) };
        sample.page(PageStatus::Payable).amount.to_string()
    };
    assert_eq!(["KWD", "USD", "JPY", "UYW"].map(amount), ["10.250", "10.25", "10", "10.2500"]);
}

#[test]
fn the_moments_of_samples_are_a_day_apart() {
    assert_eq!(AT.to_string(), "2026-11-21T10:15:00Z");
    assert_eq!(OPEN_UNTIL.since(AT).as_secs(), 86_400);
}
