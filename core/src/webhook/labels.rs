//! Decides the names under which the values of `pg_params` are shown, in English and Arabic.

/// The name of a value in both languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label {
    /// In English.
    pub english: &'static str,
    /// In Arabic.
    pub arabic: &'static str,
}

/// The labels, ascending by key.
///
/// Decision: `card_details` and `card_expiry` have no published labels and get plain ones, as do the three about a decline, which every gateway has.
const LABELS: [(&str, Label); 28] = [
    ("auth_code", Label { english: "Auth Code", arabic: "رمز التفويض" }),
    ("card_details", Label { english: "Card Details", arabic: "تفاصيل البطاقة" }),
    ("card_expiry", Label { english: "Card Expiry", arabic: "تاريخ انتهاء البطاقة" }),
    ("card_expiry_month", Label { english: "Card Expiry Month", arabic: "شهر انتهاء البطاقة" }),
    ("card_expiry_year", Label { english: "Card Expiry Year", arabic: "سنة انتهاء البطاقة" }),
    ("card_holder", Label { english: "Card Holder", arabic: "اسم حامل البطاقة" }),
    ("card_issuer", Label { english: "Card Issuer", arabic: "جهة إصدار البطاقة" }),
    ("card_number", Label { english: "Card Number", arabic: "رقم البطاقة" }),
    ("card_type", Label { english: "Card Type", arabic: "نوع البطاقة" }),
    (
        "cardholder_email",
        Label {
            english: "Cardholder Email", arabic: "البريد الإلكتروني لحامل البطاقة"
        },
    ),
    ("dcc_payer_amount", Label { english: "DCC Payer Amount", arabic: "المبلغ بعملة الدافع (DCC)" }),
    ("dcc_payer_currency", Label { english: "DCC Payer Currency", arabic: "عملة الدافع (DCC)" }),
    ("dcc_payer_exchange_rate", Label { english: "DCC Payer Exchange Rate", arabic: "سعر صرف الدافع (DCC)" }),
    ("decision", Label { english: "Decision", arabic: "القرار" }),
    ("decline_advice", Label { english: "Decline Advice", arabic: "نصيحة بعد الرفض" }),
    ("decline_code", Label { english: "Decline Code", arabic: "رمز الرفض" }),
    ("decline_reason", Label { english: "Decline Reason", arabic: "سبب الرفض" }),
    (
        "full_card_expiry",
        Label {
            english: "Full Card Expiry", arabic: "تاريخ انتهاء البطاقة بالكامل"
        },
    ),
    ("payment_id", Label { english: "Payment ID", arabic: "رقم الدفع" }),
    ("pg_message", Label { english: "PG Message", arabic: "رسالة بوابة الدفع" }),
    ("post_date", Label { english: "Post Date", arabic: "تاريخ المعاملة" }),
    ("receipt_no", Label { english: "Receipt No", arabic: "رقم الإيصال" }),
    ("ref", Label { english: "Reference ID", arabic: "معرف المرجع" }),
    ("result", Label { english: "Result", arabic: "النتيجة" }),
    ("rrn", Label { english: "RRN - Retrieval Reference Number", arabic: "رقم استرجاع المرجع" }),
    ("track_id", Label { english: "Track ID", arabic: "رقم التتبع" }),
    ("transaction_id", Label { english: "Transaction ID", arabic: "رقم العملية" }),
    ("transaction_no", Label { english: "Transaction NO", arabic: "رقم المعاملة" }),
];

/// The label of a key of `pg_params`; `None` for a key that has none.
///
/// ```
/// use checkout_core::webhook::labels::{Label, label};
///
/// assert_eq!(label("ref"), Some(Label { english: "Reference ID", arabic: "معرف المرجع" }));
/// assert_eq!(label("cvv"), None);
/// ```
#[must_use]
pub fn label(key: &str) -> Option<Label> {
    let at = LABELS.binary_search_by_key(&key, |(name, _)| name).ok()?;
    LABELS.get(at).map(|(_, label)| *label)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys in the order of the field table of the API.
    const SPECIFIED: &str = "auth_code card_details card_expiry card_number card_type payment_id pg_message \
        post_date ref result track_id transaction_id card_holder cardholder_email card_expiry_month \
        card_expiry_year full_card_expiry card_issuer receipt_no transaction_no decision dcc_payer_amount \
        dcc_payer_currency dcc_payer_exchange_rate rrn";

    #[test]
    fn every_key_of_the_specification_and_every_key_of_a_decline_has_labels_and_no_other_key_has() {
        let keys =
            || SPECIFIED.split_whitespace().chain(["decline_advice", "decline_code", "decline_reason"]);
        assert!(keys().all(|key| label(key).is_some()));
        assert_eq!(keys().count(), LABELS.len());
    }

    #[test]
    fn the_table_is_in_ascending_order_without_duplicates() {
        assert!(LABELS.is_sorted_by(|one, next| one.0 < next.0));
    }

    #[test]
    fn an_unknown_key_has_no_label() {
        assert_eq!(label(""), None);
        assert_eq!(label("order_id"), None);
        assert_eq!(label("Ref"), None);
    }
}
