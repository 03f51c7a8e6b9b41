/** Attachments: upload, create and update with a file, and what a payer downloads. */
import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { start } from "./harness.mjs";
import { assertProblem, atTheBank, openPage, payWith } from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;
let stranger;

before(async () => {
  till = await start();
  stranger = await till.createMerchant();
  await till.createMerchant();
});
after(() => till.stop());

const CREATE = "/b/checkout/v1/pymt-txn/";
const UPLOAD = "/b/checkout/v1/upload-attachment/";
const MAX_BYTES = 2_621_440;
const PDF = "%PDF-1.7\nan invoice";
const REQUIRED = { type: "e_commerce", amount: "10.250", currency_code: "KWD", pg_codes: "knet" };

const file = (content = PDF, name = "invoice.pdf") => new File([content], name, { type: "application/pdf" });

function form(fields) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return body;
}

const send = (method, path, fields, headers = {}) =>
  till.call(path, { method, headers: { ...till.privateKey(), ...headers }, body: form(fields) });
const upload = (fields, merchant = till.merchant) => send("POST", UPLOAD, fields, till.privateKey(merchant));
const own = (session_id) => `${CREATE}${session_id}/`;
const update = (method, session_id, json) =>
  till.call(own(session_id), { method, headers: till.privateKey(), json });

/** Uploads a file that is accepted, and returns its `file_url`. */
async function uploaded(content, name, merchant) {
  const answer = await upload({ file: file(content, name) }, merchant);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.file_url;
}

/** The content at an address: the bytes as text. */
async function download(url) {
  const answer = await till.call(url);
  assert.equal(answer.status, 200, answer.text);
  return answer.text;
}

function assertFields(answer, ...names) {
  assertProblem(answer, 400, "invalid_fields");
  assert.deepEqual(Object.keys(answer.body.errors), names, answer.text);
}

test("an upload without a file is refused", async () => {
  for (const fields of [{}, { file: "text" }, { file: new File([], "") }]) {
    const answer = await upload({ note: "x", ...fields });
    assertFields(answer, "file");
    assert.deepEqual(answer.body.errors.file, ["no file was submitted"]);
  }
});

test("an upload with another extension is refused, and the allowed ones are listed", async () => {
  const answer = await upload({ file: file("MZ", "setup.exe") });
  assertFields(answer, "file");
  assert.match(answer.body.errors.file[0], /"exe".*pdf, jpeg, png, doc, docx, jpg, xls, xlsx, txt$/);
});

test("an upload for an unknown or another merchant's transaction names the key that was used", async () => {
  const theirs = await till.create({ order_no: "THEIRS" }, till.privateKey(stranger));
  for (const session_id of ["nonsense", "0".repeat(40), theirs.body.session_id]) {
    const answer = await upload({ file: file(), session_id });
    assertFields(answer, "session_id");
    assert.deepEqual(answer.body.errors.session_id, ["no payment transaction with this session_id was found"]);
  }
  for (const order_no of ["no such order", "THEIRS"]) assertFields(await upload({ file: file(), order_no }), "order_no");
  assert.equal((await till.retrieve(theirs.body.session_id, till.privateKey(stranger))).body.attachment, undefined);
});

test("an upload with both ids is refused by both names", async () => {
  const { body } = await till.create({ order_no: "BOTH" });
  const answer = await upload({ file: file(), session_id: body.session_id, order_no: "BOTH" });
  assertFields(answer, "order_no", "session_id");
  assert.deepEqual(answer.body.errors.order_no, answer.body.errors.session_id);
});

test("a short address of an upload needs a transaction", async () => {
  assertFields(await upload({ file: file(), shortify_attachment_url: "true" }), "attachment_short_url");
  assertFields(await upload({ file: file(), shortify_attachment_url: "perhaps" }), "shortify_attachment_url");
});

test("2.5 MB are taken and one byte more is not", async () => {
  const answer = await upload({ file: file("a".repeat(MAX_BYTES), "full.txt") });
  assert.equal(answer.status, 200, answer.text);
  assert.equal((await download(`/media/${answer.body.file_url}`)).length, MAX_BYTES);
  assertFields(await upload({ file: file("a".repeat(MAX_BYTES + 1), "more.txt") }), "file");
});

test("what is announced as larger than any file is refused before it is read", async () => {
  const headers = { ...till.privateKey(), "content-type": "multipart/form-data; boundary=b", "content-length": 2 * MAX_BYTES };
  const request = http.request(new URL(UPLOAD, till.url), { method: "POST", headers });
  request.flushHeaders();
  const [response] = await once(request, "response");
  const { code } = JSON.parse(Buffer.concat(await response.toArray()));
  request.on("error", () => {}).destroy();
  assert.deepEqual([response.statusCode, code], [413, "body_too_large"]);
});

