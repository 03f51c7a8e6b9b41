// Every signature in the vectors is one that independent implementations give: the official packages where there are some, and
// otherwise the formula that the gateway documents, in Node.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import Stripe from "stripe";

const { hmacValidator: HmacValidator } = createRequire(import.meta.url)("@adyen/api-library");
const vectors = JSON.parse(readFileSync(new URL("../vectors/gateways/signatures.json", import.meta.url)));
const DECIMALS = { AED: 2, BHD: 3, EGP: 2, EUR: 2, GBP: 2, KWD: 3, OMR: 3, QAR: 2, SAR: 2, USD: 2 };

/** What each family signs with, from the message and the secret. */
const SIGN = {
  adyen({ message, secret }) {
    const [{ NotificationRequestItem: item }] = JSON.parse(message).notificationItems;
    return new HmacValidator().calculateHmac(item, secret);
  },
  stripe({ message, secret, expected }) {
    const timestamp = Number(/^t=(\d+),/.exec(expected)[1]);
    return new Stripe("sk_test_made_up").webhooks.generateTestHeaderString({ payload: message, secret, timestamp });
  },
  tamara({ secret, expected }) {
    const [header, claims] = expected.slice("Bearer ".length).split(".");
    assert.equal(JSON.parse(Buffer.from(header, "base64url")).alg, "HS256");
    return `Bearer ${header}.${claims}.${createHmac("sha256", secret).update(`${header}.${claims}`).digest("base64url")}`;
  },
  tap({ message, secret }) {
    const { id, amount, currency, status, reference, transaction } = JSON.parse(message);
    const parts = { id, amount: amount.toFixed(DECIMALS[currency]), currency, gateway_reference: reference.gateway ?? "", payment_reference: reference.payment ?? "", status, created: transaction.created };
    return createHmac("sha256", secret).update(Object.entries(parts).map(([name, value]) => `x_${name}${value}`).join("")).digest("hex");
  },
};

for (const [family, sign] of Object.entries(SIGN)) {
  test(`the signatures of ${family} are those of others`, () => {
    const own = vectors.filter((vector) => vector.family === family);
    assert.ok(own.length >= 2);
    for (const vector of own) {
      assert.equal(sign(vector), vector.expected, vector.name);
      assert.ok(vector.source.length >= 2, vector.name);
    }
  });
}
