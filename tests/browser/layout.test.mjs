/**
 * The list of payment methods at every width: no name is squeezed, no amount is broken, nothing covers anything,
 * whatever labels a merchant chose, however many cards a customer saved, and with letters twice as large.
 */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { start } from "../worker/harness.mjs";
import { SCREENS, Stage, pageOf } from "../worker/stage.mjs";
import { BROWSERS, accessibility, asking, close, hold, launch, open } from "./browser.mjs";
import { WIDTHS, faults, merchantsOf } from "./room.mjs";

let till;
let browser;
let merchants;
let stage;
before(async () => {
  till = await start();
  browser = await launch();
  merchants = await merchantsOf(till);
  stage = await Stage.of(till);
});
after(async () => {
  await browser?.close();
  await till.stop();
});

/** Opens a page at a size of letters, as a browser does whose reader chose a larger one. */
async function show(url, { size, ...options }) {
  const page = await open(browser, { bypassCSP: true, ...options });
  await page.goto(url);
  if (size !== 100) await page.addStyleTag({ content: `html { font-size: ${size}%; }` });
  return page;
}

for (const language of ["en", "ar"]) {
  for (const labels of ["short", "long"]) {
    for (const cards of [0, 4]) {
      for (const size of [100, 200]) {
        test(`${language}, ${labels} labels, ${cards} saved cards, letters at ${size} %: everything has room at every width`, async () => {
          till.merchant = merchants[labels];
          const customer = cards === 0 ? {} : { customer_id: `c-${labels}` };
          const created = await till.create({ pg_codes: ["knet", "credit-card", "cash"], language, ...customer });
          assert.equal(created.status, 201, created.text);
          const page = await show(asking(created.body.checkout_url, "knet"), { size });
          assert.equal(await page.locator("input[type=radio][value^=card_]").count(), cards);
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: 800 });
            assert.deepEqual(await faults(page, size === 100), [], `at ${width}`);
            // High enough for the button to lie over no part of the list, which axe would not scroll.
            await page.setViewportSize({ width, height: 4_000 });
            assert.deepEqual(await accessibility(page), [], `axe at ${width}`);
          }
          await close(page);
        });
      }
    }
  }
}

for (const language of ["en", "ar"]) {
  test(`large, exchanged and typed amounts have room at every width in ${language}`, async () => {
    till.merchant = merchants.long;
    const kinds = {
      large: { amount: "123456.789" },
      exchanged: { amount: "9000000.00", currency_code: "USD", pg_codes: ["knet", "credit-card"] },
      editable: { type: "payment_request", amount: "1234.500" },
    };
    for (const [kind, fields] of Object.entries(kinds)) {
      const created = await till.create({ pg_codes: ["credit-card", "knet", "cash"], language, ...fields });
      assert.equal(created.status, 201, created.text);
      for (const javaScriptEnabled of [true, false]) {
        const page = await open(browser, { javaScriptEnabled });
        await page.goto(asking(created.body.checkout_url, "knet"));
        if (javaScriptEnabled) await page.locator("html.live").waitFor();
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          const wrong = (await faults(page, true)).filter((fault) => !fault.includes("tall"));
          assert.deepEqual(wrong, [], `${kind} at ${width}, script ${javaScriptEnabled}`);
        }
        await close(page);
      }
    }
  });

  test(`on the smallest phone the methods begin above the fold and the button is in sight, in ${language}`, async () => {
    till.merchant = merchants.short;
    const { body } = await till.create({ pg_codes: ["knet", "queued", "cash"], order_no: "ORDER-1", customer_first_name: "Noura", language });
    const page = await open(browser, { viewport: { width: 360, height: 640 } });
    await page.goto(body.checkout_url);
    const [first, button] = await Promise.all(["label.method >> nth=0", "#pay-button"].map((part) => page.locator(part).boundingBox()));
    assert.ok(first.y < 330, `the first method begins at ${first.y}`);
    assert.ok(button.y + button.height <= 640, `the button ends at ${button.y + button.height}`);
    await close(page);
  });

  test(`after a decline the methods begin above the fold of the smallest phone, with the details folded, in ${language}`, async () => {
    till.merchant = merchants.short;
    const { body } = await till.create({ pg_codes: ["knet", "queued", "cash"], order_no: "ORDER-1", language });
    const page = await open(browser, { viewport: { width: 360, height: 640 } });
    await page.goto(asking(body.checkout_url, "knet"));
    await page.click("#pay-button");
    await page.waitForURL("**/sandbox/bank/pay/**");
    await page.check('input[value="mastercard-decline"]');
    await page.click('button[value="pay"]');
    await page.locator("main[data-status=declined]").waitFor();
    await page.evaluate(() => scrollTo(0, 0));
    const [first, button] = await Promise.all(["label.method >> nth=0", "#pay-button"].map((part) => page.locator(part).boundingBox()));
    assert.ok(first.y + first.height <= button.y, `the first method ends at ${first.y + first.height}, the button begins at ${button.y}`);
    assert.ok(button.y + button.height <= 640, `the button ends at ${button.y + button.height}`);
    assert.equal(await page.locator("#notice-details dl").isVisible(), false);
    await page.click("#notice-details summary");
    assert.match(await page.innerText("#notice-details"), /[0-9A-Z]{12}/);
    await close(page);
  });

  for (const size of [100, 200]) {
    test(`the button stays in reach and never covers what has the focus, in ${language} at ${size} %`, async () => {
      till.merchant = merchants.long;
      const { body } = await till.create({ customer_id: "c-long", pg_codes: ["knet", "credit-card", "cash"], language });
      const page = await show(body.checkout_url, { size, viewport: { width: 360, height: 640 } });
      const button = await page.locator("#pay-button").boundingBox();
      if (size === 100) assert.ok(button.y >= 0 && button.y + button.height <= 640, `at ${button.y}`);
      const reached = new Set();
      for (let step = 0; step < 40; step += 1) {
        await page.keyboard.press(step % 2 === 0 || reached.size < 2 ? "Tab" : "ArrowDown");
        const seen = await page.evaluate(() => {
          const focused = document.activeElement;
          const bar = document.querySelector(".bar");
          if (focused === document.body || bar.contains(focused)) return { name: "bar", covered: false };
          const [box, cover] = [focused.getBoundingClientRect(), bar.getBoundingClientRect()];
          return { name: focused.value ?? focused.className ?? focused.tagName, covered: box.top >= cover.top && box.bottom <= cover.bottom && box.height > 0 };
        });
        reached.add(seen.name);
        assert.equal(seen.covered, false, seen.name);
      }
      assert.ok(reached.size >= 4, [...reached].join());
      await close(page);
    });
  }
}

