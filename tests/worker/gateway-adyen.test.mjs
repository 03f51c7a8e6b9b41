/** Adyen end to end over HTTP: payment links, Google Pay, modifications and webhooks, against a stub of Checkout. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { staff, textOf } from "./desk.mjs";
import { ACCOUNT, AdyenStub, HMAC_KEY, KEY } from "./adyen-stub.mjs";
import { assertProblem, attempts, choose, events, inquireNow, open, openPage, returnPath, standing, untilWebhooks } from "./payer.mjs";
import { LOST, comeBack, notify, operate, reported, sentTo, startWith, till } from "./stub.mjs";
import { payByWallet } from "./wallets.mjs";

const adyen = new AdyenStub();
const gateway = (origin, members = {}) => ({
  code: "adyen", name: { en: "Card", ar: "بطاقة" }, connector: "adyen", pg_name: "adyen", operation: "purchase", currencies: ["KWD"], sandbox: true,
  wallets: ["google_pay"],
  google_pay: { environment: "TEST", gateway: "adyen", gateway_merchant_id: ACCOUNT, merchant_id: "12345678901234567890", merchant_name: "Shop" },
  credentials: { api_key: KEY, merchant_account: ACCOUNT, hmac_key: HMAC_KEY }, endpoint: `${origin}/v72`, ...members,
});
const gateways = (origin) => [
  gateway(origin),
  gateway(origin, { code: "saving", wallets: [], google_pay: undefined, tokenization: true, auto_debit: true }),
  gateway(origin, { code: "held", operation: "authorize", wallets: [], google_pay: undefined }),
];
startWith(adyen, gateways);

const google = (token) => JSON.stringify({
  apiVersion: 2, apiVersionMinor: 0, paymentMethodData: { type: "CARD", tokenizationData: { type: "PAYMENT_GATEWAY", token: JSON.stringify(token) } },
});
const payGoogle = (payment, token = { protocolVersion: "ECv2" }) => payByWallet(till, payment, { wallet: "google-pay", payload: google(token) });
const accepted = async (pg_code, body, merchant) => {
  const answer = await notify(pg_code, body, {}, merchant);
  assert.deepEqual([answer.status, answer.text], [200, "[accepted]"], answer.text);
};

async function paid(pg_code = "adyen") {
  const payment = await sentTo(pg_code);
  await comeBack(adyen.pay(payment.reference));
  await accepted(pg_code, adyen.webhook("AUTHORISATION", payment.reference));
  return payment;
}

test("the payer pays on the page of the link, and the webhook says so to the merchant once", async () => {
  const payment = await sentTo("adyen");
  const link = adyen.linkOf(payment.reference);
  assert.deepEqual([payment.page, link.amount, link.returnUrl], [link.url, { currency: "KWD", value: 10_250 }, payment.returns]);
  await comeBack(adyen.pay(payment.reference));
  assert.equal((await standing(till, payment))[0], "pending", "only the webhook has the id by which the payment is refunded");
  for (let time = 0; time < 2; time += 1) await accepted("adyen", adyen.webhook("AUTHORISATION", payment.reference));
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  const received = await untilWebhooks(till, payment, 2);
  assert.deepEqual(received.map(({ body: { result } }) => result), ["pending", "success"]);
  const { body } = received[1];
  assert.equal(body.amount, "10.250");
  assert.deepEqual([reported(body).track_id, reported(body).auth_code], [payment.reference, "123456"]);
});

test("a card without enough money says why to the merchant and to the payer in both languages", async () => {
  for (const [language, sentence] of [["en", "There is not enough money on the card"], ["ar", "الرصيد في البطاقة غير كافٍ"]]) {
    const payment = await open(till, { pg_codes: ["adyen"], language });
    await payGoogle(payment, { refusalReasonCode: "12", refusalReason: "Not enough balance" });
    assert.deepEqual(await standing(till, payment), ["attempted", "failed"]);
    const [{ body }] = await untilWebhooks(till, payment);
    assert.deepEqual([body.result, reported(body).decline_reason], ["failed", "insufficient_funds"]);
    assert.ok((await openPage(till, payment)).text.includes(sentence));
  }
});

for (const by of LOST) {
  test(`a charge whose answer is lost by ${by} is pending until the webhook says what became of it`, async () => {
    adyen.lost = { by, of: ({ path }) => path === "/v72/payments" };
    const payment = await open(till, { pg_codes: ["adyen"] });
    await payGoogle(payment);
    adyen.lost = undefined;
    await inquireNow(till, payment);
    assert.deepEqual(await standing(till, payment), ["pending", "unknown"]);
    const [{ reference }] = await attempts(till, payment);
    await accepted("adyen", adyen.webhook("AUTHORISATION", reference));
    assert.deepEqual(await standing(till, payment), ["paid", "success"]);
    assert.equal(adyen.payments.get(reference).length, 1);
  });
}

test("a bank whose page takes a form gets it from a page of ours, and what the payer brings back completes the payment", async () => {
  const payment = await open(till, { pg_codes: ["adyen"], language: "ar" });
  const answer = await payGoogle(payment, { challenge: true });
  const [{ reference }] = await attempts(till, payment);
  const address = answer.body.redirect_url;
  assert.match(address, new RegExp(`/b/gw/v1/forward/${reference}/x00[0-9a-f]{32}/$`), answer.text);
  const shown = await till.fetch(address);
  const page = await shown.text();
  assert.deepEqual([shown.status, shown.headers.get("content-language")], [200, "ar"]);
  assert.match(shown.headers.get("content-security-policy"), new RegExp(`form-action 'self' ${adyen.origin} https:;`));
  assert.ok(page.includes(`<form class="card" method="post" action="${adyen.origin}/acs">`), page);
  const fields = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(([, name, value]) => [name, value]);
  assert.deepEqual(fields, [["MD", `md-${reference}`], ["PaReq", "eJ&quot;&lt;&amp;&gt;"], ["TermUrl", `${adyen.origin}/term`]]);
  assert.ok((await till.fetch(address.replace(/x00[0-9a-f]{32}/, `x00${"0".repeat(32)}`))).status === 404, "only the payer has the address");
  const again = await choose(till, payment, "adyen");
  assert.notEqual(again.status, 200, "a payment that waits at the bank cannot be withdrawn");
  const back = till.url + await returnPath(till, reference);
  const body = new URLSearchParams({ MD: `md-${reference}`, PaRes: "approved" });
  const returned = await till.fetch(back, { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" }, body: body.toString() });
  assert.equal(returned.status, 303);
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  const later = await till.fetch(address);
  assert.deepEqual([later.status, new URL(later.headers.get("location")).pathname], [303, new URL(back).pathname]);
});

test("a payer who chooses another method can no longer pay on the link", async () => {
  const payment = await sentTo("adyen", { pg_codes: ["adyen", "held"] });
  const other = await choose(till, payment, "held");
  assert.equal(other.status, 303, other.text);
  assert.equal(adyen.linkOf(payment.reference).status, "expired");
  assert.deepEqual(await standing(till, payment), ["pending", "canceled", "redirected"]);
});

test("a refund is queued until its webhook says that it is done, or that it failed", async () => {
  const payment = await paid();
  for (const [success, stage] of [["true", "done"], ["false", "rejected"]]) {
    const asked = await operate(payment, "refund", { amount: "4.000" });
    assert.deepEqual([asked.status, asked.body.result], [200, "queued"], asked.text);
    await accepted("adyen", adyen.webhook("REFUND", asked.body.reference_number, { success }));
    const [child] = await till.rows("SELECT stage FROM child WHERE reference = ?1", asked.body.reference_number);
    assert.equal(child.stage, stage);
  }
});

test("what is held is captured in part when the webhook says so", async () => {
  const payment = await paid("held");
  assert.deepEqual(await standing(till, payment), ["authorized", "success"]);
  const asked = await operate(payment, "capture", { amount: "6.000" });
  assert.deepEqual([asked.status, asked.body.result], [200, "queued"], asked.text);
  const requests = adyen.requests.length;
  assertProblem(await operate(payment, "capture", { amount: "1.000" }), 409, "operation_in_progress");
  await accepted("held", adyen.webhook("CAPTURE", asked.body.reference_number));
  const [child] = await till.rows("SELECT stage FROM child WHERE reference = ?1", asked.body.reference_number);
  assert.equal(child.stage, "done");
  assertProblem(await operate(payment, "capture", { amount: "1.000" }), 400, "operation_refused");
  assert.equal(adyen.requests.length, requests, "Adyen is not asked for a second capture");
  assert.match((await openPage(till, payment)).text, /The rest was released/);
});

test("what Adyen takes back after it was done is on the attention list, once, and stays done", async () => {
  const held = await paid("held");
  const { body: { reference_number: capture } } = await operate(held, "capture");
  await accepted("held", adyen.webhook("CAPTURE", capture));
  const { body: { reference_number: refund } } = await operate(held, "refund", { amount: "4.000" });
  await accepted("held", adyen.webhook("REFUND", refund));
  const purchase = await paid();
  const expected = [["CAPTURE_FAILED", capture, "held"], ["REFUND_FAILED", refund, "held"], ["REFUNDED_REVERSED", refund, "held"], ["CAPTURE_FAILED", purchase.reference, "adyen"]];
  for (const [event, reference, pg_code] of expected) await accepted(pg_code, adyen.webhook(event, reference, { reason: "Insufficient balance" }));
  for (const reference of [capture, refund, purchase.reference]) {
    const entries = await till.rows("SELECT reason, detail FROM attention WHERE reference = ?1", reference);
    assert.deepEqual(entries.map(({ reason }) => reason), ["taken_back"], reference);
    assert.match(entries[0].detail, /Insufficient balance/);
  }
  const stages = await till.rows("SELECT stage FROM child WHERE parent_id = ?1", held.session_id);
  assert.deepEqual(stages.map(({ stage }) => stage), ["done", "done"]);
  assert.deepEqual(await standing(till, purchase), ["paid", "success"]);
});

test("a payment that the operator approved is refunded by the id that its webhook says later", async () => {
  const payment = await sentTo("adyen");
  await comeBack(adyen.pay(payment.reference));
  await till.rows("UPDATE attempt SET inquire_at = NULL WHERE reference = ?1", payment.reference);
  await till.rows(
    "INSERT INTO attention (reference, reason, merchant_id, session_id, detail, at) VALUES (?1, 'outcome_unknown', ?2, ?3, '72 hours', 0)",
    payment.reference, till.merchant.merchant_id, payment.session_id,
  );
  const resolved = await till.operator(`/attention/${payment.reference}.outcome_unknown/resolve/`, { method: "POST", json: { action: "approved" } });
  assert.equal(resolved.status, 200, resolved.text);
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  assertProblem(await operate(payment, "refund", { amount: "4.000" }), 400, "operation_declined");
  await accepted("adyen", adyen.webhook("AUTHORISATION", payment.reference));
  const refunded = await operate(payment, "refund", { amount: "4.000" });
  assert.deepEqual([refunded.status, refunded.body.result], [200, "queued"], refunded.text);
});

test("a card whose token comes in a webhook of its own is saved once its payment is known, and only for it", async () => {
  const agreement = { id: "RENT-1", type: "unscheduled", frequency: "irregular", amount_variability: "variable" };
  const saving = { payment_type: "auto_debit", customer_id: "customer-7", agreement };
  const payment = await sentTo("saving", saving);
  await comeBack(adyen.pay(payment.reference));
  const cards = () => till.rows("SELECT customer_id, number, expiry_month, expiry_year FROM card");
  const [body, headers] = adyen.tokenWebhook(payment.reference, "customer-7");
  assertProblem(await notify("saving", body, { hmacsignature: "wrong" }), 401, "signature_invalid");
  assertProblem(await notify("saving", body, headers), 409, "attempt_in_progress");
  const { link } = adyen.payments.get(payment.reference)[0];
  const additionalData = { paymentLinkId: link, "metadata.tillFlow": "link", authCode: "123456", cardSummary: "1111", expiryDate: "03/2030" };
  await accepted("saving", adyen.webhook("AUTHORISATION", payment.reference, { additionalData }));
  assert.deepEqual([await standing(till, payment), await cards()], [["paid", "success"], []]);
  for (const [customer, members] of [["customer-8", {}], ["customer-7", { eventId: "Z".repeat(16) }], ["customer-7", { type: "recurring.token.disabled" }]]) {
    const other = await notify("saving", ...adyen.tokenWebhook(payment.reference, customer, members));
    assert.deepEqual([other.status, await cards()], [200, []], other.text);
  }
  for (let time = 0; time < 2; time += 1) assert.equal((await notify("saving", body, headers)).status, 200);
  assert.deepEqual(await cards(), [{ customer_id: "customer-7", number: "**** 1111", expiry_month: "03", expiry_year: "30" }]);
  const received = await untilWebhooks(till, payment, 3);
  assert.deepEqual(received.map(({ body: { result, token } }) => [result, token?.agreements]), [["pending", undefined], ["success", undefined], ["success", ["RENT-1"]]]);
});

test("a webhook with a wrong signature or a changed amount is refused and changes nothing", async () => {
  const payment = await sentTo("adyen");
  adyen.pay(payment.reference);
  const known = await events(till, payment);
  const genuine = adyen.webhook("AUTHORISATION", payment.reference);
  for (const body of [adyen.webhook("AUTHORISATION", payment.reference, {}, "00".repeat(32)), genuine.replace("10250", "1"), "{}", ""]) {
    assertProblem(await notify("adyen", body, {}), 401, "signature_invalid");
  }
  assert.deepEqual(await events(till, payment), known);
});

test("a webhook about a charge of another merchant changes nothing there", async () => {
  const owner = till.merchant;
  const payment = await sentTo("adyen");
  adyen.pay(payment.reference);
  const known = await events(till, payment);
  const other = await till.createMerchant({ gateways: gateways(adyen.origin) });
  till.merchant = owner;
  await accepted("adyen", adyen.webhook("AUTHORISATION", payment.reference), other);
  assert.deepEqual(await events(till, payment), known);
});

/** What happens in a dispute, in the order in which it does: the event, when, the word for it, and what that means. */
const STEPS = [
  ["NOTIFICATION_OF_CHARGEBACK", "2026-11-24T10:00:00+01:00", "Undefended", "needs_answer"],
  ["CHARGEBACK", "2026-11-25T10:00:00+01:00", "Undefended", "needs_answer"],
  ["INFORMATION_SUPPLIED", "2026-11-26T10:00:00+01:00", "Pending", "under_review"],
  ["CHARGEBACK_REVERSED", "2026-11-27T10:00:00+01:00", "Won", "won"],
];
const step = ({ reference }, [event, date, word], members, key) => adyen.disputeWebhook(event, reference, date, word, members, key);
async function disputed({ session_id }) {
  const { body } = await till.call("/b/checkout/v1/attention/", { headers: till.privateKey() });
  return body.results.filter((entry) => entry.session_id === session_id && entry.reason === "disputed").map(({ detail }) => detail);
}
async function sentDisputes(payment, expected) {
  const received = await untilWebhooks(till, payment, expected.length);
  return received.map(({ body }) => body).sort((first, second) => first.sequence - second.sequence).flatMap(({ dispute }) => dispute?.status ?? []);
}

