/** KNET end to end over HTTP: its page, its server's reports, inquiries and refunds, against a stub with another AES. */
import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { KnetStub, TERMINAL, encrypt } from "./knet-stub.mjs";
import { assertProblem, choose, events, eventually, inquireNow, openPage, standing, untilWebhooks } from "./payer.mjs";
import { LOST, comeBack, operate, reported, sentTo, startWith, till } from "./stub.mjs";

const knet = new KnetStub();
const gateway = (endpoint, members = {}) => ({
  code: "kuwait", name: { en: "KNET", ar: "كي نت" }, connector: "knet", pg_name: "kpay", operation: "purchase", currencies: ["KWD"], sandbox: true,
  operations: ["refund"], credentials: TERMINAL, endpoint, ...members,
});
startWith(knet, (endpoint) => [gateway(endpoint), gateway(endpoint, { code: "other" })]);

/** KNET's server reports to the address that the order names. */
const report = (page, joined, headers = {}) => {
  const body = new URLSearchParams({ trandata: encrypt(joined) });
  return till.call(knet.order(page).responseURL.slice(till.url.length), { method: "POST", headers, body });
};
/** A browser posts a form: `fetch` does not let its caller say so. */
const navigate = (address, form) =>
  new Promise((resolve, reject) => {
    const headers = { "sec-fetch-mode": "navigate", "content-type": "application/x-www-form-urlencoded" };
    request(address, { method: "POST", headers }, (response) => resolve(response.resume())).on("error", reject).end(form);
  });
const isSettled = (payment, stage) => eventually(stage, async () => (await standing(till, payment))[1] === stage);

test("the payer pays on KNET's page, whose server gets one line, and sees what KNET wants seen, in both languages", async () => {
  for (const [language, names] of [["en", ["Payment ID", "Reference ID", "Result", "CAPTURED"]], ["ar", ["رقم الدفع", "معرف المرجع", "النتيجة"]]]) {
    const payment = await sentTo("kuwait", { language });
    const order = knet.order(payment.page);
    assert.deepEqual([order.amt, order.langid, order.trackid, order.errorURL], ["10.250", language.toUpperCase(), payment.reference, payment.returns]);
    const answer = await report(payment.page, knet.finish(payment.page));
    assert.deepEqual([answer.status, answer.headers.get("content-type"), answer.text], [200, "text/plain; charset=utf-8", `REDIRECT=${payment.returns}`]);
    await comeBack(payment.returns);
    assert.deepEqual(await standing(till, payment), ["paid", "success"]);
    const [{ body }] = await untilWebhooks(till, payment);
    const data = reported(body);
    const paid = knet.purchases.get(payment.reference);
    assert.deepEqual([body.result, body.amount, data.result, data.payment_id, data.ref, data.track_id, data.auth_code],
      ["success", "10.250", "CAPTURED", paid.paymentid, paid.ref, payment.reference, "B24047"]);
    const { text } = await openPage(till, payment);
    for (const shown of [...names, paid.paymentid, paid.ref]) assert.ok(text.includes(shown), shown);
    // The track id is our reference: one number is shown once.
    assert.equal(text.split(`<bdi dir="ltr">${payment.reference}</bdi>`).length, 2);
  }
});

test("a card without enough money says why to the merchant and to the payer in both languages", async () => {
  for (const [language, sentence] of [["en", "There is not enough money on the card"], ["ar", "الرصيد في البطاقة غير كافٍ"]]) {
    const payment = await sentTo("kuwait", { language });
    assert.equal((await report(payment.page, knet.finish(payment.page, "NOT CAPTURED", "51"))).status, 200);
    await comeBack(payment.returns);
    assert.deepEqual(await standing(till, payment), ["attempted", "failed"]);
    const [{ body }] = await untilWebhooks(till, payment);
    assert.deepEqual([body.result, reported(body).decline_reason, reported(body).decline_code], ["failed", "insufficient_funds", "51"]);
    const { text } = await openPage(till, payment);
    assert.ok(text.includes(sentence) && text.includes(knet.purchases.get(payment.reference).paymentid));
    assert.ok(!text.includes("FAILURE("));
  }
});

test("a payer who gives up on the page can choose again at once", async () => {
  const payment = await sentTo("kuwait");
  assert.equal((await report(payment.page, knet.finish(payment.page, "CANCELED", ""))).status, 200);
  assert.deepEqual(await standing(till, payment), ["attempted", "canceled"]);
  const again = await choose(till, payment, "kuwait");
  assert.equal(again.status, 303, again.text);
  assert.notEqual(knet.order(again.headers.get("location")).trackid, payment.reference);
});

