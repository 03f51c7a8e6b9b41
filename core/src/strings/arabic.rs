//! The page in Arabic.

use super::aftermath::AftermathWords;
use super::brand::BrandWords;
use super::pause::PauseWords;
use super::ways::WayWords;
use super::{Actions, AmountFaults, Labels, Message, Notices, Screens, Strings};
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
        including: "شاملًا",
        order_number: "رقم الطلب",
        attachment: "المرفق",
        reference_number: "الرقم المرجعي",
        method: "طريقة الدفع",
        date: "التاريخ",
        due_at: "يستحق الدفع قبل",
        open_until: "متاح حتى",
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
        started: "قيد المتابعة",
        gateway_message: "الرسالة",
    },
    action: Actions {
        pay: "ادفع",
        pay_on_delivery: "الدفع عند الاستلام",
        connecting: "جارٍ الاتصال…",
        return_to: "العودة إلى",
        check_again: "تحقق مجددًا",
        other_language: "English",
    },
    screen: Screens {
        payable: Message {
            title: "اختر طريقة الدفع", text: "يتم الدفع على صفحة البنك أو البطاقة."
        },
        pending: Message {
            title: "جارٍ تأكيد الدفع",
            text: "ننتظر رد البنك. يُرجى عدم الدفع مرة أخرى؛ تُحدَّث هذه الصفحة تلقائيًا.",
        },
        paid: Message {
            title: "تم الدفع بنجاح", text: "شكرًا لك. يُرجى الاحتفاظ بالرقم المرجعي."
        },
        authorized: Message {
            title: "تمت الموافقة على الدفع",
            text: "تم حجز المبلغ، ويحصّله المتجر عند تنفيذ الطلب.",
        },
        cash_on_delivery: Message {
            title: "تم تأكيد الطلب", text: "يُرجى تجهيز المبلغ نقدًا عند استلام طلبك."
        },
        failed: Message {
            title: "فشلت عملية الدفع",
            text: "لم تتم عملية الدفع. يُرجى التواصل مع المتجر للمحاولة مرة أخرى.",
        },
        expired: Message {
            title: "انتهت صلاحية صفحة الدفع",
            text: "انتهى الوقت المحدد للدفع. يُرجى طلب رابط جديد من المتجر.",
        },
        canceled: Message {
            title: "تم إلغاء الدفع",
            text: "ألغى المتجر عملية الدفع هذه، ولا يمكن الدفع هنا بعد الآن.",
        },
        invalid: Message {
            title: "عملية الدفع هذه لم تعد متاحة",
            text: "غيّر المتجر طرق الدفع لديه. يُرجى طلب رابط جديد من المتجر.",
        },
        paused: Message {
            title: "الدفع متوقف مؤقتًا",
            text: "لا يستقبل المتجر المدفوعات في الوقت الحالي، ولم يُخصم أي مبلغ. يُرجى العودة لاحقًا.",
        },
    },
    notice: Notices {
        declined: Message {
            title: "تم رفض عملية الدفع", text: "حاول مرة أخرى أو اختر طريقة دفع أخرى."
        },
        withdrawn: Message {
            title: "لم تكتمل عملية الدفع",
            text: "غادرت صفحة الدفع قبل إتمام العملية. يمكنك المحاولة مرة أخرى متى شئت.",
        },
        gateway_trouble: Message {
            title: "تعذّر بدء عملية الدفع",
            text: "لم يُخصم أي مبلغ. حاول مرة أخرى بعد قليل أو اختر طريقة دفع أخرى.",
        },
        page_not_opened: Message {
            title: "تعذّر فتح صفحة البنك",
            text: "حاول مرة أخرى بعد قليل أو اختر طريقة دفع أخرى.",
        },
        in_progress: Message {
            title: "هناك عملية دفع جارية",
            text: "انتظر قليلًا حتى تُعرف نتيجتها ثم حاول مرة أخرى.",
        },
        too_many_attempts: Message {
            title: "محاولات كثيرة",
            text: "لم يُخصم أي مبلغ لهذه المحاولة. انتظر قليلًا ثم حاول مرة أخرى.",
        },
        card_locked: Message {
            title: "لا يمكن إزالة هذه البطاقة الآن",
            text: "ما زالت مطلوبة لدفعة قيد التنفيذ أو لاتفاق مع المتجر.",
        },
        not_chosen: Message {
            title: "لم تُحدَّد طريقة الدفع بعد",
            text: "يُرجى اختيار طريقة الدفع، ثم الضغط على الزر مرة أخرى.",
        },
        method_unknown: Message {
            title: "طريقة الدفع هذه غير متاحة", text: "اختر طريقة دفع أخرى."
        },
        offline: Message {
            title: "لا يوجد اتصال",
            text: "تحقق من اتصالك بالإنترنت ثم حاول مرة أخرى. لن يُخصم المبلغ مرتين.",
        },
    },
    amount_fault: AmountFaults {
        malformed: "أدخل المبلغ بالأرقام، مع نقطة أو فاصلة قبل الكسور العشرية.",
        ambiguous: "يمكن قراءة الفاصلة بطريقتين. اكتب نقطة قبل الكسور العشرية، ولا تضع شيئًا بين الآلاف.",
        decimals: "عدد المنازل العشرية في المبلغ أكثر من المسموح.",
        out_of_range: "المبلغ خارج الحدود المسموح بها.",
    },
    too_many_declines: PauseWords::ARABIC,
    ways: WayWords::ARABIC,
    brand: BrandWords::ARABIC,
    aftermath: AftermathWords::ARABIC,
    card: super::card::ARABIC,
    not_found: Message {
        title: "لم يتم العثور على عملية الدفع",
        text: "هذا الرابط غير مكتمل أو لم يعد صالحًا. افتحه مجددًا من رسالة المتجر أو اطلب رابطًا جديدًا.",
    },
    forward: (
        Message {
            title: "تأكيد الدفع لدى البنك", text: "يطلب البنك منك تأكيد عملية الدفع."
        },
        "المتابعة إلى البنك",
    ),
    test_mode: Message { title: "وضع الاختبار", text: "لا تُنقل أموال حقيقية." },
    no_card_here: "تُدخل بيانات البطاقة على صفحة البنك الآمنة، وليس هنا.",
    decline: super::decline::arabic,
    months: [
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
    ],
    comma: "،",
    utc: "بالتوقيت العالمي",
};
