/** A stub of KNET's raw gateway: its page, which reads the encrypted order, and inquiries and refunds in XML fragments. */
import { createCipheriv, createDecipheriv } from "node:crypto";
import { Stub } from "./stub.mjs";

export const TERMINAL = { tranportal_id: "900100200", password: "Exm9pl", resource_key: "Q7w2Er9TyU4iOp1Z" };

// The vector is the key.
export function encrypt(text, key = TERMINAL.resource_key) {
  const cipher = createCipheriv("aes-128-cbc", key, key);
  return (cipher.update(text, "utf8", "hex") + cipher.final("hex")).toUpperCase();
}
function decrypt(digits) {
  const cipher = createDecipheriv("aes-128-cbc", TERMINAL.resource_key, TERMINAL.resource_key);
  return cipher.update(digits, "hex", "utf8") + cipher.final("utf8");
}

/** The fields of a joined text, whose values are not encoded. */
const fields = (text) => Object.fromEntries(text.split("&").map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
const fragments = (members) => Object.entries(members).map(([name, value]) => `<${name}>${value}</${name}>`).join("");
const xml = (members) => ({ status: 200, body: fragments(members), headers: { "content-type": "text/xml" } });
const fault = (code, text) => xml({ result: `!ERROR!-${code}-${text}`, error_code_tag: code });

export class KnetStub extends Stub {
  /** What was paid or declined, by track id. */
  purchases = new Map();
  /** The amounts that were given back, by track id. */
  refunds = new Map();
  /** What KNET's server posts to the merchant, joined and not encrypted, by track id. */
  reports = new Map();

  /** The order in the address of the page. */
  order(page) {
    const address = new URL(page);
    const order = fields(decrypt(address.searchParams.get("trandata")));
    if (address.origin !== this.origin || address.pathname !== "/kpg/PaymentHTTP.htm") throw new Error(`no page of KNET: ${page}`);
    if (order.id !== TERMINAL.tranportal_id || order.password !== TERMINAL.password) throw new Error("InvalidAccess.htm");
    if (order.action !== "1" || order.currencycode !== "414" || !/^\d+\.\d{3}$/.test(order.amt)) throw new Error(`no purchase: ${order.amt}`);
    return order;
  }

  /** The payer ends on the page with a result; what KNET's server posts to the merchant, joined and not encrypted. */
  finish(page, result = "CAPTURED", authRespCode = "00") {
    const { trackid, amt, udf1, udf2, udf3, udf4, udf5 } = this.order(page);
    const number = String(100 + this.purchases.size);
    const taken = result === "CAPTURED" ? { auth: "B24047", tranid: `202632500000${number}` } : { auth: "", tranid: "" };
    const purchase = {
      paymentid: `100202632500${number}`, result, ...taken, avr: "N", ref: `632500000${number}`, postdate: "1122", trackid,
      udf1, udf2, udf3, udf4, udf5, amt, authRespCode,
    };
    if (result !== "CANCELED") this.purchases.set(trackid, purchase);
    this.reports.set(trackid, Object.entries(purchase).map(([name, value]) => `${name}=${String(value).replaceAll(" ", "+")}`).join("&"));
    return this.reports.get(trackid);
  }

  /** The payer has chosen a card, and is asked for the PIN. */
  chooseCard(page) {
    const { trackid, amt, udf1 } = this.order(page);
    this.purchases.set(trackid, { paymentid: "100202632599999", result: "INITIATED", trackid, udf1, amt });
  }

  /** The money that moved for one of our references, in minor units. */
  ledger(reference) {
    const minor = (text) => Number(text.replace(".", ""));
    const purchase = this.purchases.get(reference);
    const charges = purchase?.result === "CAPTURED" ? [minor(purchase.amt)] : [];
    const refunded = (this.refunds.get(reference) ?? []).reduce((sum, amount) => sum + minor(amount), 0);
    return { charges, captured: charges[0] ?? 0, refunded, voided: 0 };
  }

  answer({ method, path, query, body }) {
    if (method !== "POST" || path !== "/kpg/tranPipe.htm" || query.get("param") !== "tranInit") return { status: 404, body: "" };
    const asked = Object.fromEntries([...body.matchAll(/<(\w+)>([^<]*)<\/\1>/g)].map(([, name, value]) => [name, value]));
    if (asked.id !== TERMINAL.tranportal_id || asked.password !== TERMINAL.password) return fault("IPAY0100215", "Invalid Tranportal ID.");
    const purchase = asked.udf5 === "TrackID" && this.purchases.get(asked.transid);
    if (!purchase) return fault("IPAY0100263", "Transaction not found.");
    if (asked.action === "8") return this.#inquire(purchase, asked);
    return asked.action === "2" ? this.#refund(purchase, asked) : fault("IPAY0100208", "Action not supported.");
  }

  #inquire(purchase, { amt }) {
    if (amt !== purchase.amt) return xml({ result: "FAILURE(SUSPECT)", trackid: purchase.trackid });
    const { paymentid, udf5, result, ...others } = purchase;
    return xml({ result: ["CAPTURED", "INITIATED"].includes(result) ? result : `FAILURE(${result})`, ...others, payid: paymentid, udf5: "TrackID" });
  }

  #refund({ paymentid, trackid, amt: paid, result }, { amt }) {
    const given = this.refunds.get(trackid) ?? [];
    const minor = (text) => Number(text.replace(".", ""));
    const left = minor(paid) - given.reduce((sum, one) => sum + minor(one), 0);
    if (result !== "CAPTURED" || minor(amt) > left) return fault("IPAY0300024", "Refund amount exceeds.");
    this.refunds.set(trackid, [...given, amt]);
    return xml({ result: "CAPTURED", auth: "R10001", ref: "632500000900", postdate: "1122", tranid: "202632500000900", trackid, payid: paymentid, amt });
  }
}
