/** The texts of the element in both languages. */

/** The local signs of currencies, which Arabic writes after the amount; a currency without one has its code there. */
const SIGNS = { KWD: "د.ك", SAR: "ر.س", AED: "د.إ", BHD: "د.ب", OMR: "ر.ع.", QAR: "ر.ق" };

/**
 * An amount for a reader. Till writes the code first: `KWD 1,234.500`.
 *
 * @param {import("./types.js").Sum} sum
 * @param {string} language
 */
export function priceOf({ currency_code: code, display }, language) {
  if (language !== "ar" || !display.startsWith(code)) return display;
  /** @type {Record<string, string>} */
  const signs = SIGNS;
  return `${display.slice(code.length + 1)}\u00a0${signs[code] ?? code}`;
}

/** An amount without its currency. @param {import("./types.js").Sum} sum */
export const digitsOf = ({ currency_code: code, display }) => (display.startsWith(code) ? display.slice(code.length + 1) : display);

/**
 * A sentence with nodes in its places: `Pay {amount}`.
 *
 * @param {string} sentence @param {Record<string, Node>} values
 * @returns {(string | Node)[]}
 */
export const fill = (sentence, values) =>
  sentence.split(/\{(\w+)\}/).map((part, place) => (place % 2 === 1 ? (values[part] ?? "") : part));

const en = {
  loading: "Loading…",
  choose: "Choose how to pay",
  card: "Card",
  ending: "ending in",
  expires: "Expires",
  amount: "Amount to pay",
  includes: "includes",
  feeAdded: "{fee} fee",
  or: "or",
  payWith: "Pay with",
  saveCard: "Save my card for next time",
  saveTerms: "For payments that you start yourself. You can remove it on the payment page.",
  pay: "Pay",
  continueTo: "Continue to {method} · {amount}",
  payWithCard: "Pay {amount} with {card}",
  payOnDelivery: "Place order · pay {amount} on delivery",
  next: "Continue",
  opening: "Opening your payment…",
  again: "Try again",
  terms: "This payment saves your card, or allows later payments with it. Its terms are on the payment page.",
  hosted: "Continue to the payment page",
  left: "The payment was not completed. You left the payment page before paying, and haven't been charged.",
  uncharged: "You haven't been charged.",
  test: "Test mode · No money will be taken.",
  noWallet: "Google Pay is not available in this browser. Please choose another way to pay.",
  state: {
    paid: "Payment successful. Thank you.",
    authorized: "Payment authorised. The amount is held until your order is ready.",
    cod: "Order placed. You pay on delivery.",
    refunded: "This payment was refunded.",
    failed: "This payment did not go through.",
    canceled: "This payment was cancelled.",
    expired: "The time to pay is over.",
    invalided: "This payment can no longer be made.",
    waiting: "Waiting for your bank's answer. Please do not pay again.",
  },
  error: {
    payment_declined: "Your bank declined this payment. You haven't been charged. Try another card or method.",
    price_changed: "The price has changed. You haven't been charged. Check the new amount, then pay if you agree.",
    attempt_in_progress: "We are still waiting to hear about your last payment. Please wait a moment.",
    too_many: "Too many tries. Please wait a moment, then try again.",
    invalid: "Enter an amount within the limits, for example 12.500.",
    not_found: "This payment was not found. Ask the shop for a new one.",
    unreachable: "The payment service cannot be reached. Check your connection. You will not be charged twice.",
    other: "This payment cannot be made now. Please try again in a moment.",
  },
};

/** @type {typeof en} */
const ar = {
  loading: "جارٍ التحميل…",
  choose: "اختر طريقة الدفع",
  card: "بطاقة",
  ending: "تنتهي بالأرقام",
  expires: "صالحة حتى",
  amount: "المبلغ المراد دفعه",
  includes: "يشمل",
  feeAdded: "{fee} رسوم",
  or: "أو",
  payWith: "الدفع عبر",
  saveCard: "حفظ بطاقتي للمرة القادمة",
  saveTerms: "للدفعات التي تبدؤها بنفسك. يمكنك إزالتها في صفحة الدفع.",
  pay: "دفع",
  continueTo: "المتابعة إلى {method} · {amount}",
  payWithCard: "دفع {amount} باستخدام {card}",
  payOnDelivery: "تأكيد الطلب ودفع {amount} عند الاستلام",
  next: "المتابعة",
  opening: "جارٍ فتح عملية الدفع…",
  again: "إعادة المحاولة",
  terms: "تُحفظ بطاقتك في هذه العملية أو يُسمح بدفعات لاحقة منها. الشروط في صفحة الدفع.",
  hosted: "المتابعة إلى صفحة الدفع",
  left: "لم تكتمل عملية الدفع. غادرت صفحة الدفع قبل إتمام العملية، ولم يُخصم منك أي مبلغ.",
  uncharged: "لم يُخصم أي مبلغ.",
  test: "وضع الاختبار · لن يُخصم أي مبلغ.",
  noWallet: "خدمة Google Pay غير متاحة في هذا المتصفح. يُرجى اختيار طريقة دفع أخرى.",
  state: {
    paid: "تم الدفع بنجاح. شكرًا لك.",
    authorized: "تمت الموافقة على الدفع. يُحجز المبلغ إلى أن يجهز طلبك.",
    cod: "تم تأكيد الطلب. الدفع عند الاستلام.",
    refunded: "تم رد مبلغ هذه الدفعة.",
    failed: "لم تتم عملية الدفع.",
    canceled: "أُلغيت عملية الدفع.",
    expired: "انتهى الوقت المحدد للدفع.",
    invalided: "لم يعد بالإمكان إتمام هذه الدفعة.",
    waiting: "بانتظار رد البنك. يُرجى عدم الدفع مرة أخرى.",
  },
  error: {
    payment_declined: "رفض البنك عملية الدفع. لم يُخصم أي مبلغ. يُرجى تجربة بطاقة أو طريقة أخرى.",
    price_changed: "تغيّر السعر. لم يُخصم أي مبلغ. يُرجى مراجعة المبلغ الجديد ثم الدفع إن كنت موافقًا.",
    attempt_in_progress: "ما زلنا بانتظار نتيجة الدفعة السابقة. يُرجى الانتظار قليلًا.",
    too_many: "محاولات كثيرة. يُرجى الانتظار قليلًا ثم المحاولة مرة أخرى.",
    invalid: "يُرجى إدخال مبلغ ضمن الحدود، مثل 12.500.",
    not_found: "لم يتم العثور على عملية الدفع. يُرجى طلب رابط جديد من المتجر.",
    unreachable: "تعذّر الوصول إلى خدمة الدفع. يُرجى التحقق من الاتصال. لن يُخصم المبلغ مرتين.",
    other: "تعذّر إتمام الدفع الآن. يُرجى المحاولة بعد قليل.",
  },
};

/** @typedef {typeof en} Texts */

/**
 * The texts of a language.
 *
 * @param {"en" | "ar"} language
 * @returns {Texts}
 */
export const textsOf = (language) => (language === "ar" ? ar : en);
