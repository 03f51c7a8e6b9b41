//! The words of the other way to pay that is offered after a soft decline.

use crate::strings::Strings;
use crate::words::Language;

/// The words of one language.
#[derive(Debug)]
pub struct NextWords {
    /// The bank did not say why it declined.
    pub not_approved: &'static str,
    /// Before the button: another method.
    pub other: &'static str,
    /// Before the button: the same method through another gateway.
    pub same: &'static str,
}

impl NextWords {
    const ENGLISH: Self = Self {
        not_approved: "Your bank did not approve this payment.",
        other: "You can try {method} instead.",
        same: "You can try {method} again: it is sent another way.",
    };

    const ARABIC: Self = Self {
        not_approved: "لم يوافق البنك على هذه الدفعة.",
        other: "يمكنك تجربة {method} بدلًا من ذلك.",
        same: "يمكنك المحاولة عبر {method} مجددًا: تُرسل الدفعة من طريق آخر.",
    };
}

impl Strings {
    /// The words of the other way to pay.
    #[must_use]
    pub const fn next(&self) -> &'static NextWords {
        match self.language {
            Language::En => &NextWords::ENGLISH,
            Language::Ar => &NextWords::ARABIC,
        }
    }
}
