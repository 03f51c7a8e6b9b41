/**
 * The merchant changes the amount, the currency or a fee while the payer presses, `rounds` times for every way to pay, also as a
 * browser without a script sends it and as an SDK that says nothing about the price. What was shown is charged, or nothing.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { demoSettings, start } from "../worker/harness.mjs";
import { attempts, openPage } from "../worker/payer.mjs";
import { appleToken, googleToken } from "../worker/wallets.mjs";
import { dice, pick } from "./dice.mjs";
import { Shop, must } from "./shop.mjs";

const PAY = "/b/checkout/redirect/pay/";
const SDK = "/b/checkout/api/sdk/v1";
/** What a refusal may say. */
const REFUSALS = ["price_changed", "attempt_in_progress", "conflict", "invalid_fields"];

/** The attribute of an element of the page. */
const attribute = (tag, name) => new RegExp(`${name}="([^"]*)"`).exec(tag)?.[1];

/** The fields of the pay form as the page was rendered, without those that are chosen. */
function formOf(html) {
  const form = html.slice(html.indexOf('id="pay-form"'), html.indexOf("</form>", html.indexOf('id="pay-form"')));
  const inputs = form.match(/<input[^>]*>/g) ?? [];
  return inputs.filter((tag) => attribute(tag, "type") === "hidden" && attribute(tag, "name") !== "pg_code").map((tag) => [attribute(tag, "name"), attribute(tag, "value")]);
}

/** The total and currency that a page shows for a method, read from what its form says. */
const totalOf = (fields, code) => {
  const line = fields.find(([name, value]) => name === "shown" && value.startsWith(`${code} `))?.[1];
  const [, currency, total] = line?.split(" ") ?? [];
  return { currency, total };
};

/** What an amount of 2.000 dinars costs by the terms that a page shows for a method. */
const typedOf = (fields, code) => {
  const line = fields.find(([name, value]) => name === "shown" && value.startsWith(`${code} `))?.[1];
  const [, , currency, fixed, percent] = line?.split(" ") ?? [];
  return { currency, total: ((2000 + Number(fixed) * 1000 + 20 * Number(percent)) / 1000).toFixed(3) };
};

class Prices {
  constructor(till, shop, draw) {
    Object.assign(this, { till, shop, draw, counts: { charged: 0, refused: 0 } });
  }

  json(path, json) {
    return this.till.call(path, { method: "POST", json });
  }

  /** The payer is shown a price; returns what was shown, and how they pay. */
  async show(way) {
    const { till } = this;
    const isTyped = way.startsWith("typed");
    const payment = await this.shop.open({
      amount: "4.000", customer_id: this.shop.customer, pg_codes: ["credit-card", "knet", "cash"], ...(isTyped ? { type: "payment_request" } : {}),
    });
    const { session_id } = payment;
    const { text } = must(await openPage(till, payment), 200);
    const session = must(await till.call(`${SDK}/pymt-txn/submit/${session_id}/`), 200).body;
    const fields = formOf(text);
    const code = { cash: "cash", knet: "knet", card: this.shop.token }[way.split(" ")[0]] ?? "credit-card";
    const method = session.payment_methods.find((one) => one.code === code) ?? session.payment_methods.find((one) => one.code === "credit-card");
    const ofSdk = { total: method.amount, currency: method.currency_code };
    const shown = /^(sdk|old|apple|google)/.test(way) ? ofSdk : isTyped ? typedOf(fields, code) : totalOf(fields, code);
    const said = way.startsWith("old") ? {} : { shown_total: shown.total, shown_currency: shown.currency };
    const wallet = (path, payload) => this.till.call(`${SDK}/${path}`, {
      method: "POST", headers: { "content-type": "application/json" },
      body: `${JSON.stringify({ session_id, code: "credit-card", ...said }).slice(0, -1)},${payload}}`,
    });
    const pay = {
      form: () => till.call(PAY, { method: "POST", body: new URLSearchParams([...fields, ["pg_code", code], ...(isTyped ? [["amount", "2.000"]] : [])]) }),
      submit: () => this.json(`${SDK}/submit/${session_id}/`, { pg_code: "credit-card", ...said }),
      token: () => this.json(`${SDK}/submit-token/`, { session_id, token: this.shop.token, ...said }),
      apple: () => wallet("apay/pay/", `"apple_pay_payload":${appleToken("visa-approve")}`),
      google: () => wallet("gpay/pay/", `"google_pay_payload":${googleToken("visa-approve")}`),
    }[way.split(" ")[1]];
    return { payment, shown, pay };
  }

