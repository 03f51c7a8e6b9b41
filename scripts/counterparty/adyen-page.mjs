/**
 * What Prism lacks of Adyen, in front of it. Prism refuses what Adyen's description does not permit and answers with
 * Adyen's examples, but has no state: this remembers what was requested, puts the reference, the amount and the id of the
 * request in the place of those of the example, has the page of a link, and sends webhooks that Adyen's own library signs.
 */
import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { Front, json, page, redirect } from "./front.mjs";

const { hmacValidator: HmacValidator } = createRequire(import.meta.url)("@adyen/api-library");

/** The events of modifications, by the last part of the path. */
const EVENTS = { captures: "CAPTURE", refunds: "REFUND", cancels: "CANCELLATION" };
/** After how many milliseconds a webhook is sent: the answer to the request comes first. */
const REPORTS_AFTER = 300;

const id = () => randomBytes(8).toString("hex").toUpperCase();

export class AdyenPage extends Front {
  #links = new Map();
  #payments = new Map();
  /** What each webhook was answered: `{ event, status }`. */
  reported = [];
  #receiver;

  /** Reports at an address, signed with a key, about an account. */
  sendEvents(url, key, account) {
    this.#receiver = { url, key, account };
  }

  async answer(request) {
    const { method, path } = request;
    if (path.startsWith("/page/")) return this.#onPage(request);
    // The example of a payment that is over, and not the one that asks for the payer's fingerprint.
    const headers = path === "/payments" ? { prefer: "example=card-direct", ...request.headers } : request.headers;
    const answer = await this.forward({ ...request, headers });
    if (answer.status >= 400) return answer;
    const example = JSON.parse(answer.body);
    const asked = request.body === "" ? {} : JSON.parse(request.body);
    const [, kind, known, action] = path.split("/");
    if (kind === "paymentLinks") return this.#onLink(answer, example, method, known, asked);
    if (path === "/payments") return this.#onPayment(answer, example, asked);
    if (kind === "payments" && EVENTS[action]) return this.#onModification(answer, example, asked, known, action);
    return answer;
  }

  #onLink(answer, example, method, known, asked) {
    if (method === "POST") {
      const { reference, amount, merchantAccount, returnUrl, metadata, storePaymentMethodMode } = asked;
      const link = {
        ...example, id: `PL${id()}`, reference, amount, merchantAccount, returnUrl, metadata, status: "active", reusable: false, storePaymentMethodMode,
        expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      };
      link.url = `${this.origin}/page/${link.id}`;
      this.#links.set(link.id, link);
      return { ...answer, body: JSON.stringify(link) };
    }
    const link = this.#links.get(known);
    if (!link) return json(404, { status: 404, errorCode: "000", message: "there is no such link", errorType: "validation" });
    if (method === "PATCH") {
      if (link.status !== "active") return json(422, { status: 422, errorCode: "176", message: `the link is ${link.status}`, errorType: "validation" });
      link.status = asked.status;
    }
    return { ...answer, body: JSON.stringify(link) };
  }

  #onPayment(answer, example, asked) {
    const { reference, amount, metadata } = asked;
    const payment = { psp: id(), reference, amount, metadata };
    this.#payments.set(payment.psp, payment);
    this.#report("AUTHORISATION", payment);
    const value = { ...example, pspReference: payment.psp, merchantReference: reference, amount };
    return { ...answer, body: JSON.stringify(value) };
  }

  #onModification(answer, example, { reference, amount }, known, action) {
    const payment = this.#payments.get(known);
    if (!payment) return json(422, { status: 422, errorCode: "167", message: "Original pspReference required for this operation", errorType: "validation" });
    const value = { ...example, pspReference: id(), paymentPspReference: known, reference, ...(amount ? { amount } : {}) };
    this.#report(EVENTS[action], { psp: value.pspReference, original: known, reference, amount: amount ?? payment.amount });
    return { ...answer, body: JSON.stringify(value) };
  }

  #onPage({ method, path, body }) {
    const link = this.#links.get(path.slice("/page/".length));
    if (!link) return page("There is no such page", [], []);
    if (link.status !== "active") return page(`This page is ${link.status}`, [], []);
    const { value, currency } = link.amount;
    if (method === "GET") {
      const lines = [`${link.reference}: ${value} of the smallest unit of ${currency}`, "This page is a part of Till; the request for it was accepted by Prism, by Adyen's description."];
      return page("Pay as at Adyen", lines, [["pay", "Pay with a card that is approved"], ["refuse", "Pay with a card that is refused"], ["back", "Back to the shop"]]);
    }
    const choice = new URLSearchParams(body).get("choice");
    const payment = { psp: id(), reference: link.reference, amount: link.amount, metadata: link.metadata, link: link.id };
    if (choice === "refuse") {
      this.#report("AUTHORISATION", payment, { success: "false", reason: "Refused" });
      return page("The card was refused", ["Choose again."], [["pay", "Pay with a card that is approved"], ["back", "Back to the shop"]]);
    }
    if (choice === "pay") {
      link.status = "completed";
      this.#payments.set(payment.psp, payment);
      const token = link.storePaymentMethodMode ? { "tokenization.storedPaymentMethodId": id() } : {};
      this.#report("AUTHORISATION", payment, { reason: "033899:1111:03/2030" }, token);
    }
    return redirect(link.returnUrl);
  }

  /** Sends a webhook, signed by Adyen's library. */
  #report(eventCode, about, members = {}, more = {}) {
    if (!this.#receiver) return;
    const { url, key, account } = this.#receiver;
    const { psp, original, reference, amount, metadata, link } = about;
    const item = {
      additionalData: { ...(link ? { paymentLinkId: link } : {}), ...(metadata ? { "metadata.tillFlow": metadata.tillFlow, authCode: "033899", cardSummary: "1111" } : {}), ...more },
      amount, eventCode, eventDate: new Date().toISOString(), merchantAccountCode: account, merchantReference: reference,
      ...(original ? { originalReference: original } : {}), paymentMethod: "visa", pspReference: psp, success: "true", ...members,
    };
    item.additionalData.hmacSignature = new HmacValidator().calculateHmac(item, key);
    const body = JSON.stringify({ live: "false", notificationItems: [{ NotificationRequestItem: item }] });
    const send = () => fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body })
      .then(({ status }) => this.reported.push({ event: eventCode, status }))
      .catch((error) => this.reported.push({ event: eventCode, status: error.message }));
    setTimeout(send, REPORTS_AFTER);
  }

  /** The link of one of our references, for tests. */
  linkOf(reference) {
    return [...this.#links.values()].find((link) => link.reference === reference);
  }
}
