//! What payments add up to, and the first screen.

/// The words of one language.
#[derive(Debug)]
pub struct TotalWords {
    /// What the screen is called.
    pub title: &'static str,
    /// Nothing was paid, returned or declined.
    pub none: &'static str,
    /// As of when.
    pub as_of: &'static str,
    /// How days are counted.
    pub means: &'static str,
    /// The first day.
    pub from: &'static str,
    /// The last day.
    pub to: &'static str,
    /// The button that shows them.
    pub show: &'static str,
    /// What is wrong with the days.
    pub faults: &'static str,
    /// The table of the whole period.
    pub whole: &'static str,
    /// The table of days.
    pub by_day: &'static str,
    /// The column of the day.
    pub day: &'static str,
    /// The column of the gateway.
    pub method: &'static str,
    /// How many payments.
    pub payments: &'static str,
    /// What was taken.
    pub paid: &'static str,
    /// The fees in it.
    pub fees: &'static str,
    /// What was given back.
    pub refunded: &'static str,
    /// What is left.
    pub net: &'static str,
    /// How many attempts failed.
    pub failed: &'static str,
    /// What was taken, on the first screen.
    pub taken: &'static str,
    /// Each of the periods of the first screen.
    pub periods: [&'static str; 3],
    /// The newest payments.
    pub newest: &'static str,
    /// The link to every payment.
    pub all_payments: &'static str,
}

impl TotalWords {
    pub(super) const ENGLISH: Self = Self {
        title: "Totals",
        none: "Nothing was paid, refunded or declined on these days.",
        as_of: "As of",
        means: "A payment counts on the day on which its money was first taken; a refund and a declined attempt on the day on \
                which they happened. Cash on delivery is not counted.",
        from: "From",
        to: "To",
        show: "Show",
        faults: "These days cannot be added up:",
        whole: "The whole period",
        by_day: "By day",
        day: "Day",
        method: "Method",
        payments: "Payments",
        paid: "Taken",
        fees: "Fees",
        refunded: "Refunded",
        net: "Net",
        failed: "Declined attempts",
        taken: "Taken",
        periods: ["Today", "7 days", "30 days"],
        newest: "Newest payments",
        all_payments: "All payments",
    };
    pub(super) const ARABIC: Self = Self {
        title: "المجاميع",
        none: "لا دفعات ولا مبالغ مستردة ولا محاولات مرفوضة في هذه الأيام.",
        as_of: "حتى",
        means: "تُحسب الدفعة في اليوم الذي حُصّل فيه مبلغها أول مرة، ويُحسب الاسترداد والمحاولة المرفوضة في يوم حدوثهما. لا يُحسب الدفع نقدًا عند الاستلام.",
        from: "من",
        to: "إلى",
        show: "عرض",
        faults: "لا يمكن جمع هذه الأيام:",
        whole: "الفترة كلها",
        by_day: "حسب اليوم",
        day: "اليوم",
        method: "طريقة الدفع",
        payments: "الدفعات",
        paid: "المحصّل",
        fees: "الرسوم",
        refunded: "المسترد",
        net: "الصافي",
        failed: "المحاولات المرفوضة",
        taken: "المحصّل",
        periods: ["اليوم", "7 أيام", "30 يومًا"],
        newest: "أحدث الدفعات",
        all_payments: "كل الدفعات",
    };
}
