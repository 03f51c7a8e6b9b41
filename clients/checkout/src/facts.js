/** What the element says and knows, printed from core/src/checkout/element.rs by `make describe`. */

/** Payer and page have nothing more to do in these states. */
export const FINAL = [
  "authorized",
  "paid",
  "failed",
  "canceled",
  "expired",
  "invalided",
  "refunded",
  "cod"
];
/** The payment succeeded. */
export const SUCCESS = [
  "authorized",
  "paid",
  "cod"
];
/** How Arabic writes currencies, after the amount; others by their code. */
export const SIGNS = {
  "AED": "د.إ",
  "BHD": "د.ب",
  "KWD": "د.ك",
  "OMR": "ر.ع.",
  "QAR": "ر.ق",
  "SAR": "ر.س"
};
/** The networks of cards, as each wallet names them. */
export const NETWORKS = {
  "apple_pay": "amex mada masterCard visa",
  "google_pay": "AMEX MASTERCARD VISA"
};
/** Brands of cards as they write themselves. */
export const BRANDS = [
  "American Express",
  "mada",
  "Mastercard",
  "Visa"
];
/** Codes of problems that mean the same as another, whose text says it. */
export const ALIKE = {
  "conflict": "attempt_in_progress",
  "too_many_declines": "too_many_attempts",
  "too_many_requests": "too_many_attempts",
  "instrument_not_offered": "invalid_fields",
  "card_unknown": "invalid_fields",
  "card_expired": "invalid_fields",
  "card_expires_soon": "invalid_fields"
};

