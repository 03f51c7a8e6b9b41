// Requests and answers, judged by a description of an API (OpenAPI) that is not part of the project.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";

import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";

const ROOT = new URL("../../", import.meta.url);

/** The file of a description, below the folder of all of them. */
const fileOf = (path) => new URL(path, process.env.TILL_SPECS ? `file://${process.env.TILL_SPECS}/` : new URL("../shared/specs/", ROOT));
const read = (url) => JSON.parse(readFileSync(url, "utf8"));

/** The requests of a connector. */
export const requestsOf = (name) => read(new URL(`tests/vectors/gateways/${name}.json`, ROOT));

/** Why a test cannot be run; `false` if it can. */
export const reasonToSkip = (...paths) => (paths.every((path) => existsSync(fileOf(path))) ? false : `one of ${paths} is absent`);

export class Description {
  #ajv = new Ajv2020({ strict: false, allErrors: true });

  /** @param isForgiven which faults are those of the description */
  constructor(path, isForgiven = () => false) {
    this.document = read(fileOf(path));
    this.isForgiven = isForgiven;
    formats.default(this.#ajv);
    this.#ajv.addSchema(this.document, "described");
  }

  /** What is wrong with a value by a part of the description. */
  faults(value, ...parts) {
    const pointer = parts.map((part) => `/${encodeURIComponent(String(part).replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("");
    const validate = this.#ajv.compile({ $ref: `described#${pointer}` });
    if (validate(value)) return [];
    return validate.errors.filter((fault) => !this.isForgiven(fault)).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
  }

  /** The operation at a path; nothing for what is not described. */
  at(method, path) {
    for (const [template, operations] of Object.entries(this.document.paths)) {
      const operation = operations[method.toLowerCase()];
      const pattern = new RegExp(`^${template.replace(/\{[^}]+\}/g, "[^/]+")}$`);
      if (operation && pattern.test(path)) return { template, method: method.toLowerCase(), operation };
    }
    return undefined;
  }

  /** What is wrong with the body of a request. */
  faultsOfRequest({ template, method }, body) {
    return this.faults(body, "paths", template, method, "requestBody", "content", "application/json", "schema");
  }

  /** What is wrong with the body of an answer. */
  faultsOfAnswer({ template, method, operation }, status, body) {
    const { $ref } = operation.responses[status] ?? assert.fail(`${status} is not described`);
    const parts = $ref ? $ref.slice(2).split("/") : ["paths", template, method, "responses", String(status)];
    return this.faults(body, ...parts, "content", "application/json", "schema");
  }
}
