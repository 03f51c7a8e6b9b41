//! Requests for approval: their list, one of them, and what is decided.

use alloc::string::{String, ToString};
use core::time::Duration;

/// The words of one language.
#[derive(Debug)]
pub struct ApprovalWords {
    /// The title of the list.
    pub title: &'static str,
    /// The heading of those that wait.
    pub waiting: &'static str,
    /// Nothing waits.
    pub none_waiting: &'static str,
    /// The link to all that wait.
    pub all_waiting: &'static str,
    /// The heading of the others.
    pub others: &'static str,
    /// Nothing fits.
    pub none: &'static str,
    /// The link to the next page.
    pub older: &'static str,
    /// What is asked for.
    pub request: &'static str,
    /// Who asked.
    pub asked_by: &'static str,
    /// When.
    pub asked_at: &'static str,
    /// For how long it waits.
    pub age: &'static str,
    /// Until when it can be approved.
    pub ends: &'static str,
    /// How much was left.
    pub remaining: &'static str,
    /// The link to its payment.
    pub payment: &'static str,
    /// Who has approved it.
    pub approved_by: &'static str,
    /// How many persons have to; `{done}` and `{needed}` are numbers.
    pub approvals: &'static str,
    /// Who rejected it or took it back.
    pub ended_by: &'static str,
    /// Why it failed.
    pub failure: &'static str,
    /// The operation that carries it out.
    pub operation: &'static str,
    /// The button that approves.
    pub approve: &'static str,
    /// What it does.
    pub approve_means: &'static str,
    /// The button that rejects.
    pub reject: &'static str,
    /// What the field of the note is for.
    pub why: &'static str,
    /// The button that takes it back.
    pub withdraw: &'static str,
    /// Who asked cannot approve.
    pub own: &'static str,
    /// The person has approved it.
    pub has_approved: &'static str,
    /// The link by which a failed one is asked for once more.
    pub ask_again: &'static str,
    /// It was asked for.
    pub news_asked: &'static str,
    /// It was approved.
    pub news_approved: &'static str,
    /// It was rejected.
    pub news_rejected: &'static str,
    /// It was taken back.
    pub news_withdrawn: &'static str,
    /// It had ended before.
    pub over: &'static str,
    /// Who asked cannot decide.
    pub not_own: &'static str,
    /// A rejection needs a note.
    pub note_missing: &'static str,
    /// On the page of the payment; `{request}` is what is asked for.
    pub waits: &'static str,
    hours_minutes: &'static str,
    days_hours: &'static str,
    /// The states: asked, approved, done, failed, rejected, withdrawn, expired.
    pub states: [&'static str; 7],
}

impl ApprovalWords {
    /// A period, to the minute, or to the hour if it is longer than a day.
    #[must_use]
    pub fn period(&self, period: Duration) -> String {
        let minutes = period.as_secs() / 60;
        let (hours, days) = (minutes / 60, minutes / (24 * 60));
        let text = if days > 0 { self.days_hours } else { self.hours_minutes };
        text.replace("{days}", &days.to_string())
            .replace("{hours}", &(if days > 0 { hours % 24 } else { hours }).to_string())
            .replace("{minutes}", &(minutes % 60).to_string())
    }

