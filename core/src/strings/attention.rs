//! What entries of the attention list say to a merchant: what happened, and what to do about it.

use super::alert;
use crate::record::attention::Reason;
use crate::words::Language;

/// What happened.
#[must_use]
pub const fn title(language: Language, reason: Reason) -> &'static str {
    match language {
        Language::En => alert::reason(reason),
        Language::Ar => arabic(reason),
    }
}

const fn arabic(reason: Reason) -> &'static str {
    match reason {
        Reason::AmountMismatch => "حصّلت بوابة الدفع مبلغًا غير المطلوب",
        Reason::ReferenceMismatch => "ردت بوابة الدفع عن عملية دفع أخرى",
        Reason::SecondSuccess => "تم الدفع مرتين",
        Reason::LateSuccess => "تم الدفع بعد انتهاء العملية أو تغييرها",
        Reason::LateOperation => "نفّذت بوابة الدفع عملية كانت قد رفضتها",
        Reason::TakenBack => "تراجعت بوابة الدفع عما نفّذته",
        Reason::Disputed => "اعترض بنك الدافع على عملية دفع",
        Reason::OutcomeUnknown => "لا توضح بوابة الدفع نتيجة عملية دفع",
        Reason::UnknownCharge => "في قائمة بوابة الدفع عملية لم يطلبها أحد",
        Reason::ChargeMissing => "عملية دفع ناجحة ليست في قائمة بوابة الدفع",
        Reason::OperationsMismatch => "حصّلت بوابة الدفع أو أعادت مجموعًا مختلفًا",
        Reason::WebhookFailing => "إشعار ويب لا يصل، وتُعاد محاولته",
        Reason::DeliveryGivenUp => "رسالة استُنفدت محاولات إرسالها",
        Reason::ReceiverDisabled => "مستلم إشعارات ويب موقوف",
        Reason::GatewayFailing => "تعثرت بوابة دفع عدة مرات متتالية",
        Reason::NotProcessed => "أمر مستحق تعذرت معالجته",
        Reason::CaptureDue => "مبلغ محجوز يقترب موعد انتهاء حجزه",
        Reason::AgreementPaused => "اتفاقية دفع تلقائي متوقفة",
    }
}

/// What to do about it.
#[must_use]
pub const fn advice(language: Language, reason: Reason) -> &'static str {
    let [english, arabic] = advices(reason);
    match language {
        Language::En => english,
        Language::Ar => arabic,
    }
}

/// In English and in Arabic.
#[expect(clippy::too_many_lines, reason = "a table")]
const fn advices(reason: Reason) -> [&'static str; 2] {
    match reason {
        Reason::AmountMismatch | Reason::ReferenceMismatch | Reason::OutcomeUnknown => [
            "Inquire. If the payment stays open, look it up at the gateway and name its reference number to the operator of your payment service, who records what became of it. It can be resolved after that.",
            "يُرجى الاستعلام. إن بقيت العملية مفتوحة فيُرجى البحث عنها لدى بوابة الدفع وإبلاغ مشغّل خدمة الدفع برقمها المرجعي لتسجيل نتيجتها، وبعد ذلك يمكن إغلاقها.",
        ],
        Reason::SecondSuccess | Reason::LateSuccess => [
            "Look at the payment: if no refund or void of the second payment is done, give it back at the gateway. Then resolve this.",
            "يُرجى الاطلاع على عملية الدفع: إن لم يتم استرجاع المبلغ الثاني أو إلغاؤه فيُعاد من خلال بوابة الدفع، ثم يُغلق هذا البند.",
        ],
        Reason::LateOperation => [
            "Compare the amounts with the gateway, and settle a difference there. Then resolve this.",
            "يُرجى مقارنة المبالغ مع بوابة الدفع وتسوية أي فرق لديها، ثم يُغلق هذا البند.",
        ],
        Reason::TakenBack => [
            "The money went back, and what is recorded here stays. Settle it with the payer in another way, then resolve this.",
            "أُعيد المبلغ ويبقى المسجّل هنا كما هو. تُسوّى المسألة مع الدافع بطريقة أخرى، ثم يُغلق هذا البند.",
        ],
        Reason::Disputed => [
            "Answer the dispute at the gateway, in time and with what proves the order, and give nothing back here meanwhile. Then resolve this: it opens again when the dispute goes on.",
            "يُرجى الرد على الاعتراض لدى بوابة الدفع في موعده مع ما يثبت الطلب، ومن دون إرجاع أي مبلغ من هنا أثناء ذلك. ثم يُغلق هذا البند، ويُفتح من جديد إذا تغيّر حال الاعتراض.",
        ],
        Reason::UnknownCharge => [
            "Find out at the gateway who charged it and why. Then resolve this.",
            "يُرجى التحقق لدى بوابة الدفع ممّن طلبها وسبب ذلك، ثم يُغلق هذا البند.",
        ],
        Reason::ChargeMissing => [
            "Ask the gateway, and check whether the money came before goods are sent. Then resolve this.",
            "يُرجى سؤال بوابة الدفع والتأكد من وصول المبلغ قبل إرسال البضاعة، ثم يُغلق هذا البند.",
        ],
        Reason::OperationsMismatch => [
            "Compare the captures, refunds and voids of the payment with the gateway's. Then resolve this.",
            "يُرجى مقارنة عمليات التحصيل والاسترجاع والإلغاء بما لدى بوابة الدفع، ثم يُغلق هذا البند.",
        ],
        Reason::WebhookFailing => [
            "Repair the receiver. This closes by itself when the receiver answers well.",
            "يُرجى إصلاح المستلم. يُغلق هذا البند تلقائيًا عندما يرد المستلم ردًا سليمًا.",
        ],
        Reason::DeliveryGivenUp => [
            "Repair the receiver, and send the delivery again. Then resolve this.",
            "يُرجى إصلاح المستلم وإعادة الإرسال، ثم يُغلق هذا البند.",
        ],
        Reason::ReceiverDisabled => [
            "Repair the receiver, and enable it again. Then resolve this.",
            "يُرجى إصلاح المستلم وإعادة تفعيله، ثم يُغلق هذا البند.",
        ],
        Reason::GatewayFailing => [
            "Other gateways take the payments that they can. Ask the one who runs it; this closes by itself when it answers.",
            "تتولى بوابات الدفع الأخرى ما تستطيع من العمليات. يُرجى سؤال مشغّلها، ويُغلق هذا البند تلقائيًا عندما ترد.",
        ],
        Reason::CaptureDue => [
            "Capture the amount, or void it, before the gateway's time for that is over. This closes by itself then.",
            "يُرجى تحصيل المبلغ أو إلغاء الحجز قبل انتهاء مهلة بوابة الدفع، ويُغلق هذا البند تلقائيًا بعد ذلك.",
        ],
        Reason::AgreementPaused => [
            "Ask the customer to pay with another card, or resume the agreement. This closes by itself when either is done.",
            "يُرجى أن يُطلب من العميل الدفع ببطاقة أخرى، أو استئناف الاتفاقية. يُغلق هذا البند تلقائيًا بعد أي منهما.",
        ],
        Reason::NotProcessed => {
            ["The operator of your payment service looks into it.", "يتولى مشغّل خدمة الدفع معالجة ذلك."]
        }
    }
}
