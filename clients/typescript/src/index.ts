/**
 * A client of the Till checkout API. Its types are generated from the description that Till serves at `/openapi.json`.
 *
 * ```ts
 * const till = createTill({ baseUrl: "https://pay.example.com", key: process.env.TILL_KEY });
 * const { session_id, checkout_url } = await till.create({ type: "e_commerce", amount: "10.250", currency_code: "KWD", pg_codes: ["knet"] });
 * ```
 */
export type { Credential, TillOptions } from "./connection.js";
export { NoAnswer, type Problem, type ProblemCode, ProblemError, UnexpectedAnswer } from "./errors.js";
export type { Bytes } from "./resources.js";
export type { components, operations, paths } from "./schema.js";
export { type Attachment, Till, createTill } from "./till.js";
export * from "./types.js";
export * from "./webhooks.js";
