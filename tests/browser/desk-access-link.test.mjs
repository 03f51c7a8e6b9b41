/** The desk's pages for a lost password and for the choice of one, in Chromium: in both languages, with and without a script. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { makeUser } from "../worker/desk.mjs";
import { OutboundResponse } from "../worker/harness.mjs";
import { deskOf } from "../worker/options.mjs";
import { eventually } from "../worker/payer.mjs";
import { accessibility, browser, close, open, stand, till } from "./browser.mjs";

const MAIL = "https://api.resend.com/emails";
const NEW = "a password that is new";

let user;
stand(async () => {
  till.outbound.on("POST", MAIL, () => OutboundResponse.json({ id: "1" }));
  await till.createMerchant({ messages: { email: { provider: "resend", from: "desk@shop.example", credentials: { api_key: "re_123" } } } });
  user = await makeUser(till, "linked");
});

/** The path of the link in the letter that `ask` causes. */
async function link(ask = invite) {
  const before = till.outbound.to(MAIL).length;
  await ask();
  const mail = await eventually("the letter", async () => till.outbound.to(MAIL)[before]);
  const [, path] = /http:\/\/localhost:\d+(\/sign-in\/link\/[\w-]+\/)/.exec(JSON.parse(mail.body).text);
  till.secrets.add(path.split("/")[3]);
  return path;
}

async function invite() {
  const answer = await till.call(`/b/access/v1/users/${user.id}/invite/`, { method: "POST", headers: till.privateKey() });
  assert.equal(answer.status, 200, answer.text);
}

for (const language of ["en", "ar"]) {
  for (const viewport of [{ width: 360, height: 640 }, { width: 1280, height: 800 }]) {
    test(`${language}, ${viewport.width} pixels: the pages have room and no fault for axe`, async () => {
      // A form with faults, and a link that is over.
      const page = await open(browser, { expected: [/status of 400 .*\/sign-in\/link\//, /status of 410 /], viewport, colorScheme: "light", locale: language, bypassCSP: true });
      const paths = { "sign-in": "/sign-in/?chosen=1", lost: "/sign-in/lost-password/", choice: await link(), over: "/sign-in/link/x/" };
      for (const [name, path] of Object.entries(paths)) {
        await page.goto(deskOf(till.url) + path);
        if (name === "choice") {
          await page.fill("#password", "short");
          await page.fill("#again", "other");
          await page.click("main button.button");
          await page.getByRole("alert").waitFor();
        }
        assert.equal(await page.evaluate(() => document.documentElement.lang), language);
        assert.deepEqual(await accessibility(page), [], name);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} is wider than the window`);
        if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `link-${name}-${language}-${viewport.width}.png`), fullPage: true });
      }
      await close(page);
    });
  }
}

for (const javaScriptEnabled of [true, false]) {
  test(`${javaScriptEnabled ? "with" : "without"} a script someone chooses a password by a link and signs in`, async () => {
    const page = await open(browser, { javaScriptEnabled, locale: "en" });
    await page.goto(`${deskOf(till.url)}/sign-in/`);
    await page.getByRole("link", { name: "Lost password" }).click();
    await page.getByLabel("User name").fill(user.username);
    const path = await link(async () => {
      await page.getByRole("button", { name: "Send the link" }).click();
      await page.getByRole("status").filter({ hasText: "on its way" }).waitFor();
    });
    await page.goto(deskOf(till.url) + path);
    await page.getByLabel("Password", { exact: true }).fill(NEW);
    await page.getByLabel("The same password again").fill(NEW);
    await page.getByRole("button", { name: "Choose it" }).click();
    await page.getByRole("status").filter({ hasText: "was chosen" }).waitFor();
    await page.getByLabel("User name").fill(user.username);
    await page.getByLabel("Password", { exact: true }).fill(NEW);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`${deskOf(till.url)}/`);
    await close(page);
  });
}
