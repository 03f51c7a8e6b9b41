/** wrangler, as a deployment calls it: quietly, with what it must not show on its standard input only. */
import { spawn } from "node:child_process";
import { WRANGLER } from "../database.mjs";
import { ENV, ROOT, Stop, running } from "../project.mjs";

/** How long a call may take, in milliseconds, unless it builds. */
const LIMIT = 180_000;
const BUILDING = 3_600_000;
const COLOURS = /\u001b\[[0-9;]*m/g;

/** What an operator does about a failure, by what wrangler says. */
const ADVICE = [
  [/CLOUDFLARE_API_TOKEN|not authenticated|Not logged in|Failed to fetch auth token|\[code: (?:9109|10000|6003|9106)\]/i, "Log in by `npx wrangler login`, or set CLOUDFLARE_API_TOKEN."],
  [/limit|quota|exceeded|\[code: (?:10027|7406|11003|100129)\]|paid plan|free tier/i, "The account's plan does not allow more: delete what is not used, or change the plan."],
  [/fetch failed|ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|network/i, "Cloudflare could not be reached from here."],
  [/find (?:a )?zone/i, "The domain of PUBLIC_URL must be a zone of the account: add it in the dashboard first."],
  [/\[code: 10063\]|workers\.dev subdomain/i, "Open Workers in the dashboard once, so that the account has a workers.dev subdomain."],
];

/** A call of wrangler that failed. */
export class Failed extends Stop {
  constructor(what, output) {
    // Warnings, which are many, come before the error.
    const error = output.slice(Math.max(output.indexOf("[ERROR]"), 0));
    const advice = ADVICE.find(([pattern]) => pattern.test(error))?.[1];
    const said = error.split("\n").filter((line) => line.trim() !== "" && !/^🪵|Logs were written|If you think this is a bug/.test(line)).slice(0, 12);
    super([`${what} failed:`, ...said.map((line) => `  ${line.trimEnd()}`), ...(advice ? [advice] : []), "Run make deploy again: it goes on where it stopped."].join("\n"));
    this.output = output;
  }
}

export class Wrangler {
  #account;
  #hidden = new Set();

  /** `account` is the id of the account, if it is known. */
  constructor(account) {
    this.#account = account;
  }

  set account(id) {
    this.#account = id;
  }

  /** A text that nothing prints. */
  hide(...texts) {
    for (const text of texts) this.#hidden.add(text);
  }

  #plain(text) {
    return [...this.#hidden].reduce((left, hidden) => left.replaceAll(hidden, "[hidden]"), text.replace(COLOURS, ""));
  }

  /**
   * Calls it; answers what it printed. Throws `Failed` with what it said.
   *
   * @param {string[]} args never a secret
   * @param {{ input?: string, builds?: boolean }} [options] `input` is what is written to its standard input
   */
  call(args, { input, builds = false } = {}) {
    const env = {
      ...ENV, FORCE_COLOR: "0", NO_COLOR: "1", WRANGLER_LOG_SANITIZE: "true",
      ...(this.#account ? { CLOUDFLARE_ACCOUNT_ID: this.#account } : {}),
    };
    const what = `wrangler ${args.filter((word) => !word.startsWith("-")).slice(0, 4).join(" ")}`;
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [process.env.WRANGLER || WRANGLER, ...args], { cwd: ROOT, env, stdio: ["pipe", "pipe", "pipe"], timeout: builds ? BUILDING : LIMIT });
      running.add(child);
      let [printed, said] = ["", ""];
      child.stdout.setEncoding("utf8").on("data", (text) => (printed += text));
      child.stderr.setEncoding("utf8").on("data", (text) => (said += text));
      // What does not read its input ends before it is written.
      child.stdin.on("error", () => {});
      child.stdin.end(input ?? "");
      child.on("error", (error) => reject(new Stop(`wrangler did not start: ${error.message}`)));
      child.on("close", (code, signal) => {
        running.delete(child);
        if (code === 0) return resolve(this.#plain(printed));
        return reject(new Failed(what, this.#plain(`${printed}\n${said}${signal ? `\nit was ended by ${signal}` : ""}`)));
      });
    });
  }

  /** Calls it and reads the JSON that it prints. */
  async json(args) {
    const printed = await this.call(args);
    // A warning may come before it.
    const start = printed.search(/^[[{]/m);
    try {
      return JSON.parse(printed.slice(Math.max(start, 0)));
    } catch {
      throw new Failed(`reading what wrangler ${args.slice(0, 3).join(" ")} prints`, printed);
    }
  }
}
