/** The words of the page that checks receipts, printed from core/src/strings/verify.rs by `make describe`. */
export const WORDS = { en: {
  "valid": [
    "This receipt is genuine",
    "It was signed by this installation, and not a letter of it was changed. It says how the payment ended; what happened to the money later, such as a refund, is not part of it."
  ],
  "altered": [
    "This receipt was altered",
    "Its content does not fit its signature. Do not rely on it."
  ],
  "foreign": [
    "This receipt is not from here",
    "It was not signed by a key of this installation. Do not rely on it."
  ],
  "unreadable": [
    "There is no receipt here",
    "Open this page by the code or the link on a receipt."
  ],
  "unknown": [
    "This receipt could not be checked",
    "This browser cannot check the signature, or the keys could not be loaded. Try again, or use a newer browser."
  ],
  "test": "It is of a test: no money was taken.",
  "labels": {
    "state": "Outcome",
    "merchant_name": "Merchant",
    "order_no": "Order number",
    "settled_amount": "Amount paid",
    "amount": "Amount",
    "total": "Total with fees",
    "iat": "Date",
    "reference_number": "Reference number",
    "pg_code": "Payment method",
    "session_id": "Payment",
    "iss": "Signed by"
  },
  "states": {
    "paid": "Paid",
    "authorized": "Authorised: the amount was held",
    "cod": "Cash on delivery",
    "failed": "Failed",
    "canceled": "Cancelled",
    "expired": "Expired",
    "invalided": "No longer available"
  }
}, ar: {
  "valid": [
    "هذا الإيصال صحيح",
    "وقّعته هذه الخدمة ولم يتغير فيه حرف. يبيّن كيف انتهت عملية الدفع، ولا يشمل ما حدث للمبلغ بعد ذلك، مثل رده."
  ],
  "altered": [
    "تم تغيير هذا الإيصال",
    "محتواه لا يطابق توقيعه. يُرجى عدم الاعتماد عليه."
  ],
  "foreign": [
    "هذا الإيصال ليس من هذه الخدمة",
    "لم يوقَّع بمفتاح من مفاتيح هذه الخدمة. يُرجى عدم الاعتماد عليه."
  ],
  "unreadable": [
    "لا يوجد إيصال هنا",
    "يُرجى فتح هذه الصفحة من الرمز أو الرابط الموجود على الإيصال."
  ],
  "unknown": [
    "تعذّر التحقق من هذا الإيصال",
    "لا يستطيع هذا المتصفح التحقق من التوقيع أو تعذّر تحميل المفاتيح. يُرجى إعادة المحاولة أو استخدام متصفح أحدث."
  ],
  "test": "هذا إيصال اختبار: لم يُخصم أي مبلغ.",
  "labels": {
    "state": "النتيجة",
    "merchant_name": "المتجر",
    "order_no": "رقم الطلب",
    "settled_amount": "المبلغ المدفوع",
    "amount": "المبلغ",
    "total": "الإجمالي مع الرسوم",
    "iat": "التاريخ",
    "reference_number": "الرقم المرجعي",
    "pg_code": "طريقة الدفع",
    "session_id": "عملية الدفع",
    "iss": "الموقِّع"
  },
  "states": {
    "paid": "مدفوع",
    "authorized": "تمت الموافقة وحُجز المبلغ",
    "cod": "الدفع عند الاستلام",
    "failed": "فشلت",
    "canceled": "ملغاة",
    "expired": "انتهت صلاحيتها",
    "invalided": "لم تعد متاحة"
  }
} };
