//! What the page says once the money of a payment moved again.

use super::Message;
use crate::strings::screen::Aftermath;
use crate::words::ChildOperation;

/// The words of one language.
#[derive(Debug)]
pub struct AftermathWords {
    captured: Message,
    partly_captured: Message,
    rest_released: Message,
    voided: Message,
    refunded: Message,
    partly_refunded: Message,
    refund_queued: Message,
    capture: &'static str,
    void: &'static str,
    refund: &'static str,
    queued: &'static str,
}

impl AftermathWords {
    /// The heading and the sentences of a screen.
    #[must_use]
    pub const fn screen(&self, aftermath: Aftermath) -> Message {
        match aftermath {
            Aftermath::Captured => self.captured,
            Aftermath::PartlyCaptured => self.partly_captured,
            Aftermath::RestReleased => self.rest_released,
            Aftermath::Voided => self.voided,
            Aftermath::Refunded => self.refunded,
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

    pub(super) const ENGLISH: Self = Self {
        captured: Message { title: "Payment collected", text: "{merchant} has taken the held amount." },
        partly_captured: Message {
            title: "Payment partly collected",
            text: "{merchant} has taken a part of the held amount.",
        },
        rest_released: Message {
            title: "Payment partly collected",
            text: "{merchant} has taken a part of the held amount. The rest was released.",
        },
        voided: Message {
            title: "Reservation released",
            text: "{merchant} released the held amount. You haven't been charged.",
        },
        refunded: Message {
            title: "Payment refunded",
            text: "{merchant} returned the money. Your bank may take a few days to show it.",
        },
        partly_refunded: Message {
            title: "Payment partly refunded",
            text: "{merchant} returned a part of the money. Your bank may take a few days to show it.",
        },
        refund_queued: Message {
            title: "Refund on its way",
            text: "{merchant} asked for money to be returned to you. The bank has yet to confirm it.",
        },
        capture: "Collected",
        void: "Released",
        refund: "Refunded",
        queued: "Refund on its way",
    };

    pub(super) const ARABIC: Self = Self {
        captured: Message {
            title: "تم تحصيل المبلغ", text: "حصّل {merchant} المبلغ المحجوز."
        },
        partly_captured: Message {
            title: "تم تحصيل جزء من المبلغ",
            text: "حصّل {merchant} جزءًا من المبلغ المحجوز.",
        },
        rest_released: Message {
            title: "تم تحصيل جزء من المبلغ",
            text: "حصّل {merchant} جزءًا من المبلغ المحجوز، وأُلغي حجز الباقي.",
        },
        voided: Message {
            title: "تم إلغاء حجز المبلغ",
            text: "ألغى {merchant} حجز المبلغ، ولم يُخصم منك أي مبلغ.",
        },
        refunded: Message {
            title: "تم رد المبلغ",
            text: "ردّ {merchant} المبلغ إليك. قد يستغرق ظهوره في حسابك بضعة أيام.",
        },
        partly_refunded: Message {
            title: "تم رد جزء من المبلغ",
            text: "ردّ {merchant} جزءًا من المبلغ إليك. قد يستغرق ظهوره في حسابك بضعة أيام.",
        },
        refund_queued: Message {
            title: "رد المبلغ قيد التنفيذ",
            text: "طلب {merchant} رد المبلغ إليك، وننتظر تأكيد البنك.",
        },
        capture: "المبلغ المحصّل",
        void: "المبلغ الملغى حجزه",
        refund: "المبلغ المردود",
        queued: "مبلغ قيد الرد",
    };
}
