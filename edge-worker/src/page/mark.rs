//! The marks of networks and wallets, in the proportions and colours of their owners and never recoloured, on a
//! white plate of their own, so that they look the same on a dark background; and neutral pictures in the colours of
//! the page. All are decoration next to a name.

use checkout_core::checkout::page::PageMethod;
use checkout_core::gateway::icon::Icon;
use checkout_core::gateway::mark::Mark;
use checkout_core::strings::WayWords;
use checkout_core::words::Wallet;
use maud::{Markup, PreEscaped, html};

/// The letters "Pay", in a box of 40 by 26.
const PAY: &str = r#"<path fill="none" stroke="currentColor" stroke-width="1.7" d="M18.4 18.3V8.7h3a2.7 2.7 0 0 1 0 5.5h-3m11.3-1.9v6m0-3a2.3 2.9 0 1 1 0-.1zM31.4 12.3l2.5 5.9m2.6-5.9-3.2 8.1q-.6 1.4-1.9 1.2"/>"#;
const APPLE: &str = r#"<path fill="currentColor" d="M13 13.6c0-1.7 1.4-2.5 1.5-2.6-.8-1.2-2.1-1.4-2.5-1.4-1.1-.1-2.1.6-2.6.6-.6 0-1.4-.6-2.3-.6-1.2 0-2.3.7-2.9 1.7-1.2 2.1-.3 5.3.9 7 .6.8 1.3 1.8 2.2 1.8s1.2-.6 2.3-.6 1.4.6 2.3.6 1.5-.9 2.1-1.7c.7-1 .9-1.9.9-2 0 0-1.9-.7-1.9-2.8zm-1.8-5.1c.5-.6.8-1.4.7-2.2-.7 0-1.6.5-2.1 1.1-.4.5-.8 1.3-.7 2.1.8.1 1.6-.4 2.1-1z"/>"#;
const GOOGLE: &str = r##"<g fill="none" stroke-width="2.1"><path stroke="#ea4335" d="M13.4 9.6a4.7 4.7 0 0 0-7.2 1.2"/><path stroke="#fbbc04" d="M6.2 10.8a4.7 4.7 0 0 0 0 4.4"/><path stroke="#34a853" d="M6.2 15.2a4.7 4.7 0 0 0 7.1 1.3"/><path stroke="#4285f4" d="M13.3 16.5a4.7 4.7 0 0 0 1.6-3.5h-4.7"/></g>"##;

