//! What the page says if a card is only saved: nothing is paid, so no text mentions paying.

use super::HeadedText;
use super::screen::{ScreenNotice, Screens};

/// The texts that differ if a card is only saved.
#[derive(Debug)]
pub struct CardWords {
    /// Before the merchant, in the heading.
    pub save_for: &'static str,
    /// On the button.
    pub save: &'static str,
    /// Instead of the amount.
    pub no_charge: &'static str,
    /// From when the card can no longer be saved here.
    pub open_until: &'static str,
    /// The code that opens the page on a phone.
    pub on_phone: &'static str,
    declined: HeadedText,
    withdrawn: HeadedText,
    gateway_trouble: HeadedText,
    in_progress: HeadedText,
    not_chosen: HeadedText,
}

impl CardWords {
    /// The heading and the sentences of a notice, if they differ.
    pub(super) const fn notice(&self, notice: ScreenNotice) -> Option<HeadedText> {
        match notice {
            ScreenNotice::Declined => Some(self.declined),
            ScreenNotice::Withdrawn => Some(self.withdrawn),
            ScreenNotice::GatewayTrouble | ScreenNotice::PageNotOpened => Some(self.gateway_trouble),
            ScreenNotice::InProgress => Some(self.in_progress),
            ScreenNotice::Checked
            | ScreenNotice::Replaced
            | ScreenNotice::OtherTerms
            | ScreenNotice::PriceChanged
            | ScreenNotice::TooManyAttempts
            | ScreenNotice::TooManyDeclines(_)
            | ScreenNotice::MethodUnknown
            | ScreenNotice::NoWallet
            | ScreenNotice::CardLocked => None,
            ScreenNotice::NotChosen => Some(self.not_chosen),
        }
    }
}

pub(super) const ENGLISH: CardWords = CardWords {
    save_for: "Save a card with",
    save: "Save card",
    no_charge: "Nothing will be charged",
    open_until: "Save it by",
    on_phone: "Save it on your phone",
    declined: HeadedText {
        title: "The card was declined",
        text: "You haven't been charged. Try again, or use another card.",
    },
    withdrawn: HeadedText {
        title: "No card was saved",
        text: "You left the bank's page before confirming the card. Try again whenever you are ready.",
    },
    gateway_trouble: HeadedText {
        title: "The bank could not be reached",
        text: "You haven't been charged. Try again in a moment.",
    },
    in_progress: HeadedText {
        title: "A card is already being confirmed",
        text: "Please wait a moment until the bank has answered.",
    },
    not_chosen: HeadedText {
        title: "Nothing is chosen yet",
        text: "Choose how to add your card, then press the button again.",
    },
};

pub(super) const ENGLISH_SCREENS: Screens = Screens {
    payable: HeadedText { title: "Add a card", text: "" },
    pending: HeadedText {
        title: "Confirming your card",
        text: "We are waiting for the bank's answer; this page updates by itself. You can close it: {merchant} will see the outcome.",
    },
    late: HeadedText {
        title: "This is taking longer than usual",
        text: "The bank has not answered yet. You can close this page: {merchant} will see the outcome.",
    },
    held: HeadedText {
        title: "Your card is being checked",
        text: "The bank's answer needs a closer look by a person. You can close this page: {merchant} will see the outcome.",
    },
    paid: CONFIRMED,
    authorized: CONFIRMED,
    cash_on_delivery: CONFIRMED,
    failed: HeadedText { title: "The card could not be saved", text: "It cannot be tried again here." },
    expired: HeadedText {
        title: "This link has expired",
        text: "A card could be saved until {moment}. Ask {merchant} for a new link.",
    },
    canceled: HeadedText {
        title: "Cancelled by the merchant",
        text: "{merchant} no longer asks for a card here.",
    },
    invalid: HeadedText {
        title: "A card can no longer be saved here",
        text: "Ask {merchant} for a new link.",
    },
    paused: HeadedText {
        title: "No card can be saved right now",
        text: "{merchant} saves no cards at the moment. Please come back later; this page updates by itself.",
    },
};

