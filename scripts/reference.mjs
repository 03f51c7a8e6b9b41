/**
 * The readable reference: one page, `www/docs/index.html`, made of the description `www/openapi.json`, and a page to begin with,
 * `www/docs/start.html`, made of what README.md shows. They need no other host, and without the script everything but the search
 * works.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { at } from "./project.mjs";
import { frame } from "./reference/frame.mjs";
import { html, prose, textOf } from "./reference/html.mjs";
import { callOf, curl, javascript, python } from "./reference/samples.mjs";
import { startPage } from "./reference/start.mjs";

const METHODS = ["get", "post", "put", "patch", "delete"];
const LANGUAGES = [["curl", "curl", curl], ["javascript", "JavaScript", javascript], ["python", "Python", python]];
/** How deep members of members are shown. */
const DEEPEST = 3;

/** The pattern of every text of one line. */
const LINE = "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$";

/** The name of a component that a schema refers to. */
const nameOf = (schema) => schema?.$ref?.split("/").pop();

/** What a schema is, in a few words. */
function kindOf(schema) {
  const name = nameOf(schema);
  if (name) return html`<a href="#schema-${name}">${name}</a>`;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map((choice, place) => [place > 0 && " or ", kindOf(choice)]);
  if (schema.type === "array") return html`list of ${schema.items ? kindOf(schema.items) : "values"}`;
  const types = [schema.type ?? "value"].flat();
  return [types.join(" or "), schema.format && ` (${schema.format})`];
}

/** The limits of a schema. */
function limitsOf(schema) {
  const found = [];
  const words = schema.enum ?? schema.items?.enum;
  if (words) found.push(html`one of ${words.map((word, place) => [place > 0 && ", ", html`<code>${word}</code>`])}`);
  if (schema.maxLength) found.push(`at most ${schema.maxLength} characters`);
  if (schema.minimum !== undefined && schema.maximum !== undefined) found.push(`${schema.minimum} to ${schema.maximum}`);
  if (schema.maxItems) found.push(`at most ${schema.maxItems} items`);
  if (schema.pattern && schema.pattern !== LINE) found.push(html`matches <code>${schema.pattern}</code>`);
  return found.map((limit, place) => [place > 0 && "; ", limit]);
}

/** The members of an object, each with what it is; the required ones first. */
function members(schema, depth = 0) {
  const required = schema.required ?? [];
  const names = Object.keys(schema.properties ?? {});
  const ordered = [...names.filter((name) => required.includes(name)), ...names.filter((name) => !required.includes(name))];
  if (ordered.length === 0) return "";
  return html`<dl class="members">${ordered.map((name) => {
    const member = schema.properties[name];
    const inner = member.type === "array" ? member.items : member;
    const limits = limitsOf(member);
    const more = depth < DEEPEST && inner && !nameOf(inner) ? members(inner, depth + 1) : "";
    return html`<div><dt><code>${name}</code> <span class="kind">${kindOf(member)}</span>${required.includes(name) && html` <span class="required">required</span>`}</dt>
<dd>${prose(member.description)}${limits.length > 0 && html` <span class="limits">${limits}</span>`}${more && html`<details><summary>Members of <code>${name}</code></summary>${more}</details>`}</dd></div>`;
  })}</dl>`;
}

const block = (text, label) => html`<pre tabindex="0" aria-label="${label}"><code>${text}</code></pre>`;

function parametersOf(operation, document) {
  const all = (operation.parameters ?? []).map((one) => (one.$ref ? document.components.parameters[nameOf(one)] : one));
  if (all.length === 0) return "";
  return html`<h4>Parameters</h4><dl class="members">${all.map(({ name, in: where, required, description, schema }) =>
    html`<div><dt><code>${name}</code> <span class="kind">in the ${where === "header" ? "headers" : where}, ${kindOf(schema)}</span>${required && html` <span class="required">required</span>`}</dt>
<dd>${prose(description)} <span class="limits">${limitsOf(schema)}</span></dd></div>`,
  )}</dl>`;
}

function bodyOf(operation, document) {
  if (!operation.requestBody) return "";
  const content = operation.requestBody.content;
  const [[, { schema: named }]] = Object.entries(content);
  const schema = nameOf(named) ? document.components.schemas[nameOf(named)] : named;
  const types = Object.keys(content).filter((type) => type !== "*/*");
  return html`<h4>Body</h4><p>${types.map((type, place) => [place > 0 && ", ", html`<code>${type}</code>`])}${types.length > 0 && ". "}${operation.requestBody.description}</p>${members(schema)}`;
}

