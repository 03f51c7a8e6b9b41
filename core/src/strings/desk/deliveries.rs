//! The log of webhooks and messages.

use crate::record::outbox::{DeliveryState, MessageKind};
use crate::record::receiver::TryError;

/// The words of one language.
#[derive(Debug)]
pub struct DeliveryWords {
    /// What the screen is called.
    pub title: &'static str,
    /// What one of them is called.
    pub one: &'static str,
    /// There is none.
    pub none: &'static str,
    /// When it was caused.
    pub caused: &'static str,
    /// What it is.
    pub kind: &'static str,
    /// Where it goes.
    pub receiver: &'static str,
    /// Its state.
    pub state: &'static str,
    /// The status of the last answer.
    pub answer: &'static str,
    /// How many tries failed.
    pub failed_tries: &'static str,
    /// The payment.
    pub payment: &'static str,
    /// The reference number.
    pub reference: &'static str,
    /// When it is tried next.
    pub next_try: &'static str,
    /// When it was sent again on request.
    pub sent_again: &'static str,
    /// Every try.
    pub tries: &'static str,
    /// The number of a try.
    pub number: &'static str,
    /// When it began.
    pub began: &'static str,
    /// How long it took, in milliseconds.
    pub milliseconds: &'static str,
    /// What was answered.
    pub said: &'static str,
    /// What every try sends.
    pub body: &'static str,
    /// It was not tried.
    pub no_tries: &'static str,
    /// The choice of all.
    pub all: &'static str,
    /// The button that filters.
    pub filter: &'static str,
    /// The link to those before.
    pub older: &'static str,
    /// The button that sends one again.
    pub send_again: &'static str,
    /// The form that sends many again.
    pub send_many: &'static str,
    /// What it does.
    pub send_many_means: &'static str,
    /// Since when they were caused.
    pub within: &'static str,
    /// One day, seven days, thirty days.
    pub days: [&'static str; 3],
    /// After some were sent again; `{sent}` and `{held}` are numbers.
    pub resent: &'static str,
    /// More may be left.
    pub more_left: &'static str,
    /// The states.
    states: [&'static str; 4],
    /// The kinds.
    kinds: [&'static str; 10],
    /// Why there was no answer.
    errors: [&'static str; 4],
}

impl DeliveryWords {
    pub(super) const ENGLISH: Self = Self {
        title: "Deliveries",
        one: "Delivery",
        none: "There are none.",
        caused: "Caused",
        kind: "Kind",
        receiver: "Receiver",
        state: "State",
        answer: "Last answer",
        failed_tries: "Failed tries",
        payment: "Payment",
        reference: "Reference",
        next_try: "Next try",
        sent_again: "Sent again",
        tries: "Tries",
        number: "Try",
        began: "Began",
        milliseconds: "Milliseconds",
        said: "Answer",
        body: "Body that is sent",
        no_tries: "It was not tried yet.",
        all: "All",
        filter: "Filter",
        older: "Older",
        send_again: "Send again",
        send_many: "Send many again",
        send_many_means: "The oldest first, at most 500 at once. Receivers know a repeated one by its webhook-id.",
        within: "Caused in the last",
        days: ["24 hours", "7 days", "30 days"],
        resent: "Sent again: {sent}. Held because their receiver is disabled: {held}.",
        more_left: "More may be left: repeat it.",
        states: ["Due", "Held", "Delivered", "Given up"],
        kinds: [
            "Payment webhook",
            "Card webhook",
            "Operation webhook",
            "Webhook on request",
            "E-mail",
            "SMS",
            "WhatsApp",
            "Alert webhook",
            "Alert e-mail",
            "Approval",
        ],
        errors: [
            "It could not be sent",
            "No answer",
            "A fault of this service",
            "Unknown: it may have arrived",
        ],
    };
    pub(super) const ARABIC: Self = Self {
        title: "الإشعارات المرسلة",
        one: "إشعار مرسل",
        none: "لا يوجد شيء.",
        caused: "وقت الإنشاء",
        kind: "النوع",
        receiver: "المستلم",
        state: "الحالة",
        answer: "آخر رد",
        failed_tries: "محاولات فاشلة",
        payment: "عملية الدفع",
        reference: "الرقم المرجعي",
        next_try: "المحاولة التالية",
        sent_again: "أُعيد الإرسال",
        tries: "المحاولات",
        number: "المحاولة",
        began: "البداية",
        milliseconds: "ميلي ثانية",
        said: "الرد",
        body: "المحتوى المُرسل",
        no_tries: "لم تتم أي محاولة بعد.",
        all: "الكل",
        filter: "تصفية",
        older: "الأقدم",
        send_again: "إعادة الإرسال",
        send_many: "إعادة إرسال مجموعة",
        send_many_means: "الأقدم أولاً، وبحد أقصى 500 في المرة. يتعرف المستلم على المكرر من خلال \u{2068}webhook-id\u{2069}.",
        within: "أُنشئت خلال آخر",
        days: ["24 ساعة", "7 أيام", "30 يومًا"],
        resent: "أُعيد إرسال: {sent}. معلّق لأن المستلم موقوف: {held}.",
        more_left: "قد يكون هناك المزيد: يرجى التكرار.",
        states: ["في الانتظار", "معلّق", "تم التسليم", "توقفت المحاولات"],
        kinds: [
            "إشعار دفع",
            "إشعار بطاقة",
            "إشعار عملية",
            "إشعار عند الطلب",
            "بريد إلكتروني",
            "رسالة نصية",
            "واتساب",
            "إشعار تنبيه",
            "بريد تنبيه",
            "موافقة",
        ],
        errors: ["تعذر الإرسال", "لا يوجد رد", "خلل في هذه الخدمة", "غير معروف: ربما وصل"],
    };

    /// A state.
    #[must_use]
    pub const fn state_of(&self, state: DeliveryState) -> &'static str {
        let [due, held, delivered, given_up] = self.states;
        match state {
            DeliveryState::Due => due,
            DeliveryState::Held => held,
            DeliveryState::Delivered => delivered,
            DeliveryState::GivenUp => given_up,
        }
    }

    /// A kind.
    #[must_use]
    pub const fn kind_of(&self, kind: MessageKind) -> &'static str {
        let [payment, card, operation, requested, email, sms, whatsapp, alert, alert_email, approval] =
            self.kinds;
        match kind {
            MessageKind::PaymentWebhook => payment,
            MessageKind::CardWebhook => card,
            MessageKind::OperationWebhook => operation,
            MessageKind::RequestedWebhook => requested,
            MessageKind::Email => email,
            MessageKind::Sms => sms,
            MessageKind::Whatsapp => whatsapp,
            MessageKind::AlertWebhook => alert,
            MessageKind::AlertEmail => alert_email,
            MessageKind::Approval => approval,
        }
    }

    /// Why there was no answer.
    #[must_use]
    pub const fn error_of(&self, error: TryError) -> &'static str {
        let [not_sent, no_answer, internal, lost] = self.errors;
        match error {
            TryError::NotSent => not_sent,
            TryError::NoAnswer => no_answer,
            TryError::Internal => internal,
            TryError::Lost => lost,
        }
    }
}
