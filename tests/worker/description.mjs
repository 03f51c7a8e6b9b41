/**
 * What a Worker is sent and answers, against the description that it serves.
 *
 * The description is read strictly: a member that it does not name is a fault, although clients are to ignore such
 * members. What it says of requests in words is done first: what is empty is left out, and texts may be numbers. A null counts
 * as left out only where the schema says null.
 */
import { readFileSync } from "node:fs";
import addFormats from "ajv-formats";
import Ajv2020 from "ajv/dist/2020.js";
import { at } from "../../scripts/project.mjs";

const ID = "https://till.invalid/openapi.json";
const METHODS = ["get", "post", "put", "patch", "delete"];

/** The description, as it is served. */
export const description = () => JSON.parse(readFileSync(at("www", "openapi.json"), "utf8"));

/** A copy of a schema, or of anything that has schemas in it, in which objects have no other members than those named. */
export function strictly(value) {
  if (Array.isArray(value)) return value.map(strictly);
  if (value === null || typeof value !== "object") return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, strictly(inner)]));
  const isClosed = copy.type === "object" && copy.properties !== undefined && copy.additionalProperties === undefined;
  return isClosed ? { ...copy, additionalProperties: false } : copy;
}

/** Every operation: its id, its method, a pattern of its paths, and where it is in the document. */
function operationsOf(document) {
  const found = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map((method) => {
      const named = Object.fromEntries((item[method].parameters ?? []).map((parameter) => [parameter.name, parameter]));
      const pattern = path.split(/(\{\w+\})/).map((part) => {
        if (!part.startsWith("{")) return part.replaceAll(/[.]/g, "\\.");
        return (named[part.slice(1, -1)].schema.pattern ?? "[^/]+").replace(/^\^|\$$/g, "");
      });
      return {
        id: item[method].operationId, method: method.toUpperCase(), operation: item[method],
        path: new RegExp(`^${pattern.join("").replace(/\/$/, "/?")}$`), fixed: path.replaceAll(/\{\w+\}/g, "").length,
        pointer: `#/paths/${path.replaceAll("~", "~0").replaceAll("/", "~1")}/${method}`,
      };
    }),
  );
  return found.sort((one, other) => other.fixed - one.fixed);
}

/** A validator of the parts of a document, each compiled when it is first needed. */
class Parts {
  #ajv;
  #compiled = new Map();

  constructor(document, options) {
    this.#ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true, verbose: true, logger: false, ...options });
    addFormats(this.#ajv);
    this.#ajv.addSchema({ ...document, $id: ID });
  }

  /** What is wrong with a value, as texts: with every part of it, or with those that `counts` says. */
  faults(pointer, value, counts = () => true) {
    if (!this.#compiled.has(pointer)) this.#compiled.set(pointer, this.#ajv.compile({ $ref: ID + encodeURI(pointer) }));
    const validate = this.#compiled.get(pointer);
    if (validate(value)) return [];
    return validate.errors.filter(counts).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
  }
}

let loaded;
function load() {
  if (loaded === undefined) {
    const document = description();
    loaded = {
      operations: operationsOf(document),
      answers: new Parts(strictly(document), {}),
      requests: new Parts(document, { coerceTypes: true }),
      // In another validator, because coercing makes a text of null.
      nulls: new Parts(document, {}),
    };
  }
  return loaded;
}

/** The operation that a request means; `undefined` if there is none. */
export const operationOf = (method, path) => load().operations.find((one) => one.method === method && one.path.test(path));

/** How deep members are described. */
const DEEPEST = 8;
/** A date as requests may also write it. */
const DATE = /^(\d\d)\/(\d\d)\/(\d{4})$/;

/** What is left of a body if what counts as left out is left out, such as the empty list that is PHP's empty object, and its dates as answers write them. */
function given(value, depth = 0) {
  if (typeof value === "string") return value.replace(DATE, "$3-$2-$1");
  if (depth > DEEPEST || value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => given(item, depth + 1));
  const members = Object.entries(value).filter(([, inner]) => inner !== null && inner !== "" && !(Array.isArray(inner) && inner.length === 0));
  return Object.fromEntries(members.map(([name, inner]) => [name, given(inner, depth + 1)]));
}

const essence = (type) => (type ?? "").split(";")[0].trim().toLowerCase();
const isJson = (type) => /[/+]json$/.test(type);

function parsed(text) {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** What is wrong with an answer. */
function faultsOfAnswer({ operation, pointer }, { status, type, text }) {
  const response = operation.responses[status];
  if (response === undefined) return [`status ${status} is not described`];
  if (response.content === undefined) return text === "" ? [] : [`a body with status ${status} is not described`];
  const media = [type, "*/*"].find((one) => response.content[one] !== undefined);
  if (media === undefined) return text === "" ? [] : [`${type} with status ${status} is not described`];
  if (!isJson(type)) return [];
  const name = media.replaceAll("~", "~0").replaceAll("/", "~1");
  const json = parsed(text);
  if (json === undefined) return ["the body is no JSON"];
  return load().answers.faults(`${pointer}/responses/${status}/content/${name}/schema`, json.value);
}

/** What is wrong with the description if a request with this body succeeds. */
function faultsOfRequest({ operation, pointer }, { type, text }) {
  const content = operation.requestBody?.content ?? {};
  if (type !== "application/json" || content[type]?.schema === undefined) return [];
  const json = parsed(text);
  if (json === undefined) return [];
  const { payload } = json.value ?? {};
  // A payment by wallet may have its members in an outer object.
  const body = payload?.session_id !== undefined && json.value.session_id === undefined ? payload : json.value;
  const schema = `${pointer}/requestBody/content/application~1json/schema`;
  const nulls = load().nulls.faults(schema, body, ({ data }) => data === null);
  return [...nulls, ...load().requests.faults(schema, given(body))];
}

/** Which webhook of the description a body is; `undefined` for other messages. */
function webhookOf(body) {
  if (body?.txn !== undefined) return "operation";
  if (body?.reference_number === undefined || body?.state === undefined) return undefined;
  return body.token === undefined ? "payment" : "card";
}

/** What is wrong with the body of a webhook about a payment or an operation, as texts. */
export function faultsOfWebhook(text, name = webhookOf(parsed(text)?.value)) {
  const body = parsed(text);
  if (body === undefined) return ["the body is no JSON"];
  if (name === undefined) return [];
  return load().answers.faults(`#/webhooks/${name}/post/requestBody/content/application~1json/schema`, body.value);
}

/**
 * Throws if an exchange is not as described.
 *
 * @param {string} method
 * @param {string} path
 * @param {{type?: string, text?: string}} request
 * @param {{status: number, type: string, text: string}} answer
 */
export function assertDescribed(method, path, request, answer) {
  const operation = operationOf(method, path);
  if (operation === undefined) return;
  const faults = faultsOfAnswer(operation, { ...answer, type: essence(answer.type) });
  if (answer.status < 300 && request.text !== undefined) {
    faults.push(...faultsOfRequest(operation, { type: essence(request.type), text: request.text }).map((fault) => `the request: ${fault}`));
  }
  if (faults.length === 0) return;
  throw new Error(`${method} ${path} is not as described (${operation.id}, ${answer.status}): ${faults.join("; ")}\n${answer.text.slice(0, 2000)}`);
}
