/** Short addresses and QR codes: shown when asked for, and where they lead. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import jsQR from "jsqr";
import { PNG } from "pngjs";
import { start } from "./harness.mjs";
import { assertProblem } from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

const UPLOAD = "/b/checkout/v1/upload-attachment/";
const SHORT = (origin) => new RegExp(`^${origin}/b/x00[0-9A-Za-z]{10}$`);

async function upload(fields = {}, content = "a") {
  const body = new FormData();
  for (const [name, value] of Object.entries({ file: new File([content], "a.txt"), ...fields })) body.append(name, value);
  const answer = await till.call(UPLOAD, { method: "POST", headers: till.privateKey(), body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

const patch = (session_id, json) =>
  till.call(`/b/checkout/v1/pymt-txn/${session_id}/`, { method: "PATCH", headers: till.privateKey(), json });

/** Where a short address redirects to. */
async function follow(url) {
  const answer = await till.call(url);
  assert.equal(answer.status, 302, answer.text);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.equal(answer.headers.get("referrer-policy"), "no-referrer");
  return answer.headers.get("location");
}

test("a short address leads to the checkout page, with and without a trailing slash", async () => {
  const { status, body, text } = await till.create({ shortify_checkout_url: true });
  assert.equal(status, 201, text);
  assert.match(body.checkout_short_url, SHORT(till.url));
  assert.equal(await follow(body.checkout_short_url), body.checkout_url);
  assert.equal(await follow(`${body.checkout_short_url}/`), body.checkout_url);
});

test("short addresses and QR codes are shown only by the response whose request asked", async () => {
  const flags = { shortify_checkout_url: true, shortify_attachment_url: true, generate_qr_code: true };
  const attachment_upload_url = (await upload()).file_url;
  const shown = ["attachment_short_url", "checkout_short_url", "qr_code_url"];
  const present = ({ body }) => shown.filter((name) => name in body);
  const made = await till.create({ ...flags, attachment_upload_url });
  assert.deepEqual(present(made), shown);
  assert.deepEqual(present(await till.retrieve(made.body.session_id)), []);
  assert.deepEqual(present(await patch(made.body.session_id, { amount: "3.500" })), []);
  const again = await patch(made.body.session_id, flags);
  assert.equal(again.status, 200, again.text);
  assert.deepEqual(shown.map((name) => again.body[name]), shown.map((name) => made.body[name]));
  assert.equal(again.body.amount, "3.500");
  assert.deepEqual(present(await till.create()), []);
  assert.deepEqual(present(await till.create({ ...flags, generate_qr_code: false })), ["checkout_short_url"], "without a file there is no address of one");
});

test("flags are true or false, in a form also 1 or 0", async () => {
  for (const name of ["shortify_checkout_url", "shortify_attachment_url", "generate_qr_code"]) {
    for (const value of ["yes", 7, [], {}]) {
      const answer = await till.create({ [name]: value });
      assertProblem(answer, 400, "invalid_fields");
      assert.deepEqual(Object.keys(answer.body.errors), [name]);
    }
  }
  const fields = { type: "e_commerce", amount: "1.000", currency_code: "KWD", pg_codes: "knet", shortify_checkout_url: "1", generate_qr_code: "0" };
  const made = await till.call("/b/checkout/v1/pymt-txn/", { method: "POST", headers: till.privateKey(), body: new URLSearchParams(fields) });
  assert.ok(made.body.checkout_short_url && !made.body.qr_code_url, made.text);
});

test("the short address of an attachment leads to the file that the transaction has now", async () => {
  const { body } = await till.create();
  const first = await upload({ session_id: body.session_id, shortify_attachment_url: "true" });
  assert.match(first.attachment_short_url, SHORT(till.url));
  assert.equal(await follow(first.attachment_short_url), `${till.url}/media/${first.file_url}`);
  const second = await upload({ session_id: body.session_id, shortify_attachment_url: "1" }, "b");
  assert.equal(second.attachment_short_url, first.attachment_short_url);
  assert.equal(await follow(first.attachment_short_url), `${till.url}/media/${second.file_url}`);
  const { attachment, ...rest } = (await till.retrieve(body.session_id)).body;
  assert.ok(attachment);
  await till.call(`/b/checkout/v1/pymt-txn/${body.session_id}/`, { method: "PUT", headers: till.privateKey(), json: rest });
  assert.equal((await till.call(first.attachment_short_url)).status, 404);
});

test("a transaction has one code of a kind, however many ask at once", async () => {
  const { body } = await till.create();
  const asked = await Promise.all(Array.from({ length: 4 }, () => patch(body.session_id, { shortify_checkout_url: true })));
  const urls = new Set(asked.filter(({ status }) => status === 200).map(({ body: { checkout_short_url } }) => checkout_short_url));
  assert.equal(urls.size, 1);
  assert.equal((await till.rows("SELECT code FROM short_link WHERE session_id = ?1", body.session_id)).length, 1);
});

test("a code that nobody has leads nowhere", async () => {
  const json = { headers: { accept: "application/json" } };
  for (const path of ["/b/0123456789", "/b/0123456789/", "/b/short", "/b/01234567890", "/b/012345678%2f", "/b/"]) {
    assertProblem(await till.call(path, json), 404, "not_found");
  }
  assert.match((await till.call("/b/0123456789")).headers.get("content-type"), /^text\/html/);
  assert.equal((await till.call("/b/problems/not_found/")).status, 200);
});

/** What a scanner that is not ours reads in a PNG. */
function scan(bytes) {
  const { data, width, height } = PNG.sync.read(Buffer.from(bytes));
  return jsQR(new Uint8ClampedArray(data), width, height)?.data;
}

/** The modules of our SVG as a picture, eight dots a module. */
function scanSvg(text) {
  const side = Number(/viewBox="0 0 (\d+) \1"/.exec(text)[1]);
  const width = side * 8;
  const data = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, column, row, run] of text.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    for (let y = row * 8; y < row * 8 + 8; y++) {
      for (let x = column * 8; x < (Number(column) + Number(run)) * 8; x++) data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
  }
  return jsQR(data, width, width)?.data;
}

test("the QR code leads to the checkout page, as PNG and as SVG", async () => {
  const { body } = await till.create({ generate_qr_code: true });
  assert.equal(body.qr_code_url, `${till.url}/b/checkout/qr/${body.session_id}.png`);
  const png = await till.fetch(body.qr_code_url);
  assert.deepEqual([png.status, png.headers.get("content-type")], [200, "image/png"]);
  assert.equal(scan(await png.arrayBuffer()), body.checkout_url);
  const svg = await till.call(body.qr_code_url.replace(/png$/, "svg"));
  assert.deepEqual([svg.status, svg.headers.get("content-type")], [200, "image/svg+xml"]);
  assert.equal(scanSvg(svg.text), body.checkout_url);
  for (const { headers } of [png, svg]) {
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.equal(headers.get("content-security-policy"), "sandbox; default-src 'none'");
    assert.match(headers.get("cache-control"), /max-age=\d{6,}/);
  }
});

test("there is no QR code of an unknown transaction", async () => {
  for (const name of [`${"0".repeat(40)}.png`, `${"0".repeat(40)}.svg`, "x.png", `${"0".repeat(40)}.gif`, "0".repeat(40)]) {
    assertProblem(await till.call(`/b/checkout/qr/${name}`), 404, "not_found");
  }
});