/// A card is neither authorised nor paid for in cash.
const CONFIRMED: HeadedText =
    HeadedText { title: "Card saved", text: "{merchant} can use it for what you agreed to." };

pub(super) const ARABIC: CardWords = CardWords {
    save_for: "حفظ بطاقة لدى",
    save: "حفظ البطاقة",
    no_charge: "لن يُخصم أي مبلغ",
    open_until: "احفظها قبل",
    on_phone: "الحفظ من الهاتف",
    declined: HeadedText {
        title: "تم رفض البطاقة",
        text: "لم يُخصم منك أي مبلغ. يُرجى إعادة المحاولة أو استخدام بطاقة أخرى.",
    },
    withdrawn: HeadedText {
        title: "لم تُحفظ أي بطاقة",
        text: "غادرت صفحة البنك قبل تأكيد البطاقة. يمكنك إعادة المحاولة متى شئت.",
    },
    gateway_trouble: HeadedText {
        title: "تعذّر الوصول إلى البنك",
        text: "لم يُخصم منك أي مبلغ. يُرجى إعادة المحاولة بعد قليل.",
    },
    in_progress: HeadedText {
        title: "يجري تأكيد بطاقة الآن", text: "يُرجى الانتظار قليلًا حتى يرد البنك."
    },
    not_chosen: HeadedText {
        title: "لم يُحدَّد شيء بعد",
        text: "يُرجى اختيار طريقة إضافة البطاقة، ثم الضغط على الزر مرة أخرى.",
    },
};

pub(super) const ARABIC_SCREENS: Screens = Screens {
    payable: HeadedText { title: "أضف بطاقة", text: "" },
    pending: HeadedText {
        title: "جارٍ تأكيد بطاقتك",
        text: "ننتظر رد البنك، وتُحدَّث هذه الصفحة تلقائيًا. يمكنك إغلاقها: ستظهر النتيجة لدى {merchant}.",
    },
    late: HeadedText {
        title: "يستغرق الأمر وقتًا أطول من المعتاد",
        text: "لم يرد البنك بعد. يمكنك إغلاق هذه الصفحة: ستظهر النتيجة لدى {merchant}.",
    },
    held: HeadedText {
        title: "بطاقتك قيد المراجعة",
        text: "يحتاج رد البنك إلى مراجعة من أحد الموظفين. يمكنك إغلاق هذه الصفحة: ستظهر النتيجة لدى {merchant}.",
    },
    paid: ARABIC_CONFIRMED,
    authorized: ARABIC_CONFIRMED,
    cash_on_delivery: ARABIC_CONFIRMED,
    failed: HeadedText {
        title: "تعذّر حفظ البطاقة", text: "لا يمكن إعادة المحاولة هنا."
    },
    expired: HeadedText {
        title: "انتهت صلاحية هذا الرابط",
        text: "كان حفظ البطاقة ممكنًا حتى {moment}. يُرجى طلب رابط جديد من {merchant}.",
    },
    canceled: HeadedText {
        title: "أُلغي هذا الطلب", text: "لم تعد هناك حاجة إلى حفظ بطاقة لدى {merchant}."
    },
    invalid: HeadedText {
        title: "لم يعد حفظ البطاقة متاحًا هنا", text: "يُرجى طلب رابط جديد من {merchant}."
    },
    paused: HeadedText {
        title: "لا يمكن حفظ بطاقة الآن",
        text: "حفظ البطاقات لدى {merchant} متوقف في الوقت الحالي. يُرجى العودة لاحقًا؛ تُحدَّث هذه الصفحة تلقائيًا.",
    },
};

const ARABIC_CONFIRMED: HeadedText = HeadedText {
    title: "تم حفظ البطاقة",
    text: "تُستخدم لدى {merchant} وفق ما وافقت عليه.",
};
