/**
 * Firefox for the tests here, driven by WebDriver BiDi: a page has the few calls of Playwright's that these tests need. Playwright itself
 * drives only a Firefox of its own making.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import WebSocket from "ws";
import { findFirefox } from "../../scripts/project.mjs";

/** Why the tests in Firefox are left out, or `false`. */
export const isWithoutFirefox = findFirefox() === undefined && "there is no Firefox on the search path, and FIREFOX names none";

/** Nothing is asked of any other host. */
const PREFERENCES = {
  "app.update.enabled": false, "browser.shell.checkDefaultBrowser": false, "browser.startup.page": 0, "browser.safebrowsing.malware.enabled": false,
  "browser.safebrowsing.phishing.enabled": false, "datareporting.policy.dataSubmissionEnabled": false, "extensions.update.enabled": false,
  "network.captive-portal-service.enabled": false, "network.connectivity-service.enabled": false, "services.settings.server": "http://127.0.0.1:9/",
  "toolkit.telemetry.reportingpolicy.firstRun": false, "ui.caretBlinkTime": 0,
};
const WAIT = 15_000;

/** Looks until `look` answers with something true, and returns it. */
async function until(look, what) {
  for (const end = Date.now() + WAIT; Date.now() < end; await sleep(50)) {
    const seen = await look();
    if (seen) return seen;
  }
  throw new Error(`waited in vain for ${what}`);
}

/** A running Firefox. Close it with `close()`. */
export class Firefox {
  #program;
  #profile;
  #socket;
  #count = 0;
  #waiting = new Map();
  #pages = new Map();

  static async launch() {
    const firefox = new Firefox();
    firefox.#profile = mkdtempSync(join(tmpdir(), "till-firefox-"));
    const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`);
    writeFileSync(join(firefox.#profile, "user.js"), lines.join("\n"));
    const args = ["--headless", "--no-remote", "--profile", firefox.#profile, "--remote-debugging-port", "0", "about:blank"];
    firefox.#program = spawn(findFirefox(), args, { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, HOME: firefox.#profile } });
    let said = "";
    firefox.#program.stderr.setEncoding("utf8").on("data", (text) => { said += text; });
    const [, address] = await until(() => /WebDriver BiDi listening on (ws:\S+)/.exec(said), "Firefox to start");
    firefox.#socket = new WebSocket(`${address}/session`);
    await new Promise((resolve, reject) => firefox.#socket.once("open", resolve).once("error", reject));
    firefox.#socket.on("message", (text) => firefox.#hear(JSON.parse(text)));
    await firefox.send("session.new", { capabilities: {} });
    await firefox.send("session.subscribe", { events: ["log.entryAdded"] });
    return firefox;
  }

  #hear({ id, type, error, message, result, method, params }) {
    if (method === "log.entryAdded") {
      if (["error", "warn"].includes(params.level)) this.#pages.get(params.source.context)?.faults.push(params.text);
      return;
    }
    const { resolve, reject } = this.#waiting.get(id) ?? {};
    this.#waiting.delete(id);
    if (type === "error") reject?.(new Error(`${error}: ${message}`));
    else resolve?.(result);
  }

  /** Sends a command and resolves with its result. */
  send(method, params) {
    this.#count += 1;
    const id = this.#count;
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#socket.send(JSON.stringify({ id, method, params }));
    return answer;
  }

  /** A page in a context of its own. `page.faults` lists the errors and warnings of its console. */
  async open({ viewport = { width: 390, height: 844 } } = {}) {
    const { userContext } = await this.send("browser.createUserContext", {});
    const { context } = await this.send("browsingContext.create", { type: "tab", userContext });
    const page = new Page(this, context, userContext);
    this.#pages.set(context, page);
    await page.setViewportSize(viewport);
    return page;
  }

  async close() {
    await this.send("browser.close", {}).catch(() => {});
    await until(() => this.#program.exitCode !== null || this.#program.signalCode !== null, "Firefox to end").catch(() => this.#program.kill("SIGKILL"));
    this.#socket.terminate();
    rmSync(this.#profile, { recursive: true, force: true });
  }
}

/** A page of Firefox. */
class Page {
  #firefox;
  #context;
  #userContext;
  faults = [];

  constructor(firefox, context, userContext) {
    [this.#firefox, this.#context, this.#userContext] = [firefox, context, userContext];
  }

  setViewportSize(viewport) {
    return this.#firefox.send("browsingContext.setViewport", { context: this.#context, viewport });
  }

  goto(url) {
    return this.#firefox.send("browsingContext.navigate", { context: this.#context, url, wait: "complete" });
  }

  /** What a function returns in the page; what it takes and returns is JSON. */
  async evaluate(work, ...args) {
    const expression = `Promise.resolve((${work})(...${JSON.stringify(args)})).then((value) => JSON.stringify(value))`;
    const target = { context: this.#context };
    const { type, result, exceptionDetails } = await this.#firefox.send("script.evaluate", { expression, target, awaitPromise: true });
    if (type === "exception") throw new Error(exceptionDetails.text);
    return result.value === undefined ? undefined : JSON.parse(result.value);
  }

  /** Runs a text of a library in the page. */
  async run(expression) {
    const answer = await this.#firefox.send("script.evaluate", { expression, target: { context: this.#context }, awaitPromise: false });
    if (answer.type === "exception") throw new Error(answer.exceptionDetails.text);
  }

  /** Waits for an element that can be seen. A page that is just being left has none. */
  waitFor(selector) {
    const isThere = (selector) => document.querySelector(selector)?.checkVisibility() === true;
    return until(() => this.evaluate(isThere, selector).catch(() => false), selector);
  }

  waitForURL(pattern) {
    return until(async () => pattern.test(await this.evaluate(() => location.href).catch(() => "")), `an address like ${pattern}`);
  }

  /** Presses an element as a mouse does, and fails if something else lies over it. */
  async click(selector) {
    await this.waitFor(selector);
    const isOnTop = await this.evaluate((selector) => {
      const element = document.querySelector(selector);
      element.scrollIntoView({ block: "center", behavior: "instant" });
      const { left, top, width, height } = element.getBoundingClientRect();
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      return element.contains(hit) || hit?.closest("label")?.control === element;
    }, selector);
    assert.ok(isOnTop, `something lies over ${selector}`);
    const { nodes } = await this.#firefox.send("browsingContext.locateNodes", { context: this.#context, locator: { type: "css", value: selector }, maxNodeCount: 1 });
    const origin = { type: "element", element: { sharedId: nodes[0].sharedId } };
    const actions = [{ type: "pointerMove", x: 0, y: 0, origin }, { type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }];
    await this.#firefox.send("input.performActions", { context: this.#context, actions: [{ type: "pointer", id: "mouse", actions }] });
  }

  innerText(selector) {
    return this.evaluate((selector) => document.querySelector(selector)?.innerText, selector);
  }

  /** Closes the page, and fails if anything went wrong in it. */
  async close() {
    await this.#firefox.send("browser.removeUserContext", { userContext: this.#userContext });
    assert.deepEqual(this.faults, []);
  }
}
