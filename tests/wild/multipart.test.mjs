/**
 * Multipart forms byte by byte as clients write them: each creates the same transaction with the same file.
 *
 * `multipart.json` has the lines of each body, a character a byte, joined by CRLF. `recorded` ones were sent by the client;
 * `by its source` ones are written as the source of a client that needs a platform of its own writes them.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { at } from "../../scripts/project.mjs";
import { start } from "../worker/harness.mjs";

const FORMS = JSON.parse(readFileSync(at("tests", "wild", "multipart.json"), "utf8"));
const PDF = Buffer.from("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n%%EOF\n", "latin1");
const NAME = "فاتورة 1.pdf";
const CREATE = "/b/checkout/v1/pymt-txn/";
const UPLOAD = "/b/checkout/v1/upload-attachment/";

/** @type {import("../worker/harness.mjs").Till} */
let till;
before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

const bytesOf = ({ lines }) => Buffer.from(lines.join("\r\n"), "latin1");
const send = (path, body, type) => till.call(path, { method: "POST", headers: { ...till.privateKey(), "content-type": type }, body });

async function assertFile(address) {
  const response = await till.fetch(address);
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), PDF);
  assert.match(response.headers.get("content-disposition"), new RegExp(`filename\\*=UTF-8''${encodeURIComponent(NAME)}$`));
}

test("every kind of client is there", () => {
  for (const kind of [".NET", "PHP", "Python", "Java", "Node", "curl"]) assert.ok(FORMS.some(({ client }) => client.startsWith(kind)), kind);
  assert.ok(FORMS.filter(({ bytes }) => bytes === "recorded").length >= 10);
});

for (const form of FORMS) {
  test(`${form.client}: creates, with its fields and its file`, async () => {
    const { status, text, body } = await send(CREATE, bytesOf(form), form.type);
    assert.equal(status, 201, text);
    assert.deepEqual([body.type, body.amount, body.currency_code, body.pg_codes, body.order_no], ["e_commerce", "10.250", "KWD", ["knet"], form.order_no ?? "طلب ١"]);
    assert.doesNotMatch(text, /\ufffd/);
    await assertFile(body.attachment);
  });

  test(`${form.client}: uploads`, async () => {
    const lines = form.lines.map((line) => line.replace(/(name\*?=)("?)attachment/, "$1$2file").replace(/(name=)("?)order_no/, "$1$2note"));
    const { status, text, body } = await send(UPLOAD, bytesOf({ lines }), form.type);
    assert.deepEqual([status, body.original_filename], [200, NAME], text);
    await assertFile(`/media/${body.file_url}`);
  });

  test(`${form.client}: half of it is no form, and nothing is stored`, async () => {
    const whole = bytesOf(form);
    const count = async () => (await till.rows("SELECT COUNT(*) AS n FROM txn"))[0].n;
    const before = await count();
    const { status, body, text } = await send(CREATE, whole.subarray(0, whole.length / 2), form.type);
    assert.deepEqual([status, body.code], [400, "malformed_body"], text);
    assert.equal(await count(), before);
  });
}
