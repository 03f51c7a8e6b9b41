//! Which refunds and voids another person has to permit, and how much one person refunds in a day.

/// The words of one language. `{amount}`, `{currencies}` and `{hours}` are values, `{what}` and `{who}` are of these words.
#[derive(Debug)]
pub struct ApprovalPolicyWords {
    /// What the screen is called.
    pub title: &'static str,
    /// The heading of the policy that is stored.
    pub now: &'static str,
    /// The heading of the one that was filled in.
    pub after: &'static str,
    /// The heading of the form.
    pub change: &'static str,
    /// The operations that wait.
    pub operations: &'static str,
    /// Refunds.
    pub refunds: &'static str,
    /// Voids.
    pub voids: &'static str,
    /// Both.
    pub both: &'static str,
    /// The heading of the amounts.
    pub amounts: &'static str,
    /// What the amount of one payment means.
    pub above_means: &'static str,
    /// What the amount of a day means.
    pub day_means: &'static str,
    /// How many decimals there are; `{count}` is a number.
    pub decimals: &'static str,
    /// The field of the amount of one payment.
    pub above_field: &'static str,
    /// The field of the amount of a day.
    pub day_field: &'static str,
    /// How many persons.
    pub approvers: &'static str,
    /// One, as a choice.
    pub one: &'static str,
    /// Two, as a choice.
    pub two: &'static str,
    /// One, in a sentence.
    pub another: &'static str,
    /// Two, in a sentence.
    pub two_others: &'static str,
    /// Whether keys are bound.
    pub keys: &'static str,
    /// The field of the hours.
    pub hours: &'static str,
    /// Which there can be; `{least}` and `{most}` are numbers.
    pub hours_mean: &'static str,
    /// The button that shows what it would mean.
    pub check: &'static str,
    /// The button that saves.
    pub save: &'static str,
    /// The button that leads back to the form.
    pub back: &'static str,
    /// Something was filled in wrongly.
    pub faults: &'static str,
    /// The settings are not as the page showed them.
    pub stale: &'static str,
    /// Nothing waits, and nothing is limited.
    pub nothing: &'static str,
    /// Above an amount it waits.
    pub above: &'static str,
    /// At any amount it waits.
    pub every: &'static str,
    /// Who asks cannot approve.
    pub nobody_own: &'static str,
    /// How long a request can be approved.
    pub ends: &'static str,
    /// A day has no limit.
    pub no_day: &'static str,
    /// Above the limit of a day it waits.
    pub day_asks: &'static str,
    /// Above the limit of a day it is refused.
    pub day_refuses: &'static str,
    /// Without an amount it waits.
    pub no_day_asks: &'static str,
    /// Without an amount it is refused.
    pub no_day_refuses: &'static str,
    /// Keys are bound.
    pub binds_keys: &'static str,
    /// They are not.
    pub frees_keys: &'static str,
}

