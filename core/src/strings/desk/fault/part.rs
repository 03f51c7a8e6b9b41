//! What is wrong with a field, in Arabic, for the rules that have rules of their own.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use super::super::isolated::{isolated, listed};
use crate::record::attachment::AttachmentError;
use crate::value::choice::PrincipalError;
use crate::value::money::{AmountError, MAX_AMOUNT_CHARS, Money};
use crate::value::shape::TextShape;
use crate::value::web_address::AddressError;
use crate::violation::{AccessRule, BrandRule, CardRule, ConnectorRule, ExchangeRule, ImageRule};

fn money(amount: Money) -> String {
    isolated(&format!("{amount} {}", amount.currency()))
}

pub(super) fn amount(error: AmountError) -> String {
    match error {
        AmountError::Malformed => "يلزم مبلغ مكتوب بالأرقام وبنقطة واحدة على الأكثر، مثل 10.250".to_owned(),
        AmountError::TooLong => format!("الحد الأقصى {MAX_AMOUNT_CHARS} خانة"),
        AmountError::TooManyDecimals { allowed: 0, currency } => {
            format!("لا كسور عشرية لعملة {}", isolated(currency.code()))
        }
        AmountError::TooManyDecimals { allowed, currency } => {
            format!("الحد الأقصى {allowed} من المنازل العشرية لعملة {}", isolated(currency.code()))
        }
        AmountError::TooLarge => "المبلغ أكبر من الحد الأقصى".to_owned(),
    }
}

pub(super) fn principal(error: PrincipalError) -> String {
    match error {
        PrincipalError::OutOfRange(choice) => {
            format!("يلزم مبلغ من {} إلى {}", money(choice.least()), money(choice.most()))
        }
        PrincipalError::Fixed(amount) | PrincipalError::NotCost(amount) => {
            format!("يجب أن يكون المبلغ {}، أو أن يُترك الحقل", money(amount))
        }
        PrincipalError::NotCharged => "لا يمكن تحصيل هذا المبلغ من خلال البوابة المختارة".to_owned(),
        PrincipalError::Unfit(unfit) => {
            format!("لا تحصّل أي بوابة مختارة هذا المجموع: {}", money(unfit.total))
        }
    }
}

pub(super) fn exchange(rule: ExchangeRule) -> String {
    match rule {
        ExchangeRule::NotRate => "يلزم سعر صرف أكبر من الصفر، مثل 0.3075".to_owned(),
        ExchangeRule::SameCurrency => "تلزم عملة أخرى غير العملة المحوَّلة".to_owned(),
        ExchangeRule::NoRate { source, target } => {
            format!("يلزم سعر صرف من {} إلى {}", isolated(source.code()), isolated(target.code()))
        }
        ExchangeRule::OwnCurrency => "يجب ألا تكون من عملات البوابة".to_owned(),
        ExchangeRule::AmountLost => "يصبح المبلغ صفرًا بعملة التحصيل".to_owned(),
    }
}

pub(super) const fn connector(rule: ConnectorRule) -> &'static str {
    match rule {
        ConnectorRule::LeftOut => "نوع البوابة هذا غير متوفر في هذه الخدمة",
        ConnectorRule::NotAble => "لا تدعم هذه البوابة ذلك",
        ConnectorRule::NotCredential => "ليس لهذه البوابة بيانات دخول بهذا الاسم",
        ConnectorRule::NoSimulatedBank => "يلزم عنوان بنك تجريبي، لأن هذه الخدمة بلا بنك للمحاكاة",
        ConnectorRule::NoAddressOfBank => "يلزم عنوان بوابة البنك الآمن: لكل بنك عنوانه",
    }
}

pub(super) fn access(rule: AccessRule) -> String {
    let text = match rule {
        AccessRule::TooShort { min } => return format!("الحد الأدنى {min} حرفًا"),
        AccessRule::TooManyBytes { max } => return format!("الحد الأقصى {max} بايت"),
        AccessRule::ForGateways => {
            return format!("للمفتاح العام {} فقط", isolated("Can use <pg_code>"));
        }
        AccessRule::NotUsername => {
            "يلزم اسم من 1 إلى 150 حرفًا أو رقمًا أو علامة من \u{2068}_ . @ + -\u{2069} من دون مسافات"
        }
        AccessRule::UsernameTaken => "هذا الاسم لمستخدم آخر، ولا فرق بين الأحرف الكبيرة والصغيرة",
        AccessRule::ContainsUsername => "يجب ألا تتضمن كلمة المرور اسم المستخدم",
        AccessRule::NotPermission => "لا توجد صلاحية بهذا الاسم",
        AccessRule::ForKeys => "هذه الصلاحية للمفاتيح فقط",
        AccessRule::ForUsers => "هذه الصلاحية للمستخدمين فقط",
        AccessRule::NotOwn => "لا يمكن منح صلاحية لا يملكها من يمنحها",
        AccessRule::NotIssuer => "يلزم عنوان مُصدر الهوية تمامًا كما يكتبه المزوّد",
        AccessRule::NotOpened => "لم يعد ممكنًا فتح هذه القيمة السرية: يلزم إدخالها من جديد",
        AccessRule::NotActor | AccessRule::NotMaker => "يلزم مستخدم أو مفتاح معروف",
        AccessRule::ProviderTaken => "هذا المعرّف لدى المزوّد مسجل لمنشأة أخرى",
        AccessRule::BoundBySignIn => "لا يُفعَّل إلا بتسجيل الدخول التالي لدى المزوّد",
        AccessRule::NotReachable => {
            "يلزم عنوان بريد إلكتروني ومزود بريد في إعدادات المنشأة ولوحة عمل: يُرسل الرابط بالبريد الإلكتروني"
        }
        AccessRule::OtherUser => "يلزم المستخدم الحالي نفسه، أو يُترك الحقل",
    };
    text.to_owned()
}