  async change(payment) {
    const kind = pick(this.draw, ["amount", "currency", "fee"]);
    if (kind === "amount") return this.shop.patch(payment, { amount: "400.000" });
    if (kind === "currency") return this.shop.patch(payment, { amount: "4.00", currency_code: "SAR" });
    const gateways = demoSettings().gateways.map((gateway) => ({ ...gateway, fees: this.draw() < 0.5 ? gateway.fees : (gateway.fees ?? []).map((fee) => ({ ...fee, fixed: "1" })) }));
    return this.till.operator(`/merchants/${this.till.merchant.merchant_id}/settings/`, { method: "PUT", json: { ...demoSettings(), gateways } });
  }

  async round(way) {
    const { payment, shown, pay } = await this.show(way);
    const delay = this.draw() * 30;
    const isPatchedFirst = this.draw() < 0.5;
    const paying = isPatchedFirst ? sleep(delay).then(pay) : pay();
    const changing = isPatchedFirst ? this.change(payment) : sleep(delay).then(() => this.change(payment));
    const [answer] = await Promise.all([paying, changing]);
    const opened = await attempts(this.till, payment);
    const asked = await this.till.rows("SELECT total, currency FROM attempt WHERE session_id = ?1", payment.session_id);
    const decimals = shown.currency === "KWD" ? 1000 : 100;
    const expected = Math.round(Number(shown.total) * decimals);
    const wrong = asked.filter(({ total, currency }) => total !== expected || currency !== shown.currency)
      .map((row) => `${way}: shown ${shown.total} ${shown.currency}, asked for ${row.total} ${row.currency}`);
    if (opened.length > 0) this.counts.charged += 1;
    else this.counts.refused += 1;
    const isRefusal = REFUSALS.includes(answer.body?.code) || (answer.status === 409 && /id="notice"/.test(answer.text));
    if (opened.length === 0 && !isRefusal) wrong.push(`${way}: nothing was opened, answered ${answer.status} ${answer.text.slice(0, 200)}`);
    return wrong;
  }
}

/** Every way to pay, and how it is sent. */
const WAYS = [
  "knet form", "credit-card form", "cash form", "card form", "typed form", "sdk submit", "old submit", "sdk token", "old token",
  "apple apple", "google google", "old apple", "old google",
];

export async function run({ rounds = 100, seed = 1, onNote = () => {} }) {
  const till = await start();
  const violations = [];
  try {
    await till.createMerchant();
    const shop = new Shop(till, { address: () => `${till.url}/sandbox/inbox/prices/` });
    shop.customer = "watcher";
    shop.token = await shop.savedCard(shop.customer);
    const prices = new Prices(till, shop, dice(seed));
    for (const way of WAYS) {
      for (let round = 0; round < rounds; round += 1) {
        const faults = await prices.round(way).catch((error) => [`${way}: ${error.stack ?? error}`]);
        violations.push(...faults.map((fault) => `round ${round} of SEED=${seed}: ${fault}`));
      }
      onNote(`${way}: ${rounds} rounds, ${JSON.stringify(prices.counts)}`);
    }
    return { name: "prices", counts: { ways: WAYS.length, rounds, ...prices.counts }, violations };
  } catch (error) {
    return { name: "prices", counts: { rounds }, violations: [...violations, `${error.stack ?? error}`] };
  } finally {
    await till.stop().catch(() => {});
  }
}