impl ApprovalPolicyWords {
    pub(super) const ENGLISH: Self = Self {
        title: "Rules for approvals",
        now: "As it is",
        after: "As it would be",
        change: "Change the rules",
        operations: "What waits for the approval of others",
        refunds: "Refunds",
        voids: "Voids",
        both: "Refunds and voids",
        amounts: "Amounts",
        above_means: "Without approval, of one payment: what is refunded or voided of it is added up, and only more than this waits. Empty: every amount waits.",
        day_means: "One person, in one day: what one person may refund of all payments together. Empty in every currency: no limit. Empty in this currency only: nothing.",
        decimals: "At most {count} decimals",
        above_field: "Without approval, of one payment",
        day_field: "One person, in one day",
        approvers: "Who has to approve",
        one: "One other person",
        two: "Two other persons",
        another: "another person",
        two_others: "two other persons",
        keys: "Keys of the API are held to these rules too",
        hours: "Hours in which a request can be approved",
        hours_mean: "A whole number from {least} to {most}. Then the request ends, and no money is moved.",
        check: "See what it would mean",
        save: "Save these rules",
        back: "Change something",
        faults: "Nothing was saved. What is not right yet is written at its field.",
        stale: "The settings have changed since the page was opened. Nothing was saved. Above is what is stored now; the form has what you filled in.",
        nothing: "No refund or void waits for another person, and what one person refunds in a day has no limit.",
        above: "{what} above {amount} wait for {who}.",
        every: "{what} in {currencies} wait for {who}, whatever the amount.",
        nobody_own: "Nobody approves what they asked for.",
        ends: "A request can be approved for so many hours: {hours}.",
        no_day: "What one person refunds in a day has no limit.",
        day_asks: "One person may refund {amount} a day; more waits for {who}.",
        day_refuses: "One person may refund {amount} a day; more is refused.",
        no_day_asks: "Nothing may be refunded in {currencies} by one person alone: all of it waits for {who}.",
        no_day_refuses: "Nothing may be refunded in {currencies}: it is refused.",
        binds_keys: "Keys of the API are held to these rules too.",
        frees_keys: "Keys of the API are not held to these rules.",
    };
    pub(super) const ARABIC: Self = Self {
        title: "قواعد الموافقات",
        now: "القواعد الحالية",
        after: "القواعد بعد الحفظ",
        change: "تعديل القواعد",
        operations: "ما تلزم له موافقة آخرين",
        refunds: "الاسترداد",
        voids: "الإلغاء",
        both: "الاسترداد والإلغاء",
        amounts: "المبالغ",
        above_means: "دون موافقة، للدفعة الواحدة: يُجمع ما استُرد أو أُلغي من الدفعة، ولا تلزم الموافقة إلا لما زاد على هذا المبلغ. إن تُرك فارغًا لزمت الموافقة لكل مبلغ.",
        day_means: "للشخص الواحد في اليوم: مجموع ما يمكن استرداده من كل الدفعات. إن تُرك فارغًا في كل العملات فلا حد له، وإن تُرك فارغًا في هذه العملة وحدها فلا استرداد بها.",
        decimals: "عدد الخانات العشرية: {count} على الأكثر",
        above_field: "دون موافقة، للدفعة الواحدة",
        day_field: "للشخص الواحد في اليوم",
        approvers: "من تلزم موافقته",
        one: "شخص آخر",
        two: "شخصان آخران",
        another: "شخص آخر",
        two_others: "شخصين آخرين",
        keys: "تسري القواعد على مفاتيح واجهة البرمجة أيضًا",
        hours: "مدة صلاحية الطلب بالساعات",
        hours_mean: "عدد صحيح من {least} إلى {most}. بعدها ينتهي الطلب ولا يُحوَّل أي مبلغ.",
        check: "عرض أثر التعديل",
        save: "حفظ هذه القواعد",
        back: "متابعة التعديل",
        faults: "لم يُحفظ شيء. ما يلزم تصحيحه مكتوب عند حقله.",
        stale: "تغيّرت الإعدادات بعد فتح الصفحة. لم يُحفظ شيء. القواعد المحفوظة الآن في الأعلى، وفي النموذج ما تم إدخاله.",
        nothing: "لا تلزم موافقة شخص آخر لأي استرداد أو إلغاء، ولا حد لاسترداد الشخص الواحد في اليوم.",
        above: "{what} بما يزيد على {amount}: تلزم موافقة {who}.",
        every: "{what} بأي مبلغ بعملة {currencies}: تلزم موافقة {who}.",
        nobody_own: "لا تُقبل موافقة مقدم الطلب على طلبه.",
        ends: "مدة صلاحية الطلب بالساعات: {hours}.",
        no_day: "لا حد لاسترداد الشخص الواحد في اليوم.",
        day_asks: "الحد اليومي لاسترداد الشخص الواحد {amount}، وما زاد تلزم له موافقة {who}.",
        day_refuses: "الحد اليومي لاسترداد الشخص الواحد {amount}، وما زاد مرفوض.",
        no_day_asks: "كل استرداد بعملة {currencies}: تلزم موافقة {who}.",
        no_day_refuses: "كل استرداد بعملة {currencies} مرفوض.",
        binds_keys: "تسري هذه القواعد على مفاتيح واجهة البرمجة أيضًا.",
        frees_keys: "لا تسري هذه القواعد على مفاتيح واجهة البرمجة.",
    };
}
