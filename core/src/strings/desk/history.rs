//! What happened to a payment, in words: each in English and in Arabic.

use super::DeskWords;
use crate::record::event::EventWord;
use crate::words::Language;
use crate::words::operation_reason::OperationReason;

impl DeskWords {
    /// An event of the log.
    #[must_use]
    pub const fn event(&self, event: EventWord) -> &'static str {
        self.one_of(match event {
            EventWord::Created => ("Created", "أُنشئت الدفعة"),
            EventWord::Updated => ("Changed", "عُدّلت الدفعة"),
            EventWord::PageOpened => ("The payer opened the page", "فُتحت صفحة الدفع"),
            EventWord::AttemptOpened => ("An attempt began", "بدأت محاولة دفع"),
            EventWord::PurchaseSucceeded => ("Paid", "تم الدفع"),
            EventWord::AuthorizationSucceeded => ("The amount is held", "تم حجز المبلغ"),
            EventWord::CashAcknowledged => ("To be paid in cash", "الدفع نقدًا عند التسليم"),
            EventWord::AttemptFailed => ("An attempt was declined", "رُفضت محاولة الدفع"),
            EventWord::OnlyAttemptFailed => ("The only attempt was declined", "رُفضت محاولة الدفع الوحيدة"),
            EventWord::AttemptCanceled => ("An attempt was given up", "أُلغيت محاولة الدفع"),
            EventWord::OnlyAttemptCanceled => ("The only attempt was given up", "أُلغيت محاولة الدفع الوحيدة"),
            EventWord::AttemptErred => {
                ("An attempt did not reach the gateway", "لم تصل محاولة الدفع إلى البوابة")
            }
            EventWord::OnlyAttemptErred => {
                ("The only attempt did not reach the gateway", "لم تصل محاولة الدفع الوحيدة إلى البوابة")
            }
            EventWord::AttemptNoted => ("News of an attempt", "معلومة جديدة عن محاولة الدفع"),
            EventWord::OperationOpened => {
                ("A capture, refund or void began", "بدأت عملية تحصيل أو استرجاع أو إلغاء")
            }
            EventWord::OperationNoted => {
                ("News of a capture, refund or void", "معلومة جديدة عن تحصيل أو استرجاع أو إلغاء")
            }
            EventWord::Captured => ("Captured", "تم التحصيل"),
            EventWord::Refunded => ("Refunded", "تم الاسترجاع"),
            EventWord::Voided => ("The held amount was released", "تم تحرير المبلغ المحجوز"),
            EventWord::Canceled => ("Cancelled", "أُلغيت الدفعة"),
            EventWord::Expired => ("Expired", "انتهت مدة الدفع"),
            EventWord::Invalided => ("Cannot be paid any more", "لم يعد الدفع ممكنًا"),
            EventWord::Inquired => ("The gateway was asked", "تم الاستعلام من البوابة"),
            EventWord::Notified => ("A webhook was asked for", "طُلب إرسال إشعار"),
            EventWord::Deleted => ("Deleted", "حُذفت الدفعة"),
            EventWord::Restored => ("Restored", "استُعيدت الدفعة"),
            EventWord::ApprovalAsked => ("Approval was asked for", "طُلبت موافقة"),
            EventWord::ApprovalGiven => ("Approved", "تمت الموافقة"),
            EventWord::ApprovalRejected => ("Approval was refused", "رُفض طلب الموافقة"),
            EventWord::ApprovalWithdrawn => ("The request for approval was withdrawn", "سُحب طلب الموافقة"),
            EventWord::ApprovalExpired => ("The request for approval expired", "انتهت مدة طلب الموافقة"),
            EventWord::ApprovalFailed => {
                ("What was approved was not possible", "تعذّر تنفيذ ما تمت الموافقة عليه")
            }
            EventWord::Erased => ("The payer's data was erased", "مُحيت بيانات العميل"),
        })
    }

    /// Why someone moves money.
    #[must_use]
    pub const fn operation_reason(&self, reason: OperationReason) -> &'static str {
        self.one_of(match reason {
            OperationReason::RequestedByCustomer => ("The payer asked for it", "بطلب من العميل"),
            OperationReason::Duplicate => ("Paid twice", "دفع مكرر"),
            OperationReason::Fraudulent => ("Fraud", "احتيال"),
            OperationReason::GoodsReturned => ("Goods returned", "إرجاع البضاعة"),
            OperationReason::NotDelivered => ("Not delivered", "لم يتم التسليم"),
            OperationReason::Delivered => ("Delivered", "تم التسليم"),
            OperationReason::WrongAmount => ("Wrong amount", "مبلغ خاطئ"),
            OperationReason::Other => ("Something else", "سبب آخر"),
        })
    }

    /// The text of the language.
    pub(crate) const fn one_of(&self, (english, arabic): (&'static str, &'static str)) -> &'static str {
        match self.language {
            Language::En => english,
            Language::Ar => arabic,
        }
    }
}
