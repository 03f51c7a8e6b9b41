/** Real ids for generated requests: transactions in several states, a saved card, an upload, an entry of the attention list. */
import { atTheBank, choose, open, payWith, untilWebhooks } from "../../tests/worker/payer.mjs";

/** Tokens of wallets, as the simulated bank reads them. */
const APPLE = { paymentData: { version: "EC_v1", data: "visa-approve" }, transactionIdentifier: "0".repeat(64) };
const GOOGLE = {
  apiVersion: 2, apiVersionMinor: 0,
  paymentMethodData: { type: "CARD", tokenizationData: { type: "PAYMENT_GATEWAY", token: JSON.stringify({ signedMessage: "visa-approve" }) } },
};

/** Makes them. Returns the values of parameters and members by name. */
export async function makeSubjects(till) {
  const fields = { order_no: "FUZZ-1", customer_id: "fuzz-1" };
  const created = await open(till, { pg_codes: ["knet", "credit-card", "cash"], ...fields });
  const wallet = await open(till, { pg_codes: ["credit-card"], ...fields });
  const waiting = await atTheBank(till, fields);
  const paid = await atTheBank(till, fields);
  await payWith(till, paid.page, "visa-approve");
  const held = await atTheBank(till, { pg_code: "mpgs", ...fields });
  await payWith(till, held.page, "visa-approve");
  const cash = await open(till, { pg_codes: ["cash"] });
  await choose(till, cash, "cash");
  const mismatch = await atTheBank(till, fields);
  await payWith(till, mismatch.page, "visa-wrong-amount");
  const saving = await atTheBank(till, { payment_type: "save_card", amount: "0", pg_code: "credit-card", ...fields });
  await payWith(till, saving.page, "visa-approve");
  const [{ body: { token } }] = await untilWebhooks(till, saving);
  const attention = await till.operator("/attention/");
  const all = [created, wallet, waiting, paid, held, cash, saving];
  return {
    session_id: all.map(({ session_id }) => session_id),
    order_no: [fields.order_no],
    customer_id: [fields.customer_id],
    token: [token.token],
    merchant_id: [till.merchant.merchant_id],
    pg_code: ["knet", "credit-card", "mpgs", "cash"],
    code: ["credit-card"],
    currency_code: ["KWD"],
    amount: ["1.000", "3.060", "10.250"],
    pg_codes: [["knet"], ["credit-card"], ["mpgs"], ["cash"], ["knet", "credit-card"]],
    webhook_url: ["https://shop.example.com/hook"],
    redirect_url: ["https://shop.example.com/"],
    customer_email: ["noura@example.com"],
    expiration_time: ["1 00:00:00", "00:10:00"],
    payload: [APPLE, GOOGLE],
    apple_pay_payload: [APPLE],
    google_pay_payload: [GOOGLE],
    entry_id: attention.body.map(({ id }) => id),
  };
}

/** A schema that also generates real values. */
const or = (schema, values) => ({ anyOf: [{ enum: values }, schema] });

/** Lets requests of a description name what exists. */
export function deepen(document, subjects) {
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    for (const parameter of (operation.parameters ?? []).filter(({ name }) => name !== "code")) {
      const values = subjects[parameter.name];
      if (values?.length > 0 && parameter.schema) parameter.schema = or(parameter.schema, values);
    }
    for (const media of Object.values(operation.requestBody?.content ?? {})) {
      const name = media.schema?.$ref?.split("/").pop();
      if (name) media.schema = structuredClone(document.components.schemas[name]);
      const { schema } = media;
      for (const [member, known] of Object.entries(schema?.properties ?? {})) {
        if (subjects[member]?.length > 0) schema.properties[member] = or(known, subjects[member]);
      }
    }
  }
  return document;
}
