//! The words of the page that checks a signed receipt, a file next to the Worker: `www/receipt/words.js` is printed from
//! them.

use alloc::format;
use alloc::string::String;

use serde::{Serialize, Serializer};

use crate::words::Language;

/// The words of one language: headings with a sentence, and the names of what was signed.
#[derive(Debug, Serialize)]
pub struct VerifyWords {
    /// The signature is right.
    pub valid: [&'static str; 2],
    /// The text does not fit its signature.
    pub altered: [&'static str; 2],
    /// No key of this installation signed it.
    pub foreign: [&'static str; 2],
    /// There is no receipt in the address.
    pub unreadable: [&'static str; 2],
    /// The keys or the cryptography of the browser are missing.
    pub unknown: [&'static str; 2],
    /// It is of a simulation.
    pub test: &'static str,
    /// The claims that are shown, by name.
    #[serde(serialize_with = "members")]
    pub labels: &'static [(&'static str, &'static str)],
    /// The outcomes, by the word of the claim `state`.
    #[serde(serialize_with = "members")]
    pub states: &'static [(&'static str, &'static str)],
}

fn members<S: Serializer>(list: &[(&str, &str)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(list.iter().copied())
}

impl VerifyWords {
    /// The words of a language.
    #[must_use]
    pub const fn of(language: Language) -> &'static Self {
        match language {
            Language::En => &Self::ENGLISH,
            Language::Ar => &Self::ARABIC,
        }
    }

    /// The text of the script that has the words of all languages.
    ///
    /// # Errors
    /// None: texts always serialise.
    pub fn script() -> Result<String, serde_json::Error> {
        let [english, arabic] = [Language::En, Language::Ar].map(Self::of);
        let (english, arabic) =
            (serde_json::to_string_pretty(english)?, serde_json::to_string_pretty(arabic)?);
        Ok(format!(
            "/** The words of the page that checks receipts, printed from core/src/strings/verify.rs by `make describe`. */\n\
             export const WORDS = {{ en: {english}, ar: {arabic} }};\n"
        ))
    }

    const ENGLISH: Self = Self {
        valid: [
            "This receipt is genuine",
            "It was signed by this installation, and not a letter of it was changed. It says how the payment ended; what happened to the money later, such as a refund, is not part of it.",
        ],
        altered: ["This receipt was altered", "Its content does not fit its signature. Do not rely on it."],
        foreign: [
            "This receipt is not from here",
            "It was not signed by a key of this installation. Do not rely on it.",
        ],
        unreadable: ["There is no receipt here", "Open this page by the code or the link on a receipt."],
        unknown: [
            "This receipt could not be checked",
            "This browser cannot check the signature, or the keys could not be loaded. Try again, or use a newer browser.",
        ],
        test: "It is of a test: no money was taken.",
        labels: &[
            ("state", "Outcome"),
            ("merchant_name", "Merchant"),
            ("order_no", "Order number"),
            ("settled_amount", "Amount paid"),
            ("amount", "Amount"),
            ("total", "Total with fees"),
            ("iat", "Date"),
            ("reference_number", "Reference number"),
            ("pg_code", "Payment method"),
            ("session_id", "Payment"),
            ("iss", "Signed by"),
        ],
        states: &[
            ("paid", "Paid"),
            ("authorized", "Authorised: the amount was held"),
            ("cod", "Cash on delivery"),
            ("failed", "Failed"),
            ("canceled", "Cancelled"),
            ("expired", "Expired"),
            ("invalided", "No longer available"),
        ],
    };

    const ARABIC: Self = Self {
        valid: [
            "هذا الإيصال صحيح",
            "وقّعته هذه الخدمة ولم يتغير فيه حرف. يبيّن كيف انتهت عملية الدفع، ولا يشمل ما حدث للمبلغ بعد ذلك، مثل رده.",
        ],
        altered: ["تم تغيير هذا الإيصال", "محتواه لا يطابق توقيعه. يُرجى عدم الاعتماد عليه."],
        foreign: [
            "هذا الإيصال ليس من هذه الخدمة",
            "لم يوقَّع بمفتاح من مفاتيح هذه الخدمة. يُرجى عدم الاعتماد عليه.",
        ],
        unreadable: ["لا يوجد إيصال هنا", "يُرجى فتح هذه الصفحة من الرمز أو الرابط الموجود على الإيصال."],
        unknown: [
            "تعذّر التحقق من هذا الإيصال",
            "لا يستطيع هذا المتصفح التحقق من التوقيع أو تعذّر تحميل المفاتيح. يُرجى إعادة المحاولة أو استخدام متصفح أحدث.",
        ],
        test: "هذا إيصال اختبار: لم يُخصم أي مبلغ.",
        labels: &[
            ("state", "النتيجة"),
            ("merchant_name", "المتجر"),
            ("order_no", "رقم الطلب"),
            ("settled_amount", "المبلغ المدفوع"),
            ("amount", "المبلغ"),
            ("total", "الإجمالي مع الرسوم"),
            ("iat", "التاريخ"),
            ("reference_number", "الرقم المرجعي"),
            ("pg_code", "طريقة الدفع"),
            ("session_id", "عملية الدفع"),
            ("iss", "الموقِّع"),
        ],
        states: &[
            ("paid", "مدفوع"),
            ("authorized", "تمت الموافقة وحُجز المبلغ"),
            ("cod", "الدفع عند الاستلام"),
            ("failed", "فشلت"),
            ("canceled", "ملغاة"),
            ("expired", "انتهت صلاحيتها"),
            ("invalided", "لم تعد متاحة"),
        ],
    };
}