/**
 * Notes in a page what moves that nobody touched. Parts of a pixel, by which Arabic letters are placed again when a page is painted, are
 * no move that anyone sees.
 */
const noteMoves = (page) => page.addInitScript(() => {
  globalThis.moves = [];
  const name = (node) => (node?.outerHTML ?? node?.textContent ?? "something that is gone").slice(0, 120);
  const box = ({ x, y, width, height }) => [x, y, width, height].map((side) => Math.round(side * 10) / 10).join(" ");
  const hasMoved = ({ previousRect: from, currentRect: to }) =>
    Math.abs(to.top - from.top) >= 1 || Math.min(Math.abs(to.left - from.left), Math.abs(to.right - from.right)) >= 1;
  new PerformanceObserver((list) => list.getEntries().forEach(({ value, sources }) => {
    if (sources.length === 0) globalThis.moves.push(`${value}, by nothing that is there`);
    for (const source of sources.filter(hasMoved)) {
      globalThis.moves.push(`${value}: ${name(source.node)} from ${box(source.previousRect)} to ${box(source.currentRect)}`);
    }
  })).observe({ type: "layout-shift", buffered: true });
});

const movesIn = (page) => page.evaluate(() => globalThis.moves);

/** The largest empty space, in pixels, between parts of the form that follow each other, from the heading to the methods. */
const hole = (page) => page.evaluate(() => {
  const parts = [...document.querySelectorAll("#choose-title, #notice, .amount, .express button, .express small, .or, #methods")];
  const boxes = parts.filter((part) => part.checkVisibility({ visibilityProperty: true })).map((part) => part.getBoundingClientRect());
  return Math.max(...boxes.slice(1).map(({ top }, at) => top - boxes[at].bottom));
});

const SCRIPTS = {
  "with the script": { isLive: true },
  "with the script blocked": { isBlocked: true },
  "without JavaScript": { options: { javaScriptEnabled: false } },
};

for (const [has, install] of Object.entries(BROWSERS)) {
  for (const [how, { isLive, isBlocked, options }] of Object.entries(SCRIPTS)) {
    test(`in a browser with wallet ${has}, ${how}, no place is empty and nothing moves, before and after a decline`, async () => {
      stage.be("plain");
      for (const name of ["payable", "declined", "payable_in_part", "payable_by_saved_card"]) {
        const session_id = await SCREENS[name](stage);
        for (const language of ["en", "ar"]) {
          const page = await open(browser, { viewport: { width: 360, height: 640 }, expected: isBlocked ? [/ERR_FAILED/] : [], ...options });
          await page.addInitScript(install);
          await noteMoves(page);
          if (isBlocked) await page.route("**/pkg/**", (route) => route.abort());
          await page.goto(`${till.url}${pageOf(session_id, language)}`);
          if (isLive) await page.locator("html.live").waitFor();
          if (isBlocked) await page.waitForFunction(() => document.readyState === "complete" && document.documentElement.className === "");
          const shown = await page.locator("[data-wallet]").filter({ visible: true }).evaluateAll((all) => all.map((one) => one.dataset.wallet));
          assert.deepEqual(shown, isLive && has !== "none" ? [has] : [], `${name} ${language}`);
          const empty = await hole(page);
          assert.ok(empty <= 24, `${name} ${language}: ${empty} pixels`);
          if (isLive) assert.deepEqual(await movesIn(page), [], `${name} ${language}`);
          await close(page);
        }
      }
    });
  }
}

