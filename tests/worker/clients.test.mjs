/**
 * A client that was written for keys runs its whole sequence with another credential in the header `Authorization`, and nothing else
 * changed: the recorded calls are made by a user's name and password, by a token of the user, and by a token of a key.
 *
 * Saved cards and cash are for keys only, so a user's client leaves these calls, and sessions of
 * customers, which show their cards to an SDK, to the key.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Player, missing, recorded } from "./calls.mjs";
import { start } from "./harness.mjs";

const USER = { username: "client@calls-shop", password: "a password of a client" };
const FOR_KEYS = ["list_cards", "list_agreements", "delete_card", "pay_in_cash"];
const isForKeys = ({ operation, json }) => FOR_KEYS.includes(operation) || (operation === "create_transaction" && json.customer_id !== undefined);
/** Their first item is the user of this test, or what the user did. */
const LISTS = ["list_users", "list_own_users", "read_audit", "read_own_audit"];
const { calls } = recorded();

const basic = `Basic ${Buffer.from(`${USER.username}:${USER.password}`).toString("base64")}`;

async function token(till, fields) {
  const { status, body, text } = await till.call("/b/auth/v1/token/", { method: "POST", body: new URLSearchParams(fields) });
  assert.equal(status, 200, text);
  till.secrets.add(body.access_token);
  return `Bearer ${body.access_token}`;
}

const CREDENTIALS = [
  ["the name and the password of a user", true, () => basic],
  ["a token of a user", true, (till) => token(till, { grant_type: "password", ...USER })],
  ["a token of a key", false, (till, { private_key }) => {
    const [client_id, client_secret] = private_key.split(".");
    return token(till, { grant_type: "client_credentials", client_id, client_secret });
  }],
];

describe("a client of the contract", () => {
  for (const [name, isUser, credential] of CREDENTIALS) {
    test(`runs its whole sequence with ${name}`, async () => {
      const till = await start();
      try {
        const player = new Player(till);
        let changed = 0;
        for (const [place, call] of calls.entries()) {
          const own = call.as === "merchant" && !(isUser && isForKeys(call)) ? player.other : undefined;
          player.credential = own;
          if (own !== undefined) changed += 1;
          const answer = await player.play(call);
          assert.equal(answer.status, call.answer.status, `${place + 1}. ${call.operation}: ${JSON.stringify(answer.json)}`);
          if (!LISTS.includes(call.operation)) assert.deepEqual(missing(call.answer.json, answer.json), [], `${place + 1}. ${call.operation}`);
          if (call.operation === "add_merchant") {
            const json = { ...USER, is_superuser: true };
            const made = await till.operator(`/merchants/${player.values.merchant_id}/users/`, { method: "POST", json });
            assert.equal(made.status, 201, made.text);
            player.other = await credential(till, player.values);
          }
        }
        assert.ok(changed >= 35, `${changed} calls were made with another credential`);
      } finally {
        await till.stop();
      }
    });
  }
});
