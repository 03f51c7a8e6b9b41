//! What messages to payers say by e-mail, SMS and `WhatsApp`. A sentence has places for `{merchant}`, `{amount}`
//! and `{until}`.

use super::HeadedText;
use crate::words::message::MessageOccasion;

/// The words of one language.
#[derive(Debug)]
pub struct MessageWords {
    created: HeadedText,
    card_asked: HeadedText,
    paid: HeadedText,
    card_saved: HeadedText,
    canceled: HeadedText,
    failed: HeadedText,
    expired: HeadedText,
    authorized: HeadedText,
    voided: HeadedText,
    refunded: HeadedText,
    captured: HeadedText,
    /// On the button of a request.
    pub pay: &'static str,
    /// On the button of a request to save a card.
    pub save: &'static str,
    /// On the button after a payment.
    pub receipt: &'static str,
    /// On the button when the payment can be tried once more.
    pub try_again: &'static str,
    /// On the button otherwise.
    pub open: &'static str,
    /// Until when a request can be paid.
    pub until: &'static str,
    /// Under a button that a mail program may not show.
    pub address: &'static str,
    /// How to reach the merchant.
    pub questions: &'static str,
    /// At the end of an e-mail: why it came.
    pub reason: &'static str,
    /// No money moved.
    pub test_mode: &'static str,
}

impl MessageWords {
    /// The heading and the sentence about an occasion; `is_free` if only a card is saved.
    #[must_use]
    pub const fn about(&self, occasion: MessageOccasion, is_free: bool) -> HeadedText {
        match (occasion, is_free) {
            (MessageOccasion::Created, false) => self.created,
            (MessageOccasion::Created, true) => self.card_asked,
            (MessageOccasion::Paid | MessageOccasion::Authorized, true) => self.card_saved,
            (MessageOccasion::Paid, false) => self.paid,
            (MessageOccasion::Authorized, false) => self.authorized,
            (MessageOccasion::Canceled, _) => self.canceled,
            (MessageOccasion::Failed, _) => self.failed,
            (MessageOccasion::Expired, _) => self.expired,
            (MessageOccasion::Voided, _) => self.voided,
            (MessageOccasion::Refunded, _) => self.refunded,
            (MessageOccasion::Captured, _) => self.captured,
        }
    }

    pub(super) const ENGLISH: Self = Self {
        created: HeadedText { title: "Payment request", text: "{merchant} asks you to pay {amount}." },
        card_asked: HeadedText {
            title: "Save your card",
            text: "{merchant} asks you to save a card. You will not be charged for saving it.",
        },
        paid: HeadedText {
            title: "Payment received",
            text: "{merchant} has received your payment of {amount}. Thank you.",
        },
        card_saved: HeadedText {
            title: "Card saved",
            text: "{merchant} has saved your card. You have not been charged.",
        },
        canceled: HeadedText {
            title: "Payment cancelled",
            text: "The payment of {amount} to {merchant} was cancelled.",
        },
        failed: HeadedText {
            title: "Payment not completed",
            text: "The payment of {amount} to {merchant} was not completed. You have not been charged.",
        },
        expired: HeadedText {
            title: "Payment link expired",
            text: "The link to pay {amount} to {merchant} has expired. To pay, ask for a new one.",
        },
        authorized: HeadedText {
            title: "Amount reserved",
            text: "{amount} is reserved for {merchant}. It has not been charged yet.",
        },
        voided: HeadedText {
            title: "Reservation released",
            text: "{merchant} has released {amount} that was reserved. You have not been charged for it.",
        },
        refunded: HeadedText {
            title: "Refund on its way",
            text: "{merchant} has refunded {amount}. Your bank may take a few days to show it.",
        },
        captured: HeadedText {
            title: "Payment collected",
            text: "{merchant} has taken {amount} of the reserved amount.",
        },
        pay: "Review and pay",
        save: "Save the card",
        receipt: "View receipt",
        try_again: "Try again",
        open: "View details",
        until: "Pay by",
        address: "If the button does not work, open this address:",
        questions: "Questions? Contact {merchant}:",
        reason: "You receive this because of a payment to {merchant}.",
        test_mode: "Test mode: no money was taken.",
    };

    pub(super) const ARABIC: Self = Self {
        created: HeadedText { title: "طلب دفع", text: "طلب دفع {amount} من {merchant}." },
        card_asked: HeadedText {
            title: "حفظ بطاقتك",
            text: "طلب حفظ بطاقة من {merchant}. لن يُخصم أي مبلغ مقابل حفظها.",
        },
        paid: HeadedText {
            title: "تم استلام الدفعة",
            text: "وصلت دفعتك بمبلغ {amount} إلى {merchant}. شكرًا لك.",
        },
        card_saved: HeadedText {
            title: "تم حفظ البطاقة",
            text: "تم حفظ بطاقتك لدى {merchant}. لم يُخصم أي مبلغ.",
        },
        canceled: HeadedText {
            title: "أُلغيت الدفعة", text: "أُلغي دفع {amount} إلى {merchant}."
        },
        failed: HeadedText {
            title: "لم تكتمل الدفعة",
            text: "لم يكتمل دفع {amount} إلى {merchant}. لم يُخصم أي مبلغ.",
        },
        expired: HeadedText {
            title: "انتهت صلاحية رابط الدفع",
            text: "انتهى وقت دفع {amount} إلى {merchant}. للدفع يُرجى طلب رابط جديد.",
        },
        authorized: HeadedText {
            title: "تم حجز المبلغ",
            text: "تم حجز {amount} لصالح {merchant}. لم يُخصم المبلغ بعد.",
        },
        voided: HeadedText {
            title: "أُلغي حجز المبلغ",
            text: "أُلغي حجز {amount} من طرف {merchant}. لم يُخصم هذا المبلغ.",
        },
        refunded: HeadedText {
            title: "المبلغ المسترد في الطريق إليك",
            text: "رُدّ إليك {amount} من {merchant}. قد يستغرق ظهوره لدى بنكك أيامًا.",
        },
        captured: HeadedText {
            title: "تم تحصيل الدفعة",
            text: "تم تحصيل {amount} من المبلغ المحجوز لصالح {merchant}.",
        },
        pay: "المراجعة والدفع",
        save: "حفظ البطاقة",
        receipt: "عرض الإيصال",
        try_again: "حاول مرة أخرى",
        open: "عرض التفاصيل",
        until: "ادفع قبل",
        address: "إذا لم يعمل الزر فافتح هذا العنوان:",
        questions: "للاستفسار يُرجى التواصل مع {merchant}:",
        reason: "وصلتك هذه الرسالة بسبب دفعة إلى {merchant}.",
        test_mode: "وضع الاختبار: لم يُخصم أي مبلغ.",
    };
}