/** The texts in English. What follows the first line of one is the rest of a headed text. */
export const en = {
  "loadingWords": "Loading…",
  "chooseWords": "Choose how to pay",
  "cardWords": "Card",
  "endingWords": "ending in",
  "expiresWords": "Expires",
  "amountWords": "Amount to pay",
  "includesWords": "includes",
  "feeAddedWords": "{fee} fee",
  "orWords": "or",
  "payWithWords": "Pay with",
  "saveCardWords": "Save my card for next time",
  "saveTermsWords": "For payments that you start yourself. You can remove it on the payment page.",
  "payWords": "Pay",
  "continueToWords": "Continue to {method} · {amount}",
  "payWithCardWords": "Pay {amount} with {card}",
  "payOnDeliveryWords": "Place order · pay {amount} on delivery",
  "openingWords": "Opening your payment…",
  "againWords": "Try again",
  "termsWords": "This payment saves your card, or allows later payments. Its terms are on the payment page.",
  "hostedWords": "Continue to the payment page",
  "receiptWords": "Receipt",
  "unchargedWords": "You haven't been charged.",
  "invalidWords": "Enter an amount, for example {example}.",
  "testWords": "Test mode · No money will be taken.",
  "waitingWords": "Confirming your payment\nWe are waiting for the bank's answer. Please do not pay again; this page updates by itself.",
  "withdrawnWords": "The payment was not completed\nYou left the payment page before paying, and haven't been charged. Try again whenever you are ready.",
  "not_found": "Payment not found",
  "unreachable": "No connection\nCheck your internet connection and try again. You won't be charged twice.",
  "otherWords": "No answer yet\nSomething went wrong on the way. Please wait a moment, then try again. You won't be charged twice.",
  "authorized": "Payment authorised",
  "paid": "Payment successful\nThank you.",
  "failed": "Payment failed\nIt cannot be tried again here.",
  "canceled": "Payment cancelled",
  "expired": "This payment link has expired",
  "invalided": "This payment is no longer available\nIt can no longer be made here.",
  "refunded": "Payment successful\nThank you.",
  "cod": "Order confirmed\nPlease have the amount ready in cash when your order is delivered.",
  "payment_declined": "The payment was declined\nYou haven't been charged. Try another card, or choose another way to pay.",
  "price_changed": "The price has changed\nNothing was charged. Please check the new amount, then pay if you agree.",
  "attempt_in_progress": "Your last payment is not finished\nWe are still waiting to hear about it. Please wait a moment.",
  "too_many_attempts": "Too many attempts\nYou haven't been charged for this one. Please wait a little, then try again.",
  "invalid_fields": "This payment method is not available\nChoose another way to pay.",
  "wallet_unavailable": "Google Pay is not available in this browser\nPlease choose another way to pay.",
  "wallet_not_configured": "The payment could not be started\nYou haven't been charged. Try again in a moment, or choose another way to pay."
};
/** The texts in Arabic. @type {typeof en} */
export const ar = {
  "loadingWords": "جارٍ التحميل…",
  "chooseWords": "اختر طريقة الدفع",
  "cardWords": "بطاقة",
  "endingWords": "تنتهي بالأرقام",
  "expiresWords": "صالحة حتى",
  "amountWords": "المبلغ المراد دفعه",
  "includesWords": "يشمل",
  "feeAddedWords": "{fee} رسوم",
  "orWords": "أو",
  "payWithWords": "الدفع عبر",
  "saveCardWords": "حفظ بطاقتي للمرة القادمة",
  "saveTermsWords": "للدفعات التي تبدؤها بنفسك. يمكنك إزالتها في صفحة الدفع.",
  "payWords": "دفع",
  "continueToWords": "المتابعة إلى {method} · {amount}",
  "payWithCardWords": "دفع {amount} باستخدام {card}",
  "payOnDeliveryWords": "تأكيد الطلب ودفع {amount} عند الاستلام",
  "openingWords": "جارٍ فتح عملية الدفع…",
  "againWords": "إعادة المحاولة",
  "termsWords": "تُحفظ بطاقتك في هذه العملية أو يُسمح بدفعات لاحقة منها. الشروط في صفحة الدفع.",
  "hostedWords": "المتابعة إلى صفحة الدفع",
  "receiptWords": "إيصال",
  "unchargedWords": "لم يُخصم منك أي مبلغ.",
  "invalidWords": "يُرجى إدخال المبلغ بالأرقام، مثل {example}.",
  "testWords": "وضع الاختبار · لن يُخصم أي مبلغ.",
  "waitingWords": "جارٍ تأكيد الدفع\nننتظر رد البنك. يُرجى عدم الدفع مرة أخرى؛ تُحدَّث هذه الصفحة تلقائيًا.",
  "withdrawnWords": "لم تكتمل عملية الدفع\nغادرت صفحة الدفع قبل إتمام العملية، ولم يُخصم منك أي مبلغ. يمكنك إعادة المحاولة متى شئت.",
  "not_found": "لم يتم العثور على عملية الدفع",
  "unreachable": "لا يوجد اتصال\nيُرجى التحقق من اتصالك بالإنترنت ثم إعادة المحاولة. لن يُخصم المبلغ مرتين.",
  "otherWords": "لا رد حتى الآن\nحدث خطأ في الطريق. يُرجى الانتظار قليلًا ثم إعادة المحاولة. لن يُخصم المبلغ مرتين.",
  "authorized": "تمت الموافقة على الدفع",
  "paid": "تم الدفع بنجاح\nشكرًا لك.",
  "failed": "فشلت عملية الدفع\nلا يمكن إعادة المحاولة هنا.",
  "canceled": "تم إلغاء الدفع",
  "expired": "انتهت صلاحية رابط الدفع",
  "invalided": "عملية الدفع هذه لم تعد متاحة\nلم يعد بالإمكان إتمام هذه الدفعة.",
  "refunded": "تم الدفع بنجاح\nشكرًا لك.",
  "cod": "تم تأكيد الطلب\nيُرجى تجهيز المبلغ نقدًا عند استلام طلبك.",
  "payment_declined": "تم رفض عملية الدفع\nلم يُخصم منك أي مبلغ. يُرجى تجربة بطاقة أخرى أو اختيار طريقة دفع أخرى.",
  "price_changed": "تغيّر السعر\nلم يُخصم أي مبلغ. يُرجى مراجعة المبلغ الجديد ثم الدفع إن كنت موافقًا.",
  "attempt_in_progress": "عملية الدفع السابقة لم تنتهِ بعد\nما زلنا ننتظر نتيجتها. يُرجى الانتظار قليلًا.",
  "too_many_attempts": "محاولات كثيرة\nلم يُخصم منك أي مبلغ لهذه المحاولة. يُرجى الانتظار قليلًا ثم إعادة المحاولة.",
  "invalid_fields": "طريقة الدفع هذه غير متاحة\nيُرجى اختيار طريقة دفع أخرى.",
  "wallet_unavailable": "خدمة Google Pay غير متاحة في هذا المتصفح\nيُرجى اختيار طريقة دفع أخرى.",
  "wallet_not_configured": "تعذّر بدء عملية الدفع\nلم يُخصم منك أي مبلغ. يُرجى إعادة المحاولة بعد قليل أو اختيار طريقة دفع أخرى."
};
