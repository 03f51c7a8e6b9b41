/**
 * What checkout SDKs decode: the members without which they show nothing, the members that they read if they are there,
 * and the words that they know. Strictly typed SDKs give up on a whole list for one member that is missing or null.
 *
 * Every preload that any test of the Worker makes is checked against it (tests/worker/harness.mjs).
 */
const text = (value) => typeof value === "string";
const flag = (value) => typeof value === "boolean";
const object = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const list = (of) => (value) => Array.isArray(value) && value.every((item) => of(item));
const oneOf = (...words) => (value) => words.includes(value);
/** Decodes to a number, as SDKs read amounts. */
const decimal = (value) => text(value) && /^\d+(\.\d+)?$/.test(value);
const address = (value) => text(value) && URL.canParse(value);

const PRICE = { required: { display: text, value: decimal, currency_code: text, label: text } };

const ROOT = {
  required: {
    amount: decimal, billing: object, cancel_url: address, cards: Array.isArray, currency_code: text, expiration_time: text,
    flex_methods: Array.isArray, is_amount_editable: flag, operation: oneOf("purchase", "authorize"), payment_methods: Array.isArray,
    payment_services: Array.isArray, response: object, sdk_studio: object, session_id: text, state: text, type: text,
  },
  optional: { customer_id: text, customer_phone: text, language: oneOf("en", "ar"), next_way: object, payment_type: text },
};
const CARD = {
  required: {
    agreements: list(text), brand: text, customer_id: text, cvv_required: flag, delete_url: address, expiry_month: text, expiry_year: text,
    is_expired: flag, is_preferred: flag, name_on_card: text, number: text, pg: text, pg_code: text, pg_name: text, submit_url: address,
    token: text, will_expire_soon: flag,
  },
  optional: { auto_debit_enabled: oneOf("true", "false"), mark: address },
};
const METHOD = {
  required: {
    amount: decimal, billing: object, can_save_card: flag, code: text, currency_code: text, fee: decimal, fee_description: text,
    flow: text, icon: address, icons: (icons) => address(icons?.svg) && address(icons?.webp), name: text, pg: text, submit_url: address, type: oneOf("e_commerce", "payment_request"),
  },
  optional: { pg_code: text, redirect_url: address },
};
const SERVICE = { required: { billing: object, code: text, country_code: text, currency_code: text, fee: decimal, fee_description: text, flow: oneOf("apple_pay", "google_pay"), payment_url: address } };
const SERVICES = {
  apple_pay: { required: { amount: decimal, domain: text, merchant_id: text, shop_name: text, validation_url: address }, optional: { session_id: text } },
  google_pay: { required: { environment: oneOf("TEST", "PRODUCTION"), gateway: text, gateway_merchant_id: text, merchant_id: text, merchant_name: text, total_price: decimal } },
};
const CALLBACK = {
  required: { form_of_payment: text, message: text, status: oneOf("success", "canceled", "error") },
  optional: { challenge_occurred: flag, order_no: text, payment_gateway_info: object, redirect_url: address, reference_number: text, session_id: text },
};
/** A payment that goes on at another page. */
const CHALLENGE = {
  required: { challenge_occurred: oneOf(true), form_of_payment: text, method: oneOf("redirect"), redirect_url: address, reference_number: text, session_id: text },
  optional: { message: text, order_no: text },
};

/** What is wrong with the members of an object, as texts. */
function faults(path, value, { required = {}, optional = {} }) {
  const missing = Object.entries(required).filter(([name, is]) => !is(value[name]));
  const wrong = Object.entries(optional).filter(([name, is]) => value[name] !== undefined && !is(value[name]));
  return [...missing, ...wrong].map(([name]) => `${path}.${name} is ${JSON.stringify(value[name])}`);
}

/** What is wrong with the outcome of a payment, as an SDK gets it. */
export function faultsOfCallback(callback, path = "callback") {
  return faults(path, callback, callback.status === "3DS" ? CHALLENGE : CALLBACK);
}

const faultsOfBilling = (path, billing) => ["amount", "sub_total", "fee"].flatMap((name) => faults(`${path}.billing.${name}`, billing?.[name] ?? {}, PRICE));

/** What is wrong with the object that an SDK begins with. */
export function faultsOfPreload(preload) {
  const found = faults("preload", preload, ROOT);
  if (found.length > 0) return found;
  const { cards, payment_methods, payment_services, response } = preload;
  return [
    ...faultsOfBilling("preload", preload.billing),
    ...cards.flatMap((card, place) => faults(`cards.${place}`, card, CARD)),
    ...payment_methods.flatMap((method, place) => [...faults(`payment_methods.${place}`, method, METHOD), ...faultsOfBilling(`payment_methods.${place}`, method.billing)]),
    ...payment_services.flatMap((service, place) => [...faults(`payment_services.${place}`, service, SERVICE), ...faults(`payment_services.${place}`, service, SERVICES[service.flow] ?? {})]),
    // Before the first attempt, and while one is open, it is an empty object.
    ...(Object.keys(response).length > 0 ? faultsOfCallback(response, "response") : []),
  ];
}

const INIT = /^\/b\/checkout\/api\/sdk\/v1\/pymt-txn\/submit\/[^/]+\/?$/;
const PAYING = /^\/b\/checkout\/api\/sdk\/v1\/(submit-token|cancel\/[^/]+|apay\/pay|gpay\/pay)\/?$/;

/** What is wrong with an answer to an SDK, as SDKs decode it. */
function faultsOfAnswer(path, status, body) {
  if (INIT.test(path) && status === 200) return faultsOfPreload(body);
  if (PAYING.test(path)) {
    const callback = body.callback_payload ?? (body.form_of_payment !== undefined ? body : undefined);
    return callback === undefined ? [] : faultsOfCallback(callback);
  }
  return body.sdk_setup_preload_payload === undefined ? [] : faultsOfPreload(body.sdk_setup_preload_payload);
}

/**
 * Throws if an SDK cannot decode an answer.
 *
 * @param {string} path
 * @param {{status: number, text: string}} answer the text of a JSON body; any other is nothing to an SDK
 */
export function assertDecodable(path, { status, text: json }) {
  let body;
  try {
    body = JSON.parse(json);
  } catch {
    return;
  }
  const found = object(body) ? faultsOfAnswer(path, status, body) : [];
  if (found.length > 0) throw new Error(`SDKs do not decode what ${path} answers: ${found.join("; ")}\n${json.slice(0, 2000)}`);
}
