/** Someone of the merchant's staff at the desk, in Chromium. */
import { PASSWORD } from "../worker/desk.mjs";
import { deskOf } from "../worker/options.mjs";
import { open } from "./browser.mjs";

/** A page of its own context on which a user is signed in, in the language that `locale` says. */
export async function signedIn(browser, till, user, options) {
  const page = await open(browser, { bypassCSP: options?.javaScriptEnabled !== false, ...options });
  const desk = deskOf(till.url);
  await page.goto(`${desk}/sign-in/`);
  await page.fill("#username", user.username);
  await page.fill("#password", PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${desk}/`);
  return page;
}
