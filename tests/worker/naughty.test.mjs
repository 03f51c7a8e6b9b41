/**
 * Naughty text (`vectors/naughty.json`) in every text field at once, over a whole payment: what is not
 * refused by name comes back as it was sent in the API, in listings, in the signed webhook and in the
 * redirect, and is escaped on the page, whose policy and headers stay as they are.
 */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, test } from "node:test";
import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";
import { at } from "../../scripts/project.mjs";
import { start } from "./harness.mjs";
import { assertProblem, choose, deliverNow, setAnswer, untilWebhooks } from "./payer.mjs";

const NAUGHTY = JSON.parse(readFileSync(at("tests", "vectors", "naughty.json"), "utf8"));
const CREATE = "/b/checkout/v1/pymt-txn/";

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

const address = (text) => ({ city: text, line1: text, line2: text, state: text, postal_code: text, country: "KW" });

/** A request with the text in every field that accepts text. */
const everywhere = (text) => ({
  order_no: text, product_type: text, vendor_name: text, customer_id: text, customer_first_name: text,
  customer_last_name: text, customer_phone: text, customer_phone_2: text, customer_email: text, email_recipients: [text],
  billing_address: address(text), shipping_address: { ...address(text), email: text, first_name: text, last_name: text, phone: text },
  agreement: { id: text, type: "other", seller: { name: text, short_name: text } },
  extra: { [text]: text, nested: [{ [text]: [text] }] },
});

const REQUIRED = { type: "e_commerce", amount: "10.250", currency_code: "KWD", pg_codes: ["cash"] };
/** The replacement for a refused member that its object must have. */
const STAND_IN = { city: "c", line1: "l", email: "a@b.example", first_name: "f", last_name: "l", phone: "1", id: "i" };

/** The request without what `errors` names; required members of objects stay. */
function without(body, errors) {
  const left = structuredClone(body);
  for (const [name, inner] of Object.entries(errors)) {
    if (Array.isArray(inner) || Array.isArray(left[name])) {
      if (name in STAND_IN && !("order_no" in left)) left[name] = STAND_IN[name];
      else delete left[name];
    } else {
      left[name] = without(left[name], inner);
    }
  }
  return left;
}

/** Every text of `sent` is in `shown`, unless it is blank, which means left out. */
function assertShown(sent, shown, what) {
  for (const [name, value] of Object.entries(sent)) {
    if (typeof value === "string" && value.trim() === "") continue;
    if (typeof value === "object" && !Array.isArray(value)) assertShown(value, shown?.[name] ?? {}, `${what}.${name}`);
    else assert.deepEqual(shown?.[name], value, `${what}.${name}`);
  }
}

/** Creates with the text wherever it is accepted; returns what was sent in the end, and the answer. */
async function created(name, text) {
  const inbox = `naughty-${Object.keys(NAUGHTY).indexOf(name)}`;
  const base = { ...REQUIRED, webhook_url: `${till.url}/sandbox/inbox/${inbox}/`, redirect_url: `${till.url}/sandbox/shop/` };
  let sent = everywhere(text);
  let answer = await till.create({ ...base, ...sent });
  if (answer.status !== 201) {
    const errors = assertProblem(answer, 400, "invalid_fields");
    for (const field of Object.keys(errors)) assert.ok(field in sent, `${name}: ${field}`);
    sent = without(sent, errors);
    answer = await till.create({ ...base, ...sent });
  }
  assert.equal(answer.status, 201, `${name}: ${answer.text}`);
  return { inbox, sent, answer, session_id: answer.body.session_id };
}

/** The field `signature` by hand, of the names that README.md lists. */
function signatureOf(body) {
  const names = [
    "amount", "currency_code", "customer_address_city", "customer_address_country", "customer_address_line1",
    "customer_address_line2", "customer_address_postal_code", "customer_address_state", "customer_email",
    "customer_first_name", "customer_last_name", "customer_phone", "gateway_account", "gateway_name", "order_no",
    "reference_number", "result", "state",
  ];
  const text = names.filter((name) => body[name]).map((name) => name + body[name]).join("");
  return createHmac("sha256", till.merchant.webhook_hmac_key).update(text).digest("hex");
}