test("a wallet's button is in the first paint, before the page's script has arrived", async () => {
  till.merchant = merchants.short;
  const { body } = await till.create({ pg_codes: ["knet", "credit-card", "cash"], amount: "10.000" });
  const page = await open(browser);
  await page.addInitScript(BROWSERS.google_pay);
  await noteMoves(page);
  const letGo = await hold(page, "**/pkg/**");
  await page.goto(body.checkout_url, { waitUntil: "commit" });
  await page.locator("footer").waitFor();
  await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));
  assert.equal(await page.locator("[data-wallet=google_pay]").isVisible(), true);
  assert.equal(await page.evaluate(() => document.documentElement.classList.contains("live")), false);
  letGo();
  await page.locator("html.live").waitFor();
  assert.deepEqual(await movesIn(page), []);
  await close(page);
});

test("axe finds nothing on the smallest phone, with everything in reach of the button", async () => {
  stage.be("plain");
  for (const name of ["payable", "declined", "payable_in_part", "payable_by_saved_card"]) {
    const session_id = await SCREENS[name](stage);
    for (const language of ["en", "ar"]) {
      const page = await open(browser, { viewport: { width: 360, height: 640 }, bypassCSP: true });
      await page.addInitScript(BROWSERS.google_pay);
      await page.goto(`${till.url}${pageOf(session_id, language)}`);
      await page.locator("html.live").waitFor();
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      assert.deepEqual(await accessibility(page), [], `${name} ${language}`);
      await close(page);
    }
  }
});

for (const language of ["en", "ar"]) {
  for (const labels of ["short", "long"]) {
    test(`nothing moves when the module begins to follow a typed amount, in ${language} with ${labels} labels`, async () => {
      till.merchant = merchants[labels];
      for (const pg_codes of [["knet", "credit-card", "cash"], ["credit-card"]]) {
        const { body } = await till.create({ type: "payment_request", language, pg_codes });
        for (const width of [320, 390, 480, 1280]) {
          for (const address of [body.checkout_url, asking(body.checkout_url, "credit-card")]) {
            const page = await open(browser, { viewport: { width, height: 844 } });
            await noteMoves(page);
            // The module arrives after the page was painted.
            const letGo = await hold(page, "**/*.wasm");
            await page.goto(address);
            await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));
            letGo();
            await page.locator("html.live").waitFor();
            await page.waitForTimeout(150);
            assert.deepEqual(await movesIn(page), [], `${pg_codes} at ${width}, ${address.split("&")[1]}`);
            await close(page);
          }
        }
      }
    });
  }
}

/** Calls `visit` with the address of a server that has the checkout page and sends it in pieces, which begin at the marks. */
async function inPieces(marks, visit) {
  const server = createServer(async (request, response) => {
    if (!request.url.startsWith("/b/checkout/redirect/start/")) return response.writeHead(404).end();
    const { headers, text } = await till.call(request.url);
    response.writeHead(200, { "content-type": headers.get("content-type") });
    const starts = marks.map((mark) => text.indexOf(mark)).filter((start) => start > 0);
    let sent = 0;
    for (const next of [...starts, text.length]) {
      response.write(text.slice(sent, next));
      sent = next;
      await sleep(250);
    }
    response.end();
  });
  await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  try {
    await visit(`http://127.0.0.1:${server.address().port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

for (const language of ["en", "ar"]) {
  test(`nothing moves while a page arrives in pieces, in ${language}`, async () => {
    till.merchant = merchants.short;
    const kinds = [{}, { type: "payment_request" }];
    await inPieces(["<button class=\"language\"", "<form id=\"pay-form\"", "value=\"credit-card\"", "<footer"], async (origin) => {
      for (const fields of kinds) {
        const { body } = await till.create({ language, pg_codes: ["knet", "credit-card", "cash"], ...fields });
        for (const width of [390, 1280]) {
          // There are no files here: the page is the form that it is without them.
          const page = await open(browser, { viewport: { width, height: 844 }, expected: [/./] });
          await noteMoves(page);
          await page.goto(asking(body.checkout_url.replace(till.url, origin), "credit-card"));
          await page.waitForTimeout(150);
          assert.equal(await page.locator("#pay-button").isVisible(), true);
          assert.deepEqual(await movesIn(page), [], `${JSON.stringify(fields)} at ${width}`);
          await close(page);
        }
      }
    });
  });
}
