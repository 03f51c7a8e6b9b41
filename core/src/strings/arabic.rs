//! The page in Arabic.

use super::brand::BrandWords;
use super::pause::PauseWords;
use super::ways::WayWords;
use super::{Actions, AmountFaults, HeadedText, Labels, Notices, Strings};
use crate::words::Language;

pub(super) const STRINGS: Strings = Strings {
    language: Language::Ar,
    label: Labels {
        pay_to: "الدفع إلى",
        merchant: "المتجر",
        amount: "المبلغ",
        exchange_rate: "سعر الصرف",
        converted: "المبلغ بعد التحويل",
        fee: "الرسوم",
        total: "الإجمالي",
        including: "يشمل",
        fee_added: "{fee} رسوم",
        order_number: "رقم الطلب",
        attachment: "المرفق",
        reference_number: "الرقم المرجعي",
        method: "طريقة الدفع",
        date: "التاريخ",
        due_at: "يستحق الدفع قبل",
        open_until: "ادفع قبل",
        summary: "ملخص الطلب",
        amount_to_pay: "المبلغ المراد دفعه",
        amount_from: "من",
        amount_to: "إلى",
        chosen_amount: "المبلغ المختار",
        order_amount: "مبلغ الطلب",
        details: "تفاصيل الطلب",
        payer: "الاسم",
        billing_address: "عنوان الفوترة",
        shipping_address: "عنوان التوصيل",
        yes: "نعم",
        no: "لا",
        started: "لم تكتمل بعد",
    },
    action: Actions {
        pay: "دفع",
        pay_amount: "دفع {amount}",
        continue_to: "المتابعة إلى {method} · {amount}",
        pay_with_card: "دفع {amount} باستخدام {card}",
        pay_on_delivery: "تأكيد الطلب ودفع {amount} عند الاستلام",
        connecting: "جارٍ فتح عملية الدفع…",
        return_to: "العودة إلى",
        check_again: "إعادة التحقق",
        other_language: "English",
    },
    notice: Notices {
        declined: HeadedText {
            title: "تم رفض عملية الدفع",
            text: "لم يُخصم منك أي مبلغ. يُرجى تجربة بطاقة أخرى أو اختيار طريقة دفع أخرى.",
        },
        withdrawn: HeadedText {
            title: "لم تكتمل عملية الدفع",
            text: "غادرت صفحة الدفع قبل إتمام العملية، ولم يُخصم منك أي مبلغ. يمكنك إعادة المحاولة متى شئت.",
        },
        gateway_trouble: HeadedText {
            title: "تعذّر بدء عملية الدفع",
            text: "لم يُخصم منك أي مبلغ. يُرجى إعادة المحاولة بعد قليل أو اختيار طريقة دفع أخرى.",
        },
        page_not_opened: HeadedText {
            title: "تعذّر فتح صفحة البنك",
            text: "يُرجى إعادة المحاولة بعد قليل أو اختيار طريقة دفع أخرى.",
        },
        checked: HeadedText {
            title: "محاولتك الأخيرة قيد المراجعة",
            text: "يحتاج رد البنك إلى مراجعة من أحد الموظفين: ربما تم خصم المبلغ. يُرجى سؤال المتجر قبل المحاولة مرة أخرى.",
        },
        replaced: HeadedText {
            title: "تابعت الدفع في نافذة أخرى",
            text: "غُيّرت عملية الدفع هناك، فأُغلقت الصفحة التي كنت عليها. أكمل الدفع هناك أو اختر طريقة دفع هنا.",
        },
        other_terms: HeadedText {
            title: "تغيّرت الشروط",
            text: "يُرجى قراءة ما توافق عليه مرة أخرى ثم المتابعة.",
        },
        price_changed: HeadedText {
            title: "تغيّر السعر",
            text: "لم يُخصم أي مبلغ. يُرجى مراجعة المبلغ الجديد ثم الدفع إن كنت موافقًا.",
        },
        in_progress: HeadedText {
            title: "عملية الدفع السابقة لم تنتهِ بعد",
            text: "ما زلنا ننتظر نتيجتها. يُرجى الانتظار قليلًا.",
        },
        too_many_attempts: HeadedText {
            title: "محاولات كثيرة",
            text: "لم يُخصم منك أي مبلغ لهذه المحاولة. يُرجى الانتظار قليلًا ثم إعادة المحاولة.",
        },
        card_locked: HeadedText {
            title: "لا يمكن إزالة هذه البطاقة الآن",
            text: "ما زالت مطلوبة لدفعة قيد التنفيذ أو لاتفاق مع المتجر.",
        },
        no_wallet: HeadedText {
            title: "خدمة Google Pay غير متاحة في هذا المتصفح",
            text: "يُرجى اختيار طريقة دفع أخرى.",
        },
        not_chosen: HeadedText {
            title: "لم تُحدَّد طريقة الدفع بعد",
            text: "يُرجى اختيار طريقة الدفع، ثم الضغط على الزر مرة أخرى.",
        },
        method_unknown: HeadedText {
            title: "طريقة الدفع هذه غير متاحة",
            text: "يُرجى اختيار طريقة دفع أخرى.",
        },
        offline: HeadedText {
            title: "لا يوجد اتصال",
            text: "يُرجى التحقق من اتصالك بالإنترنت ثم إعادة المحاولة. لن يُخصم المبلغ مرتين.",
        },
        no_answer: HeadedText {
            title: "لا رد حتى الآن",
            text: "حدث خطأ في الطريق. يُرجى الانتظار قليلًا ثم إعادة المحاولة. لن يُخصم المبلغ مرتين.",
        },
    },
    amount_fault: AmountFaults {
        malformed: "يُرجى إدخال المبلغ بالأرقام، مثل {example}.",
        ambiguous: "يمكن قراءة الفاصلة بطريقتين. يُرجى وضع نقطة قبل الكسور العشرية، دون أي شيء بين الآلاف.",
        decimals: "عدد المنازل العشرية في المبلغ أكثر من المسموح.",
        not_charged: "لا يمكن دفع هذا المبلغ تحديدًا بطريقة الدفع هذه. يُرجى إدخال مبلغ آخر أو اختيار طريقة أخرى.",
        out_of_range: "يُرجى إدخال مبلغ من {least} إلى {most}.",
    },
    too_many_declines: PauseWords::ARABIC,
    ways: WayWords::ARABIC,
    brand: BrandWords::ARABIC,
    card: super::card::ARABIC,
    test_mode: HeadedText { title: "وضع الاختبار", text: "لن يُخصم أي مبلغ." },
    no_card_here: "تُدخَل بيانات بطاقتك لدى البنك، وليس هنا.",
};
