/** The page to begin with: the first payment, the shop and what follows, with the code that README.md shows and tests run. */
import { blocksOf } from "../docs/blocks.mjs";
import { frame } from "./frame.mjs";
import { html, prose, textOf } from "./html.mjs";

const NAMES = { sh: "curl", js: "Node", python: "Python", php: "PHP" };

/** The blocks below a heading of README.md. */
function blocksBelow(readme, heading) {
  const [, text] = readme.split(`\n## ${heading}\n`);
  if (text === undefined) throw new Error(`README.md has no part ${heading}`);
  return blocksOf("README.md", text.split("\n## ")[0]);
}

const code = ({ text, language }, label) => html`<div class="sample shown"><p class="language">${NAMES[language]}</p><pre tabindex="0" aria-label="${label}"><code>${text.trimEnd()}</code></pre></div>`;

/** @param {string} readme @param {{ version: string }} info */
export function startPage(readme, { version }) {
  const [create, pay] = blocksBelow(readme, "A payment by hand");
  const shops = blocksBelow(readme, "Your shop in 20 lines");
  const link = (id, name) => html`<a href="/docs/#${id}">${name}</a>`;
  const body = html`<main id="content" class="start"><h1>Your first payment</h1>
<p>${prose("Your server creates a payment by one call, and sends the payer to the page whose address it gets. A signed webhook reports the outcome. Only that, or a call of your server, says that it is paid.")}</p>
<section aria-labelledby="keys"><h2 id="keys">1. A key</h2><p>${prose("The operator of this installation makes a merchant and gives you `private_key` and `webhook_signing_secret`, once. On your own machine `make dev` writes those of a demo merchant into `.dev/demo.json`; the commands read them there.")}</p></section>
<section aria-labelledby="create"><h2 id="create">2. Create and pay</h2><p>${prose("Amounts are text. `checkout_url` is where the payer goes: open it, choose KNET and a test card.")}</p>${code(create, "create a payment")}
<p>Or pay as a program does, at the simulated bank:</p>${code(pay, "pay it")}
<p>${link("create_transaction", "Create a payment transaction")} has every member; ${link("retrieve_transaction", "retrieve")} it at any time.</p></section>
<section aria-labelledby="shop"><h2 id="shop">3. A shop that verifies its webhooks</h2><p>${prose("Save one in the folder of Till, run it, and open `http://127.0.0.1:3000/buy`. Each uses a file of `clients/receivers`, which you copy into your shop.")}</p>
${shops.map((shop) => html`<h3>${NAMES[shop.language]}: <code>${shop.file}</code></h3>${code(shop, shop.file)}`)}</section>
<section aria-labelledby="next"><h2 id="next">4. What follows</h2><ul><li>${link("operate", "Refund, capture or void")}</li><li>${link("inquire", "Ask the gateway")} what became of a payment when a webhook is missing</li><li>${link("tag-webhooks", "What webhooks say")}, and how they are signed</li><li>${link("problems", "What each problem code means")}</li><li>${link("replace_own_brand", "Your brand on the page")}</li></ul>
<p><a class="button" href="/docs/">The reference</a></p></section></main>`;
  return textOf(frame({ title: "Getting started with Till", version, here: "/docs/start.html", tools: "", body }));
}
