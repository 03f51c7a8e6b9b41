//! What is wrong with a field, in the language of the page.

mod part;

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};

use super::DeskWords;
use super::isolated::{isolated, listed};
use crate::value::phone::lengths;
use crate::violation::Rule;
use crate::words::Language;

impl DeskWords {
    /// What a rule says, after the name of the field.
    #[must_use]
    pub fn fault(&self, rule: &Rule) -> String {
        match self.language {
            Language::En => rule.to_string(),
            Language::Ar => arabic(rule),
        }
    }
}

#[expect(clippy::too_many_lines, reason = "a table: one text for each rule")]
fn arabic(rule: &Rule) -> String {
    let text = match rule {
        Rule::TooManyItems { max } => return format!("الحد الأقصى {max} من العناصر"),
        Rule::TooLong { max } => return format!("الحد الأقصى {max} من الأحرف"),
        Rule::TooLarge { max } => return format!("الحد الأقصى {max} بايت"),
        Rule::TooDeep { max } => return format!("الحد الأقصى للتداخل {max} مستويات"),
        Rule::OneOf(words) => return format!("القيم المقبولة: {}", listed(words.iter().copied())),
        Rule::Amount(error) => return part::amount(*error),
        Rule::Principal(error) => return part::principal(*error),
        Rule::CurrencyNotTaken { currency } => {
            return format!("تلزم بوابة دفع واحدة على الأقل تقبل العملة {}", isolated(currency.code()));
        }
        Rule::Exchange(rule) => return part::exchange(*rule),
        Rule::Connector(rule) => part::connector(*rule),
        Rule::Access(rule) => return part::access(*rule),
        Rule::Brand(rule) => return part::brand(*rule),
        Rule::Image(rule) => return part::image(rule),
        Rule::Shape(shape) => return part::shape(*shape),
        Rule::UnknownParameter([]) => "غير معروف: لا يقبل هذا العنوان أي مرشِّح",
        Rule::UnknownParameter(names) => {
            return format!("غير معروف. المرشِّحات المقبولة: {}", listed(names.iter().copied()));
        }
        Rule::OneOfTwo { other } => return format!("مطلوب، أو يُملأ {} بدلًا منه", isolated(other)),
        Rule::NotWith(other) => return format!("لا يُقبل مع {}", isolated(other)),
        Rule::Attachment(error) => return part::attachment(error),
        Rule::Address(error) => part::address(*error),
        Rule::NotInteger { min, max } => return format!("يلزم عدد صحيح من {min} إلى {max}"),
        Rule::NotPhone { home } => return phone(home),
        Rule::Needs(field) => return format!("يلزم معه ملء {}", isolated(field)),
        Rule::LessThan(field) => return format!("يجب ألا يقل عن {}", isolated(field)),
        Rule::TooManyDays { max } => return format!("الحد الأقصى {max} يومًا من أول يوم إلى آخر يوم"),
        Rule::Before(field) => return format!("يجب ألا يسبق {}", isolated(field)),
        Rule::RequiredWith(kind) => return format!("مطلوب لنوع الدفع {}", isolated(kind.as_str())),
        Rule::NotZero(kind) => return format!("يجب أن يكون 0 لنوع الدفع {}", isolated(kind.as_str())),
        Rule::Card(rule) => return part::card(*rule),
        Rule::TooLongForGateway { max, pg_name } => {
            return format!("الحد الأقصى {max} من الأحرف عند اختيار بوابة من {}", isolated(pg_name));
        }
        Rule::NotPermitted(permitted) => {
            return format!("القيم المسموح بها: {}", listed(permitted.iter().map(String::as_str)));
        }
        Rule::Required => "هذا الحقل مطلوب",
        Rule::NotText | Rule::NotUnicode | Rule::NotDeclaredText | Rule::NotUtf8 => "يلزم نص صحيح",
        Rule::NotAmount => "يلزم مبلغ مكتوب بالأرقام، مثل 10.250",
        Rule::NotList | Rule::NotObject | Rule::NotVerbatim | Rule::NotFormName => "صيغة هذا الحقل غير صحيحة",
        Rule::NotItems => "تلزم قائمة عناصر، لكل منها اسم، وكمية ومبلغ إن وُجدا",
        Rule::EmptyList => "يلزم عنصر واحد على الأقل",
        Rule::ControlCharacter => "لا تُقبل أحرف التحكم وفواصل الأسطر",
        Rule::AmountTooSmall => "الحد الأدنى 0.01",
        Rule::UnknownCurrency => "يلزم رمز عملة من ثلاثة أحرف وفق المعيار الدولي",
        Rule::InactiveCurrency => "هذه العملة غير مفعّلة لدى المنشأة",
        Rule::NotOwnCurrency => "يلزم اختيار إحدى عملات البوابة",
        Rule::OperationImpossible => "لا يمكن أن تتبع هذه العملية الدفع من خلال هذه البوابة",
        Rule::GatewayOfOtherPlugin => "هذه البوابة ليست لهذا النوع من المدفوعات",
        Rule::NotGatewayCode => "يلزم رمز بوابة من 1 إلى 50 حرفًا لاتينيًا أو رقمًا أو شرطة",
        Rule::UnknownGateway => "لا توجد بوابة دفع بهذا الرمز لدى المنشأة",
        Rule::GatewayNotOffered => "يلزم اختيار إحدى بوابات هذه الدفعة",
        Rule::NotShares => "تلزم نسبة صحيحة من 1 إلى 100 لكل بوابة، ومجموعها 100، أو لا نسبة لأي بوابة",
        Rule::EmptyParameter => "تلزم قيمة، أو حذف هذا المرشِّح",
        Rule::Repeated => "لا تُقبل القيمة نفسها مرتين",
        Rule::NotOrigin => "يلزم عنوان موقع يبدأ ببروتوكول الويب الآمن، من دون مسار",
        Rule::NotHost => "يلزم اسم نطاق عام بأحرف صغيرة",
        Rule::CardData => "لا تُقبل بيانات البطاقة إلا في صفحة بوابة الدفع",
        Rule::ClockTooFar => "يجب ألا تبتعد الساعة أكثر من 366 يومًا عن الوقت الحقيقي",
        Rule::ClockIsMoved => "لا يمكن إيقاف وضع التجربة بعد تحريك ساعة المنشأة",
        Rule::OtherTransaction => "رقم الطلب ليس رقم هذه الدفعة",
        Rule::UnknownTransaction => "لا توجد دفعة بهذا المعرّف لدى المنشأة",
        Rule::PluginNotInstalled => "هذا النوع من المدفوعات غير مفعّل لدى المنشأة",
        Rule::NotEmail => "يلزم عنوان بريد إلكتروني صحيح",
        Rule::NotAppleAddress => "هذا العنوان ليس من عناوين التحقق المعتمدة",
        Rule::NoCardSaved => "لا تُحفظ بطاقة إلا لعميل له معرّف، وببوابة تحفظ البطاقات",
        Rule::OwnAddress { .. } => "لا تُقبل عناوين هذه الخدمة نفسها",
        Rule::NotDate => "يلزم تاريخ بصيغة السنة والشهر واليوم، مثل \u{2068}2030-01-31\u{2069}",
        Rule::NotDateTime | Rule::NotDay => "يلزم تاريخ صحيح، مثل \u{2068}2030-01-31\u{2069}",
        Rule::NotPeriod => "تلزم مدة بالأيام والساعات والدقائق والثواني، مثل \u{2068}1 00:00:00\u{2069}",
        Rule::PeriodOutOfRange => "تلزم مدة من ثانية واحدة إلى 366 يومًا",
        Rule::NotMerchantId => {
            "يلزم من 1 إلى 40 حرفًا لاتينيًا صغيرًا أو رقمًا أو شرطة، ولا تكون الشرطة في البداية"
        }
        Rule::NotSessionId => "يلزم معرّف جلسة من 40 خانة",
        Rule::NotBoolean => "يلزم نعم أو لا",
        Rule::NotDecimal => "يلزم عدد عشري بلا إشارة، مثل 2.5",
        Rule::Blank => "يجب ألا يكون فارغًا",
        Rule::NotCountryCode => "يلزم رمز دولة من حرفين وفق المعيار الدولي",
        Rule::NotTimeZone => "يلزم اسم منطقة زمنية معروفة",
        Rule::NotCursor => "هذه الصفحة من القائمة غير موجودة. يُرجى البدء من أول القائمة",
        Rule::InFuture => "يجب ألا يكون في المستقبل",
        Rule::NotInFuture => "يجب أن يكون في المستقبل",
        Rule::Fixed => "لا يمكن تغيير هذه القيمة",
        Rule::NotSlug => "تُقبل الأحرف اللاتينية والأرقام والشرطات فقط",
        Rule::NotCategoryCode => "يلزم رمز فئة من أربعة أرقام، مثل 5691",
        Rule::UnknownUser => "لا يوجد مستخدم نشط بهذا المعرّف",
        Rule::NotNumber => "يلزم عدد",
        Rule::NotSupported => "لا يُقبل عند التعديل، بل عند الإنشاء فقط",
        Rule::InstrumentNotTaken => "لا تقبل البوابة وسيلة الدفع هذه",
        Rule::NotReferencePrefix => "تُقبل 8 أحرف لاتينية كبيرة أو أرقام على الأكثر",
        Rule::NotDeliveryId => "يلزم معرّف إشعار صحيح",
        Rule::NotChosenChannel => "لا تُرسل هذه الدفعة رسائل بهذه الوسيلة في حالتها الآن",
        Rule::NotKnown => "غير مدعوم، ويجب أن يُترك",
    };
    text.to_owned()
}

