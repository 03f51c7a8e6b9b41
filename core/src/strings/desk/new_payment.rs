//! Making a payment, and giving its link to the payer.

/// The words of the form.
#[derive(Debug)]
pub struct NewPaymentWords {
    /// What the screen is called.
    pub title: &'static str,
    /// Which kind of payment it is.
    pub kind: &'static str,
    /// A payment that is asked for by a link.
    pub request: &'static str,
    /// A payment of an order in a shop.
    pub order: &'static str,
    /// How much is paid.
    pub amount: &'static str,
    /// In which currency.
    pub currency: &'static str,
    /// Whether the payer chooses the amount.
    pub is_editable: &'static str,
    /// By what it can be paid.
    pub methods: &'static str,
    /// The merchant's number.
    pub order_no: &'static str,
    /// Of the payer.
    pub first_name: &'static str,
    /// Of the payer.
    pub last_name: &'static str,
    /// Of the payer.
    pub email: &'static str,
    /// Of the payer.
    pub phone: &'static str,
    /// About whom the fields are.
    pub payer: &'static str,
    /// In which the payer reads.
    pub language: &'static str,
    /// For how long it can be paid.
    pub expires: &'static str,
    /// As the settings say.
    pub usual: &'static str,
    /// By what the link is sent.
    pub notify: &'static str,
    /// By e-mail.
    pub by_email: &'static str,
    /// By text message.
    pub by_sms: &'static str,
    /// By `WhatsApp`.
    pub by_whatsapp: &'static str,
    /// The merchant's own fields.
    pub more: &'static str,
    /// The button.
    pub create: &'static str,
    /// Over what is wrong.
    pub faults: &'static str,
    /// After the name of a field that may stay empty.
    pub optional: &'static str,
    /// The periods of [`PERIODS`](crate::desk::new_payment::PERIODS), in their order.
    pub periods: [&'static str; 5],
}

impl NewPaymentWords {
    pub(super) const ENGLISH: Self = Self {
        title: "New payment",
        kind: "Kind",
        request: "Payment request: you send the payer a link",
        order: "Order: the payer is on your page",
        amount: "Amount",
        currency: "Currency",
        is_editable: "The payer may pay a smaller amount",
        methods: "Payment methods",
        order_no: "Order number",
        first_name: "First name",
        last_name: "Last name",
        email: "E-mail",
        phone: "Phone",
        payer: "Payer",
        language: "Language of the payer",
        expires: "Can be paid for",
        usual: "as usual",
        notify: "Send the link by",
        by_email: "E-mail",
        by_sms: "SMS",
        by_whatsapp: "WhatsApp",
        more: "More",
        create: "Create payment",
        faults: "Please check these fields.",
        optional: "optional",
        periods: ["one hour", "one day", "3 days", "7 days", "30 days"],
    };
    pub(super) const ARABIC: Self = Self {
        title: "دفعة جديدة",
        kind: "النوع",
        request: "طلب دفع: يُرسل رابط إلى العميل",
        order: "طلب شراء: العميل في متجرك",
        amount: "المبلغ",
        currency: "العملة",
        is_editable: "يمكن للعميل دفع مبلغ أقل",
        methods: "طرق الدفع",
        order_no: "رقم الطلب",
        first_name: "الاسم الأول",
        last_name: "اسم العائلة",
        email: "البريد الإلكتروني",
        phone: "الهاتف",
        payer: "العميل",
        language: "لغة العميل",
        expires: "مدة صلاحية الدفع",
        usual: "المدة المعتادة",
        notify: "إرسال الرابط عبر",
        by_email: "البريد الإلكتروني",
        by_sms: "رسالة نصية",
        by_whatsapp: "واتساب",
        more: "تفاصيل أخرى",
        create: "إنشاء الدفعة",
        faults: "يُرجى مراجعة الحقول التالية.",
        optional: "اختياري",
        periods: ["ساعة واحدة", "يوم واحد", "3 أيام", "7 أيام", "30 يومًا"],
    };
}

/// The words around a link.
#[derive(Debug)]
pub struct PaymentLinkWords {
    /// What the screen is called.
    pub title: &'static str,
    /// The address of the page.
    pub address: &'static str,
    /// The link to the page itself.
    pub open: &'static str,
    /// What the picture is.
    pub scan: &'static str,
    /// The heading of what can be sent.
    pub send: &'static str,
    /// A button that sends by a channel.
    pub send_by: &'static str,
    /// Before the address of the payer.
    pub to: &'static str,
    /// It was sent.
    pub sent: &'static str,
    /// There is nobody to write to.
    pub cannot_send: &'static str,
    /// The heading of what other programs send.
    pub share: &'static str,
    /// It cannot be paid any more.
    pub over: &'static str,
    /// A channel.
    pub email: &'static str,
    /// A channel.
    pub sms: &'static str,
    /// A channel.
    pub whatsapp: &'static str,
    /// The link to the form.
    pub another: &'static str,
    /// What a message says.
    pub pay_at: &'static str,
}

impl PaymentLinkWords {
    pub(super) const ENGLISH: Self = Self {
        title: "Payment link",
        address: "Address of the payment page",
        open: "Open the page",
        scan: "QR code of the payment page",
        send: "Send to the payer",
        send_by: "Send by {channel}",
        to: "to",
        sent: "The message is on its way.",
        cannot_send: "This payment names no address of the payer for messages.",
        share: "Send it yourself",
        over: "This payment cannot be paid any more.",
        email: "e-mail",
        sms: "SMS",
        whatsapp: "WhatsApp",
        another: "Create another payment",
        pay_at: "Pay here: {address}",
    };
    pub(super) const ARABIC: Self = Self {
        title: "رابط الدفع",
        address: "عنوان صفحة الدفع",
        open: "فتح الصفحة",
        scan: "رمز الاستجابة السريعة لصفحة الدفع",
        send: "إرسال إلى العميل",
        send_by: "إرسال عبر {channel}",
        to: "إلى",
        sent: "الرسالة في الطريق.",
        cannot_send: "لا يوجد عنوان للعميل لإرسال الرسائل في هذه الدفعة.",
        share: "إرسال بنفسك",
        over: "لم يعد بالإمكان دفع هذه الدفعة.",
        email: "البريد الإلكتروني",
        sms: "رسالة نصية",
        whatsapp: "واتساب",
        another: "إنشاء دفعة أخرى",
        pay_at: "للدفع: {address}",
    };
}
