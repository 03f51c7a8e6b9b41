/** A call of an operation in curl, JavaScript and Python. */

const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";
const EXAMPLES = {
  session_id: "00a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3", merchant_id: "demo", pg_code: "knet", token: "card_0123456789abcdef",
  reference_number: "7H3K9M2P4Q5R", entry_id: "7H3K9M2P4Q5R.late_success", prefix: "aB3dE6gH", code: "4fGh7Jk2Lm",
  picture: "00a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3.svg", name: "abcdefghijklmnopqrstuvwxyz234567.pdf",
  customer_id: "customer-1", type: "sandbox",
};

/** What a call sends: its address, its headers, and its body as a value. */
export function callOf({ path, method, operation }) {
  const parameters = operation.parameters ?? [];
  const concrete = path.replaceAll(/\{(\w+)\}/g, (_, name) => (path.startsWith("/b/problems") ? "not_found" : EXAMPLES[name]));
  const query = parameters.filter((one) => one.in === "query" && one.required).map(({ name }) => `${name}=${EXAMPLES[name]}`);
  const headers = {};
  const schemes = operation.security.flatMap((one) => Object.keys(one));
  if (schemes.includes("ApiKey")) headers.Authorization = "Api-Key YOUR_PRIVATE_KEY";
  if (schemes.includes("OperatorToken")) headers.Authorization = "Bearer YOUR_OPERATOR_TOKEN";
  const content = operation.requestBody?.content ?? {};
  const call = { method: method.toUpperCase(), url: concrete + (query.length > 0 ? `?${query.join("&")}` : ""), headers };
  if (content[JSON_TYPE]) {
    headers["Content-Type"] = JSON_TYPE;
    return { ...call, json: content[JSON_TYPE].example ?? {} };
  }
  if (content["multipart/form-data"]) return { ...call, file: { session_id: EXAMPLES.session_id } };
  if (operation.operationId === "give_token") return { ...call, form: { grant_type: "password", username: "sara", password: "YOUR_PASSWORD" } };
  if (content[FORM_TYPE]) return { ...call, form: { session_id: EXAMPLES.session_id, pg_code: "knet" } };
  return call;
}

const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

export function curl({ method, url, headers, json, form, file }) {
  const parts = [`curl -sS${method === "GET" || json !== undefined && method === "POST" ? "" : ` -X ${method}`} "$BASE${url}"`];
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (json !== undefined) parts.push(`-d ${quoted(JSON.stringify(json, undefined, 2))}`);
  for (const [name, value] of Object.entries(form ?? {})) parts.push(`-d ${quoted(`${name}=${value}`)}`);
  for (const [name, value] of Object.entries(file ?? {})) parts.push(`-F ${quoted(`${name}=${value}`)}`);
  if (file) parts.push("-F 'file=@bill.pdf'");
  return parts.join(" \\\n  ");
}

export function javascript({ method, url, headers, json, form, file }) {
  const lines = [];
  if (file) {
    lines.push("const body = new FormData();");
    for (const [name, value] of Object.entries(file)) lines.push(`body.append(${JSON.stringify(name)}, ${JSON.stringify(value)});`);
    lines.push('body.append("file", new Blob([bytes], { type: "application/pdf" }), "bill.pdf");');
  }
  const init = [];
  if (method !== "GET") init.push(`  method: ${JSON.stringify(method)},`);
  if (Object.keys(headers).length > 0) init.push(`  headers: ${JSON.stringify(headers, undefined, 2).replaceAll("\n", "\n  ")},`);
  if (json !== undefined) init.push(`  body: JSON.stringify(${JSON.stringify(json, undefined, 2).replaceAll("\n", "\n  ")}),`);
  if (form) init.push(`  body: new URLSearchParams(${JSON.stringify(form, undefined, 2).replaceAll("\n", "\n  ")}),`);
  if (file) init.push("  body,");
  const more = init.length > 0 ? `, {\n${init.join("\n")}\n}` : "";
  lines.push(`const response = await fetch(\`\${base}${url}\`${more});`, "console.log(response.status, await response.text());");
  return lines.join("\n");
}

/** A value as Python writes it. */
function literal(value, indent = "") {
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent}    `;
  const items = Array.isArray(value)
    ? value.map((item) => inner + literal(item, inner))
    : Object.entries(value).map(([name, item]) => `${inner}${JSON.stringify(name)}: ${literal(item, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return items.length === 0 ? open + close : `${open}\n${items.join(",\n")},\n${indent}${close}`;
}

export function python({ method, url, headers, json, form, file }) {
  const given = [`    ${JSON.stringify(method)}`, `    f"{base}${url}"`];
  const { "Content-Type": _, ...own } = headers;
  if (Object.keys(own).length > 0) given.push(`    headers=${literal(own, "    ")}`);
  if (json !== undefined) given.push(`    json=${literal(json, "    ")}`);
  if (form ?? file) given.push(`    data=${literal(form ?? file, "    ")}`);
  if (file) given.push('    files={"file": open("bill.pdf", "rb")}');
  return `import requests\n\nresponse = requests.request(\n${given.join(",\n")},\n)\nprint(response.status_code, response.text)`;
}
