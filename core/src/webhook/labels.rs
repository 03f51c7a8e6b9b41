//! Decides the names under which the values of `pg_params` are shown, in English and Arabic.

/// Key, English label, Arabic label; ascending by key.
///
/// Decision: `card_details` and `card_expiry` have no published labels and get plain ones.
const LABELS: [(&str, &str, &str); 25] = [
    ("auth_code", "Auth Code", "رمز التفويض"),
    ("card_details", "Card Details", "تفاصيل البطاقة"),
    ("card_expiry", "Card Expiry", "تاريخ انتهاء البطاقة"),
    ("card_expiry_month", "Card Expiry Month", "شهر انتهاء البطاقة"),
    ("card_expiry_year", "Card Expiry Year", "سنة انتهاء البطاقة"),
    ("card_holder", "Card Holder", "اسم حامل البطاقة"),
    ("card_issuer", "Card Issuer", "جهة إصدار البطاقة"),
    ("card_number", "Card Number", "رقم البطاقة"),
    ("card_type", "Card Type", "نوع البطاقة"),
    ("cardholder_email", "Cardholder Email", "البريد الإلكتروني لحامل البطاقة"),
    ("dcc_payer_amount", "DCC Payer Amount", "المبلغ بعملة الدافع (DCC)"),
    ("dcc_payer_currency", "DCC Payer Currency", "عملة الدافع (DCC)"),
    ("dcc_payer_exchange_rate", "DCC Payer Exchange Rate", "سعر صرف الدافع (DCC)"),
    ("decision", "Decision", "القرار"),
    ("full_card_expiry", "Full Card Expiry", "تاريخ انتهاء البطاقة بالكامل"),
    ("payment_id", "Payment ID", "رقم الدفع"),
    ("pg_message", "PG Message", "رسالة بوابة الدفع"),
    ("post_date", "Post Date", "تاريخ المعاملة"),
    ("receipt_no", "Receipt No", "رقم الإيصال"),
    ("ref", "Reference ID", "معرف المرجع"),
    ("result", "Result", "النتيجة"),
    ("rrn", "RRN - Retrieval Reference Number", "رقم استرجاع المرجع"),
    ("track_id", "Track ID", "رقم التتبع"),
    ("transaction_id", "Transaction ID", "رقم العملية"),
    ("transaction_no", "Transaction NO", "رقم المعاملة"),
];

/// The English and the Arabic label of a key of `pg_params`; `None` for a key that has none.
///
/// ```
/// use checkout_core::webhook::labels::label;
///
/// assert_eq!(label("ref"), Some(("Reference ID", "معرف المرجع")));
/// assert_eq!(label("cvv"), None);
/// ```
#[must_use]
pub fn label(key: &str) -> Option<(&'static str, &'static str)> {
    let at = LABELS.binary_search_by_key(&key, |(name, _, _)| name).ok()?;
    LABELS.get(at).map(|(_, english, arabic)| (*english, *arabic))
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
    fn every_key_of_the_specification_has_labels_and_no_other_key_has() {
        assert!(SPECIFIED.split_whitespace().all(|key| label(key).is_some()));
        assert_eq!(SPECIFIED.split_whitespace().count(), LABELS.len());
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