/** The page without what differs from one transaction to another. */
const policy = (page) => page.headers.get("content-security-policy").replaceAll(/'(nonce|sha256)-[^']+'/g, "'$1'");

let plain;

for (const [name, text] of Object.entries(NAUGHTY)) {
  test(`naughty text: ${name}`, async () => {
    const payment = await created(name, text);
    const { sent, session_id } = payment;
    assertShown(sent, payment.answer.body, "create");
    const retrieved = await till.retrieve(session_id);
    assertShown(sent, retrieved.body, "retrieve");

    for (const field of ["order_no", "customer_id"]) {
      if (!sent[field]?.trim()) continue;
      const query = new URLSearchParams({ [field]: text });
      const listed = await till.call(`${CREATE}?${query}`, { headers: till.privateKey() });
      assert.equal(listed.status, 200, listed.text);
      assert.ok(listed.body.results.some((found) => found.session_id === session_id), field);
      assert.ok(listed.body.results.every((found) => found[field] === text), field);
    }

    const page = await till.call(`/b/checkout/redirect/start/?session_id=${session_id}`);
    assert.equal(page.status, 200);
    plain ??= await till.call(`/b/checkout/redirect/start/?session_id=${(await till.create({ ...REQUIRED, redirect_url: `${till.url}/sandbox/shop/` })).body.session_id}`);
    assert.equal(policy(page), policy(plain));
    assert.deepEqual([...page.headers.keys()].sort(), [...plain.headers.keys()].sort());
    if (/[<"'`]/.test(text)) {
      const body = page.text.replaceAll(/<!doctype html>/gi, "");
      if (/[<]/.test(text)) assert.ok(!body.includes(text), "not escaped");
      assert.equal(page.text.match(/<script/g)?.length, plain.text.match(/<script/g)?.length, "scripts");
      assert.doesNotMatch(page.text, /<[^>]+\son(error|load|focus|mouseover)=/i);
    }

    await setAnswer(till, payment.inbox, "200");
    const chosen = await choose(till, payment, "cash");
    assert.equal(chosen.status, 303, chosen.text);
    assert.equal(chosen.headers.get("set-cookie"), null);
    await deliverNow(till, payment);
    const [webhook] = await untilWebhooks(till, payment);
    const { webhook_signing_secret } = till.merchant;
    assert.deepEqual(new Webhook(webhook_signing_secret).verify(webhook.text, webhook.headers), webhook.body);
    assert.equal(webhook.body.signature, signatureOf(webhook.body));
    assertShown({ extra: sent.extra, agreement: sent.agreement }, webhook.body, "webhook");
    for (const field of ["order_no", "customer_id", "customer_first_name", "customer_last_name", "customer_phone", "customer_email"]) {
      if (sent[field]?.trim()) assert.equal(webhook.body[field], text, field);
    }

    const status = await till.call(`/b/checkout/redirect/status/${session_id}/`);
    const url = new URL(status.body.redirect_url);
    assert.deepEqual([url.origin, url.pathname, url.hash], [till.url, "/sandbox/shop/", ""]);
    if (sent.order_no?.trim()) assert.equal(url.searchParams.get("order_no"), text);
  });
}

test("every line of the log is one of ours, and no text of a payer is in it", () => {
  for (const line of till.log.filter((line) => line.includes('"event"'))) {
    assert.doesNotThrow(() => JSON.parse(line), line);
    assert.ok(["answered", "swept", "delivered", "not_limited"].includes(JSON.parse(line).event), line);
  }
  for (const text of Object.values(NAUGHTY).filter((text) => text.length > 12)) {
    assert.ok(!till.log.some((line) => line.includes(text)), text);
  }
});