test("a dispute is shown in the API, at the desk and in signed webhooks as it goes on, and its steps that come twice or late change nothing", async () => {
  const clerk = await staff(till, "disputes");
  const payment = await paid();
  const [opened, taken, defended, won] = STEPS;
  for (const one of [opened, opened]) await accepted("adyen", step(payment, one));
  const inquired = await till.call("/b/pbl/v2/inquiry/", { method: "POST", headers: till.privateKey(), json: { session_id: payment.session_id } });
  const { id, ...shown } = inquired.body.dispute;
  assert.match(id, /^[0-9A-F]{16}$/);
  assert.deepEqual(shown, { amount: "10.250", answer_until: "2027-01-06T18:00:00Z", currency_code: "KWD", reason: "10.4", status: "needs_answer" });
  assert.match((await disputed(payment))[0], /waits for an answer: 10\.250 KWD, reason 10\.4, to be answered until 2027-01-06T18:00:00Z/);
  const { text } = await clerk.get(`/payments/${payment.session_id}/`);
  assert.match(textOf(text), /waits for an answer: 10\.250 KWD, reason 10\.4, to be answered until 6 January 2027/);
  for (const one of [taken, defended, opened, won, defended, taken]) await accepted("adyen", step(payment, one));
  const statuses = ["needs_answer", "under_review", "won"];
  assert.deepEqual(await sentDisputes(payment, [, , ...statuses]), statuses);
  assert.match((await disputed(payment))[0], /was won/);
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
});

