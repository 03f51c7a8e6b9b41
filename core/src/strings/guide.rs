//! What a payer can do next, and the other words that only the server renders.

use alloc::format;
use alloc::string::String;

use super::HeadedText;
use super::screen::ScreenNotice;
use crate::value::time::Local;
use crate::words::Language;

/// The words of one language.
#[derive(Debug)]
pub struct GuideWords {
    /// Nothing is found at the address.
    pub not_found: HeadedText,
    /// The address takes no such request.
    pub wrong_method: HeadedText,
    /// Too many requests came.
    pub too_many_requests: HeadedText,
    /// The service cannot answer now.
    pub unavailable: HeadedText,
    /// The bank asks for the payer, and the words of the button that leads there.
    pub forward: (HeadedText, &'static str),
    /// The answer to the first question of a payer whose payment did not succeed. Only where it is certain.
    pub not_charged: &'static str,
    /// The heading of the details of an attempt that was declined.
    pub attempt: &'static str,
    /// The heading of what the bank calls the payment.
    pub bank_details: &'static str,
    /// What a bank answered, yes or no, in a language that is not the bank's.
    results: Option<[&'static str; 2]>,
    /// What a notice says where there is no other way to pay.
    only_way: [(ScreenNotice, &'static str); 3],
    /// Nothing is left to do.
    pub close_page: &'static str,
    /// The payer can ask the merchant, who is not known to be reachable here.
    pub ask_merchant: &'static str,
    /// Before the addresses of the merchant.
    pub contact: &'static str,
    /// The same, with messages that ask for a new link.
    pub ask_new_link: &'static str,
    /// The text of that message, before the order number.
    pub new_link_message: &'static str,
    /// The merchant's phone.
    pub phone: &'static str,
    /// The merchant's mailbox.
    pub email: &'static str,
}

impl GuideWords {
    /// What to do about a notice where there is no other way to pay; `None` if the usual words fit.
    #[must_use]
    pub fn of_only_way(&self, notice: ScreenNotice) -> Option<&'static str> {
        self.only_way.iter().find(|(known, _)| *known == notice).map(|(_, text)| *text)
    }

    /// What a bank answered; `None` if its own word is in this language.
    #[must_use]
    pub fn result(&self, is_success: bool) -> Option<&'static str> {
        self.results.map(|[approved, refused]| if is_success { approved } else { refused })
    }

    pub(super) const ENGLISH: Self = Self {
        not_found: HeadedText {
            title: "Payment not found",
            text: "This link is incomplete or no longer valid. Open it again from the message of the shop, or ask the shop for a new one.",
        },
        wrong_method: HeadedText {
            title: "This page cannot be opened like this",
            text: "Open the payment link again from the message of the shop.",
        },
        too_many_requests: HeadedText {
            title: "Too many requests",
            text: "Please wait a minute, then load this page again.",
        },
        unavailable: HeadedText {
            title: "This page is not available right now",
            text: "Please wait a moment, then open your payment link again: it shows what happened. You won't be charged twice.",
        },
        forward: (
            HeadedText {
                title: "Confirm with your bank",
                text: "Your bank asks you to confirm the payment.",
            },
            "Continue to your bank",
        ),
        not_charged: "You haven't been charged.",
        attempt: "Details of this attempt",
        bank_details: "The bank's references",
        results: None,
        only_way: [
            (ScreenNotice::Declined, "You haven't been charged. Try again, or use another card."),
            (ScreenNotice::GatewayTrouble, "You haven't been charged. Try again in a moment."),
            (ScreenNotice::PageNotOpened, "Try again in a moment."),
        ],
        close_page: "You can close this page.",
        ask_merchant: "Reply to the message in which {merchant} sent you this link.",
        contact: "Contact {merchant}",
        ask_new_link: "Ask {merchant} for a new link",
        new_link_message: "Hello, please send me a new payment link for my order",
        phone: "Call",
        email: "E-mail",
    };

    pub(super) const ARABIC: Self = Self {
        not_found: HeadedText {
            title: "لم يتم العثور على عملية الدفع",
            text: "هذا الرابط غير مكتمل أو لم يعد صالحًا. يُرجى فتحه مجددًا من رسالة المتجر أو طلب رابط جديد.",
        },
        wrong_method: HeadedText {
            title: "لا يمكن فتح هذه الصفحة بهذه الطريقة",
            text: "يُرجى فتح رابط الدفع مجددًا من رسالة المتجر.",
        },
        too_many_requests: HeadedText {
            title: "طلبات كثيرة",
            text: "يُرجى الانتظار دقيقة ثم تحميل هذه الصفحة مجددًا.",
        },
        unavailable: HeadedText {
            title: "هذه الصفحة غير متاحة الآن",
            text: "يُرجى الانتظار قليلًا ثم فتح رابط الدفع مجددًا: فهو يُظهر ما حدث. لن يُخصم المبلغ مرتين.",
        },
        forward: (
            HeadedText {
                title: "تأكيد الدفع لدى البنك", text: "يطلب البنك منك تأكيد عملية الدفع."
            },
            "المتابعة إلى البنك",
        ),
        not_charged: "لم يُخصم منك أي مبلغ.",
        attempt: "تفاصيل هذه المحاولة",
        bank_details: "مراجع البنك",
        results: Some(["مقبولة", "غير مقبولة"]),
        only_way: [
            (ScreenNotice::Declined, "لم يُخصم منك أي مبلغ. يُرجى إعادة المحاولة أو استخدام بطاقة أخرى."),
            (ScreenNotice::GatewayTrouble, "لم يُخصم منك أي مبلغ. يُرجى إعادة المحاولة بعد قليل."),
            (ScreenNotice::PageNotOpened, "يُرجى إعادة المحاولة بعد قليل."),
        ],
        close_page: "يمكنك إغلاق هذه الصفحة.",
        ask_merchant: "يُرجى الرد على الرسالة التي وصلك فيها هذا الرابط من {merchant}.",
        contact: "التواصل مع {merchant}",
        ask_new_link: "طلب رابط جديد من {merchant}",
        new_link_message: "مرحبًا، أرجو إرسال رابط دفع جديد لطلبي رقم",
        phone: "اتصال",
        email: "البريد الإلكتروني",
    };
}

const ENGLISH_MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const ARABIC_MONTHS: [&str; 12] = [
    "يناير",
    "فبراير",
    "مارس",
    "أبريل",
    "مايو",
    "يونيو",
    "يوليو",
    "أغسطس",
    "سبتمبر",
    "أكتوبر",
    "نوفمبر",
    "ديسمبر",
];

/// A moment, to the minute, and the zone of its clock.
pub(super) fn moment(language: Language, moment: Local) -> String {
    let text = moment.text();
    let time = text.get(11..16).unwrap_or_default();
    let zone = moment.offset();
    let (comma, zone) = match language {
        Language::En => (",", zone),
        Language::Ar if moment.ahead == 0 => ("،", "بالتوقيت العالمي".into()),
        Language::Ar => ("،", ["بتوقيت ", &zone].concat()),
    };
    format!("{}{comma} {time} {zone}", day(language, &text))
}

/// A day that begins with `YYYY-MM-DD`, for a payer to read: `21 November 2026`.
pub(super) fn day(language: Language, date: &str) -> String {
    let part = |from: usize, to: usize| date.get(from..to).unwrap_or_default();
    let months = match language {
        Language::En => &ENGLISH_MONTHS,
        Language::Ar => &ARABIC_MONTHS,
    };
    let month = part(5, 7).parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let month = month.and_then(|index| months.get(index)).copied().unwrap_or_default();
    format!("{} {month} {}", part(8, 10).trim_start_matches('0'), part(0, 4))
}
