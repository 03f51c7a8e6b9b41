/** Someone at the desk: a browser without a script, which keeps the cookie of its session and fills in forms. */
import assert from "node:assert/strict";
import { TOTP } from "otpauth";
import { deskOf } from "./options.mjs";

export const PASSWORD = "correct horse battery";

/** The texts of a document: markup away, entities read. */
export const textOf = (html) => html.replaceAll(/<[^>]*>/g, " ").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&").replaceAll(/\s+/g, " ");

const attributes = (tag) => Object.fromEntries([...tag.matchAll(/([a-z-]+)(?:="([^"]*)")?/g)].map(([, name, value = ""]) => [name, value.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&")]));

/** The forms of a document: where each goes, and its fields as it was sent. */
export function formsOf(html) {
  return [...html.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)].map(([, head, body]) => ({
    ...attributes(head),
    fields: [...body.matchAll(/<input([^>]*)>/g)].map(([, tag]) => attributes(tag)).filter(({ name, type, checked }) => name && (checked !== undefined || !/^(checkbox|radio)$/.test(type))).map(({ name, value = "" }) => [name, value]),
  }));
}

export class Visitor {
  cookie = undefined;
  /** The cookie of a way to a provider and back. */
  trip = undefined;
  page = "";
  headers = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" };

  constructor(till) {
    this.till = till;
    this.url = deskOf(till.url);
  }

  async #ask(path, init = {}) {
    const cookie = [this.cookie, this.trip].filter(Boolean).join("; ");
    const headers = { accept: "text/html", "accept-language": "en", ...this.headers, ...(cookie ? { cookie } : {}), ...init.headers };
    const response = await fetch(new URL(path, this.url), { redirect: "manual", ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [pair] = line.split(";");
      if (pair.startsWith("__Host-desk-trip=")) {
        this.trip = pair;
        this.till.secrets.add(pair.slice("__Host-desk-trip=".length));
      }
      if (!pair.startsWith("__Host-desk=")) continue;
      this.cookie = /Max-Age=0/.test(line) ? undefined : pair;
      if (this.cookie) this.till.secrets.add(this.cookie.slice("__Host-desk=".length));
    }
    const text = await response.text();
    if (response.headers.get("content-type")?.startsWith("text/html")) this.page = text;
    return { status: response.status, headers: response.headers, text, location: response.headers.get("location") ?? undefined };
  }

  /** Goes to an address. */
  get(path, init) {
    return this.#ask(path, init);
  }

  /** Comes back from another site, as a browser does: without the cookie of the session. */
  comeBack(address) {
    return this.#ask(address, { headers: { cookie: this.trip ?? "" } });
  }

  /** Sends fields as a browser sends a form of the desk. */
  post(path, fields, headers = {}) {
    const body = new URLSearchParams(fields).toString();
    const sent = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin", origin: this.url, ...headers };
    for (const name of Object.keys(sent)) if (sent[name] === undefined) delete sent[name];
    return this.#ask(path, { method: "POST", body, headers: sent });
  }

  /** Fills in the form of the page that goes to `action`, and sends it. */
  async submit(action, fields = {}, headers) {
    const form = formsOf(this.page).find((one) => one.action === action);
    assert.ok(form, `the page has no form to ${action}: ${textOf(this.page).slice(0, 300)}`);
    return this.post(action, { ...Object.fromEntries(form.fields), ...fields }, headers);
  }

  /** Goes on to where an answer leads. */
  async follow(answer) {
    assert.ok(answer.location, `${answer.status}: ${textOf(answer.text).slice(0, 300)}`);
    return this.get(answer.location);
  }

  async signIn(username, password = PASSWORD) {
    await this.get("/sign-in/");
    return this.submit("/sign-in/", { username, password });
  }
}

/** Makes a user of the merchant, and answers the name. */
export async function makeUser(till, name, rights = { is_superuser: true }, merchant = till.merchant) {
  const json = { username: `${name}@${merchant.merchant_id}`, password: PASSWORD, email: `${name}@shop.example`, ...rights };
  const answer = await till.call("/b/access/v1/users/", { method: "POST", headers: till.privateKey(merchant), json });
  assert.equal(answer.status, 201, answer.text);
  till.secrets.add(PASSWORD);
  return answer.body;
}

/** What the gateway last said about a dispute of a payment is stored. */
export async function dispute(till, { session_id }, facts = {}) {
  const known = { dispute_id: "dsp_1", dispute_status: "needs_answer", dispute_reason: "fraudulent 10.4", dispute_amount: "12.750", dispute_currency: "KWD", ...facts };
  await till.rows("UPDATE attempt SET params = json_patch(params, ?1) WHERE session_id = ?2", JSON.stringify(known), session_id);
}

/**
 * Sets a second factor up on its page. Answers the secret as an app has it, the code that was given, the code of the step after it,
 * which is taken at least half a minute longer, and the recovery codes.
 */
export async function setFactor(visitor) {
  await visitor.get("/me/factor/");
  const [, letters] = /<code dir="ltr">([A-Z2-7 ]+)<\/code>/.exec(visitor.page);
  const secret = letters.replaceAll(" ", "");
  visitor.till.secrets.add(secret);
  const totp = new TOTP({ secret, algorithm: "SHA1", digits: 6, period: 30 });
  // Both of one moment: the clock may begin another step at any time after it.
  const now = Date.now();
  const [given, next] = [now, now + 30_000].map((timestamp) => totp.generate({ timestamp }));
  const answer = await visitor.submit("/me/factor/", { code: given });
  assert.equal(answer.status, 200, textOf(answer.text));
  const recovery = [...answer.text.matchAll(/<code dir="ltr">([A-Z2-7]{4}(?:-[A-Z2-7]{4}){3})<\/code>/g)].map(([, code]) => code);
  for (const code of recovery) visitor.till.secrets.add(code);
  assert.equal(new Set(recovery).size, 10);
  return { totp, given, next, recovery };
}

/** Someone who is signed in. */
export async function staff(till, name, rights, merchant) {
  const user = await makeUser(till, name, rights, merchant);
  const visitor = Object.assign(new Visitor(till), { user });
  const answer = await visitor.signIn(user.username);
  assert.equal(answer.status, 303, textOf(answer.text));
  await visitor.follow(answer);
  return visitor;
}