    pub(super) const ENGLISH: Self = Self {
        title: "Approvals",
        waiting: "Waiting for a decision",
        none_waiting: "Nothing waits for a decision.",
        all_waiting: "All that wait",
        others: "Decided",
        none: "There are none.",
        older: "Older requests",
        request: "Request",
        asked_by: "Asked by",
        asked_at: "Asked",
        age: "Waits for",
        ends: "Ends",
        remaining: "Left when it was asked for",
        payment: "Payment",
        approved_by: "Approved by",
        approvals: "{done} of {needed}",
        ended_by: "Ended by",
        failure: "Why it failed",
        operation: "Operation",
        approve: "Approve",
        approve_means: "The money is moved at once, with the last approval that is needed.",
        reject: "Reject",
        why: "Why it is rejected",
        withdraw: "Take the request back",
        own: "Who asks cannot approve: another person has to decide.",
        has_approved: "You have approved it. Another person is needed.",
        ask_again: "Ask again on the page of the payment",
        news_asked: "Asked for. No money is moved before another person approves it.",
        news_approved: "Your approval is recorded.",
        news_rejected: "Rejected. No money is moved.",
        news_withdrawn: "Taken back. No money is moved.",
        over: "Nothing was done: the request has ended, or is not as the page showed it. This is how it is.",
        not_own: "Nothing was done: who asks cannot decide. Another person has to.",
        note_missing: "Nothing was done: say why it is rejected.",
        waits: "{request}: asked for, and not decided or not done yet",
        hours_minutes: "{hours} h {minutes} min",
        days_hours: "{days} d {hours} h",
        states: ["Waiting", "Approved", "Done", "Failed", "Rejected", "Taken back", "Out of time"],
    };
    pub(super) const ARABIC: Self = Self {
        title: "الموافقات",
        waiting: "بانتظار القرار",
        none_waiting: "لا يوجد طلب بانتظار القرار.",
        all_waiting: "كل الطلبات المنتظرة",
        others: "طلبات سابقة",
        none: "لا يوجد شيء.",
        older: "طلبات أقدم",
        request: "الطلب",
        asked_by: "مقدم الطلب",
        asked_at: "وقت الطلب",
        age: "مدة الانتظار",
        ends: "ينتهي",
        remaining: "المتبقي وقت الطلب",
        payment: "الدفعة",
        approved_by: "تمت الموافقة من",
        approvals: "{done} من {needed}",
        ended_by: "تم الإنهاء من",
        failure: "سبب الفشل",
        operation: "العملية",
        approve: "موافقة",
        approve_means: "يتم تحويل المبلغ فور اكتمال الموافقات المطلوبة.",
        reject: "رفض",
        why: "سبب الرفض",
        withdraw: "سحب الطلب",
        own: "لا تُقبل موافقة مقدم الطلب: القرار لشخص آخر.",
        has_approved: "تم تسجيل موافقتك. تلزم موافقة شخص آخر.",
        ask_again: "تقديم طلب جديد من صفحة الدفعة",
        news_asked: "تم تقديم الطلب. لن يُحوَّل أي مبلغ قبل موافقة شخص آخر.",
        news_approved: "تم تسجيل موافقتك.",
        news_rejected: "تم الرفض. لن يُحوَّل أي مبلغ.",
        news_withdrawn: "تم سحب الطلب. لن يُحوَّل أي مبلغ.",
        over: "لم يُنفَّذ شيء: انتهى الطلب أو تغيّر بعد فتح الصفحة. هذه حالته الآن.",
        not_own: "لم يُنفَّذ شيء: القرار ليس لمقدم الطلب، بل لشخص آخر.",
        note_missing: "لم يُنفَّذ شيء: يلزم ذكر سبب الرفض.",
        waits: "{request}: طلب لم يُبتّ فيه أو لم يُنفَّذ بعد",
        hours_minutes: "{hours} س {minutes} د",
        days_hours: "{days} ي {hours} س",
        states: ["بانتظار القرار", "تمت الموافقة", "نُفِّذ", "فشل", "مرفوض", "مسحوب", "انتهت مدته"],
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_is_said_to_the_minute_and_over_a_day_to_the_hour() {
        let said = |minutes: u64| ApprovalWords::ENGLISH.period(Duration::from_secs(minutes * 60 + 59));
        assert_eq!(
            [said(0), said(61), said(1_439), said(1_440), said(3_000)],
            ["0 h 0 min", "1 h 1 min", "23 h 59 min", "1 d 0 h", "2 d 2 h"]
        );
    }
}
