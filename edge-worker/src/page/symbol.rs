//! The marks of the screens, inline SVG so that they take the colour of their text. All are decoration.

use maud::{Markup, PreEscaped};

use checkout_core::strings::screen::{Aftermath, PageStatus};

macro_rules! symbol {
    ($paths:literal) => {
        PreEscaped(concat!(
            r#"<svg class="symbol" viewBox="0 0 24 24" aria-hidden="true">"#,
            $paths,
            "</svg>"
        ))
    };
}

type Symbol = PreEscaped<&'static str>;

/// A padlock.
pub(super) const LOCK: Symbol = symbol!(r#"<path d="M7 10V7.5a5 5 0 0 1 10 0V10M6 10h12v9.5H6z"/>"#);
/// An exclamation mark in a circle.
pub(super) const NOTICE: Symbol =
    symbol!(r#"<circle cx="12" cy="12" r="9"/><path d="M12 7.5v5.5M12 16.4v.1"/>"#);
const CHECK: Symbol = symbol!(r#"<path d="m5 12.8 4.6 4.6L19 7.6"/>"#);
const CROSS: Symbol = symbol!(r#"<path d="m7 7 10 10M17 7 7 17"/>"#);
const CLOCK: Symbol = symbol!(r#"<circle cx="12" cy="12" r="8.5"/><path d="M12 7v5.2l3.4 2"/>"#);
const BACK: Symbol = symbol!(r#"<path d="M9 7 5 11l4 4M5.5 11H14a4.5 4.5 0 0 1 0 9h-3"/>"#);
const BAR: Symbol = symbol!(r#"<path d="M6 12h12"/>"#);
/// A question mark.
pub(super) const QUESTION: Symbol =
    symbol!(r#"<path d="M8.6 8.9a3.5 3.5 0 1 1 5.2 3.1c-1.2.7-1.8 1.3-1.8 2.6M12 18v.1"/>"#);

/// The mark of a status, and the name of its colours in the style sheet.
pub(super) fn of(status: PageStatus, aftermath: Option<Aftermath>) -> (Markup, &'static str) {
    if let Some(
        Aftermath::Voided
        | Aftermath::Refunded
        | Aftermath::RefundedExceptFee
        | Aftermath::PartlyRefunded
        | Aftermath::RefundQueued,
    ) = aftermath
    {
        return (PreEscaped(BACK.0.to_owned()), "calm");
    }
    let (symbol, tone) = match status {
        PageStatus::Paid | PageStatus::Authorized | PageStatus::CashOnDelivery => (CHECK, "good"),
        PageStatus::Failed | PageStatus::Declined => (CROSS, "bad"),
        PageStatus::Expired | PageStatus::Late | PageStatus::Held => (CLOCK, "calm"),
        PageStatus::Canceled | PageStatus::Invalid | PageStatus::Paused => (BAR, "calm"),
        PageStatus::Payable | PageStatus::Pending => return (PreEscaped(String::new()), "wait"),
    };
    (PreEscaped(symbol.0.to_owned()), tone)
}
