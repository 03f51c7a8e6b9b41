//! The words of the receipt for people, and of the page that checks a signed one.

/// The words of one language.
#[derive(Debug)]
pub struct ReceiptWords {
    /// The merchant, if it was paid.
    pub paid_to: &'static str,
    /// How much of the order was paid, if the payer chose.
    pub amount_paid: &'static str,
    /// Before the number of all items, where not all are in sight.
    pub all_items: &'static str,
    /// What the receipt is called on paper.
    pub title: &'static str,
    /// Prints it, or stores it as a file.
    pub print: &'static str,
    /// Hands it to another app.
    pub share: &'static str,
    /// Copies the address of the page.
    pub copy: &'static str,
    /// The address was copied.
    pub copied: &'static str,
    /// Next to the code: what it is for.
    pub verify: &'static str,
}

impl ReceiptWords {
    pub(super) const ENGLISH: Self = Self {
        paid_to: "Paid to",
        amount_paid: "Amount paid",
        all_items: "Show all",
        title: "Receipt",
        print: "Print or save as PDF",
        share: "Share",
        copy: "Copy link",
        copied: "Link copied",
        verify: "Anyone can check that this receipt is genuine: scan the code.",
    };

    pub(super) const ARABIC: Self = Self {
        paid_to: "المدفوع إلى",
        amount_paid: "المبلغ المدفوع",
        all_items: "عرض الكل",
        title: "إيصال",
        print: "طباعة أو حفظ بصيغة PDF",
        share: "مشاركة",
        copy: "نسخ الرابط",
        copied: "تم نسخ الرابط",
        verify: "يمكن لأي شخص التحقق من صحة هذا الإيصال بمسح الرمز.",
    };
}
