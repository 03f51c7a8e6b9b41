//! Every text of the bank's pages, in both languages of the checkout.

use checkout_core::gateway::charge::ChargeOperation;
use checkout_core::words::Language;

/// A text in both languages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Both {
    /// In English.
    pub(crate) en: &'static str,
    /// In Arabic.
    pub(crate) ar: &'static str,
}

impl Both {
    /// The text in `language`.
    pub(crate) const fn of(self, language: Language) -> &'static str {
        match language {
            Language::En => self.en,
            Language::Ar => self.ar,
        }
    }
}

/// The one sentence that every page of the sandbox has.
pub(crate) const TEST_MODE: Both = Both {
    en: "Test mode · No money will be taken.",
    ar: "وضع الاختبار · لن يُخصم أي مبلغ.",
};

/// The texts of the bank's pages in one language.
pub(super) struct Phrases {
    /// The name of the bank.
    pub(super) bank: &'static str,
    /// Says that nothing here is real.
    pub(super) test_mode: &'static str,
    /// Before the amount.
    pub(super) amount: &'static str,
    /// Before the merchant's reference.
    pub(super) reference: &'static str,
    /// Over the list of cards.
    pub(super) choose_card: &'static str,
    /// Under it.
    pub(super) no_numbers: &'static str,
    /// Before what the merchant is sent.
    pub(super) inbox: &'static str,
    /// The button that gives up.
    pub(super) cancel: &'static str,
    /// The heading of the 3-D Secure step.
    pub(super) challenge: &'static str,
    /// The button that fails it.
    pub(super) fail: &'static str,
    /// The link back.
    pub(super) back: &'static str,
    /// The heading if there is no such page.
    pub(super) not_found: &'static str,
    /// What to do about it.
    pub(super) not_found_text: &'static str,
    /// No listed card was chosen.
    pub(super) unlisted_card: &'static str,
    /// The form had a field with card data.
    pub(super) card_data: &'static str,
    /// The form named no action that the page offers.
    pub(super) unknown_action: &'static str,
    /// The other language, in its own words.
    pub(super) other_language: &'static str,
    /// If money is to be paid.
    payment: Words,
    /// If a card is only to be confirmed.
    card: Words,
}

/// The texts that depend on what is asked of the bank.
pub(super) struct Words {
    /// Before the name of the merchant, as a heading.
    pub(super) heading: &'static str,
    /// The button that does it.
    pub(super) action: &'static str,
    /// Over an error.
    pub(super) error: &'static str,
    /// What the 3-D Secure step asks.
    pub(super) challenge_question: &'static str,
    /// The button that passes it.
    pub(super) confirm: &'static str,
    /// The outcome `approved`.
    pub(super) approved: &'static str,
    /// The outcome `declined`.
    pub(super) declined: &'static str,
    /// The outcome `canceled`.
    pub(super) canceled: &'static str,
    /// The bank is not done.
    pub(super) processing: &'static str,
}

impl Phrases {
    /// The texts in `language`.
    pub(super) fn of(language: Language) -> &'static Self {
        match language {
            Language::En => &EN,
            Language::Ar => &AR,
        }
    }

    /// The texts for what is asked of the bank.
    pub(super) const fn words(&self, operation: ChargeOperation) -> &Words {
        match operation {
            ChargeOperation::Purchase | ChargeOperation::Authorize => &self.payment,
            ChargeOperation::Verify => &self.card,
        }
    }
}

static EN: Phrases = Phrases {
    bank: "Sandbox bank",
    test_mode: TEST_MODE.en,
    amount: "Amount",
    reference: "Reference",
    choose_card: "Choose a test card",
    no_numbers: "This bank takes only these cards. It has no field for a card number, and refuses one.",
    inbox: "See in the inbox what the merchant is sent",
    cancel: "Cancel",
    challenge: "3-D Secure",
    fail: "Fail the check",
    back: "Back to",
    not_found: "There is no such payment",
    not_found_text: "Go back to the checkout page and start the payment again.",
    unlisted_card: "Choose one of the listed test cards; no other card is accepted",
    card_data: "Card data are not accepted here; remove the field",
    unknown_action: "Choose one of the buttons of this page",
    other_language: "العربية",
    payment: Words {
        heading: "Pay",
        action: "Pay",
        error: "The payment was not made",
        challenge_question: "The bank that issued the card asks whether this payment is yours.",
        confirm: "Confirm the payment",
        approved: "The payment is approved",
        declined: "The payment is declined",
        canceled: "The payment is cancelled",
        processing: "The bank is still working on the payment",
    },
    card: Words {
        heading: "Save a card with",
        action: "Save the card",
        error: "The card was not saved",
        challenge_question: "The bank that issued the card asks whether it is you who saves it.",
        confirm: "Confirm the card",
        approved: "The card is confirmed; nothing was charged",
        declined: "The card is declined",
        canceled: "No card was saved",
        processing: "The bank is still checking the card",
    },
};

static AR: Phrases = Phrases {
    bank: "بنك التجربة",
    test_mode: TEST_MODE.ar,
    amount: "المبلغ",
    reference: "الرقم المرجعي",
    choose_card: "اختر بطاقة اختبار",
    no_numbers: "يقبل هذا البنك هذه البطاقات فقط. لا يوجد حقل لرقم البطاقة، ويُرفض أي رقم.",
    inbox: "شاهد في صندوق الوارد ما يُرسل إلى المتجر",
    cancel: "إلغاء",
    challenge: "التحقق الآمن (\u{200e}3-D Secure)",
    fail: "إفشال التحقق",
    back: "العودة إلى",
    not_found: "لا توجد دفعة بهذا العنوان",
    not_found_text: "ارجع إلى صفحة الدفع وابدأ من جديد.",
    unlisted_card: "اختر إحدى بطاقات الاختبار المعروضة؛ لا تُقبل أي بطاقة أخرى",
    card_data: "لا تُقبل بيانات البطاقات هنا؛ أزل الحقل",
    unknown_action: "اختر أحد أزرار هذه الصفحة",
    other_language: "English",
    payment: Words {
        heading: "الدفع إلى",
        action: "دفع",
        error: "لم يتم الدفع",
        challenge_question: "يسأل البنك الذي أصدر البطاقة: هل هذه الدفعة لك؟",
        confirm: "تأكيد الدفع",
        approved: "تمت الموافقة على الدفع",
        declined: "رُفض الدفع",
        canceled: "أُلغي الدفع",
        processing: "ما زال البنك يعالج الدفع",
    },
    card: Words {
        heading: "حفظ بطاقتك لدى",
        action: "حفظ البطاقة",
        error: "لم تُحفظ البطاقة",
        challenge_question: "يسأل البنك الذي أصدر البطاقة: هل أنت من يحفظها؟",
        confirm: "تأكيد البطاقة",
        approved: "تم تأكيد البطاقة ولم يُخصم أي مبلغ",
        declined: "رُفضت البطاقة",
        canceled: "لم تُحفظ أي بطاقة",
        processing: "ما زال البنك يتحقق من البطاقة",
    },
};
