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
  #answers = new Map();

  answer({ method, path, headers, body }) {
    if (headers["x-api-key"] !== KEY) return fault(401, "000", "HTTP Status Response - Unauthorized");
    const [, version, kind, id, modification] = path.split("/");
    if (version !== "v72") return fault(404, "000", "no such version");
    if (method === "GET" && kind === "paymentLinks") return this.#link(id);
    const request = JSON.parse(body);
    if (method === "PATCH" && kind === "paymentLinks") return this.#expire(id, request);
    if (method !== "POST" || request.merchantAccount !== ACCOUNT) return fault(403, "901", "Invalid Merchant Account");
    const key = headers["idempotency-key"];
    if (key && this.#answers.has(key)) return this.#answers.get(key);
    const answer = modification ? this.#modify(id, modification, request) : this.#open(kind, request);
    if (key) this.#answers.set(key, answer);
    return answer;
  }

  #open(kind, request) {
    const { amount, reference, returnUrl } = request;
    if (!Number.isSafeInteger(amount?.value) || !/^[A-Z]{3}$/.test(amount.currency)) return fault(422, "100", "Required field 'amount' is not provided.");
    if (kind === "paymentLinks") {
      const id = `PL${pspReference()}`;
      this.links.set(id, { id, amount, merchantAccount: ACCOUNT, reference, returnUrl, expiresAt: "2036-11-23T10:00:00Z", url: `${this.origin}/${id}`, status: "active", reusable: false });
      return json(201, this.links.get(id));
    }
    const { type, googlePayToken } = request.paymentMethod ?? {};
    if (kind !== "payments" || type !== "googlepay" || typeof googlePayToken !== "string") return fault(422, "14_004", "no such payment method");
    const { refusalReasonCode, refusalReason } = JSON.parse(googlePayToken);
    const payment = { pspReference: pspReference(), merchantReference: reference, amount, metadata: request.metadata };
    const answer = refusalReasonCode ? { ...payment, resultCode: "Refused", refusalReason, refusalReasonCode } : { ...payment, resultCode: "Authorised" };
    this.payments.set(reference, [...(this.payments.get(reference) ?? []), { ...payment, success: !refusalReasonCode, reason: refusalReason }]);
    return json(200, answer);
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
    const modification = { kind, amount: amount ?? payment.amount, reference, pspReference: pspReference(), paymentPspReference: id };
    this.modifications.set(reference, [...(this.modifications.get(reference) ?? []), modification]);
    return json(201, { merchantAccount: ACCOUNT, ...modification, status: "received" });
  }

  linkOf(reference) {
    return [...this.links.values()].find((link) => link.reference === reference);
  }

  /** The payer pays on the page of a link. */
  pay(reference) {
    const link = this.linkOf(reference);
    if (link.status !== "active") throw new Error(`the link is ${link.status}`);
    link.status = "completed";
    this.payments.set(reference, [{ pspReference: pspReference(), merchantReference: reference, amount: link.amount, metadata: { tillFlow: "link" }, link: link.id, success: true }]);
    return link.returnUrl;
  }

  /** The webhook about a payment or a modification, as Adyen signs it. */
  webhook(eventCode, reference, members = {}, key = HMAC_KEY) {
    const [payment] = this.payments.get(reference) ?? [];
    const [modification] = this.modifications.get(reference) ?? [];
    const about = modification ?? payment;
    const item = {
      additionalData: {
        ...(payment?.link ? { paymentLinkId: payment.link } : {}), ...(payment ? { "metadata.tillFlow": payment.metadata.tillFlow, authCode: "123456", cardSummary: "1111" } : {}),
      },
      amount: about.amount, eventCode, eventDate: "2026-11-22T10:00:00+01:00", merchantAccountCode: ACCOUNT, merchantReference: reference,
      ...(modification ? { originalReference: modification.paymentPspReference } : {}), paymentMethod: "visa", pspReference: about.pspReference, success: "true", ...members,
    };
    item.additionalData.hmacSignature = new HmacValidator().calculateHmac(item, key);
    return JSON.stringify({ live: "false", notificationItems: [{ NotificationRequestItem: item }] });
  }
}
