//! What a payer agrees to before a card is charged again or saved. It is stored as it was shown, so each change of a
//! text has a new [`VERSION`].

use crate::words::Language;
use crate::words::agreement::Frequency;

/// Counts the changes of these texts.
pub const VERSION: u16 = 3;

/// The texts of one language.
#[derive(Debug)]
pub(crate) struct ConsentWords {
    /// The heading, if the card is charged again.
    pub title: &'static str,
    /// The heading, if the card is only saved.
    pub save_title: &'static str,
    /// Who may charge the card again.
    pub who: &'static str,
    /// Who may charge the card that is saved.
    pub save_who: &'static str,
    /// Who saves the card, and how it is removed, if the payer ticks that it is saved.
    pub tick: &'static str,
    /// Before what is the same each time.
    pub fixed: &'static str,
    /// Before the most that is charged.
    pub up_to: &'static str,
    /// Amounts without a limit; the rules of fees follow.
    pub variable: &'static str,
    /// Between what different methods charge.
    pub or: &'static str,
    /// After what a method charges, if not all charge the same: `{method}`.
    pub by: &'static str,
    /// After a price that contains a fee: `{label}` and `{fee}`.
    pub including: &'static str,
    /// After an amount to which a fee is added: `{label}` and `{rule}`.
    pub plus: &'static str,
    /// After a price that is exchanged: today's `{rate}`.
    pub exchanged: &'static str,
    /// The end of the sentence.
    pub end: &'static str,
    /// How often, by the words of the API, and for every other word.
    pub frequencies: [(&'static str, &'static str); 8],
    /// How often, if the agreement does not say it.
    pub as_agreed: &'static str,
    /// The shortest time between two payments.
    pub interval: &'static str,
    /// The last day.
    pub until: &'static str,
    /// How many payments.
    pub cycles: &'static str,
    /// Neither a last day nor a number.
    pub no_end: &'static str,
    /// How the payer ends it.
    pub stop: &'static str,
    /// How the payer ends it, with the addresses of the merchant.
    pub stop_at: &'static str,
}

impl ConsentWords {
    /// The texts of a language.
    #[must_use]
    pub(crate) const fn of(language: Language) -> &'static Self {
        match language {
            Language::En => &ENGLISH,
            Language::Ar => &ARABIC,
        }
    }

    /// How often.
    #[must_use]
    pub(crate) fn frequency(&self, frequency: Option<Frequency>) -> &'static str {
        let word = frequency.map(Frequency::as_str);
        let known = self.frequencies.iter().find(|(known, _)| Some(*known) == word);
        known.map_or(self.as_agreed, |(_, text)| text)
    }
}

const ENGLISH: ConsentWords = ConsentWords {
    title: "You agree to later payments",
    save_title: "You agree that your card is saved",
    who: "By paying you allow {merchant} to charge this card again without asking you each time.",
    save_who: "By saving your card you allow {merchant} to charge it later for what you agree on with {merchant}.",
    tick: "{merchant} saves your card for payments that you start yourself. You can remove it on this page the next time you pay.",
    fixed: "Each later payment: ",
    up_to: "Each later payment: the amount may differ, and is at most ",
    variable: "Each later payment: the amount may differ",
    or: "; ",
    by: " with {method}",
    including: ", which includes {label} {fee}",
    plus: ", plus {label} {rule}",
    exchanged: ", at the exchange rate of that day (today {rate})",
    end: ".",
    frequencies: [
        ("daily", "How often: every day."),
        ("weekly", "How often: every week."),
        ("semi_monthly", "How often: twice a month."),
        ("monthly", "How often: every month."),
        ("quarterly", "How often: every three months."),
        ("semi_annually", "How often: every six months."),
        ("yearly", "How often: every year."),
        ("irregular", "How often: when it is due, on no fixed dates."),
    ],
    as_agreed: "How often: as you agreed with {merchant}.",
    interval: "Days between two payments: at least {days}.",
    until: "Last day: {date}.",
    cycles: "Number of later payments: at most {count}.",
    no_end: "No fixed end date.",
    stop: "To stop it at any time, contact {merchant}. What was paid before stays paid.",
    stop_at: "To stop it at any time, contact {merchant}: {contacts}. What was paid before stays paid.",
};