test("a file that does not hold what its extension says, an empty one and a long name are refused", async () => {
  for (const [content, name] of [["<svg onload=alert(1)>", "a.png"], ["MZ", "a.pdf"], ["", "a.txt"], ["a\0b", "a.txt"], ["a", `${"n".repeat(97)}.txt`]]) {
    assertFields(await upload({ file: file(content, name) }), "file");
    assertFields(await send("POST", CREATE, { ...REQUIRED, attachment: file(content, name) }), "attachment");
  }
});

test("everything that is wrong with an upload is named at once", async () => {
  assertFields(await upload({ file: file("MZ", "a.exe"), session_id: "x", shortify_attachment_url: "2" }), "file", "shortify_attachment_url", "session_id");
});

test("only a multipart form uploads, and only with a private key", async () => {
  const json = await till.call(UPLOAD, { method: "POST", headers: till.privateKey(), json: {} });
  assertProblem(json, 415, "unsupported_media_type");
  const urlencoded = await till.call(UPLOAD, { method: "POST", headers: till.privateKey(), body: new URLSearchParams({ file: "x" }) });
  assertProblem(urlencoded, 415, "unsupported_media_type");
  const header = { authorization: `Api-Key ${till.merchant.public_key}` };
  assertProblem(await till.call(UPLOAD, { method: "POST", headers: header, body: form({ file: file() }) }), 401, "private_key_required");
  assertProblem(await till.call(UPLOAD, { method: "POST", body: form({ file: file() }) }), 401, "credentials_missing");
  assertProblem(await till.call(UPLOAD, { method: "POST", json: {} }), 401, "credentials_missing");
});

test("an uploaded file goes with several transactions", async () => {
  const answer = await upload({ file: file(PDF, "Rechnung ١.PDF") });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(Object.keys(answer.body), ["file_url", "original_filename"]);
  assert.match(answer.body.file_url, /^payment_transactions\/attachments\/x00[a-z2-7]{32}\.pdf$/);
  assert.equal(answer.body.original_filename, "Rechnung ١.PDF");
  const address = `${till.url}/media/${answer.body.file_url}`;
  for (const attachment_upload_url of [answer.body.file_url, address]) {
    const { status, body, text } = await till.create({ attachment_upload_url });
    assert.equal(status, 201, text);
    assert.deepEqual([body.attachment, body.attachment_upload_url], [address, attachment_upload_url]);
    assert.deepEqual((await till.retrieve(body.session_id)).body.attachment, address);
  }
});

test("attachment_upload_url takes only what this merchant uploaded", async () => {
  const theirs = await uploaded(PDF, "theirs.pdf", stranger);
  const unknown = `payment_transactions/attachments/${"a".repeat(32)}.pdf`;
  const texts = [];
  for (const attachment_upload_url of [theirs, `${till.url}/media/${theirs}`, unknown, "https://evil.example/a.pdf", "../a.pdf"]) {
    const answer = await till.create({ attachment_upload_url });
    assertFields(answer, "attachment_upload_url");
    texts.push(answer.body.errors.attachment_upload_url[0]);
  }
  assert.equal(new Set(texts).size, 1);
  const answer = await till.create({ attachment_upload_url: "https://evil.example/a.exe" });
  assert.match(answer.body.errors.attachment_upload_url[0], /must end in one of pdf, jpeg/);
  for (const attachment_upload_url of [7, true, [], "a".repeat(3000)]) {
    assertFields(await till.create({ attachment_upload_url }), "attachment_upload_url");
  }
});

test("a multipart create brings its file along", async () => {
  const made = await send("POST", CREATE, { ...REQUIRED, attachment: file() });
  assert.equal(made.status, 201, made.text);
  assert.equal(made.body.attachment_upload_url, undefined);
  assert.equal(await download(made.body.attachment), PDF);
  assert.equal((await till.retrieve(made.body.session_id)).body.attachment, made.body.attachment);
});

test("a browser's empty file field is no file", async () => {
  const made = await send("POST", CREATE, { ...REQUIRED, attachment: new File([], "") });
  assert.deepEqual([made.status, made.body.attachment], [201, undefined], made.text);
});

test("an attachment in JSON is refused by name", async () => {
  const address = `${till.url}/media/${await uploaded()}`;
  for (const attachment of ["x", "https://evil.example/a.pdf", address, 7, { name: "a.pdf" }]) {
    const answer = await till.create({ attachment });
    assertFields(answer, "attachment");
    assert.match(answer.body.errors.attachment[0], /multipart.*attachment_upload_url/);
  }
});

