//! Customers: their payments and saved cards, and erasing what is known of them.

use crate::words::message::{Channel, MessageOccasion, MessageState};

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
    /// The heading of the agreements that are paused.
    pub paused: &'static str,
    /// What that means.
    pub paused_means: &'static str,
    /// An agreement.
    pub agreement: &'static str,
    /// Since when it is paused.
    pub since: &'static str,
    /// The button that resumes it.
    pub resume: &'static str,
    /// It goes on.
    pub resumed: &'static str,
    /// The heading of the messages.
    pub messages: &'static str,
    /// There is none.
    pub no_messages: &'static str,
    /// When it was sent or made.
    pub at: &'static str,
    /// By what it goes.
    pub channel: &'static str,
    /// About what it is.
    pub about: &'static str,
    /// To whom it goes.
    pub recipient: &'static str,
    /// What became of it.
    pub state: &'static str,
    /// The payment that it is about.
    pub payment: &'static str,
    /// Each channel.
    channels: [&'static str; 3],
    /// Each state of a message.
    states: [&'static str; 9],
    /// Each thing that a message is about.
    occasions: [&'static str; 9],
    /// The heading of what the customer agreed to.
    pub consents: &'static str,
    /// There is nothing.
    pub no_consents: &'static str,
    /// To what.
    pub agreed_to: &'static str,
    /// That the card is charged again.
    pub to_charge: &'static str,
    /// That the card is saved.
    pub to_save: &'static str,
    /// The version of the text.
    pub version: &'static str,
    /// The text itself.
    pub text: &'static str,
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
        paused: "Paused agreements",
        paused_means: "The bank declined the last payment and every new try. Nothing is charged under these agreements until the customer pays with a card, or you resume them. What was not paid stays unpaid.",
        agreement: "Agreement",
        since: "Since",
        resume: "Resume",
        resumed: "The agreement goes on.",
        messages: "Messages",
        no_messages: "No message was sent about these payments.",
        at: "When",
        channel: "By",
        about: "About",
        recipient: "To",
        state: "State",
        payment: "Payment",
        channels: ["E-mail", "SMS", "WhatsApp"],
        states: [
            "Queued",
            "Being sent",
            "Sent again later",
            "Sent",
            "Delivered",
            "Read",
            "Failed",
            "Reported as unwanted",
            "Not known",
        ],
        occasions: [
            "Payment requested",
            "Paid",
            "Canceled",
            "Failed",
            "Expired",
            "Amount held",
            "Hold released",
            "Refunded",
            "Captured",
        ],
        consents: "Consents",
        no_consents: "The customer agreed to nothing with these payments.",
        agreed_to: "Agreed to",
        to_charge: "Charging the card again",
        to_save: "Saving the card",
        version: "Version of the text",
        text: "Text",
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
        paused: "اتفاقيات متوقفة",
        paused_means: "رفض البنك الدفعة الأخيرة وكل محاولة بعدها. لا يُحصَّل شيء بموجب هذه الاتفاقيات حتى يدفع العميل ببطاقة أو تستأنفها. وما لم يُدفع يبقى غير مدفوع.",
        agreement: "الاتفاقية",
        since: "منذ",
        resume: "استئناف",
        resumed: "استؤنفت الاتفاقية.",
        messages: "الرسائل",
        no_messages: "لم تُرسل رسائل بشأن هذه المدفوعات.",
        at: "الوقت",
        channel: "عبر",
        about: "الموضوع",
        recipient: "إلى",
        state: "الحالة",
        payment: "عملية الدفع",
        channels: ["البريد الإلكتروني", "رسالة نصية", "واتساب"],
        states: [
            "في الانتظار",
            "قيد الإرسال",
            "يُعاد إرسالها لاحقًا",
            "أُرسلت",
            "وصلت",
            "قُرئت",
            "تعذّر إرسالها",
            "أُبلغ عنها كغير مرغوبة",
            "غير معروفة",
        ],
        occasions: [
            "طلب دفع",
            "تم الدفع",
            "أُلغيت",
            "لم تنجح",
            "انتهت مهلتها",
            "حُجز المبلغ",
            "أُلغي الحجز",
            "تم الاسترداد",
            "تم التحصيل",
        ],
        consents: "الموافقات المسجلة",
        no_consents: "لا موافقات مسجلة مع هذه المدفوعات.",
        agreed_to: "الموافقة على",
        to_charge: "الخصم من البطاقة مجددًا",
        to_save: "حفظ البطاقة",
        version: "إصدار النص",
        text: "النص",
        deleted: "تم حذف البطاقة.",
        locked: "لم يُنفَّذ شيء: البطاقة مرتبطة باتفاقية.",
        erase: "محو بيانات العميل",
        erase_means: "تُحذف البطاقات المحفوظة والاتفاقيات، ويُمحى الاسم والبريد والهاتف وكل ما يدل على العميل من المدفوعات المنتهية. تبقى المبالغ والأوقات والأرقام المرجعية. لا يمكن التراجع عن ذلك.",
        repeat: "كتابة معرّف العميل مرة أخرى",
        not_repeated: "لم يُنفَّذ شيء: لم يُكتب معرّف العميل مرة أخرى.",
        erased: "تم محو: مدفوعات {erased}، بطاقات {cards}، اتفاقيات {agreements}. المتبقي: {left}.",
        left: "المتبقي ما زال مفتوحًا أو حدث فيه شيء خلال آخر 96 ساعة. يرجى التكرار لاحقًا.",
    };
    /// By what a message goes.
    #[must_use]
    pub const fn channel_of(&self, channel: Channel) -> &'static str {
        let [email, sms, whatsapp] = self.channels;
        match channel {
            Channel::Email => email,
            Channel::Sms => sms,
            Channel::Whatsapp => whatsapp,
        }
    }

    /// What became of a message.
    #[must_use]
    pub const fn state_of(&self, state: MessageState) -> &'static str {
        let [queued, sending, waiting, accepted, delivered, read, failed, complained, unknown] = self.states;
        match state {
            MessageState::Queued => queued,
            MessageState::Sending => sending,
            MessageState::Waiting => waiting,
            MessageState::Accepted => accepted,
            MessageState::Delivered => delivered,
            MessageState::Read => read,
            MessageState::Failed => failed,
            MessageState::Complained => complained,
            MessageState::Unknown => unknown,
        }
    }

    /// About what a message is.
    #[must_use]
    pub const fn occasion_of(&self, occasion: MessageOccasion) -> &'static str {
        let [created, paid, canceled, failed, expired, authorized, voided, refunded, captured] =
            self.occasions;
        match occasion {
            MessageOccasion::Created => created,
            MessageOccasion::Paid => paid,
            MessageOccasion::Canceled => canceled,
            MessageOccasion::Failed => failed,
            MessageOccasion::Expired => expired,
            MessageOccasion::Authorized => authorized,
            MessageOccasion::Voided => voided,
            MessageOccasion::Refunded => refunded,
            MessageOccasion::Captured => captured,
        }
    }
}
