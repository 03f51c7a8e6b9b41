//! What a person should look at.

/// The words of one language.
#[derive(Debug)]
pub struct AttentionWords {
    /// The title of the list.
    pub title: &'static str,
    /// What the list is.
    pub means: &'static str,
    /// Entries that wait.
    pub open: &'static str,
    /// Entries that were resolved.
    pub resolved: &'static str,
    /// No entry fits.
    pub none: &'static str,
    /// The link to the next page.
    pub older: &'static str,
    /// Since when it is on the list.
    pub since: &'static str,
    /// When it was resolved.
    pub resolved_at: &'static str,
    /// The link to its payment.
    pub payment: &'static str,
    /// The attempt or operation.
    pub reference: &'static str,
    /// Facts.
    pub detail: &'static str,
    /// Until when held money can be captured.
    pub capture_before: &'static str,
    /// What to do about it.
    pub to_do: &'static str,
    /// The button that resolves it.
    pub resolve: &'static str,
    /// What was done about it.
    pub note: &'static str,
    /// After it.
    pub done: &'static str,
    /// Someone else was faster.
    pub over: &'static str,
    /// An outcome is awaited.
    pub waiting: &'static str,
    /// The note is missing.
    pub note_missing: &'static str,
    /// What waits, on the first screen.
    pub waits: &'static str,
    /// Receivers that fail, on the first screen.
    pub receivers: &'static str,
    /// A count that is not finished; `{count}` is a number.
    pub more_than: &'static str,
}

impl AttentionWords {
    pub(super) const ENGLISH: Self = Self {
        title: "Attention",
        means: "What a person should look at. Some entries close by themselves.",
        open: "Open",
        resolved: "Resolved",
        none: "Nothing is here.",
        older: "Older",
        since: "Since",
        resolved_at: "Resolved",
        payment: "Payment",
        reference: "Reference number",
        detail: "Facts",
        capture_before: "Capture before",
        to_do: "What to do",
        resolve: "Resolve",
        note: "What was done",
        done: "It is resolved.",
        over: "It was resolved before. Nothing was changed.",
        waiting: "It waits for the outcome of a payment, so it stays open. Inquire, or ask the operator of your payment service.",
        note_missing: "Write what was done about it.",
        waits: "Waiting for someone",
        receivers: "Receivers of webhooks that fail",
        more_than: "more than {count}",
    };
    pub(super) const ARABIC: Self = Self {
        title: "تنبيهات للمتابعة",
        means: "أمور يلزم أن يطّلع عليها شخص. بعضها يُغلق تلقائيًا.",
        open: "مفتوحة",
        resolved: "مغلقة",
        none: "لا شيء هنا.",
        older: "الأقدم",
        since: "منذ",
        resolved_at: "أُغلق",
        payment: "عملية الدفع",
        reference: "الرقم المرجعي",
        detail: "الوقائع",
        capture_before: "يلزم التحصيل قبل",
        to_do: "المطلوب",
        resolve: "إغلاق",
        note: "ما تم بشأنه",
        done: "تم الإغلاق.",
        over: "أُغلق سابقًا. لم يتغير شيء.",
        waiting: "ما زالت نتيجة الدفع منتظرة، لذلك يبقى مفتوحًا. يُرجى الاستعلام أو سؤال مشغّل خدمة الدفع.",
        note_missing: "يُرجى كتابة ما تم بشأنه.",
        waits: "بانتظار المتابعة",
        receivers: "مستلمو إشعارات الويب المتعثرون",
        more_than: "أكثر من {count}",
    };
}