const ARABIC: ConsentWords = ConsentWords {
    title: "توافق على دفعات لاحقة",
    save_title: "توافق على حفظ بطاقتك",
    who: "بالدفع تسمح لـ {merchant} بالخصم من هذه البطاقة لاحقًا دون الرجوع إليك في كل مرة.",
    save_who: "بحفظ بطاقتك تسمح لـ {merchant} بالخصم منها لاحقًا وفق ما تتفق عليه مع {merchant}.",
    tick: "تُحفظ بطاقتك لدى {merchant} للدفعات التي تبدؤها بنفسك. يمكنك إزالتها من هذه الصفحة عند الدفع في المرة القادمة.",
    fixed: "كل دفعة لاحقة: ",
    up_to: "كل دفعة لاحقة: قد يختلف المبلغ، ولا يتجاوز ",
    variable: "كل دفعة لاحقة: قد يختلف المبلغ",
    or: "؛ ",
    by: " عبر {method}",
    including: "، ويشمل {label} {fee}",
    plus: "، تُضاف إليه {label} {rule}",
    exchanged: "، بسعر الصرف في يوم الخصم (اليوم {rate})",
    end: ".",
    frequencies: [
        ("daily", "يتكرر الخصم: كل يوم."),
        ("weekly", "يتكرر الخصم: كل أسبوع."),
        ("semi_monthly", "يتكرر الخصم: مرتين في الشهر."),
        ("monthly", "يتكرر الخصم: كل شهر."),
        ("quarterly", "يتكرر الخصم: كل ثلاثة أشهر."),
        ("semi_annually", "يتكرر الخصم: كل ستة أشهر."),
        ("yearly", "يتكرر الخصم: كل سنة."),
        ("irregular", "يتكرر الخصم: عند الاستحقاق، دون مواعيد ثابتة."),
    ],
    as_agreed: "يتكرر الخصم: وفق ما اتفقت عليه مع {merchant}.",
    interval: "الأيام بين دفعتين: {days} على الأقل.",
    until: "آخر يوم: {date}.",
    cycles: "عدد الدفعات اللاحقة: {count} على الأكثر.",
    no_end: "دون تاريخ انتهاء محدد.",
    stop: "لإيقافها في أي وقت يُرجى التواصل مع {merchant}. ما دُفع قبل ذلك يبقى مدفوعًا.",
    stop_at: "لإيقافها في أي وقت يُرجى التواصل مع {merchant}: {contacts}. ما دُفع قبل ذلك يبقى مدفوعًا.",
};

#[cfg(test)]
mod tests {
    use alloc::format;

    use sha2::{Digest, Sha256};

    use super::*;

    /// The hash of the texts of the present version.
    const TEXTS: &str = "9a60d2d4823243404056d153da3597638677fe55321d2e176fe8667e677e603e";

    #[test]
    fn a_change_of_a_text_has_a_new_version() {
        let texts = format!("{VERSION} {ENGLISH:?} {ARABIC:?}");
        let hash = hex::encode(Sha256::digest(texts));
        assert_eq!(hash, TEXTS, "raise VERSION, then put the new hash here");
    }

    #[test]
    fn every_frequency_of_the_api_is_said_in_both_languages() {
        for frequency in Frequency::ALL {
            for language in Language::ALL {
                let words = ConsentWords::of(language);
                let is_own = words.frequency(Some(frequency)) != words.as_agreed;
                assert_eq!(is_own, frequency != Frequency::Other, "{frequency:?}");
            }
        }
    }
}
