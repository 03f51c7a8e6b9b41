//! The words of flexible methods: whether one is offered, and what the payer is asked for it.

use crate::strings::Strings;
use crate::violation::Rule;
use crate::words::Language;

/// The words of one language.
#[derive(Debug)]
pub struct FlexibleWords {
    /// While the gateway is asked.
    pub checking: &'static str,
    /// The gateway does not take the payment.
    pub unavailable: &'static str,
    /// The heading of what the payer is asked.
    pub needed: &'static str,
    phone: &'static str,
    email: &'static str,
    first_name: &'static str,
    last_name: &'static str,
    /// What is wrong with a field that is empty.
    pub missing: &'static str,
    wrong_phone: &'static str,
    wrong_email: &'static str,
    wrong_name: &'static str,
}

impl FlexibleWords {
    const ENGLISH: Self = Self {
        checking: "Checking whether you can pay this way…",
        unavailable: "Not available for this payment",
        needed: "Needed for this way to pay",
        phone: "Mobile number",
        email: "E-mail address",
        first_name: "First name",
        last_name: "Last name",
        missing: "Please fill this in.",
        wrong_phone: "This is not a phone number.",
        wrong_email: "This is not an e-mail address.",
        wrong_name: "Please write a shorter name.",
    };

    const ARABIC: Self = Self {
        checking: "جارٍ التحقق من إمكانية الدفع بهذه الطريقة…",
        unavailable: "غير متاح لهذه الدفعة",
        needed: "بيانات تتطلبها طريقة الدفع هذه",
        phone: "رقم الجوال",
        email: "البريد الإلكتروني",
        first_name: "الاسم الأول",
        last_name: "اسم العائلة",
        missing: "هذا الحقل مطلوب.",
        wrong_phone: "هذا ليس رقم هاتف.",
        wrong_email: "هذا ليس عنوان بريد إلكتروني.",
        wrong_name: "يلزم اسم أقصر.",
    };

    /// The label of a field.
    #[must_use]
    pub fn label(&self, name: &str) -> &'static str {
        match name {
            "customer_phone" => self.phone,
            "customer_email" => self.email,
            "customer_first_name" => self.first_name,
            _ => self.last_name,
        }
    }

    /// The label of a field under its name, and what is wrong with it under another.
    pub(crate) fn of_field(&self, name: &'static str) -> [(&'static str, &'static str); 2] {
        let wrong = match name {
            "customer_phone" => ("wrong_customer_phone", self.wrong_phone),
            "customer_email" => ("wrong_customer_email", self.wrong_email),
            "customer_first_name" => ("wrong_customer_first_name", self.wrong_name),
            _ => ("wrong_customer_last_name", self.wrong_name),
        };
        [(name, self.label(name)), wrong]
    }

    /// What is wrong with a field.
    #[must_use]
    pub fn fault(&self, name: &str, rule: &Rule) -> &'static str {
        match name {
            _ if *rule == Rule::Required => self.missing,
            "customer_phone" => self.wrong_phone,
            "customer_email" => self.wrong_email,
            _ => self.wrong_name,
        }
    }
}

impl Strings {
    /// The words of flexible methods.
    #[must_use]
    pub const fn flexible(&self) -> &'static FlexibleWords {
        match self.language {
            Language::En => &FlexibleWords::ENGLISH,
            Language::Ar => &FlexibleWords::ARABIC,
        }
    }
}