test("a file and attachment_upload_url do not go together", async () => {
  assertFields(await send("POST", CREATE, { ...REQUIRED, attachment: file(), attachment_upload_url: await uploaded() }), "attachment");
});

test("a patch replaces the file, and another patch keeps it", async () => {
  const made = await send("POST", CREATE, { ...REQUIRED, attachment: file() });
  const patched = await send("PATCH", own(made.body.session_id), { attachment: file("second", "second.txt") });
  assert.equal(patched.status, 200, patched.text);
  assert.equal(await download(patched.body.attachment), "second");
  const unchanged = await update("PATCH", made.body.session_id, { amount: "3.500" });
  assert.deepEqual([unchanged.body.attachment, unchanged.body.amount], [patched.body.attachment, "3.500"]);
  const attachment_upload_url = await uploaded("third", "third.txt");
  const named = await update("PATCH", made.body.session_id, { attachment_upload_url });
  assert.equal(await download(named.body.attachment), "third");
  const still = await update("PATCH", made.body.session_id, { order_no: "A" });
  assert.deepEqual([still.body.attachment, still.body.attachment_upload_url], [named.body.attachment, attachment_upload_url]);
  const fourth = await send("PATCH", own(made.body.session_id), { attachment: file() });
  assert.equal(fourth.body.attachment_upload_url, undefined);
  assert.equal(await download(fourth.body.attachment), PDF);
  assert.equal(await download(made.body.attachment), PDF, "a file that was given stays where it is");
});

test("a response can be put back as it came, and a put without the file takes it away", async () => {
  const made = await send("POST", CREATE, { ...REQUIRED, attachment: file() });
  const same = await update("PUT", made.body.session_id, made.body);
  assert.deepEqual([same.status, same.body.attachment], [200, made.body.attachment], same.text);
  const { attachment, ...rest } = made.body;
  const without = await update("PUT", made.body.session_id, rest);
  assert.deepEqual([without.status, without.body.attachment], [200, undefined], without.text);
  assert.notEqual(without.headers.get("etag"), same.headers.get("etag"));
  assertFields(await update("PUT", made.body.session_id, { ...rest, attachment }), "attachment");
});

test("an upload is linked to its transaction, by session id or as the newest of its order", async () => {
  const first = await till.create({ order_no: "LINK" });
  const second = await till.create({ order_no: "LINK" });
  const linked = await upload({ file: file("one", "one.txt"), order_no: "LINK" });
  assert.equal(linked.status, 200, linked.text);
  assert.equal((await till.retrieve(first.body.session_id)).body.attachment, undefined);
  assert.equal(await download((await till.retrieve(second.body.session_id)).body.attachment), "one");
  await upload({ file: file("two", "two.txt"), session_id: first.body.session_id });
  assert.equal(await download((await till.retrieve(first.body.session_id)).body.attachment), "two");
});

test("an upload replaces the file until the payment, and none of a paid transaction", async () => {
  const payment = await atTheBank(till, { attachment_upload_url: await uploaded() });
  const answer = await upload({ file: file("receipt", "receipt.txt"), session_id: payment.session_id });
  assert.equal(answer.status, 200, answer.text);
  await payWith(till, payment.page, "visa-approve");
  const late = await upload({ file: file("late", "late.txt"), session_id: payment.session_id });
  assertProblem(late, 400, "not_updatable");
  const { body } = await till.retrieve(payment.session_id);
  assert.deepEqual([body.state, body.attachment, body.attachment_upload_url], ["paid", `${till.url}/media/${answer.body.file_url}`, undefined]);
});

test("of uploads at once every one is kept and one is linked", async () => {
  const { body } = await till.create();
  const contents = ["a", "b", "c", "d"];
  const answers = await Promise.all(contents.map((content) => upload({ file: file(content, "same.txt"), session_id: body.session_id })));
  assert.deepEqual(answers.map(({ status }) => status), [200, 200, 200, 200]);
  const urls = answers.map(({ body: { file_url } }) => file_url);
  assert.equal(new Set(urls).size, 4);
  assert.deepEqual(await Promise.all(urls.map((url) => download(`/media/${url}`))), contents);
  const { attachment } = (await till.retrieve(body.session_id)).body;
  assert.ok(urls.some((url) => attachment === `${till.url}/media/${url}`));
});

test("a repeated multipart create is the same whatever its boundary, and another file is another request", async () => {
  const headers = { "idempotency-key": "with-a-file" };
  const create = (content) => send("POST", CREATE, { ...REQUIRED, attachment: file(content) }, headers);
  const [first, second] = [await create(PDF), await create(PDF)];
  assert.deepEqual([first.status, second.text, second.headers.get("idempotent-replayed")], [201, first.text, "true"]);
  assertProblem(await create(`${PDF}!`), 422, "idempotency_key_reused");
});

