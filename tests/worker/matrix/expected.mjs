/**
 * Who may do what, written down apart from the code: what a request is refused with, by the action of its endpoint and by
 * what its sender holds; `undefined` if it is not refused.
 *
 * What someone holds: `kind` (`none`, `invalid`, `public`, `private`, `user`, `operator`), and `may`, the names of the
 * permissions they were given; `all` is everything that can be given to their kind. An operator has a `role`.
 */

const MISSING = [401, "credentials_missing"];
const INVALID = [401, "credentials_invalid"];
const PRIVATE = [401, "private_key_required"];
const FOR_KEYS = [403, "key_required"];
const FOR_PERSONS = [403, "user_required"];
const PERMISSION = [403, "permission_missing"];

const E_COMMERCE = "e-commerce payments";
const REQUESTS = "payment requests";
const adds = (plugin) => `Can add ${plugin}`;
const changes = (plugin) => `Can change ${plugin}`;
const use = (pg_code) => `Can use ${pg_code}`;
/** Who adds or changes payments of a plugin sees them. */
const sees = (has, plugin) => [`Can view ${plugin}`, adds(plugin), changes(plugin)].some(has);

/** What each action needs, of someone to whom permissions are given. `has` says whether they have one. */
const NEEDS = {
  create: (has) => has(adds(E_COMMERCE)) && has(use("knet")),
  "change gateways": (has) => has(changes(E_COMMERCE)) && has(use("knet")) && has(use("credit-card")),
  // Without an id, a file is uploaded before it is known for which payment.
  upload: (has) => has(adds(E_COMMERCE)) || has(adds(REQUESTS)),
  retrieve: (has) => sees(has, E_COMMERCE),
  replace: (has) => has(changes(E_COMMERCE)) && has(use("knet")),
  // The gateways stay as they are.
  change: (has) => has(changes(E_COMMERCE)),
  list: (has) => sees(has, E_COMMERCE) && sees(has, REQUESTS),
  export: (has) => has("Can export payments") && sees(has, E_COMMERCE) && sees(has, REQUESTS),
  methods: (has) => sees(has, E_COMMERCE) || sees(has, REQUESTS) || has(use("knet")) || has(use("credit-card")),
  debit: (has) => has(adds(E_COMMERCE)) && has(use("credit-card")),
  // The one action of public keys: they pass on what a wallet provided.
  wallet: (has) => has(adds(E_COMMERCE)) && has(use("credit-card")),
  cards: (has) => has("Can manage cards"),
  cash: (has) => has("Can acknowledge cash"),
  "see requests": (has) => has("Can approve") || ["capture", "refund", "void", "cancel", "expire", "delete"].some((one) => has(`payment.${one}`)),
  approve: (has) => has("Can approve"),
  withdraw: (has) => ["capture", "refund", "void", "cancel", "expire", "delete"].some((one) => has(`payment.${one}`)),
  inquire: (has) => has("payment.inquiry"),
  manage: (has) => has("Can manage access"),
  // No permission is enough: only who may do everything for the merchant.
  own: (has) => has("everything"),
  capture: (has) => has("payment.capture"),
  refund: (has) => has("payment.refund"),
  void: (has) => has("payment.void"),
  cancel: (has) => has("payment.cancel"),
  expire: (has) => has("payment.expire"),
  delete: (has) => has("payment.delete"),
};

/** What operators do, and which roles may. */
const OPERATORS = {
  "read the installation": ["read", "support", "admin"],
  "support merchants": ["support", "admin"],
  "administer the installation": ["admin"],
};

/** What only keys do, and what only persons do. */
const FOR_KEYS_ONLY = ["cards", "cash"];
const FOR_PERSONS_ONLY = ["approve"];

/** Why a request for an action is refused to someone who holds this; `undefined` if it is not. */
export function refusal(action, { kind, may, role }) {
  // The id in the address is all that is asked, or nothing is.
  if (action === "session" || action === "anything") return undefined;
  if (kind === "none") return MISSING;
  if (kind === "invalid") return INVALID;
  if (action in OPERATORS) {
    if (kind !== "operator") return INVALID;
    return OPERATORS[action].includes(role) ? undefined : PERMISSION;
  }
  if (kind === "operator") return INVALID;
  const needs = NEEDS[action];
  if (needs === undefined) throw new Error(`the matrix does not know who may ${action}`);
  const has = (permission) => may === "all" || may.has(permission);
  if (kind === "public" && action !== "wallet") return PRIVATE;
  if (kind === "user" && FOR_KEYS_ONLY.includes(action)) return FOR_KEYS;
  if (kind === "private" && FOR_PERSONS_ONLY.includes(action)) return FOR_PERSONS;
  return needs(has) ? undefined : PERMISSION;
}

/** Every permission that users can be given, each by itself; and for keys. */
export const OF_USERS = [
  ...[E_COMMERCE, REQUESTS].flatMap((plugin) => [adds(plugin), changes(plugin), `Can view ${plugin}`]),
  use("knet"), use("credit-card"), "payment.capture", "payment.refund", "payment.void", "payment.cancel", "payment.expire",
  "payment.delete", "payment.inquiry", "Can manage access", "Can approve", "Can see personal data",
  "payment.delete", "payment.inquiry", "Can manage access", "Can approve", "Can export payments",
];
export const OF_KEYS = [...OF_USERS.filter((name) => !["Can approve", "Can see personal data"].includes(name)), "Can manage cards", "Can acknowledge cash"];
/** Permissions of which an action needs more than one. */
export const TOGETHER = [
  [adds(E_COMMERCE), use("knet")],
  [adds(E_COMMERCE), use("credit-card")],
  [changes(E_COMMERCE), use("knet")],
  [`Can view ${E_COMMERCE}`, `Can view ${REQUESTS}`],
  [`Can view ${E_COMMERCE}`, `Can view ${REQUESTS}`, "Can export payments"],
];
/** What a public key that is limited to a gateway holds. */
export const publicOf = (pg_code) => new Set([use(pg_code), adds(E_COMMERCE)]);
