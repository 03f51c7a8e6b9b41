/**
 * `make bench-desk`: how long lists, filters, searches and totals take for a merchant with many payments, at the API and at the desk. The
 * database is filled by SQL with copies of payments that Till stored: paid, partly refunded, declined and never tried, spread over
 * DAYS days (365). Each question is asked one at a time; 95 of 100 answers must take at most 100 milliseconds. A page of a list is
 * at most three statements, each a round trip, with the attempts and operations that it shows; the desk's first screen is six, most of
 * them at once. How many payments: PAYMENTS=20000.
 */
import { pathToFileURL } from "node:url";
import { die, duration } from "../../scripts/project.mjs";
import { staff } from "../worker/desk.mjs";
import { start } from "../worker/harness.mjs";
import { atTheBank, open, payWith } from "../worker/payer.mjs";
import { quantile } from "./load.mjs";
import { REFERENCE, SESSION, copy } from "./seeds.mjs";

const PAYMENTS = Number(process.env.PAYMENTS) || 100_000;
const DAYS = Number(process.env.DAYS) || 365;
const ASKED = 60;
/** The most milliseconds of 95 of 100 answers. */
const MOST = 100;
/** The most round trips to the database, the one that finds the caller included. */
const TRIPS = { api: 3, desk: 3, home: 6 };
const DAY = 86_400_000;

/** How many of 100 payments are copies of which, and how it is made. */
const KINDS = {
  paid: { share: 50, make: (till) => card(till, "visa-approve") },
  other: { share: 10, make: (till) => card(till, "visa-approve", "credit-card") },
  refunded: { share: 5, make: refunded },
  declined: { share: 20, make: (till) => card(till, "mastercard-decline") },
  untried: { share: 15, make: (till) => open(till, CONTACT) },
};
/** By which every payment is found, so that a search for it has the most to sort; one in a thousand has another address. */
const CONTACT = { customer_email: "noura@shop.example", customer_phone: "5000 1234" };

async function card(till, name, pg_code = "knet") {
  const payment = await atTheBank(till, { pg_code, ...CONTACT });
  await payWith(till, payment.page, name);
  return payment;
}

async function refunded(till) {
  const payment = await card(till, "visa-approve");
  await till.call("/b/pbl/v2/operation/", { method: "POST", headers: till.privateKey(), json: { session_id: payment.session_id, operation: "refund", amount: "1.000" } });
  return payment;
}

/** Stores `count` copies of a payment, one after the other until now. */
async function fill(till, { session_id }, count) {
  const at = `CAST(${Date.now()} - n * ${(DAYS * DAY) / count} AS INTEGER)`;
  const moved = (column) => `CASE WHEN t.${column} IS NULL THEN NULL ELSE ${at} END`;
  const session = { session_id: SESSION };
  await copy(till, "txn", session_id, {
    count,
    changes: {
      ...session, created_at: at, expires_at: `${at} + ${DAY}`, moved_at: at, paid_at: moved("paid_at"),
      details: "json_set(t.details, '$.order_no', 'ORDER-' || n, '$.customer_id', 'customer-' || (n % 5000))",
    },
  });
  await copy(till, "txn_event", session_id, { count, changes: { ...session, at, reference: `CASE WHEN t.reference IS NULL THEN NULL ELSE ${REFERENCE} END` }, every: true });
  await copy(till, "attempt", session_id, { count, changes: { ...session, reference: REFERENCE, opened_at: at, known_at: at, updated_at: at, inquire_at: "NULL" }, every: true });
  const digest = "CASE WHEN n % 1000 = 0 THEN printf('%064x', n) ELSE t.digest END";
  await copy(till, "payment_term", session_id, { count, changes: { ...session, created_at: at, digest }, every: true });
  const ofAttempt = "substr(t.attempt, 1, length(t.attempt) - 7) || printf('%07X', n)";
  await copy(till, "child", session_id, {
    count, column: "parent_id", every: true,
    changes: { session_id: SESSION, parent_id: SESSION.replaceAll("session_id", "parent_id"), reference: REFERENCE, attempt: ofAttempt, opened_at: at, known_at: at, updated_at: at, tracking_key: "NULL" },
  });
}

const day = (ago) => new Date(Date.now() - ago * DAY).toISOString().slice(0, 10);

