//! The list of payments, and one of them with what can be done.

use crate::state::State;

/// The words.
#[derive(Debug)]
pub struct PaymentWords {
    /// The title of the list.
    pub payments: &'static str,
    /// The title of one.
    pub title: &'static str,
    /// The id of one.
    pub session_id: &'static str,
    /// The column of the state.
    pub state: &'static str,
    /// The column of the moment.
    pub created: &'static str,
    /// The column of the amount.
    pub amount: &'static str,
    /// The column of the number.
    pub order_no: &'static str,
    /// The column of the payer.
    pub payer: &'static str,
    /// The column of the gateway.
    pub method: &'static str,
    /// The field in which anything that is known is looked for.
    pub search: &'static str,
    /// What can be looked for.
    pub search_hint: &'static str,
    /// The button that filters.
    pub filter: &'static str,
    /// The heading of the filters that are on.
    pub filters: &'static str,
    /// The link to the list without filters.
    pub all: &'static str,
    /// What opens the choice of columns.
    pub columns: &'static str,
    /// The field with the address of the list.
    pub list_link: &'static str,
    /// The button that exports the list.
    pub export: &'static str,
    /// Every state.
    pub any: &'static str,
    /// Every gateway.
    pub any_method: &'static str,
    /// The first day.
    pub from: &'static str,
    /// The last day.
    pub to: &'static str,
    /// Nothing fits.
    pub none: &'static str,
    /// Nothing fits so far: older ones were not looked at.
    pub none_yet: &'static str,
    /// The link to the next page.
    pub older: &'static str,
    /// The column of the reference.
    pub reference: &'static str,
    /// What was taken.
    pub paid: &'static str,
    /// Until when it can be paid.
    pub expires: &'static str,
    /// The fee.
    pub fee: &'static str,
    /// The heading of the attempts.
    pub attempts: &'static str,
    /// The heading of captures, refunds and voids.
    pub operations: &'static str,
    /// The heading of what happened.
    pub events: &'static str,
    /// The column of who did it.
    pub by: &'static str,
    /// The column of the result.
    pub result: &'static str,
    /// Why.
    pub reason: &'static str,
    /// What is noted.
    pub note: &'static str,
    /// What the gateway answered.
    pub answer: &'static str,
    /// The link to its page.
    pub link: &'static str,
    /// The button that asks the gateway.
    pub inquire: &'static str,
    /// The gateway was asked.
    pub inquired: &'static str,
    /// The button that notifies.
    pub notify: &'static str,
    /// The webhook was sent.
    pub notified: &'static str,
    /// Where the webhook goes.
    pub address: &'static str,
    /// The button that cancels.
    pub cancel: &'static str,
    /// The heading of the form.
    pub refund: &'static str,
    /// The heading of the form.
    pub void: &'static str,
    /// The heading of the form.
    pub capture: &'static str,
    /// How much is left.
    pub left: &'static str,
    /// How much the person may still refund today.
    pub today: &'static str,
    /// That more is possible with another person.
    pub above_today: &'static str,
    /// It was done.
    pub done: &'static str,
    /// Something is being done with it.
    pub running: &'static str,
    /// The page was not as it is now.
    pub stale: &'static str,
    /// It was refused.
    pub not_done: &'static str,
    /// The button that ends it as if its time were over.
    pub expire: &'static str,
    /// The link to the form that changes it.
    pub edit: &'static str,
    /// The link to the form of one like it.
    pub again: &'static str,
    /// The heading of the command that reads it.
    pub curl: &'static str,
    /// What was given back.
    pub given_back: &'static str,
    /// What was released.
    pub released: &'static str,
    /// What can still be given back or captured.
    pub remaining: &'static str,
    /// It is held.
    pub held: &'static str,
    /// It is held until a moment, `{until}`.
    pub held_until: &'static str,
    /// The hold was over at a moment, `{until}`.
    pub held_over: &'static str,
    /// The outcome is not known yet.
    pub awaited: &'static str,
    /// The button that changes it.
    pub save: &'static str,
    /// The option that leaves a value.
    pub as_is: &'static str,
    /// It was changed.
    pub saved: &'static str,
    states: [(State, &'static str); 11],
}

impl PaymentWords {
    /// A state in words.
    #[must_use]
    pub fn state_name(&self, state: State) -> &'static str {
        self.states.iter().find(|(known, _)| *known == state).map_or(state.as_str(), |(_, words)| words)
    }

    pub(super) const ENGLISH: Self = Self {
        payments: "Payments",
        title: "Payment",
        session_id: "Session id",
        state: "State",
        created: "Created",
        amount: "Amount",
        order_no: "Order number",
        payer: "Payer",
        method: "Method",
        search: "Search",
        search_hint: "Session id, reference, order number, e-mail, phone, last four digits, or an amount such as 12.500 KWD",
        filter: "Show",
        filters: "Only",
        all: "Show all",
        columns: "Columns and link",
        list_link: "Link to this list",
        export: "CSV of exactly this",
        any: "Any state",
        any_method: "Any method",
        from: "From",
        to: "To",
        none: "No payments fit these filters.",
        none_yet: "None of the newer payments fit these filters. Go on to older ones.",
        older: "Older payments",
        reference: "Reference",
        paid: "Paid",
        expires: "Can be paid until",
        fee: "Fee",
        attempts: "Attempts",
        operations: "Captures, refunds and voids",
        events: "What happened",
        by: "By",
        result: "Result",
        reason: "Reason",
        note: "Note",
        answer: "Answer of the gateway",
        link: "Link and messages",
        inquire: "Ask the gateway now",
        inquired: "The gateway was asked. This is what is known.",
        notify: "Send the webhook now",
        notified: "The webhook is on its way.",
        address: "To another address than its own",
        cancel: "Cancel the payment",
        refund: "Refund",
        void: "Void",
        capture: "Capture",
        left: "{amount} is left",
        today: "Today you may still refund {left} of {limit} by yourself.",
        above_today: "More waits for the approval of another person.",
        done: "Done.",
        running: "Something is being done with this payment at the moment. Open it again to see how that ended.",
        stale: "This payment has changed since the page was opened. Nothing was done: please look again.",
        not_done: "Nothing was done.",
        expire: "End its time now",
        edit: "Edit",
        again: "Create again",
        curl: "As a command (curl)",
        given_back: "Refunded",
        released: "Released",
        remaining: "Left",
        held: "The amount is held: capture it, or void it to release it.",
        held_until: "The amount is held until {until}: capture it before then, or void it to release it.",
        held_over: "The time to capture ended on {until}. Look the payment up at the gateway: a capture or a void may be refused now.",
        awaited: "The outcome is not known yet. The gateway is asked by itself.",
        save: "Save",
        as_is: "As it is",
        saved: "Saved.",
        states: [
            (State::Created, "Created"),
            (State::Pending, "Opened"),
            (State::Attempted, "Attempted"),
            (State::Authorized, "Held"),
            (State::Paid, "Paid"),
            (State::Failed, "Failed"),
            (State::Canceled, "Cancelled"),
            (State::Expired, "Expired"),
            (State::Invalided, "Ended"),
            (State::Refunded, "Refunded"),
            (State::Cod, "Cash on delivery"),
        ],
    };
    pub(super) const ARABIC: Self = Self {
        payments: "المدفوعات",
        title: "دفعة",
        session_id: "معرّف الجلسة",
        state: "الحالة",
        created: "تاريخ الإنشاء",
        amount: "المبلغ",
        order_no: "رقم الطلب",
        payer: "العميل",
        method: "طريقة الدفع",
        search: "بحث",
        search_hint: "معرّف الجلسة أو المرجع أو رقم الطلب أو البريد الإلكتروني أو الهاتف أو آخر أربعة أرقام أو مبلغ مثل 12.500 KWD",
        filter: "عرض",
        filters: "فقط",
        all: "عرض الكل",
        columns: "الأعمدة والرابط",
        list_link: "رابط هذه القائمة",
        export: "ملف CSV لهذه القائمة نفسها",
        any: "كل الحالات",
        any_method: "كل الطرق",
        from: "من",
        to: "إلى",
        none: "لا توجد مدفوعات مطابقة.",
        none_yet: "لا توجد مدفوعات مطابقة بين الأحدث. تابع إلى الأقدم.",
        older: "مدفوعات أقدم",
        reference: "المرجع",
        paid: "المدفوع",
        expires: "صالحة للدفع حتى",
        fee: "الرسوم",
        attempts: "المحاولات",
        operations: "التحصيل والاسترداد والإلغاء",
        events: "سجل الأحداث",
        by: "بواسطة",
        result: "النتيجة",
        reason: "السبب",
        note: "ملاحظة",
        answer: "رد بوابة الدفع",
        link: "الرابط والرسائل",
        inquire: "الاستعلام من بوابة الدفع",
        inquired: "تم الاستعلام. هذه هي المعلومات المتوفرة.",
        notify: "إرسال الإشعار الآن",
        notified: "الإشعار في الطريق.",
        address: "إلى عنوان آخر",
        cancel: "إلغاء الدفعة",
        refund: "استرداد",
        void: "إلغاء الحجز",
        capture: "تحصيل",
        left: "المتبقي {amount}",
        today: "يمكنك اليوم استرداد {left} من حدك اليومي {limit} دون موافقة.",
        above_today: "وما زاد على ذلك ينتظر موافقة شخص آخر.",
        done: "تم.",
        running: "تُنفَّذ عملية على هذه الدفعة الآن. يمكن فتح الصفحة مرة أخرى لمعرفة النتيجة.",
        stale: "تغيّرت هذه الدفعة بعد فتح الصفحة. لم يُنفَّذ شيء: يُرجى المراجعة من جديد.",
        not_done: "لم يُنفَّذ شيء.",
        expire: "إنهاء صلاحية الدفعة",
        edit: "تعديل",
        again: "إنشاء دفعة مماثلة",
        curl: "قراءتها بأمر عبر واجهة البرمجة",
        given_back: "المسترد",
        released: "المبلغ المُفرج عنه",
        remaining: "المتبقي",
        held: "المبلغ محجوز: يلزم تحصيله، أو إلغاء الحجز للإفراج عنه.",
        held_until: "المبلغ محجوز حتى {until}: يلزم تحصيله قبل ذلك، أو إلغاء الحجز للإفراج عنه.",
        held_over: "انتهت مهلة التحصيل في {until}. يُرجى البحث عن الدفعة لدى بوابة الدفع: قد يُرفض الآن التحصيل أو إلغاء الحجز.",
        awaited: "النتيجة غير معروفة بعد. يجري الاستعلام من بوابة الدفع تلقائيًا.",
        save: "حفظ",
        as_is: "كما هي",
        saved: "تم الحفظ.",
        states: [
            (State::Created, "أُنشئت"),
            (State::Pending, "فُتحت"),
            (State::Attempted, "جرت محاولة"),
            (State::Authorized, "محجوزة"),
            (State::Paid, "مدفوعة"),
            (State::Failed, "فشلت"),
            (State::Canceled, "ملغاة"),
            (State::Expired, "منتهية"),
            (State::Invalided, "غير متاحة"),
            (State::Refunded, "مستردة"),
            (State::Cod, "نقدًا عند الاستلام"),
        ],
    };
}
