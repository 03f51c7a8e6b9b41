/** What the hosted page weighs: its document with the style sheets in it, as gzip sends it, for every screen of real payments. */
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { SCREENS, Stage, isPayable, pageOf } from "./stage.mjs";

/** The most bytes of a page. */
export const MOST = 8_000;
/** The most bytes of a page that lists saved cards, each of which is there to be chosen, named on the button, and removed. */
export const MOST_WITH_CARDS = 8_800;
/** The most bytes of `<till-checkout>` with the words of a language. */
export const MOST_OF_ELEMENT = 14_100;
/** The most bytes of the module of the package. */
export const MOST_OF_MODULE = 93_200;

const DETAILS = {
  customer_first_name: "Noura", customer_last_name: "Al-Sabah", order_description: "Birthday gift, delivered on Friday", due_datetime: "2030-01-31T12:00:00Z",
  billing_address: { city: "Salmiya", country: "KW", line1: "Block 4, Salem Al Mubarak Street", state: "Hawalli" },
};

/** Pages with everything at once, each of which is larger than the screens. */
const CROWDED = {
  "saved cards, details": (stage) => stage.create({ customer_id: "c-cards", ...DETAILS }),
  "saved cards, typed amount": (stage) => stage.create({ customer_id: "c-cards", type: "payment_request" }),
  "saved cards, after a decline": (stage) => stage.paid("knet", "mastercard-decline", { customer_id: "c-cards", pg_codes: ["knet", "credit-card", "cash"] }),
};

/** Every page: which, whose, in which language, and its bytes before and after gzip. */
export async function weigh(till) {
  const stage = await Stage.of(till);
  const rows = [];
  for (const merchant of ["plain", "branded"]) {
    stage.be(merchant);
    for (const [screen, make] of Object.entries({ ...SCREENS, ...CROWDED })) {
      const session_id = await make(stage);
      for (const language of ["en", "ar"]) {
        const { status, text } = await till.call(pageOf(session_id, language));
        assert.equal(status, 200, `${screen} ${text}`);
        assert.doesNotMatch(text, /rel="?stylesheet/, "the style sheets are in the page");
        const bytes = Buffer.from(text);
        const name = `${screen}, ${merchant}, ${language}`;
        const limit = /saved.cards?/.test(screen) ? MOST_WITH_CARDS : MOST;
        rows.push({ name, isPayable: isPayable(screen), raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, limit });
      }
    }
  }
  return rows.sort((one, other) => other.gzip - one.gzip);
}