/** What is asked: at the API, and at the desk. */
const LISTS = {
  "first page": "",
  "by state": "state=failed",
  "by states and days": `state=paid,refunded&created_from=${day(30)}`,
  "by days of payment and currency": `paid_from=${day(30)}&paid_to=${day(1)}&currency=KWD`,
  "by order": "order_no=ORDER-77",
  "by customer": "customer_id=customer-77",
  "by gateway": "pg_code=credit-card",
  "by amount that nothing has": "amount=77.777&currency=KWD",
  "with a refund": "has_refund=true",
  "with everything": `state=refunded&type=e_commerce&pg_code=knet&currency=KWD&has_refund=true&created_from=${day(90)}`,
};

/** What is searched for: what every payment has, what one has, and what none has. */
const SEARCHES = {
  "e-mail of all": "noura@shop.example", "phone of all": "+965 5000 1234", "digits of many": "1111", "amount of all": "10.250 KWD", "order": "ORDER-77",
  "e-mail of none": "nobody@shop.example",
};

function questions(session_id) {
  const asked = {};
  for (const [name, text] of Object.entries({ ...SEARCHES, id: session_id })) {
    const query = new URLSearchParams({ search: text });
    asked[`API, search, ${name}`] = { api: `/b/checkout/v1/pymt-txn/?${query}` };
    asked[`desk, search, ${name}`] = { desk: `/payments/?${query}` };
  }
  for (const [name, query] of Object.entries(LISTS)) {
    asked[`API, list, ${name}`] = { api: `/b/checkout/v1/pymt-txn/?${query}` };
    asked[`desk, list, ${name}`] = { desk: `/payments/?${query}` };
  }
  for (const days of [1, 31, 92]) {
    asked[`API, totals of ${days} days`] = { api: `/b/checkout/v1/totals/?from=${day(days - 1)}&to=${day(0)}` };
    asked[`desk, totals of ${days} days`] = { desk: `/totals/?from=${day(days - 1)}&to=${day(0)}` };
  }
  asked["desk, first screen"] = { desk: "/" };
  return asked;
}

/** Asks one question again and again; answers its times, and how often it asked the database. */
async function measure(till, visitor, { api, desk }, number) {
  const times = [];
  const once = async (id) => {
    const headers = { "x-request-id": id };
    const sent = performance.now();
    const answer = api ? await till.call(api, { headers: { ...till.privateKey(), ...headers } }) : await visitor.get(desk, { headers });
    const took = performance.now() - sent;
    if (answer.status !== 200) throw new Error(`${api ?? desk} was answered ${answer.status} ${answer.text.slice(0, 300)}`);
    return took;
  };
  for (let turn = 0; turn < 5; turn += 1) await once(`warm-${number}-${turn}`);
  for (let turn = 0; turn < ASKED; turn += 1) times.push(await once(`desk-${number}-${turn}`));
  return { times, trips: await till.roundTrips(`desk-${number}-${ASKED - 1}`) };
}

async function main() {
  const started = Date.now();
  const till = await start({ alone: true });
  try {
    await till.createMerchant();
    const visitor = await staff(till, "bench");
    console.log(`filling a database with ${PAYMENTS} payments of ${DAYS} days (a minute)`);
    let payment;
    for (const { share, make } of Object.values(KINDS)) {
      payment = await make(till);
      await fill(till, payment, Math.round((PAYMENTS * share) / 100));
    }
    console.log(`filled in ${duration(Date.now() - started)}`);
    let isMissed = false;
    for (const [number, [name, question]] of Object.entries(questions(payment.session_id)).entries()) {
      const { times, trips } = await measure(till, visitor, question, number);
      const p95 = quantile(times, 0.95);
      const isMet = p95 <= MOST && trips <= (question.api ? TRIPS.api : question.desk === "/" ? TRIPS.home : TRIPS.desk);
      isMissed ||= !isMet;
      console.log(`${name}: median ${quantile(times, 0.5).toFixed(1)} ms, 95 of 100 within ${p95.toFixed(1)} ms, ${trips} round trips${isMet ? "" : ": missed"}`);
    }
    console.log(`Took ${duration(Date.now() - started)}.`);
    process.exitCode = isMissed ? 1 : 0;
  } finally {
    await till.stop();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main().catch(die);
