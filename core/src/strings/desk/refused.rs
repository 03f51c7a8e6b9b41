//! Why something was not done, in the language of the page.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use super::DeskWords;
use super::isolated::isolated;
use crate::rejection::Rejection;
use crate::rejection::refusal::{Breach, CardRefusal, Refusal};
use crate::state::State;
use crate::value::money::Money;
use crate::words::Language;

impl DeskWords {
    /// What a rejection says.
    #[must_use]
    pub fn refusal(&self, rejection: &Rejection) -> String {
        match self.language {
            Language::En => rejection.detail(),
            Language::Ar => self.arabic(rejection),
        }
    }

    #[expect(clippy::too_many_lines, reason = "a table: one text for each rejection")]
    fn arabic(&self, rejection: &Rejection) -> String {
        let in_state = |state: State, text: &str| {
            format!("حالة الدفعة الآن «{}»، ولذلك {text}", self.payment.state_name(state))
        };
        let money = |amount: Money| isolated(&format!("{amount} {}", amount.currency()));
        let text = match rejection {
            Rejection::NotPayable { state } => return in_state(*state, "لا يمكن دفعها"),
            Rejection::NotUpdatable { state } => return in_state(*state, "لا يمكن تعديلها"),
            Rejection::NotCancelable { state } => return in_state(*state, "لا يمكن إلغاؤها"),
            Rejection::OperationNotAllowed { state, .. } => return in_state(*state, "هذه العملية غير ممكنة"),
            Rejection::NotInquirable { state } => return in_state(*state, "لا توجد محاولة دفع للاستعلام عنها"),
            Rejection::OperationAmount { available } => {
                return format!("يلزم مبلغ أكبر من الصفر ولا يزيد على {}", money(*available));
            }
            Rejection::OperationIndivisible { available } => {
                return format!("لا تقبل البوابة جزءًا من المبلغ: يلزم المتبقي كله {}", money(*available));
            }
            Rejection::RemainingChanged { available } => return format!("المتبقي {}", money(*available)),
            Rejection::RefundLimit { limit, left } => {
                let (limit, left) = (money(*limit), money(*left));
                return format!(
                    "الحد اليومي لاستردادات كل مستخدم {limit}، والمتبقي منه اليوم {left}. لم يُحوَّل أي مبلغ"
                );
            }
            Rejection::PriceChanged { total } => {
                return format!("تغيّر السعر إلى {} بعد عرضه. لم يُحصَّل شيء", money(*total));
            }
            Rejection::OperationRefused { refusal } => refused(*refusal),
            Rejection::PaymentDeclined { message } | Rejection::OperationDeclined { message } => {
                return format!("رفضت بوابة الدفع ذلك: {}", isolated(message));
            }
            Rejection::TooManyRows { max } => {
                return format!("الحد الأقصى للملف {max} صف: يُرجى اختيار مدة أقصر والتصدير على أجزاء");
            }
            Rejection::CardRefused(refusal) => return card(*refusal),
            Rejection::AgreementBroken(breach) => agreement(*breach),
            Rejection::BodyTooLarge { max } => return format!("الطلب أكبر من الحد الأقصى {max} بايت"),
            Rejection::TooManyAttempts { retry_after }
            | Rejection::TooManyDeclines { retry_after }
            | Rejection::TooManyRequests { retry_after }
            | Rejection::TooManySignIns { retry_after } => {
                return format!("المحاولات كثيرة. عدد الثواني قبل الإعادة: {retry_after}");
            }
            Rejection::Invalid(_) => "في النموذج حقول غير صحيحة. لم يُحفظ شيء",
            Rejection::OperationUnsupported => "لا تدعم بوابة الدفع هذه العملية. لم يُحوَّل أي مبلغ",
            Rejection::OperationForeignCurrency => {
                "تم الدفع بعملة أخرى، ولا تتم هذه العملية إلا لدى بوابة الدفع نفسها"
            }
            Rejection::OperationInProgress => {
                "تُنفَّذ عملية أخرى على هذه الدفعة الآن. يُرجى الإعادة بعد ظهور نتيجتها"
            }
            Rejection::ApprovalOpen => "يوجد طلب موافقة لم يُبتّ فيه للعملية نفسها. لم يُحوَّل أي مبلغ",
            Rejection::ApprovalEnded { .. } => "بُتّ في طلب الموافقة أو سُحب أو انتهت مدته",
            Rejection::OwnApproval => "لا تُقبل موافقة مقدم الطلب: القرار لشخص آخر",
            Rejection::UserRequired => "القرار لشخص، لا لمفتاح",
            Rejection::WalletNotConfigured => "لا توجد بوابة دفع تقبل هذه المحفظة",
            Rejection::InstrumentNotOffered => "لا تقبل هذه الدفعة وسيلة الدفع هذه. لم يُحصَّل شيء",
            Rejection::PreconditionFailed | Rejection::Conflict => {
                "تغيّرت البيانات بعد فتح الصفحة. يُرجى فتحها من جديد والإعادة"
            }
            Rejection::NotResolvable => "لا يمكن إنهاء هذا البند بهذا الإجراء في حالته الآن",
            Rejection::AlreadyResolved => "أُغلق هذا البند سابقًا. لم يتغير شيء",
            Rejection::CardLocked => "البطاقة مرتبطة باتفاقية، ولا تُحذف قبل أن تحل محلها بطاقة أخرى",
            Rejection::AutoDebitUnsupported | Rejection::AutoDebitNotImplemented => {
                "لا تدعم بوابة الدفع الخصم التلقائي. لم يُحصَّل شيء"
            }
            Rejection::CredentialsMissing
            | Rejection::CredentialsInvalid
            | Rejection::PrivateKeyRequired
            | Rejection::SignatureInvalid => "بيانات الدخول غير صحيحة",
            Rejection::KeyRequired | Rejection::PermissionMissing => "هذا الإجراء غير مسموح لك",
            Rejection::NotFound => "ما تبحث عنه غير موجود",
            Rejection::AttemptInProgress => "تجري محاولة دفع الآن. يُرجى الإعادة بعد ظهور نتيجتها",
            Rejection::ClockNotMovable => "لدى المنشأة بوابة دفع حقيقية، ولذلك لا تُحرَّك ساعتها",
            Rejection::MerchantExists => "توجد منشأة بهذا المعرّف",
            Rejection::IdempotencyKeyReused => "أُرسل هذا النموذج من قبل بقيم أخرى. يُرجى فتح الصفحة من جديد",
            Rejection::Paused => "المنشأة موقوفة مؤقتًا: لا تبدأ أي دفعة جديدة، ولم يُحفظ شيء",
            Rejection::Unavailable => "تعذّر الرد الآن. يُرجى الإعادة بعد دقيقة",
            Rejection::MalformedBody
            | Rejection::MalformedForm
            | Rejection::JsonAsForm
            | Rejection::NotUtf8(_)
            | Rejection::MethodNotAllowed { .. }
            | Rejection::UnsupportedMediaType { .. }
            | Rejection::IdempotencyKeyMalformed
            | Rejection::TrackingKeyMalformed
            | Rejection::KeysDisagree => "تعذّرت قراءة الطلب. يُرجى فتح الصفحة من جديد والإعادة",
        };
        text.to_owned()
    }
}

