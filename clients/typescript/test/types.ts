/** What the compiler must accept, and what it must refuse: every marked line has to be an error. */
import { ProblemError, WebhookError, createTill, readWebhook, verifyWebhook, type Transaction } from "../dist/index.js";

const till = createTill({ baseUrl: "https://pay.example.com", key: "key" });
const order = { type: "e_commerce", amount: "1.000", currency_code: "KWD", pg_codes: ["knet"] } as const;

export async function accepted(): Promise<void> {
  const created: Transaction = await till.create({ ...order, pg_codes: [...order.pg_codes] }, { idempotencyKey: "1" });
  const state: "created" | "pending" | "attempted" | "authorized" | "paid" | "failed" | "canceled" | "expired" | "invalided" | "refunded" | "cod" = created.state;
  const receipt: string | undefined = created.receipt;
  const { results, next } = await till.list({ limit: 5, state: ["paid", "pending"] });
  const amounts: string[] = results.map(({ amount }) => amount);
  const done = await till.operate({ operation: "refund", session_id: created.session_id }, { trackingKey: "2" });
  if ("txn" in done) console.log(done.txn.state);
  const answer = await till.inquire({ order_no: "1" });
  console.log(state, receipt, next, amounts, answer.amount_details.total);
  const cards = await till.api.POST("/b/pbl/v2/card/", { body: { type: "sandbox", customer_id: "1" } });
  if (cards.data) console.log(cards.data[0]?.token);
}

export async function receives(request: Request): Promise<void> {
  const webhook = await verifyWebhook(await request.clone().text(), request.headers, ["whsec_AAAA", "whsec_BBBB"], { tolerance: 60 });
  if (webhook.kind === "payment") {
    const state: Transaction["state"] = webhook.data.state;
    console.log(state, webhook.data.amount.length, webhook.data.token?.number);
  }
  if (webhook.kind === "operation") console.log(webhook.data.txn.state, webhook.data.sequence);
  if (webhook.kind === "alert") console.log(webhook.data.data.entries[0]?.reason);
  const { id, timestamp, data } = await readWebhook(request, "whsec_AAAA").catch((error: unknown) => {
    if (error instanceof WebhookError && error.code === "signature") console.log(error.message);
    throw error;
  });
  console.log(id.length, timestamp.getTime());
  // @ts-expect-error of which kind it is must be asked first
  console.log(data.state);
  // @ts-expect-error what a parser made of it is not what was signed
  await verifyWebhook({ state: "paid" }, request.headers, "whsec_AAAA");
  const more = await till.deliveries.list({ state: "given_up", limit: 5 });
  console.log(more.results[0]?.last_status, (await till.deliveries.resend({ delivery_id: "evt_1" })).resent);
  console.log((await till.brand.retrieve()).brand.accent, (await till.users.retrieve(1)).username);
  // @ts-expect-error there is no such state of a delivery
  await till.deliveries.list({ state: "lost" });
}

export async function refused(error: unknown): Promise<void> {
  // @ts-expect-error amounts are texts
  await till.create({ ...order, pg_codes: [], amount: 1 });
  // @ts-expect-error the amount must be given
  await till.create({ type: "e_commerce", currency_code: "KWD", pg_codes: ["knet"] });
  // @ts-expect-error there is no such plugin
  await till.create({ ...order, pg_codes: [], type: "shop" });
  // @ts-expect-error there is no such operation
  await till.operate({ operation: "reverse", session_id: "" });
  // @ts-expect-error there is no such state
  await till.list({ state: ["lost"] });
  // @ts-expect-error there is no such member
  console.log((await till.retrieve("")).paid);
  if (error instanceof ProblemError) {
    if (error.code === "not_found") console.log(error.problem.request_id);
    // @ts-expect-error there is no such code
    if (error.code === "missing") console.log();
  }
}
