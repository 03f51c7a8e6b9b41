//! What facts say: sentences whose values are in braces, by their place.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::desk::DeskWords;
use super::desk::isolated::isolated;
use crate::record::facts::{FactCode, Facts, KnownFact};
use crate::record::outbox::MessageKind;
use crate::state::State;
use crate::value::time::Timestamp;
use crate::words::{ChildOperation, Language};

/// A part of what facts say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FactPart {
    /// A text.
    Text(String),
    /// A moment, which a screen shows as clocks do where its reader is.
    Moment(Timestamp),
}

/// The facts, one after the other, as a text in which moments are in UTC.
#[must_use]
pub fn say(language: Language, facts: &Facts) -> String {
    let text = |part| match part {
        FactPart::Text(text) => text,
        FactPart::Moment(at) => shown(language, &at.text()),
    };
    parts(language, facts).into_iter().map(text).collect()
}

/// The same, with its moments apart.
#[must_use]
pub fn parts(language: Language, facts: &Facts) -> Vec<FactPart> {
    let mut parts = Vec::new();
    let mut said = String::new();
    for fact in &facts.0 {
        fill(language, fact, &mut said, &mut parts);
    }
    parts.push(FactPart::Text(said));
    parts
}

/// A value among words of a language.
fn shown(language: Language, value: &str) -> String {
    if language == Language::En { value.to_string() } else { isolated(value) }
}

/// Writes one fact. A value of which nobody knows is left out. What precedes a moment goes to the parts.
fn fill(language: Language, fact: &KnownFact, said: &mut String, parts: &mut Vec<FactPart>) {
    let [english, arabic] = texts(fact.code);
    let template = match language {
        Language::En => english,
        Language::Ar => arabic,
    };
    for part in template.split('}') {
        let Some((text, place)) = part.split_once('{') else {
            said.push_str(part);
            continue;
        };
        said.push_str(text);
        let of_place = |place: &str| fact.values.get(place.parse::<usize>().ok()?);
        let Some(value) = of_place(place.trim_start_matches(char::is_alphabetic)) else { continue };
        if let Some(at) = moment(place, value) {
            parts.extend([FactPart::Text(core::mem::take(said)), FactPart::Moment(at)]);
            continue;
        }
        match named(place, value) {
            Some(name) => said.push_str(name),
            None if fact.code == FactCode::Said => said.push_str(value),
            None => said.push_str(&shown(language, value)),
        }
    }
}

/// The moment of a value that is one, as `m` in its place says.
fn moment(place: &str, value: &str) -> Option<Timestamp> {
    place.starts_with('m').then(|| Timestamp::parse(value)).flatten()
}

/// The Arabic name of a value that is a word of the API, as its place says: `o` an operation, `s` a state, `k` a kind of message.
fn named(place: &str, value: &str) -> Option<&'static str> {
    let words = DeskWords::of(Language::Ar);
    match place.chars().next()? {
        'o' => Some(match ChildOperation::parse(value)? {
            ChildOperation::Capture => words.payment.capture,
            ChildOperation::Refund => words.payment.refund,
            ChildOperation::Void => words.payment.void,
        }),
        's' => Some(words.payment.state_name(State::parse(value)?)),
        'k' => Some(words.deliveries.kind_of(MessageKind::parse(value)?)),
        _ => None,
    }
}

