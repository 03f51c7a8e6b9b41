/** What a payer does, step by step, and what a test looks at between the steps. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

let inboxes = 0;

/** Posts a form, as a browser without a script does. */
export const post = (till, path, fields, headers = {}) =>
  till.call(path, { method: "POST", headers, body: new URLSearchParams(fields) });

/** What an inbox of the sandbox received, newest first. */
export const inbox = async (till, name) =>
  (await till.call(`/sandbox/inbox/${name}/`, { headers: { accept: "application/json" } })).body.webhooks;

/** Chooses what an inbox answers: 200, 201, 500 or hang. */
export const setAnswer = (till, name, answer) => post(till, `/sandbox/inbox/${name}/answer/`, { answer });

/**
 * A payment transaction with its own inbox as receiver, and the shop as its redirect address.
 *
 * @returns {Promise<{session_id: string, inbox: string}>}
 */
export async function open(till, fields = {}) {
  const name = `inbox-${++inboxes}`;
  const created = await till.create({
    webhook_url: `${till.url}/sandbox/inbox/${name}/`,
    redirect_url: `${till.url}/sandbox/shop/`,
    order_no: "A-1",
    ...fields,
  });
  assert.equal(created.status, 201, created.text);
  return { session_id: created.body.session_id, inbox: name };
}

/** The payer chooses a method on the hosted page. */
export const choose = (till, { session_id }, pg_code, headers = {}, form = {}) =>
  post(till, "/b/checkout/redirect/pay/", { session_id, pg_code, ...form }, headers);

/** The headers that a browser sends when its window navigates. */
export const NAVIGATION = { "sec-fetch-dest": "document" };

/** The payer opens the hosted page. */
export const openPage = (till, { session_id }, headers = NAVIGATION) =>
  till.call(`/b/checkout/redirect/start/?session_id=${session_id}`, { headers });

/** What the page's script learns when it polls. */
export const pollStatus = async (till, { session_id }) =>
  (await till.call(`/b/checkout/redirect/status/${session_id}/`)).body;

/** A transaction whose payer was sent to the bank; `page` is the bank's page. */
export async function atTheBank(till, { pg_code = "knet", ...fields } = {}) {
  const payment = await open(till, { pg_codes: [pg_code], ...fields });
  return { ...payment, page: await goToTheBank(till, payment, pg_code) };
}

/** Chooses a method and expects to be sent to the bank's page, whose address is returned. */
export async function goToTheBank(till, payment, pg_code) {
  const sent = await choose(till, payment, pg_code);
  assert.equal(sent.status, 303, sent.text);
  const page = sent.headers.get("location");
  assert.match(page, /\/sandbox\/bank\/pay\/ch_[0-9a-f]{32}\/$/);
  return page;
}

/** Sends a form of the bank's page; returns the address to which the bank sends the browser. */
export async function atBank(till, page, form) {
  const posted = await post(till, page, form);
  assert.equal(posted.status, 303, posted.text);
  return posted.headers.get("location");
}

/** Sends a form of the bank's page and lets the browser come back to Till; returns where it lands. */
export async function finish(till, page, form) {
  const back = await atBank(till, page, form);
  assert.match(back, /\/b\/gw\/v1\/return\//);
  const returned = await till.fetch(back);
  assert.equal(returned.status, 303);
  return returned.headers.get("location");
}

/** Pays with a listed test card; returns where the browser lands. */
export const payWith = (till, page, card) => finish(till, page, { action: "pay", card });

/** The attempts of a transaction, oldest first. */
export const attempts = (till, { session_id }) =>
  till.rows("SELECT * FROM attempt WHERE session_id = ?1 ORDER BY number", session_id);

/** The state that the API shows. */
export const stateOf = async (till, { session_id }) => (await till.retrieve(session_id)).body.state;

/** The kinds of the events of a transaction, oldest first. */
export const events = async (till, { session_id }) =>
  (await till.rows("SELECT kind FROM txn_event WHERE session_id = ?1 ORDER BY number", session_id)).map(({ kind }) => kind);

/** The state of the transaction and the stages of its attempts. */
export async function standing(till, payment) {
  return [await stateOf(till, payment), ...(await attempts(till, payment)).map(({ stage }) => stage)];
}

/** The webhooks that a transaction caused, oldest first: `{ headers, body, text, answered }`. */
export async function webhooks(till, { inbox: name }) {
  const received = await inbox(till, name);
  return received.reverse().map((webhook) => ({ ...webhook, text: webhook.body, body: JSON.parse(webhook.body) }));
}

/** Waits until `count` webhooks of a transaction were received. */
export const untilWebhooks = (till, payment, count = 1) =>
  eventually(`${count} webhooks`, async () => {
    const received = await webhooks(till, payment);
    return received.length >= count && received;
  });

/** Makes the sweep ask about the attempts of a transaction now instead of at their planned time. */
export async function inquireNow(till, { session_id }) {
  await till.rows("UPDATE attempt SET inquire_at = 0 WHERE session_id = ?1 AND inquire_at IS NOT NULL", session_id);
  await till.scheduled();
}

/** Waits until nobody is sending a notification of a transaction, or of any. */
export const untilSent = (till, { session_id } = {}) =>
  eventually("nobody sends", async () => {
    const held = await till.rows("SELECT session_id FROM delivery WHERE lease_until > ?1", Date.now());
    return held.every((delivery) => session_id !== undefined && delivery.session_id !== session_id);
  });

/**
 * Makes the sweep deliver the notifications of a transaction now instead of at their planned time. One that is being sent is left
 * to its sender.
 */
export async function deliverNow(till, { session_id }) {
  await untilSent(till, { session_id });
  await till.rows("UPDATE delivery SET due_at = 0 WHERE session_id = ?1", session_id);
  await till.scheduled();
  await untilSent(till, { session_id });
}

/** Waits until `look` finds what it looks for. */
export async function eventually(what, look, milliseconds = 20_000) {
  const end = Date.now() + milliseconds;
  while (Date.now() < end) {
    const found = await look();
    if (found) return found;
    await sleep(20);
  }
  throw new Error(`never came true: ${what}`);
}

/** Asserts a problem body (RFC 9457) with a status and a code; returns its `errors`. */
export function assertProblem(answer, status, code) {
  assert.deepEqual([answer.status, answer.body.code], [status, code], answer.text);
  assert.equal(answer.headers.get("content-type"), "application/problem+json");
  const { type, title, detail, request_id } = answer.body;
  assert.equal(answer.body.status, status);
  assert.equal(new URL(type).pathname, `/b/problems/${code}/`);
  assert.ok(title.length > 0 && detail.length > 0);
  assert.equal(request_id, answer.headers.get("x-request-id"));
  return answer.body.errors;
}

/**
 * The path at which the payer of an attempt comes back from the gateway: the address carries a token of the
 * attempt.
 */
export async function returnPath(till, reference) {
  const [attempt] = await till.rows("SELECT session_id FROM attempt WHERE reference = ?1", reference);
  const session_id = attempt?.session_id ?? "0".repeat(40);
  const digits = createHmac("sha256", session_id).update(`return:${reference}`).digest("hex").slice(0, 32);
  return `/b/gw/v1/return/${reference}/x${session_id.slice(0, 2)}${digits}/`;
}