const fn refused(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::NotAuthorized => "تم تحصيل المبلغ فورًا، ولا يمكن إلا استرداده",
        Refusal::NothingTaken => "لم يُحصَّل أي مبلغ بعد",
        Refusal::NothingLeft => "لم يتبقَّ شيء",
        Refusal::OutOfRange { .. } => "المبلغ صفر أو أكبر من المتبقي",
        Refusal::Indivisible { .. } => "لا تقبل البوابة إلا المتبقي كله",
        Refusal::FeeIncluded => "لا تُعيد البوابة إلا كل ما حُصِّل مع الرسوم",
        Refusal::Captured => "تم تحصيل جزء من المبلغ",
        Refusal::Released => "تُحصّل البوابة مرة واحدة فقط، وقد حرّرت الباقي",
        Refusal::Voided => "تم تحرير المبلغ",
        Refusal::InProgress => "تُنفَّذ عملية أخرى الآن",
    }
}

fn card(refusal: CardRefusal) -> String {
    let text = match refusal {
        CardRefusal::ExpiresSoon { days } => {
            return format!("أقل عدد من الأيام يجب أن تبقى البطاقة صالحة خلالها: {days}");
        }
        CardRefusal::Unknown => "لا توجد بطاقة كهذه لهذا العميل. لم يُحصَّل شيء",
        CardRefusal::Expired => "انتهت صلاحية البطاقة. لم يُحصَّل شيء",
        CardRefusal::NotOfAgreement => "للاتفاقية بطاقة أخرى، أو لا بطاقة لها. لم يُحصَّل شيء",
        CardRefusal::NeedsPayer => "تطلب البوابة رمز الأمان من حامل البطاقة. لم يُحصَّل شيء",
    };
    text.to_owned()
}

const fn agreement(breach: Breach) -> &'static str {
    match breach {
        Breach::Over => "انتهت مدة الاتفاقية. لم يُحصَّل شيء",
        Breach::CyclesDone => "اكتملت مدفوعات الاتفاقية. لم يُحصَّل شيء",
        Breach::TooEarly => "لم يحن موعد الدفعة التالية من الاتفاقية. لم يُحصَّل شيء",
        Breach::AboveMaximum => "المبلغ أكبر من الحد الأقصى للاتفاقية. لم يُحصَّل شيء",
        Breach::OtherAmount => "مبلغ الاتفاقية ثابت، وكان مبلغ الدفعة الأولى مختلفًا. لم يُحصَّل شيء",
        Breach::OtherCurrency => "للاتفاقية عملة أخرى. لم يُحصَّل شيء",
        Breach::Paused => "الاتفاقية متوقفة بعد رفض آخر دفعة. استأنفها أولًا. لم يُحصَّل شيء",
        Breach::InProgress => "تجري دفعة أخرى من الاتفاقية الآن. لم يُحصَّل شيء",
    }
}
