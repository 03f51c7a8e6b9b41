/** Whether everything on the checkout page has room, in whatever browser: merchants with short and long labels, and what is looked for. */
import { demoSettings } from "../worker/harness.mjs";
import { finish } from "../worker/payer.mjs";

/** From the narrowest phone to a desktop. */
export const WIDTHS = [320, 360, 390, 412, 430, 480, 600, 834, 1024, 1280];

/** Labels of 56 letters, the longest that settings take as a name. */
export const LONG = {
  fee: { en: "Card processing fee of the bank that issued the card now", ar: "رسوم معالجة البطاقة لدى البنك المُصدر لها في كل عملية دفع" },
  name: { en: "Mastercard, Visa and American Express of every bank here", ar: "ماستركارد وفيزا وأمريكان إكسبريس من جميع البنوك المحلية" },
};

/** The errors in the names and amounts of a page. `isUsual` is whether letters have their usual size. */
export const faults = (page, isUsual) =>
  page.evaluate((isUsual) => {
    const wrong = [];
    const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.textContent.trim() !== "";
    const overlap = (one, other) =>
      one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1;
    for (const sum of [...document.querySelectorAll(".sum")].filter(isShown)) {
      // A number and the sign of its currency run in two directions, so one line may have several boxes.
      const lines = new Set([...sum.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) wrong.push(`broken: ${sum.textContent}`);
      const box = sum.getBoundingClientRect();
      const panel = (sum.closest(".method, .group, .button, .card, .summary, .choose") ?? document.body).getBoundingClientRect();
      if (box.left < panel.left || box.right > panel.right) wrong.push(`outside: ${sum.textContent}`);
    }
    for (const method of [...document.querySelectorAll(".method")].filter(isShown)) {
      const [name, cost] = [method.querySelector(".name"), method.querySelector(".cost")];
      const width = name.getBoundingClientRect().width;
      if (width < (isUsual ? 110 : 80)) wrong.push(`squeezed to ${width} pixels: ${name.textContent}`);
      // No word is broken: each needs at most as much room as the column has.
      if (isUsual && name.scrollWidth > name.clientWidth + 1 && name.clientWidth > 0) wrong.push(`too wide: ${name.textContent}`);
      const height = method.getBoundingClientRect().height;
      if (isUsual && height > (innerWidth < 390 ? 215 : 140)) wrong.push(`${height} pixels tall: ${method.textContent}`);
      const parts = [...method.children].filter((part) => part.checkVisibility()).map((part) => part.getBoundingClientRect());
      parts.forEach((one, place) => parts.slice(place + 1).forEach((other) => {
        if (overlap(one, other)) wrong.push(`overlap in ${name.textContent}`);
      }));
      if (cost !== null && cost.scrollWidth > cost.clientWidth + 1 && cost.clientWidth > 0) wrong.push(`cost too wide: ${cost.textContent}`);
    }
    const [heading, price] = [".payee", ".price"].map((part) => document.querySelector(part).getBoundingClientRect());
    if (overlap(heading, price)) wrong.push("the total lies over the merchant's name");
    if (document.documentElement.scrollWidth > innerWidth) wrong.push(`${document.documentElement.scrollWidth} pixels wide`);
    return wrong;
  }, isUsual);

/** A merchant with short labels and one with long ones, each with a customer, `c-short` and `c-long`, who has four saved cards. */
export async function merchantsOf(till) {
  await till.createMerchant(demoSettings());
  const short = till.merchant;
  const settings = demoSettings();
  for (const gateway of settings.gateways) {
    gateway.name = LONG.name;
    for (const fee of gateway.fees) fee.description = LONG.fee;
  }
  await till.createMerchant(settings);
  const merchants = { short, long: till.merchant };
  for (const labels of Object.keys(merchants)) {
    till.merchant = merchants[labels];
    await saveCards(till, `c-${labels}`);
  }
  return merchants;
}

/** A customer pays with four cards and saves each. */
async function saveCards(till, customer_id) {
  for (const card of ["visa-approve", "mastercard-approve", "visa-duplicate", "visa-expiring"]) {
    const { body } = await till.create({ customer_id, pg_codes: ["credit-card"] });
    const fields = { session_id: body.session_id, pg_code: "credit-card", save_card: "true", language: "en" };
    const { headers } = await till.call("/b/checkout/redirect/pay/", { method: "POST", body: new URLSearchParams(fields) });
    await finish(till, headers.get("location"), { action: "pay", card });
  }
}