/// The name of the symbol of a mark, and its drawing without the plate.
const fn drawing(mark: Mark) -> (&'static str, &'static str) {
    match mark {
        Mark::Knet => (
            "knet",
            r##"<rect width="40" height="26" rx="4" fill="#0b5cab"/><path fill="none" stroke="#fff" stroke-width="2" d="M8 6.5v9.5M13 6.5l-5 5.2m1.8-1.6 3.7 5.9M16 16V6.5l5 9.5V6.5m7.4 1h-4v7.5h4m-4-3.8h3.4m2-3.7h5.6M32.6 7v9"/><path fill="#fbb814" d="M7.5 18.8h25v2.4h-25z"/>"##,
        ),
        Mark::Benefit => (
            "benefit",
            r##"<rect width="40" height="26" rx="4" fill="#d7182a"/><path fill="none" stroke="#fff" stroke-width="2.6" d="M16.3 5v13.6m0-3.8a4 4.2 0 1 1 0 .2z"/>"##,
        ),
        Mark::Mada => (
            "mada",
            r##"<path fill="#259bd6" d="M5 8h11.5v4.2H5z"/><path fill="#84b740" d="M5 13.6h11.5v4.2H5z"/><path fill="none" stroke="#27292d" stroke-width="1.4" d="M19 17.5v-4.7m0 1.5c.3-1.9 2.5-1.9 2.5.1v3.1m0-3.1c.3-2 2.5-2 2.5.1v3.1m5.2-4.7v4.7m0-2.2a1.6 2 0 1 1 0-.1zm4-5.3v7.5m0-2.2a1.6 2 0 1 1 0-.1zm4-2.4v4.7m0-2.2a1.6 2 0 1 1 0-.1z"/>"##,
        ),
        Mark::Visa => (
            "visa",
            r##"<path fill="none" stroke="#1434cb" stroke-width="2.5" d="m7.6 8.6 1.6 8 5-8.6m4 .2-2 9.6m9.2-8.4c-1.7-.9-4.6-.7-4.8 1-.2 2 4.1 1.8 3.7 4.2-.3 2-3.5 2.3-5.4 1.1m6.3 2 5.8-9.2 1.8 9.2m-5.3-2.8h4.6"/>"##,
        ),
        Mark::Mastercard => (
            "mastercard",
            r##"<circle cx="15.7" cy="13" r="7.5" fill="#eb001b"/><circle cx="24.3" cy="13" r="7.5" fill="#f79e1b"/><path fill="#ff5f00" d="M20 6.86a7.5 7.5 0 0 1 0 12.28 7.5 7.5 0 0 1 0-12.28z"/>"##,
        ),
        Mark::Amex => (
            "amex",
            r##"<rect width="40" height="26" rx="4" fill="#006fcf"/><path fill="none" stroke="#fff" stroke-width="1.9" d="m5 17.5 3.4-9 3.4 9m-5.5-3h4.2m3 3v-9l3.6 5 3.6-5v9m8.2-8.1h-4.9v7.1h4.9m-4.9-3.5h4.3m2.2-4.5 5.6 9m0-9-5.6 9"/>"##,
        ),
        Mark::ApplePay => ("apple", APPLE),
        Mark::GooglePay => ("google", GOOGLE),
        Mark::Neutral(Icon::Card) => {
            ("card", r#"<path fill="currentColor" d="M1 7h38v4.5H1z"/><path d="M6 17h9M6 20.5h5M29 19h5"/>"#)
        }
        Mark::Neutral(Icon::Bank) => (
            "bank",
            r#"<path fill="currentColor" stroke="none" d="M20 4.5l9 4.6v1.6H11V9.1zM12.6 12h2.4v6h-2.4zm6.2 0h2.4v6h-2.4zm6.2 0h2.4v6H25zM11 19.2h18v2.3H11z"/>"#,
        ),
        Mark::Neutral(Icon::Wallet) => (
            "wallet",
            r#"<path d="M11.5 8.5h17A1.5 1.5 0 0 1 30 10v9a1.5 1.5 0 0 1-1.5 1.5h-17A1.5 1.5 0 0 1 10 19V7.4a1.9 1.9 0 0 1 1.9-1.9H26v3m0 5.8v.4"/>"#,
        ),
        Mark::Neutral(Icon::Cash) => {
            ("cash", r#"<circle cx="20" cy="13" r="5.5"/><path d="M8 12.9v.2m24-.2v.2"/>"#)
        }
    }
}

/// The mark of a method. A network's is a file, which browsers keep.
pub(super) fn draw(method: &PageMethod) -> Markup {
    html! {
        @if let Some(address) = method.mark.address("") {
            img .emblem src=(address) alt="";
        } @else {
            svg .emblem .neutral viewBox="0 0 40 26" aria-hidden="true" { (picture(method.mark)) }
        }
    }
}

/// A mark by itself, for a page that shows it once.
pub(super) fn alone(mark: Mark) -> Markup {
    html! { svg .emblem viewBox="0 0 40 26" aria-hidden="true" { (picture(mark)) } }
}

fn picture(mark: Mark) -> Markup {
    html! {
        (PreEscaped(drawing(mark).1))
        @if matches!(mark, Mark::ApplePay | Mark::GooglePay) { (PreEscaped(PAY)) }
    }
}

/// The mark on the button of a wallet, as its owner publishes it for a black and for a white button. It is a file, which a
/// browser fetches only if it may have the wallet.
pub(super) fn of_wallet(wallet: Wallet) -> Markup {
    let (width, height) = match wallet {
        Wallet::ApplePay => ("48", "26"),
        Wallet::GooglePay => ("60", "24"),
    };
    let path = format!("/icons/marks/{}", wallet.as_str());
    html! {
        picture {
            source media="(prefers-color-scheme:dark)" srcset={ (path) "-on-light.svg" };
            img src={ (path) ".svg" } alt=(WayWords::name(wallet)) lang="en" dir="ltr" width=(width) height=(height) loading="lazy";
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The API names pictures of the marks, which are files.
    #[test]
    fn the_pictures_that_are_served_are_those_of_the_page() {
        for (mark, file) in [
            (Mark::Knet, include_str!("../../../www/icons/marks/knet.svg")),
            (Mark::Benefit, include_str!("../../../www/icons/marks/benefit.svg")),
            (Mark::Mada, include_str!("../../../www/icons/marks/mada.svg")),
            (Mark::Visa, include_str!("../../../www/icons/marks/visa.svg")),
            (Mark::Mastercard, include_str!("../../../www/icons/marks/mastercard.svg")),
            (Mark::Amex, include_str!("../../../www/icons/marks/amex.svg")),
        ] {
            let (name, paths) = drawing(mark);
            assert_eq!(mark.file(), Some(name));
            let plate = r##"<rect width="40" height="26" rx="4" fill="#fff"/>"##;
            let start = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 26">"#;
            assert_eq!(file.trim_end(), format!("{start}{plate}{paths}</svg>"));
        }
    }
}
