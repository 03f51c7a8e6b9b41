//! Customers: their payments and saved cards, and erasing what is known of them.

/// The words of one language.
#[derive(Debug)]
pub struct CustomerWords {
    /// The title.
    pub title: &'static str,
    /// One of them.
    pub one: &'static str,
    /// The field by which one is found.
    pub id: &'static str,
    /// What that is.
    pub id_means: &'static str,
    /// The button that finds one.
    pub find: &'static str,
    /// Nothing is stored of them.
    pub unknown: &'static str,
    /// The heading of the payments.
    pub payments: &'static str,
    /// The link to all of them.
    pub all_payments: &'static str,
    /// The heading of the saved cards.
    pub cards: &'static str,
    /// There is none.
    pub no_cards: &'static str,
    /// The person may not see them.
    pub cards_hidden: &'static str,
    /// A card.
    pub card: &'static str,
    /// Until when it is valid.
    pub expiry: &'static str,
    /// It is not valid any more.
    pub expired: &'static str,
    /// The gateway that has it.
    pub gateway: &'static str,
    /// The agreements that lock it.
    pub agreements: &'static str,
    /// It was used last.
    pub used: &'static str,
    /// It is of a simulation.
    pub test: &'static str,
    /// The button that deletes it.
    pub delete: &'static str,
    /// It is deleted.
    pub deleted: &'static str,
    /// An agreement locks it.
    pub locked: &'static str,
    /// The heading and the button that erase.
    pub erase: &'static str,
    /// What that does.
    pub erase_means: &'static str,
    /// The field that repeats the id.
    pub repeat: &'static str,
    /// The id was not repeated.
    pub not_repeated: &'static str,
    /// After it; `{cards}`, `{agreements}`, `{erased}` and `{left}` are numbers.
    pub erased: &'static str,
    /// Some are left.
    pub left: &'static str,
}

impl CustomerWords {
    pub(super) const ENGLISH: Self = Self {
        title: "Customers",
        one: "Customer",
        id: "Customer id",
        id_means: "Your own id of the customer, as your shop sent it with the payment.",
        find: "Find",
        unknown: "Nothing is stored of this customer.",
        payments: "Latest payments",
        all_payments: "All payments of this customer",
        cards: "Saved cards",
        no_cards: "No card is saved.",
        cards_hidden: "Saved cards are shown to users who may do everything.",
        card: "Card",
        expiry: "Valid until",
        expired: "Expired",
        gateway: "Saved at",
        agreements: "Agreements",
        used: "Last used",
        test: "Test",
        delete: "Delete the card",
        deleted: "The card is deleted.",
        locked: "Nothing was done: an agreement locks this card.",
        erase: "Erase the customer’s data",
        erase_means: "Deletes saved cards and agreements, and erases name, e-mail, telephone and everything else that identifies the customer from payments that are over. Amounts, times and references stay. This cannot be undone.",
        repeat: "Type the customer id again",
        not_repeated: "Nothing was done: the customer id was not repeated.",
        erased: "Erased: {erased} payments, {cards} cards, {agreements} agreements. Left: {left}.",
        left: "What is left is open, or something happened to it in the last 96 hours. Repeat it later.",
    };
    pub(super) const ARABIC: Self = Self {
        title: "العملاء",
        one: "عميل",
        id: "معرّف العميل",
        id_means: "المعرّف الذي أرسله متجرك مع الدفعة.",
        find: "بحث",
        unknown: "لا توجد بيانات محفوظة لهذا العميل.",
        payments: "أحدث المدفوعات",
        all_payments: "كل مدفوعات هذا العميل",
        cards: "البطاقات المحفوظة",
        no_cards: "لا توجد بطاقات محفوظة.",
        cards_hidden: "تظهر البطاقات المحفوظة لمن لديه كل الصلاحيات.",
        card: "البطاقة",
        expiry: "صالحة حتى",
        expired: "منتهية الصلاحية",
        gateway: "محفوظة لدى",
        agreements: "الاتفاقيات",
        used: "آخر استخدام",
        test: "تجربة",
        delete: "حذف البطاقة",
        deleted: "تم حذف البطاقة.",
        locked: "لم يُنفَّذ شيء: البطاقة مرتبطة باتفاقية.",
        erase: "محو بيانات العميل",
        erase_means: "تُحذف البطاقات المحفوظة والاتفاقيات، ويُمحى الاسم والبريد والهاتف وكل ما يدل على العميل من المدفوعات المنتهية. تبقى المبالغ والأوقات والأرقام المرجعية. لا يمكن التراجع عن ذلك.",
        repeat: "كتابة معرّف العميل مرة أخرى",
        not_repeated: "لم يُنفَّذ شيء: لم يُكتب معرّف العميل مرة أخرى.",
        erased: "تم محو: مدفوعات {erased}، بطاقات {cards}، اتفاقيات {agreements}. المتبقي: {left}.",
        left: "المتبقي ما زال مفتوحًا أو حدث فيه شيء خلال آخر 96 ساعة. يرجى التكرار لاحقًا.",
    };
}