test("a download is saved and never shown, under its own name", async () => {
  const url = `/media/${await uploaded(PDF, "فاتورة \"1\".pdf")}`;
  const { headers } = await till.call(url);
  assert.equal(headers.get("content-type"), "application/pdf");
  assert.match(headers.get("content-disposition"), /^attachment; filename="[\w .-]+"; filename\*=UTF-8''%D9%81[%\w.-]+\.pdf$/);
  assert.equal(headers.get("x-content-type-options"), "nosniff");
  assert.equal(headers.get("content-security-policy"), "sandbox; default-src 'none'");
  assert.match(headers.get("cache-control"), /^private, max-age=\d+$/);
  assert.equal(headers.get("set-cookie"), null);
});

test("the page links the file before and after the payment, and no more once nothing can be paid", async () => {
  const payment = await atTheBank(till, { attachment_upload_url: await uploaded(PDF, "<b>&bill.pdf"), language: "ar" });
  const { attachment } = (await till.retrieve(payment.session_id)).body;
  const link = `href="${attachment}"><bdi>&lt;b&gt;&amp;bill.pdf</bdi></a> <span class="quiet"><bdi dir="ltr">1 KB</bdi>`;
  assert.ok((await openPage(till, payment)).text.includes(link));
  await payWith(till, payment.page, "visa-approve");
  assert.ok((await openPage(till, payment)).text.includes(link));
  const over = await till.create({ attachment_upload_url: attachment, expiration_time: "00:00:01" });
  await sleep(1100);
  assert.ok(!(await openPage(till, over.body)).text.includes("/media/"));
});

test("HEAD of a download has its headers and no body", async () => {
  const url = `/media/${await uploaded()}`;
  const head = await till.call(url, { method: "HEAD" });
  assert.deepEqual([head.status, head.text, head.headers.get("content-type")], [200, "", "application/pdf"]);
});

test("a name that nobody has is not found, like every address", async () => {
  const json = { headers: { accept: "application/json" } };
  const folder = "/media/payment_transactions/attachments";
  for (const path of [`${folder}/${"a".repeat(32)}.pdf`, `${folder}/x.pdf`, `${folder}/../x`, "/media/"]) {
    assertProblem(await till.call(path, json), 404, "not_found");
  }
});

test("a file whose bytes are not visible yet is asked for again in a minute", async () => {
  const file_url = await uploaded();
  await (await till.kv("FILES")).delete(file_url.split("/").at(-1));
  const answer = await till.call(`/media/${file_url}`, { headers: { accept: "application/json" } });
  assertProblem(answer, 503, "unavailable");
  assert.equal(answer.headers.get("retry-after"), "60");
});

test("text in UTF-16, old sheets, a PDF that begins late and endings with marks are taken, and served as what they are", async () => {
  const utf16 = Buffer.from("\ufeffفاتورة\r\n", "utf16le");
  const sheet = Buffer.from([9, 4, 6, 0, 0, 0, 0x10, 0, 0, 0, 0x0a, 0, 0, 0]);
  for (const [bytes, name, shown, type] of [
    [utf16, "فاتورة.txt", "فاتورة.txt", "text/plain"],
    [Buffer.from(utf16).swap16(), "big.txt", "big.txt", "text/plain"],
    [sheet, "old.xls", "old.xls", "application/vnd.ms-excel"],
    [Buffer.from(`${"\n".repeat(1_019)}%PDF-1.4`), "late.pdf", "late.pdf", "application/pdf"],
    [Buffer.from(PDF), "فاتورة.pdf\u200f", "فاتورة.pdf", "application/pdf"],
    [Buffer.from(PDF), "فاتورة\u200f.\u200epdf\u200b", "فاتورة\u200f.pdf", "application/pdf"],
  ]) {
    const answer = await upload({ file: file(bytes, name) });
    assert.deepEqual([answer.status, answer.body.original_filename], [200, shown], answer.text);
    const response = await till.fetch(`/media/${answer.body.file_url}`);
    assert.equal(response.headers.get("content-type"), type);
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), bytes);
  }
  for (const [bytes, name] of [[utf16.subarray(0, -1), "odd.txt"], [sheet.subarray(0, 7), "cut.xls"], [Buffer.from(`${"\n".repeat(1_020)}%PDF-1.4`), "later.pdf"]]) {
    assertFields(await upload({ file: file(bytes, name) }), "file");
  }
});
