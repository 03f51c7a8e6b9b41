/** What the requests of the matrix name: things that exist, and things of the same shape that do not. */
import assert from "node:assert/strict";
import { atTheBank, attempts, open, payWith, returnPath } from "../payer.mjs";
import { storeRequest } from "../approvals.mjs";
import { IMAGE } from "../isolation-rows.mjs";
import { BY_CARD, IN_CASH, TWO_WAYS } from "./rows.mjs";

const nowhereOf = (byte) => `00${byte.repeat(19)}`;

/** Makes them for the merchant of `till`; `spare` is a merchant that only the operator's requests name. */
export async function ids(till, spare) {
  const own = till.merchant.merchant_id;
  const { session_id } = await open(till);
  const waiting = await atTheBank(till);
  const paid = await atTheBank(till);
  await payWith(till, paid.page, "visa-approve");
  const returned = await atTheBank(till);
  await payWith(till, returned.page, "visa-approve");
  const refund = await till.call("/b/pbl/v2/operation/", { method: "POST", headers: till.privateKey(), json: { operation: "refund", session_id: returned.session_id, amount: "1.000" } });
  assert.equal(refund.status, 200, refund.text);
  const saving = await atTheBank(till, { pg_code: "credit-card", payment_type: "save_card", amount: "0", customer_id: "matrix-customer" });
  await payWith(till, saving.page, "visa-approve");
  const [{ token }] = await till.rows("SELECT token FROM card WHERE merchant_id = ?1", own);
  const agreement_id = "MATRIX";
  await till.rows(
    "INSERT INTO agreement (merchant_id, customer_id, is_sandbox, id, terms, amount, currency, card_token, charged_at, created_at) \
     VALUES (?1, 'matrix-customer', 1, ?2, ?3, 10250, 'KWD', ?4, 1, 1)",
    own, agreement_id, JSON.stringify({ id: agreement_id, type: "other" }), token,
  );
  const [{ reference }] = await attempts(till, paid);
  const shown = await till.create({ shortify_checkout_url: true, generate_qr_code: true });
  const last = (address) => new URL(address).pathname.split("/").filter((part) => part !== "").at(-1);
  const form = new FormData();
  form.append("file", new File(["a note"], "note.txt"));
  const upload = await till.call("/b/checkout/v1/upload-attachment/", { method: "POST", headers: till.privateKey(), body: form });
  const draw = (merchant) => till.operator(`/merchants/${merchant}/images/`, { method: "POST", body: IMAGE });
  const [image, spare_image] = [await draw(own), await draw(spare)];
  const user = await till.operator(`/merchants/${own}/users/`, { method: "POST", json: { username: `named@${own}` } });
  const spare_user = await till.operator(`/merchants/${spare}/users/`, { method: "POST", json: { username: `named@${spare}` } });
  const key = await till.operator(`/merchants/${own}/keys/`, { method: "POST", json: { kind: "public" } });
  for (const made of [user, spare_user, key, image, spare_image]) assert.equal(made.status, 201, made.text);
  for (const secret of [token, key.body.key]) till.secrets.add(secret);
  await till.rows(
    "INSERT INTO attention (reference, reason, merchant_id, session_id, detail, at) VALUES (?1, 'second_success', ?2, ?3, 'of the matrix', 1)",
    reference, own, paid.session_id,
  );
  const others = { two_ways: (await open(till, TWO_WAYS)).session_id, by_card: (await open(till, BY_CARD)).session_id, in_cash: (await open(till, IN_CASH)).session_id };
  const approval_id = `${refund.body.reference_number.replace(/^./, (first) => (first === "A" ? "B" : "A"))}`;
  await storeRequest(till, { id: approval_id, merchant_id: own, session_id: returned.session_id, reference: (await attempts(till, returned))[0].reference, state: "rejected" });
  const real = {
    approval_id, agreement_id,
    ...others, customer: "matrix-customer", own, merchant_id: spare, session_id, tried: waiting.session_id, paid: paid.session_id, token, reference_number: reference,
    refunded: returned.session_id, refund: refund.body.reference_number,
    back: (await returnPath(till, reference)).split("/").at(-2), picture: last(shown.body.qr_code_url), short: last(shown.body.checkout_short_url),
    name: upload.body.file_url.split("/").at(-1), pg_code: "knet", prefix: key.body.prefix,
    image: image.body.name, spare_image: spare_image.body.name, user_id: user.body.id, spare_user: spare_user.body.id, entry_id: `${reference}.second_success`, operator_id: 2_147_483_646,
  };
  const delivery = async (merchant, made) => (await till.rows("SELECT id FROM delivery WHERE merchant_id = ?1 AND session_id = ?2", merchant, made.session_id))[0].id;
  real.inbox = `${till.url}/sandbox/inbox/matrix/`;
  real.receiver = "https://disabled.example.com";
  await till.rows("INSERT INTO receiver (merchant_id, address, disabled_at, reason) VALUES (?1, ?2, 1, 'failing')", own, real.receiver);
  real.delivery_id = await delivery(own, paid);
  // The operator's requests name another merchant, whose delivery is one that was never sent.
  real.spare_delivery = `evt_${nowhereOf("cd")}_1`;
  await till.rows(
    "INSERT INTO delivery (id, merchant_id, number, reference, url, body, due_at, state) VALUES (?1, ?2, 1, 'TEST', 'https://nowhere.example.com/', '{}', 1, 'delivered')",
    real.spare_delivery, spare,
  );
  const nowhere = nowhereOf("ab");
  const another = token.replace(/.$/, (digit) => (digit === "2" ? "3" : "2"));
  return { real, nowhere: { ...real, agreement_id: "NOWHERE", approval_id: approval_id.replace(/^./, (first) => (first === "C" ? "D" : "C")), entry_id: "TNOWHERE.second_success", session_id: nowhere, tried: nowhere, paid: nowhere, refunded: nowhere, two_ways: nowhere, by_card: nowhere, in_cash: nowhere, token: another, delivery_id: `evt_${nowhere}_1`, receiver: "https://nowhere.example.com", image: `${"0".repeat(32)}.svg`, prefix: "zzzzzzzz", user_id: 2_147_483_646 } };
}
