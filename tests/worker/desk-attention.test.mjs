/** At the desk: what a person should look at is listed, resolved once with a note, and counted on the first screen. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { storeEntry } from "./attention.mjs";
import { staff, textOf } from "./desk.mjs";
import { start } from "./harness.mjs";
import { assertProblem, atTheBank, attempts, payWith } from "./payer.mjs";

const VIEW = ["Can view e-commerce payments", "Can view payment requests"];
const LIST = "/b/checkout/v1/attention/";

let till, clerk, viewer, other;
before(async () => {
  till = await start();
  const theirs = await till.createMerchant();
  other = { merchant: theirs, visitor: await staff(till, "other", undefined, theirs) };
  await till.createMerchant();
  clerk = await staff(till, "clerk", { permissions: [...VIEW, "Can change e-commerce payments", "payment.inquiry", "Can see personal data"] });
  viewer = await staff(till, "viewer", { permissions: VIEW });
});
after(() => till.stop());

const entry = (fields = {}) => storeEntry(till, { merchant_id: till.merchant.merchant_id, ...fields });
const list = async (query = "", merchant = till.merchant) => (await till.call(`${LIST}${query}`, { headers: till.privateKey(merchant) })).body;
const resolve = (id, json, merchant = till.merchant) => till.call(`${LIST}${id}/resolve/`, { method: "POST", headers: till.privateKey(merchant), json });

/** A payment that the bank approved with another amount, and its entry. */
async function held() {
  const payment = await atTheBank(till);
  await payWith(till, payment.page, "visa-wrong-amount");
  const [{ reference }] = await attempts(till, payment);
  return { ...payment, id: `${reference}.amount_mismatch` };
}

test("a merchant reads its own entries by pages, and what to do", async () => {
  const payment = await held();
  const { results: [{ advice, detail, since, ...rest }] } = await list("?limit=1");
  assert.deepEqual(rest, {
    id: payment.id, session_id: payment.session_id, reference_number: payment.id.split(".")[0], reason: "amount_mismatch", topic: "payment",
    state: "open", resolved_at: null, note: null,
  });
  assert.match(advice, /^Inquire\./);
  assert.ok(detail.includes("10.499") && Date.now() - Date.parse(since) < 60_000);
  const ids = [await entry({ at: 5_000 }), await entry({ at: 5_000 }), await entry({ at: 4_000 })];
  await entry({ reason: "not_processed" });
  const seen = [];
  for (let cursor = ""; cursor !== null; ) {
    const page = await list(`?limit=1${cursor && `&cursor=${cursor}`}`);
    seen.push(...page.results.map(({ id }) => id));
    cursor = page.next;
  }
  assert.deepEqual(seen, [payment.id, ...ids.slice(0, 2).sort().reverse(), ids[2]], "each once, and none that only operators can mend");
  assert.deepEqual((await list("", other.merchant)).results, []);
});

