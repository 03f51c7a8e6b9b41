/**
 * The receivers of `clients/receivers` over the conformance vectors, in every language whose tools are here; the vectors,
 * judged by the official library of Standard Webhooks and by Node's own HMAC; and the page about receivers.
 */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, mock, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { LANGUAGES, cases, faults, missing } from "../../clients/receivers/run.mjs";
import { at } from "../../scripts/project.mjs";

const given = cases();

for (const language of Object.keys(LANGUAGES)) {
  const absent = missing(language);
  const skip = absent.length > 0 ? `${absent.join(" and ")} not found` : false;
  test(`a receiver in ${language} accepts and refuses as it must`, { skip, timeout: 240_000 }, () => {
    assert.deepEqual(faults(language, given), []);
  });
}

describe("the conformance vectors", () => {
  /** Whether the library accepts a case with one of the secrets. */
  function isAccepted({ headers, body, secrets }) {
    return secrets.some((secret) => {
      try {
        new Webhook(secret).verify(Buffer.from(body, "base64"), headers);
        return true;
      } catch {
        return false;
      }
    });
  }

  test("are what the official library says about headers", () => {
    const wrong = [];
    for (const one of given.filter(({ kind }) => kind === "headers")) {
      mock.timers.enable({ apis: ["Date"], now: one.now * 1000 });
      if (isAccepted(one) !== (one.expected === "ok")) wrong.push(one.name);
      mock.timers.reset();
    }
    assert.deepEqual(wrong, []);
  });

  test("are what the 18 fields give for the field signature", () => {
    const { signed } = JSON.parse(readFileSync(at("tests", "vectors", "webhook.json"), "utf8"));
    const digest = (fields, key) => createHmac("sha256", key).update(signed.toSorted().filter((name) => fields[name]).map((name) => name + fields[name]).join("")).digest("hex");
    for (const { name, body, hmac_key, expected } of given.filter(({ kind }) => kind === "field")) {
      let fields;
      try {
        fields = JSON.parse(Buffer.from(body, "base64").toString("utf8"));
      } catch {
        assert.equal(expected, "refused", name);
        continue;
      }
      const isRight = signed.every((field) => fields?.[field] === undefined || fields[field] === null || typeof fields[field] === "string") &&
        fields?.signature === digest(fields ?? {}, hmac_key);
      // Bytes that are no UTF-8 are read by Node with signs in their place.
      assert.equal(isRight && !name.startsWith("bytes"), expected === "ok", name);
    }
  });

  test("change one bit of every byte of a body, and of every sign of id, time and signature", () => {
    const count = (word) => given.filter(({ name }) => new RegExp(`^bit \\d of \\w+ \\d+ of the ${word} changed$`).test(name)).length;
    const body = Buffer.from(given.find(({ name }) => name === "one secret, one signature").body, "base64");
    assert.deepEqual([count("body"), count("timestamp"), count("signature")], [body.length, 10, 47]);
    assert.ok(count("id") > 40);
    assert.ok(given.filter(({ expected }) => expected === "ok").length >= 20);
  });
});

/** Mistakes that receivers make: what of the program in JavaScript is replaced by what. */
const MISTAKES = [
  ["no check of the time", " || Math.abs(now - Number(time)) > TOLERANCE", ""],
  ["only old times are refused", "Math.abs(now - Number(time))", "now - Number(time)"],
  ["only the first signature is looked at", 'signatures.split(" ")', 'signatures.split(" ").slice(0, 1)'],
  ["only the first secret is used", "secrets.map(", "secrets.slice(0, 1).map("],
  ["the id is not signed", "`${id}.${time}.`", "`${time}.`"],
  ["the version is not compared", "isSame(given, one)", "isSame(given.slice(-44), one.slice(-44))"],
  ["the text of the secret is the key", 'Buffer.from(secret.slice("whsec_".length), "base64")', "secret"],
  ["the body is parsed and printed again", "`), body]", "`), Buffer.from(JSON.stringify(JSON.parse(Buffer.from(body))))]"],
  ["everything is accepted", "return signatures.split", "return true || signatures.split"],
  ["empty fields are signed too", 'fields[name] !== null && fields[name] !== ""', "fields[name] !== null"],
  ["one field is left out", "reference_number result state", "reference_number state"],
  ["a signature may have capitals", "isSame(fields.signature,", "isSame(fields.signature.toLowerCase(),"],
];

for (const [what, correct, mistaken] of MISTAKES) {
  test(`a receiver with a mistake fails: ${what}`, async () => {
    const program = readFileSync(at("clients", "receivers", "javascript", "verify.mjs"), "utf8");
    assert.ok(program.includes(correct), "the program has changed");
    const source = program.replace(correct, () => mistaken);
    const { verifyField, verifyHeaders } = await import(`data:text/javascript;base64,${Buffer.from(source).toString("base64")}`);
    const verdict = ({ kind, headers, body, secrets, hmac_key, now }) => {
      const bytes = Buffer.from(body, "base64");
      try {
        return (kind === "headers" ? verifyHeaders(headers, bytes, secrets, { now }) : verifyField(bytes, hmac_key)) ? "ok" : "refused";
      } catch {
        return "an error";
      }
    };
    assert.ok(given.some((one) => verdict(one) !== one.expected));
  });
}

test("docs/webhooks.md leads to the receiver of each language", () => {
  const page = readFileSync(at("docs", "webhooks.md"), "utf8");
  for (const language of Object.keys(LANGUAGES)) assert.match(page, new RegExp(`\\]\\(\\.\\./clients/receivers/${language}/[Vv]erify\\.\\w+\\)`), language);
});

test("docs/webhooks.md names every member of a webhook that the description has", () => {
  const page = readFileSync(at("docs", "webhooks.md"), "utf8");
  const { components } = JSON.parse(readFileSync(at("www", "openapi.json"), "utf8"));
  const names = ["Notification", "OperationResult"].flatMap((name) => Object.keys(components.schemas[name].properties));
  const isNamed = (name) => page.includes(`\`${name}\``) || (/^(customer_|capture_delivery_)/.test(name) && page.includes("`customer_*`"));
  assert.deepEqual(names.filter((name) => !isNamed(name)), []);
});