function samplesOf(entry) {
  const call = callOf(entry);
  return html`<div class="samples">${LANGUAGES.map(([id, name, write]) => html`<div class="sample ${id}"><p class="language">${name}</p>${block(write(call), `${entry.operation.operationId} in ${name}`)}</div>`)}</div>`;
}

/** The codes of a problem answer. */
const codesOf = (response) => response.content?.["application/problem+json"]?.schema.allOf[1].properties.code.enum ?? [];

function answersOf({ operation }) {
  const answers = Object.entries(operation.responses).filter(([status]) => Number(status) < 400);
  const problems = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400);
  return html`<h4>Answers</h4>${answers.map(([status, response]) => {
    const content = Object.entries(response.content ?? {});
    const [type, media] = content[0] ?? [];
    const schema = media?.schema;
    const isKnown = schema && (nameOf(schema) || schema.anyOf || schema.type === "array");
    return html`<p><strong>${status}</strong> ${response.description} ${type && type !== "*/*" && html`<code>${type}</code> `}${isKnown && kindOf(schema)}</p>
${schema && !isKnown && members(schema)}${media?.example !== undefined && html`<details><summary>Example of the answer ${status}</summary>${block(JSON.stringify(media.example, undefined, 2), `answer ${status} of ${operation.operationId}`)}</details>`}`;
  })}
<details><summary>Refusals</summary><dl class="refusals">${problems.map(([status, response]) => html`<div><dt>${status}</dt><dd>${codesOf(response).map((code, place) => [place > 0 && ", ", html`<a href="#problem-${code}"><code>${code}</code></a>`])}</dd></div>`)}</dl></details>`;
}

function linksOf({ operation }) {
  const links = Object.values(operation.responses).flatMap((response) => Object.values(response.links ?? {}));
  if (links.length === 0) return "";
  return html`<p class="next">Next: ${links.map(({ operationId, description }, place) => [place > 0 && " · ", html`<a href="#${operationId}">${description.replace(/\.$/, "")}</a>`])}</p>`;
}

const title = ({ operation }) => operation.summary;

function article(entry, document) {
  const { method, path, operation } = entry;
  const needs = operation.security.flatMap((one) => Object.keys(one));
  return html`<article id="${operation.operationId}" class="operation"><h3><a href="#${operation.operationId}">${title(entry)}</a>${operation.deprecated && html` <span class="required">older address</span>`}</h3>
<p class="address"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path.split(/(?<=\/)/).map((part) => [part, html`<wbr>`])}</code></p>
<p>${prose(operation.description)}</p>${needs.length > 0 && html`<p class="needs">Needs ${needs.map((name, place) => [place > 0 && " or ", html`<a href="#authentication">${name}</a>`])}.</p>`}
${parametersOf(operation, document)}${bodyOf(operation, document)}${samplesOf(entry)}${answersOf(entry)}${linksOf(entry)}</article>`;
}

const slug = (tag) => `tag-${tag.toLowerCase()}`;

/** Every operation with its tag, the webhooks last. */
function groupsOf(document) {
  const entries = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({ path, method, operation: item[method] })),
  );
  entries.sort((one, other) => one.operation["x-order"] - other.operation["x-order"]);
  return document.tags.filter(({ name }) => name !== "Webhooks").map((tag) => ({ tag, entries: entries.filter(({ operation }) => operation.tags[0] === tag.name) }));
}

function webhooks(document) {
  return Object.values(document.webhooks).map(({ post }) => html`<article id="${post.operationId}" class="operation"><h3><a href="#${post.operationId}">${post.summary}</a></h3>
<p class="address"><span class="method post">POST</span> your address</p><p>${prose(post.description)}</p>${parametersOf(post, document)}
<h4>Body</h4><p>${kindOf(post.requestBody.content["application/json"].schema)}</p>
<h4>Your answer</h4><dl class="refusals">${Object.entries(post.responses).map(([status, { description }]) => html`<div><dt>${status}</dt><dd>${description}</dd></div>`)}</dl></article>`);
}

