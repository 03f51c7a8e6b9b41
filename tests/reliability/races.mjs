/**
 * Sixteen requests at once about one payment, `rounds` times each kind of race. Each race is checked at once
 * by its answers and the bank's records, and all of them together at the end by the records of everyone.
 */
import { start } from "../worker/harness.mjs";
import { Receivers, audit, figures, settle } from "./books.mjs";
import { dice, pick } from "./dice.mjs";
import { CREATE, Shop, must, settings } from "./shop.mjs";

const RACERS = 16;

const at = (count, work) => Promise.all(Array.from({ length: count }, (_, place) => work(place)));
const sum = (rows, operation) => rows.filter((row) => row.operation === operation).reduce((total, { amount }) => total + amount, 0);
const only = (answers, ...statuses) =>
  answers.filter(({ status }) => !statuses.includes(status)).map(({ status, text }) => `answered ${status} ${text.slice(0, 300)}`);
const good = (answers) => answers.filter(({ status }) => status === 200 || status === 201);

/** Each race gets the shop, the dice and its round, and returns what is wrong. */
const RACES = {
  async "capture and void"(shop, draw) {
    const payment = await shop.paid("mpgs", "100.000");
    const amounts = pick(draw, [[undefined], ["40.000"], ["40.000", "60.000"], ["100.000", "0.001", undefined]]);
    const answers = await at(RACERS, () =>
      draw() < 0.5 ? shop.operate(payment, "void") : shop.operate(payment, "capture", { amount: pick(draw, amounts) }));
    const rows = await shop.operations(payment);
    const [captured, released] = [sum(rows, "capture"), sum(rows, "void")];
    return [
      ...only(answers, 200, 400, 409),
      ...(good(answers).length === rows.length ? [] : [`${good(answers).length} answers say done, the bank did ${rows.length}`]),
      ...(rows.length > 0 ? [] : ["nothing was done"]),
      ...(captured <= 100_000 && (released === 0 || (captured === 0 && released === 100_000)) ? [] : [`captured ${captured}, released ${released}`]),
    ];
  },
  async "refund"(shop, draw) {
    const payment = await shop.paid("credit-card", "10.000");
    const answers = await at(RACERS, () => shop.operate(payment, "refund", { amount: pick(draw, ["1.500", "2.000", "4.000"]) }));
    const rows = await shop.operations(payment);
    return [
      ...only(answers, 200, 400, 409),
      ...(good(answers).length === rows.length ? [] : [`${good(answers).length} answers say done, the bank did ${rows.length}`]),
      ...(sum(rows, "refund") <= 10_000 && rows.length > 0 ? [] : [`refunded ${sum(rows, "refund")}`]),
    ];
  },
  async "tracking key"(shop, draw, round) {
    const payment = await shop.paid("credit-card", "10.000");
    const headers = { "tracking-key": `race-${round}` };
    const answers = await at(RACERS, () => shop.operate(payment, "refund", { amount: "3.000" }, headers));
    const again = await shop.operate(payment, "refund", { amount: "3.000" }, headers);
    const references = new Set(good([...answers, again]).map(({ body }) => body.reference_number));
    const rows = await shop.operations(payment);
    return [
      ...only(answers, 200, 409),
      ...only([again], 200),
      ...(references.size === 1 && rows.length === 1 ? [] : [`${references.size} references, ${rows.length} operations`]),
    ];
  },
  async "wallet"(shop, draw, round) {
    const payment = await shop.open();
    const headers = round % 2 === 0 ? { "idempotency-key": `wallet-${round}` } : {};
    const answers = await at(RACERS, () => shop.payByWallet(payment, headers));
    return charges(shop, payment, answers);
  },
  async "debit"(shop, draw, round) {
    const payment = await shop.open({ customer_id: shop.customer });
    const headers = round % 2 === 0 ? { "idempotency-key": `debit-${round}` } : {};
    const answers = await at(RACERS, () => shop.debit(payment, shop.token, headers));
    return charges(shop, payment, answers);
  },
  async "saved card"(shop, draw, round) {
    const customer_id = `saver-${round}`;
    const { page } = await shop.atSavingPage(customer_id);
    const back = await shop.confirm(page);
    const answers = await at(RACERS, () => shop.till.call(back));
    const { body } = must(await shop.cards(customer_id), 200);
    return [...only(answers, 303), ...(body.length === 1 ? [] : [`${body.length} cards of ${customer_id}`])];
  },
  async "update"(shop, draw, round) {
    const payment = await shop.open();
    const path = `${CREATE}${payment.session_id}/`;
    const etag = (await shop.till.retrieve(payment.session_id)).headers.get("etag");
    const fields = ["product_type", "vendor_name", "customer_first_name", "customer_last_name", "customer_email", "order_no"];
    const values = Object.fromEntries(fields.map((field) => [field, field === "customer_email" ? `r${round}@example.com` : `r-${round}`]));
    const answers = await at(RACERS, (place) =>
      place < fields.length
        ? shop.patch(payment, { [fields[place]]: values[fields[place]] })
        : shop.patch(payment, { extra: { place } }, { "if-match": etag }));
    const { body } = await shop.till.call(path, { headers: shop.till.privateKey() });
    const lost = fields.filter((field, place) => answers[place].status === 200 && body[field] !== values[field]);
    const tagged = good(answers.slice(fields.length));
    return [
      ...only(answers, 200, 409, 412),
      ...lost.map((field) => `the accepted ${field} is lost`),
      ...(tagged.length <= 1 ? [] : [`${tagged.length} updates were accepted for one tag`]),
      ...(tagged.length === 1 && body.extra.place !== tagged[0].body.extra.place ? ["the accepted extra is lost"] : []),
      ...(good(answers).length > 0 ? [] : ["no update was accepted"]),
    ];
  },
  async "create"(shop, draw, round) {
    const key = { "idempotency-key": `create-${round}` };
    const order_no = `create-${round}`;
    const pay = round % 2 === 0;
    const fields = { order_no, amount: "5.000", pg_codes: ["credit-card"], webhook_url: shop.receivers.address() };
    const answers = await at(RACERS, () => (pay ? shop.payAtOnce(fields, key) : shop.till.create(fields, key)));
    const again = await (pay ? shop.payAtOnce(fields, key) : shop.till.create(fields, key));
    const rows = await shop.till.rows("SELECT session_id FROM txn WHERE order_no = ?1", order_no);
    return [
      ...only(answers, 201, 409),
      ...only([again], 201),
      ...(rows.length === 1 ? [] : [`${rows.length} transactions for one key`]),
      ...(pay && rows.length === 1 && (await shop.charged(rows[0])) !== 1 ? ["not charged once"] : []),
    ];
  },
};

