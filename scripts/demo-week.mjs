/**
 * A week of payments of the demo merchant, in every state, made through the API and the pages as merchants and payers do. A development
 * installation lets a request say how many seconds ago it was made.
 */
const DAY = 86_400;
const AGO = "till-seconds-ago";
const PAYERS = [
  ["Noura", "Al-Sabah", "noura@example.com"], ["فهد", "العتيبي", "fahad@example.com"], ["Maryam", "Hassan", "maryam@example.com"],
  ["يوسف", "الكندري", "yousef@example.com"], ["Priya", "Nair", "priya@example.com"], ["Omar", "Haddad", "omar@example.com"],
];
/** Amounts in dinars, some with a third decimal as cards take them. */
const AMOUNTS = ["4.500", "12.750", "8.000", "35.900", "120.000", "19.990", "6.250", "54.000", "2.750", "240.000"];

/** One payment: how many days ago, what is created, which card pays at which gateway, and what happens to it afterwards. */
const approved = (pg_code, more = {}) => ({ pg_code, card: "visa-approve", ...more });
const declined = (pg_code) => ({ pg_code, card: "mastercard-decline" });
/** Less than the smallest amount. */
const partly = (operation) => ({ operation, amount: "1.500" });

/** What becomes of the payments of each day, the oldest first; the last is today. */
const DAYS = [
  [approved("knet"), approved("credit-card"), approved("knet", { then: [partly("refund")] }), declined("single"), approved("mpgs", { then: [{ operation: "capture" }] }), { cancel: true }],
  [approved("credit-card", { then: [{ operation: "refund" }] }), approved("knet"), approved("knet", { asks: true }), { pg_code: "cash" }, declined("knet")],
  [approved("knet"), approved("mpgs", { then: [{ operation: "void" }] }), approved("credit-card", { currency_code: "USD" }), { expires: true }, approved("knet")],
  [approved("knet"), approved("credit-card"), declined("credit-card"), approved("knet", { type: "payment_request" }), { pg_code: "cash" }],
  [approved("credit-card", { currency_code: "SAR" }), approved("knet"), approved("mpgs", { then: [partly("capture")] }), { cancel: true }, approved("knet")],
  [approved("knet"), approved("knet", { then: [partly("refund")] }), approved("credit-card", { asks: true }), { pg_code: "knet", card: "visa-timeout" }, declined("single"), approved("mpgs")],
  [approved("knet", { isHeard: true }), { pg_code: "credit-card", card: "visa-wrong-amount" }, approved("mpgs"), declined("knet"), { opened: true }, {}, approved("credit-card", { isHeard: true })],
];

/** Calls as someone did so many seconds ago, with the merchant's key or as a user. */
function caller(base, demo, ago, user) {
  const authorization = user ? `Basic ${Buffer.from(`${user.username}:${user.password}`).toString("base64")}` : `Api-Key ${demo.private_key}`;
  const call = async (path, init, expected) => {
    const response = await fetch(new URL(path, base), { redirect: "manual", ...init, headers: { [AGO]: `${ago}`, ...init.headers } });
    if (!expected.includes(response.status)) throw new Error(`${init.method} ${path} answered ${response.status}: ${await response.text()}`);
    return response;
  };
  return {
    merchant: async (path, body) => {
      const headers = { authorization, "content-type": "application/json" };
      return (await call(path, { method: "POST", headers, body: JSON.stringify(body) }, [200, 201, 202])).json();
    },
    /** A payer's form, as a browser sends it: where it leads. */
    form: async (path, fields) => (await call(path, { method: "POST", body: new URLSearchParams(fields) }, [303])).headers.get("location"),
    page: (path) => call(path, { method: "GET", headers: { "sec-fetch-dest": "document" } }, [200, 303]),
  };
}

/** Makes one payment of a day. */
async function pay({ base, demo, ago, number }, plan) {
  const { merchant, form, page } = caller(base, demo, ago);
  const [first, last, email] = PAYERS[number % PAYERS.length];
  const amount = AMOUNTS[number % AMOUNTS.length];
  const { session_id, checkout_url } = await merchant("/b/checkout/v1/pymt-txn/", {
    type: plan.type ?? "e_commerce", amount: plan.currency_code ? amount.slice(0, -1) : amount, currency_code: plan.currency_code ?? "KWD",
    pg_codes: plan.pg_code ? [plan.pg_code] : ["knet", "credit-card", "cash"], order_no: `ORDER-${900 + number}`,
    customer_first_name: first, customer_last_name: last, customer_email: email, customer_id: email.split("@")[0],
    language: /[a-z]/.test(first) ? "en" : "ar", ...(plan.expires && { expiration_time: "0 00:30:00" }),
    ...(plan.isHeard && { webhook_url: `${base}/sandbox/inbox/demo-week/` }),
  });
  if (plan.opened || plan.pg_code) await page(checkout_url);
  if (plan.cancel) await merchant("/b/pbl/v2/operation/", { session_id, operation: "cancel" });
  if (!plan.pg_code) return;
  const bank = await form("/b/checkout/redirect/pay/", { session_id, pg_code: plan.pg_code });
  if (plan.card === undefined) return;
  await page(await form(bank, { action: "pay", card: plan.card }));
  for (const operation of plan.then ?? []) {
    const reason = operation.operation === "refund" ? { reason: "requested_by_customer" } : {};
    await merchant("/b/pbl/v2/operation/", { session_id, ...operation, ...reason });
  }
  if (plan.asks) await askForRefund({ base, demo, ago, session_id });
}

/** A refund so large that another person has to approve it. */
async function askForRefund({ base, demo, ago, session_id }) {
  const user = demo.users.find(({ role }) => role === "support");
  const asked = { session_id, operation: "refund", reason: "requested_by_customer", note: "Returned unopened." };
  await caller(base, demo, ago, user).merchant("/b/pbl/v2/operation/", asked);
}

/** Makes the week, oldest first, so that numbers and times agree. */
export async function makeWeek(base, demo) {
  let number = 0;
  for (const [day, plans] of DAYS.entries()) {
    for (const [place, plan] of plans.entries()) {
      const daysAgo = DAYS.length - 1 - day;
      // Over a working day; what is of today was within the last hour.
      const ago = daysAgo * DAY + (plans.length - place) * (daysAgo === 0 ? 500 : 5400);
      await pay({ base, demo, ago, number: (number += 1) }, plan);
    }
  }
}