/// In English and in Arabic.
#[expect(clippy::too_many_lines, reason = "a table")]
const fn texts(code: FactCode) -> [&'static str; 2] {
    match code {
        FactCode::Said => ["{0}", "{0}"],
        FactCode::OtherReference => [
            "asked about {0}, answered about another reference",
            "كان الاستعلام عن {0}، وجاء الرد عن رقم مرجعي آخر",
        ],
        FactCode::OtherTotal => {
            ["asked for {0}, the gateway names {1}", "المطلوب {0}، والمبلغ لدى البوابة {1}"]
        }
        FactCode::OtherAmount => {
            ["asked for {0} of {1}, the gateway names {2}", "المطلوب {o0} بمبلغ {1}، والمبلغ لدى البوابة {2}"]
        }
        FactCode::OtherListedTotal => {
            ["asked for {0}, the gateway lists {1}", "المطلوب {0}، والمبلغ في قائمة البوابة {1}"]
        }
        FactCode::DoneLate => ["{0} of {1} was done after all", "تم بعد الرفض: {o0} بمبلغ {1}"],
        FactCode::OperationTakenBack => [
            "the gateway took back {0} of {1} after it was done: {2}",
            "تراجعت البوابة بعد الإتمام عن {o0} بمبلغ {1}: {2}",
        ],
        FactCode::MoneyTakenBack => [
            "the gateway took the money back after the payment had succeeded: {0}",
            "استعادت البوابة المبلغ بعد نجاح الدفع: {0}",
        ],
        FactCode::DisputeNeedsAnswer => [
            "the payer's bank disputes the payment, and the gateway waits for an answer",
            "اعترض بنك الدافع على الدفعة، والبوابة تنتظر الرد",
        ],
        FactCode::DisputeUnderReview => {
            ["the dispute about the payment is under review", "الاعتراض على الدفعة قيد المراجعة"]
        }
        FactCode::DisputeWon => {
            ["the dispute about the payment was won", "انتهى الاعتراض على الدفعة لصالح المتجر"]
        }
        FactCode::DisputeLost => {
            ["the dispute about the payment was lost", "انتهى الاعتراض على الدفعة لصالح الدافع"]
        }
        FactCode::DisputeClosed => {
            ["the dispute about the payment is over without a decision", "أُغلق الاعتراض على الدفعة دون قرار"]
        }
        FactCode::DisputedAmount => [": {0}", ": {0}"],
        FactCode::DisputeReason => [", reason {0}", "، والسبب {0}"],
        FactCode::AnswerUntil => [", to be answered until {m0}", "، وآخر موعد للرد {m0}"],
        FactCode::PaymentSilent => [
            "the gateway did not say what became of the payment for 72 hours",
            "لم توضح البوابة نتيجة الدفعة خلال 72 ساعة",
        ],
        FactCode::OperationSilent => [
            "the gateway did not say what became of the operation for 72 hours",
            "لم توضح البوابة نتيجة العملية خلال 72 ساعة",
        ],
        FactCode::OnlyCard => [
            "only a card was confirmed, and the payment transaction asks for money by now",
            "تم تأكيد البطاقة فقط، والمطلوب الآن مبلغ",
        ],
        FactCode::OldPrice => {
            ["{0} was paid, and the payment transaction asks for {1} by now", "تم دفع {0}، والمطلوب الآن {1}"]
        }
        FactCode::InState => ["the payment transaction is {0}", "حالة الدفعة «{s0}»"],
        FactCode::GivesBack => {
            ["; {0} {1} was opened to give it back", "؛ ولإعادة المبلغ أُنشئت عملية {o0} برقم {1}"]
        }
        FactCode::ListedDeclined => [
            "the payment succeeded here, and the gateway calls it declined",
            "نجحت الدفعة هنا، وهي لدى البوابة مرفوضة",
        ],
        FactCode::ListedCanceled => [
            "the payment succeeded here, and the gateway calls it canceled",
            "نجحت الدفعة هنا، وهي لدى البوابة ملغاة",
        ],
        FactCode::ListedOpen => [
            "the payment succeeded here, and the gateway still waits for the payer",
            "نجحت الدفعة هنا، والبوابة ما زالت تنتظر الدفع",
        ],
        FactCode::NotListed => [
            "the payment succeeded here, and the gateway knows no charge of this reference",
            "نجحت الدفعة هنا، ولا تعرف البوابة عملية بهذا الرقم المرجعي",
        ],
        FactCode::CapturedTotal => {
            ["captured {0} at the gateway, {1} here", "المحصَّل لدى البوابة {0}، وهنا {1}"]
        }
        FactCode::RefundedTotal => {
            ["refunded {0} at the gateway, {1} here", "المسترد لدى البوابة {0}، وهنا {1}"]
        }
        FactCode::VoidedTotal => ["voided {0} at the gateway, {1} here", "المحرَّر لدى البوابة {0}، وهنا {1}"],
        FactCode::UnknownCharge => [
            "the gateway lists a charge of {0} under the reference {1}, which nothing here asked for",
            "في قائمة البوابة عملية بمبلغ {0} ورقم مرجعي {1} لم تُطلب من هنا",
        ],
        FactCode::UnknownChargeUnnamed => [
            "the gateway lists a charge of an amount that it does not name under the reference {0}, which nothing here asked for",
            "في قائمة البوابة عملية بلا مبلغ ورقم مرجعي {0} لم تُطلب من هنا",
        ],
        FactCode::ReceiverGone => ["{0} answered 410: it is disabled", "رد {0} بالرمز 410: أُوقف"],
        FactCode::ReceiverFailed => ["{0} failed for five days: it is disabled", "تعثر {0} خمسة أيام: أُوقف"],
        FactCode::Message => ["{0} {1}", "{k0} {1}"],
        FactCode::MessageKind => ["{0}", "{k0}"],
        FactCode::ToPayer => [" to the payer", " لمن يدفع"],
        FactCode::To => [" to {0}", " إلى {0}"],
        FactCode::AboutOrder => [" about order {0}", " بخصوص الطلب {0}"],
        FactCode::EndedWithStatus => [" ended with status {0}", "، والرد الأخير بالرمز {0}"],
        FactCode::EndedSilent => [" ended with no answer", "، ولم يصل رد في آخر محاولة"],
        FactCode::FailedOnce => [" failed once", "، تعثر مرة"],
        FactCode::FailedTimes => [" failed {0} times", "، عدد مرات التعثر {0}"],
        FactCode::LastStatus => [", at last with status {0}", "، وآخرها بالرمز {0}"],
        FactCode::LastSilent => [", at last with no answer", "، وآخرها بلا رد"],
        FactCode::GatewayFailed => {
            ["{0} failed {1} times in a row", "تعثرت {0} على التوالي، وعدد المرات {1}"]
        }
        FactCode::NotProcessed => ["{0} was due and could not be handled", "حان موعد {0} وتعذرت معالجته"],
        FactCode::NotIntact => {
            ["what is stored is not what was asked for", "المحفوظ ليس ما طُلبت الموافقة عليه"]
        }
        FactCode::OtherAttempt => ["the payment is settled by another attempt", "تمت الدفعة بمحاولة أخرى"],
        FactCode::LessLeft => {
            ["{0} is left, and {1} was when it was asked for", "المتبقي {0}، وكان عند الطلب {1}"]
        }
        FactCode::TriedToTheEnd => {
            ["it could not be carried out, however often that was tried", "تعذر تنفيذه رغم تكرار المحاولة"]
        }
        FactCode::NotDone => ["the gateway did not do it", "لم تنفذه البوابة"],
        FactCode::NotInState => ["{1}", "حالة الدفعة الآن «{s0}»، ولذلك هذه العملية غير ممكنة"],
        FactCode::NotAvailable => ["{1}", "المتاح {0}"],
        FactCode::CaptureBefore => ["capture before {m0}", "يلزم التحصيل قبل {m0}"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fact_names_the_same_values_in_both_languages() {
        for code in FactCode::ALL {
            let [english, arabic] = texts(code);
            let places = |text: &str| -> alloc::vec::Vec<bool> {
                ["0}", "1}", "2}"].iter().map(|place| text.contains(place)).collect()
            };
            let has_english = matches!(code, FactCode::NotInState | FactCode::NotAvailable);
            assert!(has_english || places(english) == places(arabic), "{english}");
        }
    }

    #[test]
    fn moments_are_apart_for_screens_and_in_utc_in_a_text() {
        let until = Timestamp::parse("2027-01-06T18:00:00Z").unwrap();
        for (value, expected) in [("2027-01-06T18:00:00Z", Some(until)), ("soon", None)] {
            let facts = Facts::of(FactCode::DisputeNeedsAnswer)
                .and(FactCode::AnswerUntil, &[value])
                .and(FactCode::Said, &[". So"]);
            for language in [Language::En, Language::Ar] {
                let parts = parts(language, &facts);
                let moments: alloc::vec::Vec<_> =
                    parts.iter().filter(|part| matches!(part, FactPart::Moment(_))).collect();
                assert_eq!(moments, expected.map(FactPart::Moment).iter().collect::<alloc::vec::Vec<_>>());
                let said = say(language, &facts);
                assert!(said.contains(value) && said.ends_with(". So"), "{said}");
                assert_eq!(said.contains(&isolated(value)), language == Language::Ar, "{said}");
            }
        }
    }

    #[test]
    fn words_of_the_api_have_their_names_and_values_their_direction() {
        let facts = Facts::default()
            .and(FactCode::InState, &["paid"])
            .and(FactCode::GivesBack, &["refund", "7H3K9M2P4Q5R"]);
        assert_eq!(
            say(Language::En, &facts),
            "the payment transaction is paid; refund 7H3K9M2P4Q5R was opened to give it back"
        );
        let arabic = say(Language::Ar, &facts);
        assert!(arabic.contains("\u{2068}7H3K9M2P4Q5R\u{2069}") && !arabic.contains("paid"), "{arabic}");
        assert_eq!(say(Language::Ar, &Facts::default().and(FactCode::To, &[])), " إلى ");
    }
}
