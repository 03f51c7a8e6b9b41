//! Where webhooks go, and the receivers that fail.

use crate::record::attention::Topic;
use crate::record::receiver::Disabling;

/// The words of one language.
#[derive(Debug)]
pub struct WebhookWords {
    /// What the screen is called.
    pub title: &'static str,
    /// The addresses.
    pub addresses: &'static str,
    /// When they are used.
    pub addresses_mean: &'static str,
    /// Of payments of a shop.
    pub e_commerce: &'static str,
    /// Of requests for a payment.
    pub payment_request: &'static str,
    /// Of captures, refunds and voids.
    pub operations: &'static str,
    /// The heading of the signing secret.
    pub secret: &'static str,
    /// What replacing it does.
    pub secret_means: &'static str,
    /// The button that makes another.
    pub replace_secret: &'static str,
    /// The settings are not as the page showed them.
    pub stale: &'static str,
    /// The new secret, which follows, is shown once.
    pub new_secret: &'static str,
    /// Of what a person should look at.
    pub alerts: &'static str,
    /// Alerts by e-mail.
    pub alert_emails: &'static str,
    /// What they are.
    pub alert_emails_mean: &'static str,
    /// The field of addresses.
    pub alert_addresses: &'static str,
    /// About what.
    pub alert_topics: &'static str,
    /// No choice is every choice.
    pub alert_topics_mean: &'static str,
    /// The topics.
    topics: [&'static str; 4],
    /// There is no address.
    pub no_address: &'static str,
    /// The button that saves.
    pub save: &'static str,
    /// After it; `{version}` is a number.
    pub saved: &'static str,
    /// Only an owner may change them.
    pub owners_only: &'static str,
    /// The button that sends a test webhook to a saved address.
    pub send_test: &'static str,
    /// What it does.
    pub send_test_means: &'static str,
    /// The test webhook was accepted; `{status}` and `{milliseconds}` are numbers.
    pub accepted: &'static str,
    /// It was answered otherwise.
    pub not_accepted: &'static str,
    /// There was no answer; `{reason}` says why.
    pub unanswered: &'static str,
    /// The receivers that fail or are disabled.
    pub receivers: &'static str,
    /// There is none.
    pub none_fails: &'static str,
    /// Since when one fails.
    pub failing_since: &'static str,
    /// Since when it is disabled.
    pub disabled_since: &'static str,
    /// How many deliveries are held for it.
    pub held: &'static str,
    /// The button that enables it again.
    pub enable: &'static str,
    /// After it; `{count}` is a number.
    pub enabled: &'static str,
    /// What is wrong.
    pub faults: &'static str,
    /// Why one is disabled.
    reasons: [&'static str; 2],
}

impl WebhookWords {
    pub(super) const ENGLISH: Self = Self {
        title: "Webhooks",
        addresses: "Default addresses",
        addresses_mean: "Where webhooks of a payment go that names no address of its own.",
        e_commerce: "E-commerce payments",
        payment_request: "Payment requests",
        operations: "Captures, refunds and voids, in addition",
        secret: "Signing secret",
        secret_means: "Receivers check by it that a webhook is genuine. The secret before a new one signs too for 24 hours.",
        replace_secret: "Make a new secret",
        stale: "The settings have changed since the page was opened. Nothing was done: please look again.",
        new_secret: "This is the new secret. It is shown only now:",
        alerts: "Alerts",
        alert_emails: "Alerts by e-mail",
        alert_emails_mean: "Who is written to when a person should look at something. At most one message an hour about each topic.",
        alert_addresses: "E-mail addresses, one a line, at most 10",
        alert_topics: "About",
        alert_topics_mean: "Without a choice, about everything.",
        topics: [
            "Payments and refunds",
            "Webhooks that do not arrive",
            "Differences from the gateway's list",
            "Gateways that fail",
        ],
        no_address: "None",
        save: "Save",
        saved: "Saved as version {version} of the settings.",
        owners_only: "Only a user who may do everything may change them.",
        send_test: "Send a test",
        send_test_means: "One signed sample with is_test, to the address that is saved. It is not tried again.",
        accepted: "The test was accepted: {status} after {milliseconds} ms.",
        not_accepted: "The test was answered {status} after {milliseconds} ms; only 200 and 201 count as delivered.",
        unanswered: "The test was not answered within {milliseconds} ms: {reason}.",
        receivers: "Receivers that fail or are disabled",
        none_fails: "None: every receiver works.",
        failing_since: "Fails since",
        disabled_since: "Disabled since",
        held: "Held deliveries",
        enable: "Enable again",
        enabled: "It is enabled again. Deliveries that are due now: {count}.",
        faults: "This was not done:",
        reasons: ["failed for five days", "answered that it is gone"],
    };
    pub(super) const ARABIC: Self = Self {
        title: "إشعارات الويب",
        addresses: "العناوين الافتراضية",
        addresses_mean: "وجهة إشعارات عمليات الدفع التي لم يُحدد لها عنوان خاص.",
        e_commerce: "مدفوعات المتجر",
        payment_request: "طلبات الدفع",
        operations: "التحصيل والاسترجاع والإلغاء، إضافةً إلى ما سبق",
        secret: "سر التوقيع",
        secret_means: "به يتحقق المستلمون من صحة الإشعار. يبقى السر السابق صالحًا للتوقيع 24 ساعة بعد استبداله.",
        replace_secret: "إنشاء سر جديد",
        stale: "تغيّرت الإعدادات بعد فتح الصفحة. لم يُنفَّذ شيء: يُرجى المراجعة من جديد.",
        new_secret: "هذا هو السر الجديد. لن يُعرض مرة أخرى:",
        alerts: "التنبيهات",
        alert_emails: "التنبيهات بالبريد الإلكتروني",
        alert_emails_mean: "من تصله رسالة عندما يلزم أن يطّلع شخص على أمر ما. رسالة واحدة في الساعة على الأكثر لكل موضوع.",
        alert_addresses: "عناوين البريد الإلكتروني، عنوان في كل سطر، 10 على الأكثر",
        alert_topics: "الموضوعات",
        alert_topics_mean: "بلا اختيار تشمل التنبيهات كل شيء.",
        topics: [
            "المدفوعات والمبالغ المستردة",
            "إشعارات ويب لا تصل",
            "اختلافات عن قائمة بوابة الدفع",
            "بوابات دفع متعطلة",
        ],
        no_address: "لا يوجد",
        save: "حفظ",
        saved: "تم الحفظ كنسخة {version} من الإعدادات.",
        owners_only: "التغيير متاح فقط لمن يملك جميع الصلاحيات.",
        send_test: "إرسال تجربة",
        send_test_means: "نموذج موقّع واحد يحمل is_test إلى العنوان المحفوظ، ولا تُعاد محاولته.",
        accepted: "قُبلت التجربة: {status} بعد {milliseconds} ميلي ثانية.",
        not_accepted: "رد المستلم {status} بعد {milliseconds} ميلي ثانية؛ ولا يُعد تسليمًا إلا 200 و201.",
        unanswered: "لم يصل رد على التجربة خلال {milliseconds} ميلي ثانية: {reason}.",
        receivers: "مستلمون متعثرون أو موقوفون",
        none_fails: "لا يوجد: جميع المستلمين يعملون.",
        failing_since: "متعثر منذ",
        disabled_since: "موقوف منذ",
        held: "إشعارات معلّقة",
        enable: "إعادة التفعيل",
        enabled: "تمت إعادة التفعيل. إشعارات حان وقتها الآن: {count}.",
        faults: "لم يتم هذا الإجراء:",
        reasons: ["تعثر لخمسة أيام", "رد بأنه لم يعد موجودًا"],
    };

    /// A topic of alerts.
    #[must_use]
    pub const fn topic_of(&self, topic: Topic) -> &'static str {
        let [payment, webhook, reconciliation, gateway] = self.topics;
        match topic {
            Topic::Payment => payment,
            Topic::Webhook => webhook,
            Topic::Reconciliation => reconciliation,
            Topic::Gateway => gateway,
        }
    }

    /// Why a receiver is disabled.
    #[must_use]
    pub const fn reason_of(&self, reason: Disabling) -> &'static str {
        let [failing, gone] = self.reasons;
        match reason {
            Disabling::Failing => failing,
            Disabling::Gone => gone,
        }
    }
}
