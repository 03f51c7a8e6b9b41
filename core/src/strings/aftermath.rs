//! What the page says once the money of a payment moved again.

use super::HeadedText;
use crate::strings::screen::Aftermath;
use crate::words::ChildOperation;

/// The words of one language.
#[derive(Debug)]
pub struct AftermathWords {
    captured: HeadedText,
    partly_captured: HeadedText,
    rest_released: HeadedText,
    voided: HeadedText,
    refunded: HeadedText,
    refunded_except_fee: HeadedText,
    partly_refunded: HeadedText,
    refund_queued: HeadedText,
    capture: &'static str,
    void: &'static str,
    refund: &'static str,
    queued: &'static str,
    collected_in_total: &'static str,
    refunded_in_total: &'static str,
}

impl AftermathWords {
    /// The heading and the sentences of a screen.
    #[must_use]
    pub const fn screen(&self, aftermath: Aftermath) -> HeadedText {
        match aftermath {
            Aftermath::Captured => self.captured,
            Aftermath::PartlyCaptured => self.partly_captured,
            Aftermath::RestReleased => self.rest_released,
            Aftermath::Voided => self.voided,
            Aftermath::Refunded => self.refunded,
            Aftermath::RefundedExceptFee => self.refunded_except_fee,
            Aftermath::PartlyRefunded => self.partly_refunded,
            Aftermath::RefundQueued => self.refund_queued,
        }
    }

    /// The label of one movement of money.
    #[must_use]
    pub const fn label(&self, operation: ChildOperation, is_queued: bool) -> &'static str {
        match operation {
            ChildOperation::Capture => self.capture,
            ChildOperation::Void => self.void,
            ChildOperation::Refund if is_queued => self.queued,
            ChildOperation::Refund => self.refund,
        }
    }

    /// The label of the sum of several movements of one kind; a hold is released once.
    #[must_use]
    pub const fn sum_label(&self, operation: ChildOperation) -> &'static str {
        match operation {
            ChildOperation::Capture => self.collected_in_total,
            ChildOperation::Void => self.void,
            ChildOperation::Refund => self.refunded_in_total,
        }
    }

    pub(super) const ENGLISH: Self = Self {
        captured: HeadedText { title: "Payment collected", text: "{merchant} has taken the held amount." },
        partly_captured: HeadedText {
            title: "Payment partly collected",
            text: "{merchant} has taken {amount} of the {total} that was held.",
        },
        rest_released: HeadedText {
            title: "Payment partly collected",
            text: "{merchant} has taken {amount} of the {total} that was held. The rest was released.",
        },
        voided: HeadedText {
            title: "Reservation released",
            text: "{merchant} released the held amount. You haven't been charged.",
        },
        refunded: HeadedText {
            title: "Payment refunded",
            text: "{merchant} returned the money. Your bank may take a few days to show it.",
        },
        refunded_except_fee: HeadedText {
            title: "Payment refunded",
            text: "{merchant} returned {amount} of the {total} that you paid; the fee of {fee} is not returned. Your bank may take a few days to show it.",
        },
        partly_refunded: HeadedText {
            title: "Payment partly refunded",
            text: "{merchant} returned {amount} of the {total} that you paid. Your bank may take a few days to show it.",
        },
        refund_queued: HeadedText {
            title: "Refund on its way",
            text: "{merchant} asked for {amount} to be returned to you. The bank has yet to confirm it.",
        },
        capture: "Collected",
        void: "Released",
        refund: "Refunded",
        queued: "Refund on its way",
        collected_in_total: "Collected in total",
        refunded_in_total: "Refunded in total",
    };

    pub(super) const ARABIC: Self = Self {
        captured: HeadedText {
            title: "تم تحصيل المبلغ", text: "تم تحصيل المبلغ المحجوز لصالح {merchant}."
        },
        partly_captured: HeadedText {
            title: "تم تحصيل جزء من المبلغ",
            text: "تم تحصيل {amount} لصالح {merchant} من المبلغ المحجوز وقدره {total}.",
        },
        rest_released: HeadedText {
            title: "تم تحصيل جزء من المبلغ",
            text: "تم تحصيل {amount} لصالح {merchant} من المبلغ المحجوز وقدره {total}، وأُلغي حجز الباقي.",
        },
        voided: HeadedText {
            title: "تم إلغاء حجز المبلغ",
            text: "أُلغي حجز المبلغ لدى {merchant}، ولم يُخصم منك أي مبلغ.",
        },
        refunded: HeadedText {
            title: "تم رد المبلغ",
            text: "تم رد المبلغ إليك من {merchant}. قد يستغرق ظهوره في حسابك بضعة أيام.",
        },
        refunded_except_fee: HeadedText {
            title: "تم رد المبلغ",
            text: "تم رد {amount} إليك من {merchant} من أصل {total}؛ الرسوم البالغة {fee} لا تُرد. قد يستغرق ظهور المبلغ في حسابك بضعة أيام.",
        },
        partly_refunded: HeadedText {
            title: "تم رد جزء من المبلغ",
            text: "تم رد {amount} إليك من {merchant} من أصل {total}. قد يستغرق ظهور المبلغ في حسابك بضعة أيام.",
        },
        refund_queued: HeadedText {
            title: "رد المبلغ قيد التنفيذ",
            text: "طُلب رد {amount} إليك من {merchant}، وننتظر تأكيد البنك.",
        },
        capture: "المبلغ المحصّل",
        void: "المبلغ الملغى حجزه",
        refund: "المبلغ المردود",
        queued: "مبلغ قيد الرد",
        collected_in_total: "إجمالي المبلغ المحصّل",
        refunded_in_total: "إجمالي المبلغ المردود",
    };
}
