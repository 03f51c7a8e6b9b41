/** A stub of Adyen Checkout v72: payment links, payments with Google Pay, modifications, and webhooks signed by Adyen's own library. */
import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { Stub, json } from "./stub.mjs";

const { hmacValidator: HmacValidator } = createRequire(import.meta.url)("@adyen/api-library");

export const KEY = "AQE_key_of_the_stub";
export const ACCOUNT = "ShopECOM";
export const HMAC_KEY = "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056";

const fault = (status, errorCode, message) => json(status, { status, errorCode, message, errorType: "validation" });
const pspReference = () => randomBytes(8).toString("hex").toUpperCase();

export class AdyenStub extends Stub {
  /** Links by id, payments and modifications by reference of the merchant. */
  links = new Map();
  payments = new Map();
  modifications = new Map();
  /** Whose card each saved card is. */
  cards = new Map();
  #disputes = new Map();
  #challenged = new Map();
  #answers = new Map();

  answer({ method, path, headers, body }) {
    if (headers["x-api-key"] !== KEY) return fault(401, "000", "HTTP Status Response - Unauthorized");
    const [, version, kind, id, modification] = path.split("/");
    if (version !== "v72") return fault(404, "000", "no such version");
    if (method === "GET" && kind === "paymentLinks") return this.#link(id);
    const request = JSON.parse(body);
    if (method === "PATCH" && kind === "paymentLinks") return this.#expire(id, request);
    const needsAccount = id !== "details";
    if (method !== "POST" || (needsAccount && request.merchantAccount !== ACCOUNT)) return fault(403, "901", "Invalid Merchant Account");
    const key = headers["idempotency-key"];
    if (key && this.#answers.has(key)) return this.#answers.get(key);
    const answer = modification ? this.#modify(id, modification, request) : this.#open(kind, id, request);
    if (key) this.#answers.set(key, answer);
    return answer;
  }

  #open(kind, id, request) {
    if (kind === "paymentMethods") return json(200, { paymentMethods: [{ name: "Cards", type: "scheme" }] });
    if (id === "details") return this.#complete(request);
    const { amount, reference, returnUrl } = request;
    if (!Number.isSafeInteger(amount?.value) || !/^[A-Z]{3}$/.test(amount.currency)) return fault(422, "100", "Required field 'amount' is not provided.");
    if (kind === "paymentLinks") {
      const link = `PL${pspReference()}`;
      const { shopperReference, storePaymentMethodMode, recurringProcessingModel, manualCapture } = request;
      this.links.set(link, { id: link, amount, merchantAccount: ACCOUNT, reference, returnUrl, shopperReference, storePaymentMethodMode, recurringProcessingModel, manualCapture, expiresAt: "2036-11-23T10:00:00Z", url: `${this.origin}/${link}`, status: "active", reusable: false });
      return json(201, this.links.get(link));
    }
    const paid = this.#meansOf(request);
    if (kind !== "payments" || !paid) return fault(422, "14_004", "no such payment method");
    const { refusalReasonCode, refusalReason, isChallenged, challenge } = paid;
    const payment = { pspReference: pspReference(), merchantReference: reference, amount, metadata: request.metadata, isHeld: request.additionalData?.manualCapture === "true" };
    if (isChallenged || challenge) {
      this.#challenged.set(payment.pspReference, { ...payment, returnUrl });
      // A bank whose page takes a form.
      const data = { MD: `md-${reference}`, PaReq: "eJ\"<&>", TermUrl: `${this.origin}/term` };
      const form = { type: "redirect", method: "POST", paymentMethodType: "scheme", url: `${this.origin}/acs`, data };
      if (challenge) return json(200, { pspReference: payment.pspReference, resultCode: "RedirectShopper", action: form });
      const url = `${this.origin}/threeDS/${payment.pspReference}`;
      return json(200, { resultCode: "RedirectShopper", action: { type: "redirect", method: "GET", paymentMethodType: "scheme", url } });
    }
    const { isHeld, ...shown } = payment;
    const answer = refusalReasonCode ? { ...shown, resultCode: "Refused", refusalReason, refusalReasonCode } : { ...shown, resultCode: "Authorised" };
    this.payments.set(reference, [...(this.payments.get(reference) ?? []), { ...payment, success: !refusalReasonCode, reason: refusalReason }]);
    return json(200, answer);
  }