/** The codes of problems with their meaning, and the operations that answer them. */
function problems(groups, known) {
  const found = new Map();
  for (const { operation } of groups.flatMap(({ entries }) => entries)) {
    for (const [status, response] of Object.entries(operation.responses)) {
      for (const code of codesOf(response)) {
        const problem = found.get(code) ?? { status, ...known[code], operations: [] };
        problem.operations.push(operation.operationId);
        found.set(code, problem);
      }
    }
  }
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([code, { status, meaning, remedy, operations }]) =>
    html`<article id="problem-${code}" class="operation"><h3><a href="#problem-${code}">${code}</a> <span class="kind">${status}</span></h3><p>${prose(meaning)}</p><p><strong>What to do:</strong> ${prose(remedy)} <a href="/b/problems/${code}/">Its page</a></p>
<details><summary>Operations that answer it: ${operations.length}</summary><p>${operations.map((id, place) => [place > 0 && ", ", html`<a href="#${id}">${id}</a>`])}</p></details></article>`);
}

function navigation(groups, document) {
  const list = (heading, id, entries) => html`<li><a href="#${id}">${heading}</a><ul>${entries}</ul></li>`;
  return html`<ul>${groups.map(({ tag, entries }) => list(tag.name, slug(tag.name), entries.map((entry) => html`<li><a href="#${entry.operation.operationId}"><span class="method ${entry.method}">${entry.method.toUpperCase()}</span> ${title(entry)}${entry.operation.deprecated && " (older address)"}</a></li>`)))}
${list("Webhooks", "tag-webhooks", Object.values(document.webhooks).map(({ post }) => html`<li><a href="#${post.operationId}">${post.summary}</a></li>`))}
<li><a href="#schemas">Objects</a></li><li><a href="#problems">Problem codes</a></li></ul>`;
}

/** The page of a description. */
export function page(document) {
  const groups = groupsOf(document);
  const { info, components } = document;
  const search = html`<form role="search" class="search"><label for="search">Search</label><input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="refund, card, 409 …" aria-describedby="found"><p id="found" role="status"></p></form>
<fieldset class="languages"><legend>Code in</legend>${LANGUAGES.map(([id, name], place) => html`<label><input type="radio" name="language" id="language-${id}" value="${id}"${place === 0 && html` checked`}> ${name}</label>`)}</fieldset>`;
  const body = html`<div class="columns"><nav aria-label="Operations"><details class="menu"><summary>All operations</summary>${navigation(groups, document)}</details></nav>
<main id="content"><h1>${info.title} API reference</h1>${info.description.split("\n\n").map((paragraph) => html`<p>${prose(paragraph)}</p>`)}
<p>For tools: <a href="/openapi.json">openapi.json</a> (OpenAPI ${document.openapi}).</p>
<section aria-labelledby="authentication"><h2 id="authentication">Authentication</h2><dl class="members">${Object.entries(components.securitySchemes).map(([name, { description }]) => html`<div><dt><code>${name}</code></dt><dd>${prose(description)}</dd></div>`)}</dl></section>
${groups.map(({ tag, entries }) => html`<section aria-labelledby="${slug(tag.name)}"><h2 id="${slug(tag.name)}">${tag.name}</h2><p>${tag.description}</p>${entries.map((entry) => article(entry, document))}</section>`)}
<section aria-labelledby="tag-webhooks"><h2 id="tag-webhooks">Webhooks</h2><p>${document.tags.find(({ name }) => name === "Webhooks").description}</p>${webhooks(document)}</section>
<section aria-labelledby="schemas"><h2 id="schemas">Objects</h2>${Object.entries(components.schemas).filter(([name]) => !name.endsWith("Body")).map(([name, schema]) => html`<article id="schema-${name}" class="operation"><h3><a href="#schema-${name}">${name}</a></h3>${members(schema)}</article>`)}</section>
<section aria-labelledby="problems"><h2 id="problems">Problem codes</h2>${problems(groups, document["x-problems"])}</section></main></div>`;
  return textOf(frame({ title: `${info.title} API reference`, version: info.version, here: "/docs/", tools: search, body }));
}

/** Writes both pages. */
export function writeReference() {
  const document = JSON.parse(readFileSync(at("www", "openapi.json"), "utf8"));
  mkdirSync(at("www", "docs"), { recursive: true });
  writeFileSync(at("www", "docs", "index.html"), page(document));
  writeFileSync(at("www", "docs", "start.html"), startPage(readFileSync(at("README.md"), "utf8"), document.info));
}