test("an entry is resolved once, with a note; what waits for an outcome is not", async () => {
  const payment = await held();
  assertProblem(await resolve(payment.id, { note: "x" }), 400, "not_resolvable");
  assertProblem(await resolve(payment.id, {}), 400, "invalid_fields");
  const id = await entry({ session_id: payment.session_id });
  for (const unknown of [resolve(id, { note: "x" }, other.merchant), resolve("NOBODY.second_success", { note: "x" }), resolve(await entry({ reason: "not_processed" }), { note: "x" })]) {
    assertProblem(await unknown, 404, "not_found");
  }
  const answers = await Promise.all([1, 2, 3].map(() => resolve(id, { note: "given back to Sara" })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
  assertProblem(await resolve(id, { note: "again" }), 409, "already_resolved");
  assert.equal((await list("?state=resolved")).results.find((one) => one.id === id).note, "given back to Sara");
  const audit = await till.rows("SELECT actor_kind, after FROM audit WHERE subject = ?1", id);
  assert.deepEqual(audit, [{ actor_kind: "key", after: '{"action":"dismiss"}' }], "once, and without what may name the payer");
});

test("staff read the list, inquire, and resolve an entry with a note", async () => {
  const payment = await held();
  const id = await entry({ session_id: payment.session_id, detail: "the bank says Sara" });
  const seen = textOf((await clerk.get("/attention/")).text);
  for (const part of ["The payer paid twice", "the bank says Sara", "What to do"]) assert.ok(seen.includes(part), seen);
  assert.ok(clerk.page.includes(`href="/payments/${payment.session_id}/"`));
  const path = `/attention/${id}/resolve/`;
  const without = await clerk.submit(path, { note: " " });
  assert.equal(without.status, 400);
  assert.match(textOf(without.text), /Write what was done about it/);
  const done = await clerk.submit(path, { note: "<b>given back</b>" });
  assert.equal(done.location, "/attention/?news=done");
  assert.match(textOf((await clerk.follow(done)).text), /It is resolved/);
  assert.ok(!clerk.page.includes(id.split(".")[0]), "it is gone from those that are open");
  const form = { form_token: /name="form_token" value="([^"]+)"/.exec(clerk.page)[1], note: "x" };
  assert.equal((await clerk.post(path, form)).location, "/attention/?news=over");
  assert.equal((await clerk.post(`/attention/${payment.id}/resolve/`, form)).location, "/attention/?news=waiting");
  assert.match((await clerk.get("/attention/?state=resolved")).text, /&lt;b&gt;given back&lt;\/b&gt;/);
  await clerk.get("/attention/");
  const asked = await clerk.submit(`/payments/${payment.session_id}/inquire/`);
  assert.match(asked.location, /news=inquired/);
});

test("facts are read in the language of the page, and in English by the API; a sentence that was stored before stays", async () => {
  const payment = await held();
  const before = await entry({ detail: "asked for 1.000 KWD, the gateway names 2.000 KWD" });
  const [{ detail: stored }] = await till.rows("SELECT detail FROM attention WHERE session_id = ?1", payment.session_id);
  const [[code, asked, named]] = JSON.parse(stored);
  const { results } = await list();
  const said = (id) => results.find((one) => one.id === id).detail;
  assert.deepEqual([code, said(payment.id)], ["other_total", `asked for ${asked}, the gateway names ${named}`]);
  assert.equal(said(before), "asked for 1.000 KWD, the gateway names 2.000 KWD");
  const arabic = await staff(till, "arabic");
  await arabic.get("/");
  await arabic.submit("/language/", { language: "ar" });
  const { text } = await arabic.get("/attention/");
  assert.ok(text.includes(`المطلوب \u2068${asked}\u2069، والمبلغ لدى البوابة \u2068${named}\u2069`), text);
  assert.ok(text.includes("the gateway names 2.000 KWD") && !text.includes(`the gateway names ${named}`));
});

test("who may only look sees no form, and not what a gateway says of the payer", async () => {
  await entry({ detail: "the bank says Sara", at: Date.now() + 1_000 });
  const { text } = await viewer.get("/attention/");
  assert.ok(text.includes("The payer paid twice") && !text.includes("Sara") && !text.includes('action="/attention/'));
  const { status, text: wrong } = await viewer.get("/attention/?state=lost");
  assert.equal(status, 400);
  assert.match(textOf(wrong), /state/);
  assert.equal((await other.visitor.get("/attention/")).text.includes("The payer paid twice"), false);
});

test("the first screen counts what waits, up to a limit, for those who may see it", async () => {
  assert.ok(!(await other.visitor.get("/")).text.includes("Waiting for someone"));
  const own = other.merchant.merchant_id;
  for (let count = 0; count < 3; count += 1) await storeEntry(till, { merchant_id: own });
  await till.rows("INSERT INTO receiver (merchant_id, address, disabled_at, reason) VALUES (?1, 'https://gone.example.com', 1, 'gone')", own);
  const seen = textOf((await other.visitor.get("/")).text);
  assert.match(seen, /Waiting for someone .*Attention : 3 .*Receivers of webhooks that fail : 1 /);
  assert.ok(!/Approvals : \d/.test(seen), "nothing waits there");
  await till.rows(
    `INSERT INTO attention (reference, reason, merchant_id, detail, at) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
     SELECT 'MANY' || i, 'second_success', ?1, '', i FROM n`, own,
  );
  assert.match(textOf((await other.visitor.get("/")).text), /Attention : more than 50 /);
  const { text } = await other.visitor.get("/attention/");
  assert.equal(text.split('<section class="card">').length - 1, 50);
  const next = /href="(\/attention\/\?[^"]*cursor=[^"]+)"/.exec(text)[1].replaceAll("&amp;", "&");
  assert.equal((await other.visitor.get(next)).text.split('<section class="card">').length - 1, 13);
});