  /** What pays, and what the bank then does; nothing for what Adyen does not know. */
  #meansOf({ paymentMethod = {}, shopperInteraction, shopperReference }) {
    const { type, googlePayToken, applePayToken, storedPaymentMethodId } = paymentMethod;
    if (type === "googlepay" && typeof googlePayToken === "string") return JSON.parse(googlePayToken);
    if (type === "applepay" && typeof applePayToken === "string") return JSON.parse(Buffer.from(applePayToken, "base64").toString("utf8"));
    const isKnown = this.cards.get(storedPaymentMethodId) === shopperReference && ["Ecommerce", "ContAuth"].includes(shopperInteraction);
    return type === "scheme" && isKnown ? {} : undefined;
  }

  /** What the payer's browser brought back from the bank. */
  #complete({ details }) {
    const isOfForm = ({ merchantReference }) => details?.PaRes === "approved" && details.MD === `md-${merchantReference}`;
    const challenged = this.#challenged.get(details?.redirectResult) ?? [...this.#challenged.values()].find(isOfForm);
    if (!challenged) return fault(422, "101", "Invalid redirectResult");
    const { returnUrl, ...payment } = challenged;
    if (!this.payments.has(payment.merchantReference)) this.payments.set(payment.merchantReference, [{ ...payment, success: true }]);
    return json(200, { ...payment, resultCode: "Authorised" });
  }

  /** The payer does what the bank wants; returns where the browser goes. */
  authenticate(reference) {
    const [id, { returnUrl }] = [...this.#challenged].find(([, { merchantReference }]) => merchantReference === reference);
    return `${returnUrl}${returnUrl.includes("?") ? "&" : "?"}redirectResult=${id}`;
  }

  #link(id) {
    const link = this.links.get(id);
    return link ? json(200, link) : fault(404, "902", "no such link");
  }

  #expire(id, { status }) {
    const link = this.links.get(id);
    if (!link || status !== "expired" || link.status !== "active") return fault(422, "167", "The link cannot be changed");
    link.status = "expired";
    return json(200, link);
  }

  #modify(id, kind, { amount, reference }) {
    const payment = [...this.payments.values()].flat().find(({ pspReference: known }) => known === id);
    if (!payment) return fault(422, "167", "Original pspReference required");
    if (kind !== "cancels" && !(amount?.value > 0)) return fault(422, "137", "Invalid amount specified");
    const modification = { kind, success: this.#isPossible(payment, kind, amount), amount: amount ?? payment.amount, reference, pspReference: pspReference(), paymentPspReference: id };
    this.modifications.set(reference, [...(this.modifications.get(reference) ?? []), modification]);
    const { success, ...received } = modification;
    return json(201, { merchantAccount: ACCOUNT, ...received, status: "received" });
  }

  #sum(id, kind) {
    const done = [...this.modifications.values()].flat().filter((one) => one.paymentPspReference === id && one.kind === kind && one.success);
    return done.reduce((sum, { amount }) => sum + amount.value, 0);
  }

  /** Whether the bank does what Adyen received: one capture of what is held, refunds of what was captured. */
  #isPossible({ pspReference: id, amount: paid, isHeld }, kind, amount) {
    const captured = isHeld ? this.#sum(id, "captures") : paid.value;
    if (kind === "refunds") return amount.value + this.#sum(id, "refunds") <= captured;
    return isHeld && captured === 0 && this.#sum(id, "cancels") === 0 && (kind === "cancels" || amount.value <= paid.value);
  }

  linkOf(reference) {
    return [...this.links.values()].find((link) => link.reference === reference);
  }

  /** The payer pays on the page of a link. */
  pay(reference) {
    const link = this.linkOf(reference);
    if (link.status !== "active") throw new Error(`the link is ${link.status}`);
    link.status = "completed";
    const payment = { pspReference: pspReference(), merchantReference: reference, amount: link.amount, metadata: { tillFlow: "link" }, link: link.id, isHeld: link.manualCapture === true, success: true };
    if (link.storePaymentMethodMode === "enabled") {
      payment.card = { id: pspReference(), shopper: link.shopperReference };
      this.cards.set(payment.card.id, payment.card.shopper);
    }
    this.payments.set(reference, [payment]);
    return link.returnUrl;
  }

  /** The webhook about the card that was saved with a payment, and its headers. */
  tokenWebhook(reference, shopperReference, members = {}) {
    const [payment] = this.payments.get(reference);
    const data = { merchantAccount: ACCOUNT, storedPaymentMethodId: "M5N7TQ4TG5PFWR50", type: "visa", operation: "created", shopperReference };
    const notice = { createdAt: "2026-11-22T10:00:05+01:00", eventId: payment.pspReference, environment: "test", data, type: "recurring.token.created", ...members };
    const body = JSON.stringify(notice);
    return [body, { hmacsignature: new HmacValidator().calculateHmac(body, HMAC_KEY) }];
  }

  /** The webhook about a payment or a modification, as Adyen signs it. */
  webhook(eventCode, reference, members = {}, key = HMAC_KEY) {
    const [payment] = this.payments.get(reference) ?? [];
    const [modification] = this.modifications.get(reference) ?? [];
    const about = modification ?? payment;
    const item = {
      additionalData: {
        ...(payment?.link ? { paymentLinkId: payment.link } : {}), ...(payment ? { "metadata.tillFlow": payment.metadata.tillFlow, authCode: "123456", cardSummary: "1111" } : {}),
        ...(payment?.card ? { "recurring.recurringDetailReference": payment.card.id, "recurring.shopperReference": payment.card.shopper, expiryDate: "03/2030" } : {}),
      },
      amount: about.amount, eventCode, eventDate: "2026-11-22T10:00:00+01:00", merchantAccountCode: ACCOUNT, merchantReference: reference,
      ...(modification ? { originalReference: modification.paymentPspReference } : {}), paymentMethod: "visa", pspReference: about.pspReference, success: String(about.success), ...members,
    };
    item.additionalData.hmacSignature = new HmacValidator().calculateHmac(item, key);
    return JSON.stringify({ live: "false", notificationItems: [{ NotificationRequestItem: item }] });
  }

  /** The webhook about a step of the dispute about a payment: with the id of the dispute, and when that happened. */
  disputeWebhook(eventCode, reference, eventDate, disputeStatus, members = {}, key = HMAC_KEY) {
    const [{ pspReference: originalReference }] = this.payments.get(reference);
    if (!this.#disputes.has(reference)) this.#disputes.set(reference, pspReference());
    const additionalData = {
      chargebackReasonCode: "10.4", chargebackSchemeCode: "visa", modificationMerchantReferences: "", defensePeriodEndsAt: "2027-01-06T19:00:00+01:00", defendable: "true", disputeStatus,
    };
    const item = { additionalData, originalReference, pspReference: this.#disputes.get(reference), eventDate, reason: "Other Fraud-Card Absent Environment", success: "true", ...members };
    return this.webhook(eventCode, reference, item, key);
  }

  /** Whether a modification was received. */
  knows(reference) {
    return this.modifications.has(reference);
  }

  /** The money that moved for one of our references, in minor units. */
  ledger(reference) {
    const paid = (this.payments.get(reference) ?? []).filter(({ success, amount }) => success && amount.value > 0);
    const sum = (kind) => paid.reduce((total, { pspReference: id }) => total + this.#sum(id, kind), 0);
    const captured = paid.reduce((total, { pspReference: id, amount, isHeld }) => total + (isHeld ? this.#sum(id, "captures") : amount.value), 0);
    return { charges: paid.map(({ amount }) => amount.value), captured, refunded: sum("refunds"), voided: sum("cancels") };
  }
}
