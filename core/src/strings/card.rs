//! What the page says if a card is only saved: nothing is paid, so no text mentions paying.

use super::Message;
use crate::strings::screen::{Notice, PageStatus};

/// The texts that differ if a card is only saved.
#[derive(Debug)]
pub struct CardWords {
    /// Before the merchant, in the heading.
    pub save_for: &'static str,
    /// On the button.
    pub save: &'static str,
    /// Instead of the amount.
    pub no_charge: &'static str,
    payable: Message,
    pending: Message,
    paid: Message,
    failed: Message,
    expired: Message,
    canceled: Message,
    invalid: Message,
    paused: Message,
    declined: Message,
    withdrawn: Message,
    gateway_trouble: Message,
    in_progress: Message,
    not_chosen: Message,
}

impl CardWords {
    /// The heading and the sentences of a screen. A card is neither authorized nor paid for in cash.
    pub(super) const fn screen(&self, status: PageStatus) -> Message {
        match status {
            PageStatus::Payable | PageStatus::Declined => self.payable,
            PageStatus::Pending => self.pending,
            PageStatus::Paid | PageStatus::Authorized | PageStatus::CashOnDelivery => self.paid,
            PageStatus::Failed => self.failed,
            PageStatus::Expired => self.expired,
            PageStatus::Canceled => self.canceled,
            PageStatus::Invalid => self.invalid,
            PageStatus::Paused => self.paused,
        }
    }

    /// The heading and the sentences of a notice, if they differ.
    pub(super) const fn notice(&self, notice: Notice) -> Option<Message> {
        match notice {
            Notice::Declined => Some(self.declined),
            Notice::Withdrawn => Some(self.withdrawn),
            Notice::GatewayTrouble | Notice::PageNotOpened => Some(self.gateway_trouble),
            Notice::InProgress => Some(self.in_progress),
            Notice::TooManyAttempts
            | Notice::TooManyDeclines(_)
            | Notice::MethodUnknown
            | Notice::CardLocked => None,
            Notice::NotChosen => Some(self.not_chosen),
        }
    }
}

pub(super) const ENGLISH: CardWords = CardWords {
    save_for: "Save a card for",
    save: "Save card",
    no_charge: "Nothing will be charged",
    payable: Message {
        title: "Choose where to save your card",
        text: "You enter it on the page of your bank or card.",
    },
    pending: Message {
        title: "Confirming your card",
        text: "We are waiting for the bank's answer. This page updates by itself.",
    },
    paid: Message {
        title: "Card confirmed",
        text: "Nothing was charged. Keep the reference number for your records.",
    },
    failed: Message {
        title: "The card could not be saved",
        text: "Nothing was charged. Please contact the merchant to try again.",
    },
    expired: Message {
        title: "This page has expired",
        text: "The time to save a card is over. Please ask the merchant for a new link.",
    },
    canceled: Message {
        title: "Canceled by the merchant",
        text: "No card can be saved here any more, and nothing was charged.",
    },
    invalid: Message {
        title: "A card can no longer be saved here",
        text: "The settings of the merchant changed. Please ask the merchant for a new link.",
    },
    paused: Message {
        title: "No card can be saved right now",
        text: "The merchant saves no cards at the moment, and nothing was charged. Please come back later.",
    },
    declined: Message {
        title: "The card was declined",
        text: "Nothing was charged. Try again, or use another card.",
    },
    withdrawn: Message {
        title: "No card was saved",
        text: "You left the bank's page before confirming the card. You can try again whenever you are ready.",
    },
    gateway_trouble: Message {
        title: "The bank could not be reached",
        text: "Nothing was charged. Try again in a moment.",
    },
    in_progress: Message {
        title: "A card is already being confirmed",
        text: "Wait a moment until the bank has answered, then try again.",
    },
    not_chosen: Message {
        title: "Nothing is chosen yet",
        text: "Choose where to save your card, then press the button again.",
    },
};

pub(super) const ARABIC: CardWords = CardWords {
    save_for: "حفظ بطاقة لدى",
    save: "احفظ البطاقة",
    no_charge: "لن يُخصم أي مبلغ",
    payable: Message {
        title: "اختر أين تحفظ بطاقتك", text: "تُدخل بياناتها على صفحة البنك أو البطاقة."
    },
    pending: Message {
        title: "جارٍ تأكيد بطاقتك", text: "ننتظر رد البنك. تُحدَّث هذه الصفحة تلقائيًا."
    },
    paid: Message {
        title: "تم تأكيد البطاقة", text: "لم يُخصم أي مبلغ. يُرجى الاحتفاظ بالرقم المرجعي."
    },
    failed: Message {
        title: "تعذّر حفظ البطاقة",
        text: "لم يُخصم أي مبلغ. يُرجى التواصل مع المتجر للمحاولة مرة أخرى.",
    },
    expired: Message {
        title: "انتهت صلاحية هذه الصفحة",
        text: "انتهى الوقت المحدد لحفظ البطاقة. يُرجى طلب رابط جديد من المتجر.",
    },
    canceled: Message {
        title: "ألغى المتجر هذا الطلب",
        text: "لا يمكن حفظ بطاقة هنا بعد الآن، ولم يُخصم أي مبلغ.",
    },
    invalid: Message {
        title: "لم يعد حفظ البطاقة متاحًا هنا",
        text: "تغيّرت إعدادات المتجر. يُرجى طلب رابط جديد من المتجر.",
    },
    paused: Message {
        title: "لا يمكن حفظ بطاقة الآن",
        text: "لا يحفظ المتجر البطاقات في الوقت الحالي، ولم يُخصم أي مبلغ. يُرجى العودة لاحقًا.",
    },
    declined: Message {
        title: "تم رفض البطاقة",
        text: "لم يُخصم أي مبلغ. حاول مرة أخرى أو استخدم بطاقة أخرى.",
    },
    withdrawn: Message {
        title: "لم تُحفظ أي بطاقة",
        text: "غادرت صفحة البنك قبل تأكيد البطاقة. يمكنك المحاولة مرة أخرى متى شئت.",
    },
    gateway_trouble: Message {
        title: "تعذّر الوصول إلى البنك",
        text: "لم يُخصم أي مبلغ. حاول مرة أخرى بعد قليل.",
    },
    in_progress: Message {
        title: "يجري تأكيد بطاقة الآن",
        text: "انتظر قليلًا حتى يرد البنك ثم حاول مرة أخرى.",
    },
    not_chosen: Message {
        title: "لم يُحدَّد شيء بعد",
        text: "يُرجى اختيار مكان حفظ البطاقة، ثم الضغط على الزر مرة أخرى.",
    },
};