fn phone(home: &str) -> String {
    let general = "يلزم رقم هاتف يبدأ بعلامة \u{2068}+\u{2069} أو 00 ورمز الدولة";
    match lengths(home) {
        Some((fewest, most)) if fewest == most => format!("{general}، أو رقم محلي من {most} أرقام"),
        Some((fewest, most)) => format!("{general}، أو رقم محلي من {fewest} إلى {most} أرقام"),
        None => general.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::violation::{AccessRule, ImageRule};

    #[test]
    fn a_value_of_a_rule_is_isolated_and_the_rest_is_arabic() {
        for rule in [
            Rule::Required,
            Rule::OneOf(&["paid", "failed"]),
            Rule::UnknownParameter(&["state"]),
            Rule::Access(AccessRule::NotPermission),
            Rule::Image(ImageRule::Broken("PNG")),
            Rule::NotPermitted(["a\u{2069}b".into()].into()),
            Rule::NotPhone { home: "KW".into() },
        ] {
            let text = DeskWords::of(Language::Ar).fault(&rule);
            let mut is_inside = false;
            for character in text.chars() {
                match character {
                    '\u{2068}' => is_inside = true,
                    '\u{2069}' => is_inside = false,
                    _ => assert!(is_inside || !character.is_ascii_alphabetic(), "{text}"),
                }
            }
            assert_eq!(DeskWords::of(Language::En).fault(&rule), rule.to_string());
        }
    }
}