test("trouble before the page is trouble and no payment, and the payer can choose again", async () => {
  const payment = await sentTo("kuwait");
  await comeBack(`${payment.returns}?paymentid=1&Error=IPAY0100119&ErrorText=Problem&trackid=${payment.reference}&amt=10.250`);
  assert.deepEqual(await standing(till, payment), ["attempted", "canceled"]);
});

for (const by of LOST) {
  test(`a payment whose inquiry is lost by ${by} is pending, and the next one finds it`, async () => {
    const payment = await sentTo("kuwait");
    knet.lost = { by, of: ({ path }) => path === "/kpg/tranPipe.htm" };
    await report(payment.page, knet.finish(payment.page));
    await comeBack(payment.returns);
    assert.deepEqual(await standing(till, payment), ["pending", "unknown"]);
    knet.lost = undefined;
    await inquireNow(till, payment);
    assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  });
}

test("a refund is given once, and one whose answer is lost is never sent again", async () => {
  const payment = await sentTo("kuwait");
  await report(payment.page, knet.finish(payment.page));
  await comeBack(payment.returns);
  const first = await operate(payment, "refund", { amount: "4.000" });
  assert.deepEqual([first.status, first.body.result, first.body.txn?.amount], [200, "success", "4.000"], first.text);
  knet.lost = { by: "a closed connection", of: ({ body }) => body.includes("<action>2</action>") };
  const second = await operate(payment, "refund", { amount: "1.000" });
  assert.notEqual(second.body.result, "failed", second.text);
  knet.lost = undefined;
  for (let time = 0; time < 3; time += 1) {
    await till.rows("UPDATE child SET inquire_at = 0 WHERE parent_id = ?1 AND inquire_at IS NOT NULL", payment.session_id);
    await till.scheduled();
  }
  assert.deepEqual(knet.refunds.get(payment.reference), ["4.000", "1.000"]);
  const children = await till.rows("SELECT stage FROM child WHERE parent_id = ?1 ORDER BY number", payment.session_id);
  assert.deepEqual(children.map(({ stage }) => stage), ["done", "unknown"]);
});

test("KNET is asked about its unsigned reports three times at once, and then no more, and what is learned is stored once", async () => {
  for (const atOnce of [false, true]) {
    const payment = await sentTo("kuwait");
    knet.chooseCard(payment.page);
    const joined = `paymentid=1&result=CAPTURED&trackid=${payment.reference}&udf1=${payment.reference}&amt=10.250`;
    const asked = () => knet.requests.filter(({ path, body }) => path === "/kpg/tranPipe.htm" && body.includes(payment.reference)).length;
    const [known, before] = [await events(till, payment), asked()];
    const send = () => report(payment.page, joined);
    const answers = atOnce ? await Promise.all(Array.from({ length: 25 }, send)) : [];
    for (let more = answers.length; more < 25; more += 1) answers.push(await send());
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200], "KNET's server is always answered");
    await till.scheduled();
    assert.equal(asked() - before, 3, atOnce ? "all at once" : "one after the other");
    assert.deepEqual((await events(till, payment)).slice(known.length), ["attempt_noted"], "what the first question learned");
    // The true report is heard all the same.
    await report(payment.page, knet.finish(payment.page));
    await inquireNow(till, payment);
    await isSettled(payment, "success");
  }
});

test("what KNET did not write is refused and changes nothing, and what it repeats neither", async () => {
  const payment = await sentTo("kuwait");
  const order = knet.order(payment.page);
  const path = order.responseURL.slice(till.url.length);
  const joined = `paymentid=1&result=CAPTURED&trackid=${payment.reference}&udf1=${payment.reference}&amt=10.250`;
  const known = await events(till, payment);
  const wrong = [encrypt(joined, "A7w2Er9TyU4iOp1Z"), encrypt(joined.replaceAll(payment.reference, "ABCDEFGHJKMN")), "00".repeat(32), "xyz", ""];
  for (const trandata of wrong) {
    assertProblem(await till.call(path, { method: "POST", body: new URLSearchParams({ trandata }) }), 401, "signature_invalid");
  }
  assert.deepEqual(await events(till, payment), known);
  // A report that nothing was paid for is the occasion to ask, and KNET knows of no payment.
  assert.equal((await report(payment.page, joined)).status, 200);
  await till.scheduled();
  assert.deepEqual(await standing(till, payment), ["pending", "redirected"]);
  const genuine = knet.finish(payment.page);
  for (let time = 0; time < 2; time += 1) assert.equal((await report(payment.page, genuine)).status, 200);
  await isSettled(payment, "success");
  assert.equal((await untilWebhooks(till, payment)).length, 1);
  const browser = await navigate(order.responseURL, new URLSearchParams({ trandata: encrypt(genuine) }).toString());
  assert.deepEqual([browser.statusCode, browser.headers.location], [303, payment.returns]);
});
