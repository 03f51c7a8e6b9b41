//! The texts of the screens on which the payer has nothing to choose, and the headings of those on which they
//! have.

use super::HeadedText;
use super::screen::{PageStatus, Screens};
use crate::words::Language;
use crate::words::payment_type::PaymentType;

/// The heading and the sentences of a screen.
pub(super) const fn of(language: Language, status: PageStatus, payment_type: PaymentType) -> HeadedText {
    let screens = match (language, payment_type) {
        (Language::En, PaymentType::SaveCard) => &super::card::ENGLISH_SCREENS,
        (Language::Ar, PaymentType::SaveCard) => &super::card::ARABIC_SCREENS,
        (Language::En, PaymentType::OneOff | PaymentType::AutoDebit) => &ENGLISH,
        (Language::Ar, PaymentType::OneOff | PaymentType::AutoDebit) => &ARABIC,
    };
    screens.screen(status)
}

const ENGLISH: Screens = Screens {
    payable: HeadedText { title: "Choose how to pay", text: "" },
    pending: HeadedText {
        title: "Confirming your payment",
        text: "We are waiting for the bank's answer. Please do not pay again; this page updates by itself. You can close it: {merchant} will see the outcome.",
    },
    late: HeadedText {
        title: "This is taking longer than usual",
        text: "The bank has not answered yet. Please do not pay again. You can close this page: {merchant} will see the outcome, and so does anyone who opens this link later.",
    },
    held: HeadedText {
        title: "Your payment is being checked",
        text: "The bank's answer needs a closer look by a person. Please do not pay again. You can close this page: {merchant} will see the outcome.",
    },
    paid: HeadedText { title: "Payment successful", text: "Thank you. {merchant} has your payment." },
    authorized: HeadedText {
        title: "Payment authorised",
        text: "{amount} is held. {merchant} takes it when your order is ready.",
    },
    cash_on_delivery: HeadedText {
        title: "Order confirmed",
        text: "Please have the amount ready in cash when your order is delivered.",
    },
    failed: HeadedText { title: "Payment failed", text: "It cannot be tried again here." },
    expired: HeadedText {
        title: "This payment link has expired",
        text: "It could be paid until {moment}. Ask {merchant} for a new one.",
    },
    canceled: HeadedText { title: "Payment cancelled", text: "{merchant} cancelled this payment." },
    invalid: HeadedText {
        title: "This payment is no longer available",
        text: "It can no longer be made here. Ask {merchant} for a new link.",
    },
    paused: HeadedText {
        title: "Payments are paused",
        text: "{merchant} takes no payments at the moment. Please come back later; this page updates by itself.",
    },
};

const ARABIC: Screens = Screens {
    payable: HeadedText { title: "اختر طريقة الدفع", text: "" },
    pending: HeadedText {
        title: "جارٍ تأكيد الدفع",
        text: "ننتظر رد البنك. يُرجى عدم الدفع مرة أخرى؛ تُحدَّث هذه الصفحة تلقائيًا. يمكنك إغلاقها: ستظهر النتيجة لدى {merchant}.",
    },
    late: HeadedText {
        title: "يستغرق الأمر وقتًا أطول من المعتاد",
        text: "لم يرد البنك بعد. يُرجى عدم الدفع مرة أخرى. يمكنك إغلاق هذه الصفحة: ستظهر النتيجة لدى {merchant} ولكل من يفتح هذا الرابط لاحقًا.",
    },
    held: HeadedText {
        title: "عملية الدفع قيد المراجعة",
        text: "يحتاج رد البنك إلى مراجعة من أحد الموظفين. يُرجى عدم الدفع مرة أخرى. يمكنك إغلاق هذه الصفحة: ستظهر النتيجة لدى {merchant}.",
    },
    paid: HeadedText {
        title: "تم الدفع بنجاح", text: "شكرًا لك. وصلت دفعتك إلى {merchant}."
    },
    authorized: HeadedText {
        title: "تمت الموافقة على الدفع",
        text: "تم حجز {amount}. يُحصَّل المبلغ لصالح {merchant} عندما يكون طلبك جاهزًا.",
    },
    cash_on_delivery: HeadedText {
        title: "تم تأكيد الطلب", text: "يُرجى تجهيز المبلغ نقدًا عند استلام طلبك."
    },
    failed: HeadedText {
        title: "فشلت عملية الدفع", text: "لا يمكن إعادة المحاولة هنا."
    },
    expired: HeadedText {
        title: "انتهت صلاحية رابط الدفع",
        text: "كان الدفع ممكنًا حتى {moment}. يُرجى طلب رابط جديد من {merchant}.",
    },
    canceled: HeadedText {
        title: "تم إلغاء الدفع", text: "أُلغيت عملية الدفع هذه من طرف {merchant}."
    },
    invalid: HeadedText {
        title: "عملية الدفع هذه لم تعد متاحة",
        text: "لم يعد بالإمكان إتمام هذه الدفعة. يُرجى طلب رابط جديد من {merchant}.",
    },
    paused: HeadedText {
        title: "الدفع متوقف مؤقتًا",
        text: "استقبال المدفوعات لدى {merchant} متوقف في الوقت الحالي. يُرجى العودة لاحقًا؛ تُحدَّث هذه الصفحة تلقائيًا.",
    },
};