pub(super) fn brand(rule: BrandRule) -> String {
    match rule {
        BrandRule::NotColour => format!("يلزم لون من ست خانات، مثل {}", isolated("#2b55d9")),
        BrandRule::Contrast { found } => {
            let (whole, rest) = (found.div_euclid(100), found.rem_euclid(100));
            format!("تباين اللون مع الصفحة البيضاء {whole}.{rest:02}، والحد الأدنى 3: يلزم لون أغمق")
        }
        BrandRule::NotPhone => format!("يلزم رقم هاتف دولي، مثل {}", isolated("+96522223333")),
        BrandRule::NotImageName => "يلزم اسم صورة رُفعت من قبل".to_owned(),
        BrandRule::NotDomainFile => format!("يلزم ملف التحقق كما هو من {}", isolated("Apple")),
    }
}

pub(super) fn image(rule: &ImageRule) -> String {
    match rule {
        ImageRule::Unknown => format!("تلزم صورة من نوع {}", listed(["PNG", "WebP"].into_iter())),
        ImageRule::Broken(kind) => format!("ملف {} غير كامل أو تالف", isolated(kind)),
        ImageRule::Animated => "لا تُقبل الصور المتحركة".to_owned(),
        ImageRule::TooManyBytes { max } => format!("الحد الأقصى {max} بايت"),
        ImageRule::TooLarge { max } => format!("الحد الأقصى {max} بكسل للعرض وللارتفاع"),
        ImageRule::NoSize => "الصورة فارغة".to_owned(),
        ImageRule::TooMany { max } => format!("الحد الأقصى {max} من الصور: يلزم حذف صورة غير مستخدمة"),
        ImageRule::InUse => "الصورة مستخدمة في الإعدادات".to_owned(),
    }
}

pub(super) fn shape(shape: TextShape) -> String {
    match shape {
        TextShape::Line { max } => format!("يلزم سطر واحد من 1 إلى {max} حرفًا من دون مسافات حوله"),
        TextShape::Alphanumeric { min, max } if min == max => {
            format!("يلزم {max} من الأحرف اللاتينية والأرقام")
        }
        TextShape::Alphanumeric { min, max } => {
            format!("يلزم من {min} إلى {max} من الأحرف اللاتينية والأرقام")
        }
        TextShape::Hex { max } => format!("يلزم عدد زوجي من الخانات الست عشرية، والحد الأقصى {max}"),
        TextShape::Word(words) => format!("القيم المقبولة: {}", listed(words.iter().copied())),
        TextShape::Words(words) => {
            format!("القيم المقبولة، وبينها فواصل: {}", listed(words.iter().copied()))
        }
    }
}

pub(super) fn card(rule: CardRule) -> String {
    match rule {
        CardRule::SavesNoCards(kind) => {
            format!("تلزم بوابة تحفظ البطاقات لنوع الدفع {}", isolated(kind.as_str()))
        }
        CardRule::VerifiesNoCards(kind) => {
            format!("تلزم بوابة تتحقق من البطاقة من دون مبلغ لنوع الدفع {}", isolated(kind.as_str()))
        }
        CardRule::OtherTerms => "تغيّرت الشروط بعد عرض الصفحة".to_owned(),
    }
}

pub(super) fn attachment(error: &AttachmentError) -> String {
    let text = match error {
        AttachmentError::Missing => "لم يُرسل أي ملف",
        AttachmentError::NotFile => "يلزم ملف",
        AttachmentError::Extension(_) | AttachmentError::AddressExtension => {
            let known = ["pdf", "jpeg", "png", "doc", "docx", "jpg", "xls", "xlsx", "txt"];
            return format!("أنواع الملفات المقبولة: {}", listed(known.into_iter()));
        }
        AttachmentError::NameTooLong => "الحد الأقصى لاسم الملف 100 حرف",
        AttachmentError::Empty => "الملف فارغ",
        AttachmentError::TooLarge => "الحد الأقصى لحجم الملف 2.5 ميغابايت",
        AttachmentError::Content(kind) => {
            return format!("محتوى الملف ليس من نوع {}", isolated(kind));
        }
        AttachmentError::FileAndAddress => "لا يُقبل ملف مع عنوان ملف",
        AttachmentError::UnknownFile => "لا يوجد ملف مرفوع بهذا العنوان",
        AttachmentError::NoTransaction(_) => "لا توجد دفعة بهذا المعرّف",
        AttachmentError::OneIdOnly => "يُقبل معرّف واحد فقط للدفعة",
        AttachmentError::NeedsTransaction => "يلزم معرّف الدفعة",
    };
    text.to_owned()
}

pub(super) const fn address(error: AddressError) -> &'static str {
    match error {
        AddressError::TooLong => "العنوان طويل جدًا",
        AddressError::Malformed => "يلزم عنوان ويب كامل، واسم نطاقه بأحرف لاتينية",
        AddressError::NotHttps => "يجب أن يبدأ العنوان ببروتوكول الويب الآمن",
        AddressError::UserInfo => "يجب ألا يتضمن العنوان اسم مستخدم أو كلمة مرور",
        AddressError::Port => "يُقبل المنفذ 443 فقط",
        AddressError::IpAddress => "يلزم اسم نطاق، لا عنوان رقمي",
        AddressError::NotPublic => "يلزم اسم نطاق عام",
    }
}
