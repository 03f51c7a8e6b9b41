/**
 * Recorded calls: one of each operation, as clients of the contract make them, with what was answered
 * (`tests/vectors/calls.json`). `{{name}}` is a value of the run: the origin, or what an earlier answer gave.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { at } from "../../scripts/project.mjs";
import { OPERATOR_TOKEN } from "./harness.mjs";

const FILE = at("tests", "vectors", "calls.json");

export const recorded = () => JSON.parse(readFileSync(FILE, "utf8"));
export const write = (document) => writeFileSync(FILE, `${JSON.stringify(document, undefined, 1)}\n`);

const fill = (value, values) =>
  JSON.parse(JSON.stringify(value).replaceAll(/\{\{(\w+)\}\}/g, (whole, name) => {
    if (values[name] === undefined) throw new Error(`no call before gave ${name}`);
    return JSON.stringify(String(values[name])).slice(1, -1);
  }));

/** A value with the placeholders of the run in it; the longest values first, because one may be a part of another. */
function abstract(value, values) {
  const known = Object.entries(values).filter(([, text]) => text.length >= 8).sort(([, one], [, other]) => other.length - one.length);
  const text = known.reduce((json, [name, of]) => json.replaceAll(JSON.stringify(of).slice(1, -1), `{{${name}}}`), JSON.stringify(value));
  return JSON.parse(text);
}

/** The member of a value by its path, such as `0.token`. */
const member = (value, path) => path.split(".").reduce((inner, name) => inner?.[name], value);

/** Plays calls one after the other against a running Worker. */
export class Player {
  values;
  /** What the merchant's calls offer in place of its key, once there is such a credential. */
  credential;
  #till;

  constructor(till) {
    this.#till = till;
    this.values = { origin: till.url, merchant_id: "calls-shop" };
  }

  #authorization(who) {
    if (who === "merchant") return { authorization: this.credential ?? `Api-Key ${this.values.private_key}` };
    if (who === "operator") return { authorization: `Bearer ${OPERATOR_TOKEN}` };
    return {};
  }

  /** Makes one call. Returns its answer, as it is recorded. */
  async play({ answer: _, ...call }) {
    const { path, headers = {}, json, form, file, text, base64 } = fill(call, this.values);
    const init = { method: call.method, headers: { ...this.#authorization(call.as), ...headers }, json };
    if (text !== undefined) init.body = text;
    if (base64 !== undefined) init.body = Buffer.from(base64, "base64");
    if (form !== undefined) init.body = new URLSearchParams(form);
    if (file !== undefined) {
      init.body = new FormData();
      for (const [name, value] of Object.entries(form ?? {})) init.body.append(name, value);
      init.body.append("file", new Blob([file.text], { type: "text/plain" }), file.name);
    }
    let answer = await this.#till.call(path, init);
    while (call.follow && answer.status >= 300 && answer.status < 400) answer = await this.#till.call(answer.headers.get("location"));
    for (const [name, from] of Object.entries(call.save ?? {})) {
      const value = member(answer.body, from);
      if (value === undefined) throw new Error(`${call.operation} did not answer ${from}: ${answer.status} ${answer.text}`);
      this.values[name] = value;
      if (typeof value === "string") this.#till.secrets.add(value);
    }
    const isJson = typeof answer.body === "object";
    return { status: answer.status, ...(isJson ? { json: abstract(answer.body, this.values) } : {}) };
  }
}

/** What differs from run to run: moments, days, signed and random texts, references, numbers of the bank. */
const CHANGES = [
  /\d{4}-\d\d-\d\d(T[\d:.]+Z)?/g, /[0-9a-f]{16,}/g, /\b[\w-]+\.[\w-]{20,}\.[\w-]{20,}/g, /\b[\w-]{24,}\b/g, /[0-9A-HJKMNP-TV-Z]{12}(U[0-9A-F]{2})?/g, /\b\d{6,}\b/g,
];
const without = (text) => CHANGES.reduce((left, pattern) => left.replaceAll(pattern, "…"), text);
/** Members whose values say nothing when they are compared, or depend on who calls. */
const RANDOM = [/\.last4$/, /\.actor\.id$/, /(\.|_)by\.(id|kind)$/, /\.nonce$/];

/** What a client that read the recorded answer would miss in this one, as paths. */
export function missing(before, now, path = "") {
  if (before === null || before === undefined) return [];
  if (Array.isArray(before)) {
    if (!Array.isArray(now)) return [`${path}: no list`];
    if (before.length > 0 && now.length === 0) return [`${path}: an empty list`];
    return before.length === 0 ? [] : missing(before[0], now[0], `${path}.0`);
  }
  if (typeof before === "object") {
    if (typeof now !== "object" || now === null) return [`${path}: no object`];
    return Object.entries(before).flatMap(([name, value]) =>
      name in now ? missing(value, now[name], `${path}.${name}`) : [`${path}.${name}: missing`],
    );
  }
  if (typeof before !== typeof now) return [`${path}: ${typeof now} instead of ${typeof before}`];
  if (typeof before !== "string" || without(before) === without(now) || RANDOM.some((pattern) => pattern.test(path))) return [];
  return [`${path}: ${JSON.stringify(now)} instead of ${JSON.stringify(before)}`];
}