test("steps of a dispute that come in the wrong order end as in the right one, also all at once", async () => {
  const backwards = await paid();
  for (const one of [...STEPS].reverse()) await accepted("adyen", step(backwards, one));
  assert.deepEqual(await sentDisputes(backwards, [, , "won"]), ["won"]);
  const together = await paid();
  const notificationItems = [1, 3, 0, 2].flatMap((place) => JSON.parse(step(together, STEPS[place])).notificationItems);
  for (let time = 0; time < 2; time += 1) await accepted("adyen", JSON.stringify({ live: "false", notificationItems }));
  assert.deepEqual(await sentDisputes(together, [, , , "won"]), ["needs_answer", "won"]);
  const raced = await paid();
  const answers = await Promise.all(STEPS.map((one) => notify("adyen", step(raced, one), {})));
  assert.deepEqual(answers.map(({ status }) => status), [200, 200, 200, 200]);
  for (const payment of [backwards, together, raced]) assert.match((await disputed(payment))[0], /was won/);
});

test("a dispute that is forged, changed, or of another account or merchant changes nothing, and one that comes early comes again", async () => {
  const payment = await sentTo("adyen");
  await comeBack(adyen.pay(payment.reference));
  assertProblem(await notify("adyen", step(payment, STEPS[0]), {}), 409, "attempt_in_progress");
  await accepted("adyen", adyen.webhook("AUTHORISATION", payment.reference));
  const known = await events(till, payment);
  const genuine = step(payment, STEPS[0]);
  for (const body of [step(payment, STEPS[0], {}, "00".repeat(32)), genuine.replace("NOTIFICATION_OF_CHARGEBACK", "SECOND_CHARGEBACK"), genuine.replace("10250", "1")]) {
    assertProblem(await notify("adyen", body, {}), 401, "signature_invalid");
  }
  await accepted("adyen", step(payment, STEPS[0], { merchantAccountCode: "AnotherShop" }));
  await accepted("adyen", step(payment, STEPS[0], { merchantReference: "order 5023" }));
  await accepted("adyen", adyen.disputeWebhook("NOTIFICATION_OF_FRAUD", payment.reference, "2026-11-24T10:00:00+01:00", undefined));
  const owner = till.merchant;
  const other = await till.createMerchant({ gateways: gateways(adyen.origin) });
  till.merchant = owner;
  await accepted("adyen", genuine, other);
  assert.deepEqual([await events(till, payment), await disputed(payment)], [known, []]);
  await accepted("adyen", genuine);
  assert.equal((await disputed(payment)).length, 1);
});
