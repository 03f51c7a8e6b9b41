/**
 * The second factor of a demo user: set up as at any desk, with a secret that is stored among the keys of the demo merchant, so that
 * `make code` can say what an app on a phone would show.
 */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { TOTP } from "otpauth";
import { at, die } from "./project.mjs";

/** The code of a moment. */
export const codeOf = (secret, timestamp = Date.now()) => new TOTP({ secret }).generate({ timestamp });

/** How long a code is shown. */
const STEP = 30_000;

/** The hidden fields of the form that goes to `path`. */
function hiddenFields(html, path) {
  const [, form] = new RegExp(`<form[^>]*action="${path}"[^>]*>(.*?)</form>`, "s").exec(html) ?? [];
  if (form === undefined) throw new Error(`the desk shows no form to ${path}`);
  return [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]);
}

/** Someone at the desk without a browser. */
function visitor(desk) {
  let cookie;
  const ask = async (path, init, status) => {
    const headers = { accept: "text/html", "user-agent": "Till demo", ...init.headers, ...(cookie && { cookie }) };
    const response = await fetch(new URL(path, desk), { redirect: "manual", ...init, headers });
    if (response.status !== status) throw new Error(`${init.method} ${path} of the desk answered ${response.status}`);
    cookie = /__Host-desk=[^;]+/.exec(response.headers.get("set-cookie") ?? "")?.[0] ?? cookie;
    return response.text();
  };
  return {
    get: (path) => ask(path, { method: "GET" }, 200),
    post: (path, page, fields, status) => {
      const body = new URLSearchParams([...hiddenFields(page, path), ...Object.entries(fields)]);
      return ask(path, { method: "POST", body, headers: { origin: desk, "sec-fetch-site": "same-origin" } }, status);
    },
  };
}

/** Gives a demo user a second factor, and answers its secret. */
export async function setFactor(desk, { username, password }) {
  const { get, post } = visitor(desk);
  await post("/sign-in/", await get("/sign-in/"), { username, password }, 303);
  const offered = await get("/me/factor/");
  const [, letters] = /<code dir="ltr">([A-Z2-7 ]+)<\/code>/.exec(offered) ?? [];
  const secret = letters.replaceAll(" ", "");
  // The code before, which is still taken: one counts once, and that of now is for signing in. It must
  // arrive in the step in which it is made.
  const left = STEP - (Date.now() % STEP);
  if (left < 3_000) await sleep(left + 50);
  await post("/me/factor/", offered, { code: codeOf(secret, Date.now() - STEP) }, 200);
  return secret;
}

/** Prints the codes of the demo users who have a second factor. */
function print() {
  const { users } = JSON.parse(readFileSync(at(".dev", "demo.json"), "utf8"));
  for (const { username, factor } of users.filter((user) => user.factor)) console.log(`${username}   ${codeOf(factor)}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  try {
    print();
  } catch (error) {
    die(error);
  }
}
