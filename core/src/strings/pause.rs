//! What a payer reads after too many declines: how long to wait.

use super::HeadedText;
use super::screen::PauseText;

/// The heading, and a sentence for each time to wait.
#[derive(Debug)]
pub struct PauseWords {
    title: &'static str,
    minute: &'static str,
    five_minutes: &'static str,
    quarter_hour: &'static str,
    half_hour: &'static str,
    hour: &'static str,
    six_hours: &'static str,
    day: &'static str,
}

impl PauseWords {
    /// The heading and the sentence.
    pub(super) const fn message(&self, pause: PauseText) -> HeadedText {
        let text = match pause {
            PauseText::Minute => self.minute,
            PauseText::FiveMinutes => self.five_minutes,
            PauseText::QuarterHour => self.quarter_hour,
            PauseText::HalfHour => self.half_hour,
            PauseText::Hour => self.hour,
            PauseText::SixHours => self.six_hours,
            PauseText::Day => self.day,
        };
        HeadedText { title: self.title, text }
    }

    pub(super) const ENGLISH: Self = Self {
        title: "Too many declined attempts",
        minute: "You haven't been charged for this one. You can try again in one minute.",
        five_minutes: "You haven't been charged for this one. You can try again in 5 minutes.",
        quarter_hour: "You haven't been charged for this one. You can try again in 15 minutes.",
        half_hour: "You haven't been charged for this one. You can try again in half an hour.",
        hour: "You haven't been charged for this one. You can try again in one hour.",
        six_hours: "You haven't been charged for this one. You can try again in 6 hours.",
        day: "You haven't been charged for this one. You can try again in 24 hours.",
    };

    pub(super) const ARABIC: Self = Self {
        title: "محاولات مرفوضة كثيرة",
        minute: "لم يُخصم منك أي مبلغ لهذه المحاولة. يمكنك إعادة المحاولة بعد دقيقة واحدة.",
        five_minutes: "لم يُخصم منك أي مبلغ لهذه المحاولة. يمكنك إعادة المحاولة بعد 5 دقائق.",
        quarter_hour: "لم يُخصم منك أي مبلغ لهذه المحاولة. يمكنك إعادة المحاولة بعد 15 دقيقة.",
        half_hour: "لم يُخصم منك أي مبلغ لهذه المحاولة. يمكنك إعادة المحاولة بعد نصف ساعة.",
        hour: "لم يُخصم منك أي مبلغ لهذه المحاولة. يمكنك إعادة المحاولة بعد ساعة واحدة.",
        six_hours: "لم يُخصم منك أي مبلغ لهذه المحاولة. يمكنك إعادة المحاولة بعد 6 ساعات.",
        day: "لم يُخصم منك أي مبلغ لهذه المحاولة. يمكنك إعادة المحاولة بعد 24 ساعة.",
    };
}