/** Of requests that would each charge, one did. */
async function charges(shop, payment, answers) {
  const references = new Set(good(answers).map(({ body }) => body.reference_number));
  const charged = await shop.charged(payment);
  const state = (await shop.till.retrieve(payment.session_id)).body.state;
  return [
    ...only(answers, 200, 400, 409),
    ...(references.size === 1 ? [] : [`${references.size} references were answered`]),
    ...(charged === 1 && state === "paid" ? [] : [`charged ${charged} times, ${state}`]),
  ];
}

export async function run({ rounds = 100, seed = 1, onNote = () => {} }) {
  const till = await start();
  const violations = [];
  try {
    await till.createMerchant(settings());
    const receivers = new Receivers(till);
    const shop = new Shop(till, receivers);
    shop.customer = "debtor";
    shop.token = await shop.savedCard(shop.customer);
    for (const [name, race] of Object.entries(RACES)) {
      const draw = dice(seed);
      for (let round = 0; round < rounds; round += 1) {
        const faults = await race(shop, draw, round).catch((error) => [`${error.stack ?? error}`]);
        violations.push(...faults.map((fault) => `${name}, round ${round} of SEED=${seed}: ${fault}`));
      }
      onNote(`${name}: ${rounds} rounds of ${RACERS}`);
    }
    await settle(till);
    violations.push(...(await audit(till, receivers)));
    const counts = { races: Object.keys(RACES).length, rounds, requests: Object.keys(RACES).length * rounds * RACERS, ...(await figures(till)) };
    await till.stop();
    return { name: "races", counts, violations };
  } catch (error) {
    await till.stop().catch(() => {});
    throw error;
  }
}
