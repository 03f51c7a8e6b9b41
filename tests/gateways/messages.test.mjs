// What is sent to the providers of messages, and what they report, judged from outside: by the descriptions that they publish,
// by their own clients, which send the same message to a server that listens, and by their own libraries for signatures.
//
// The descriptions are files of the folder TILL_SPECS, the clients packages of the folder TILL_CLIENTS or of this one. What is not
// there is skipped by name.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { after, before, describe, it } from "node:test";

import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { Webhook } from "standardwebhooks";

const ROOT = new URL("../../", import.meta.url);
const SPECS = process.env.TILL_SPECS ? new URL(`file://${process.env.TILL_SPECS}/`) : new URL("../shared/specs/", ROOT);
const VECTORS = new URL("tests/vectors/messages/", ROOT);
const read = (url) => JSON.parse(readFileSync(url, "utf8"));
const recorded = (name) => read(new URL(`${name}.json`, VECTORS));
const REPORTS = recorded("reports");
const reportsOf = (provider) => REPORTS.filter((report) => report.provider === provider);
/** The address of reports, and the secrets, as tests/native/messengers.rs has them. */
const CALLBACK = "https://pay.example.com/b/gw/v1/messages/demo/sms/";
const SECRETS = { resend: `whsec_${Buffer.alloc(24, 7).toString("base64")}`, twilio: "the-auth_token" };

/** A package of a provider, or why it is not asked. */
function client(name) {
  const from = process.env.TILL_CLIENTS ? new URL(`file://${process.env.TILL_CLIENTS}/package.json`) : new URL("package.json", ROOT);
  try {
    return { library: createRequire(from)(name), skip: false };
  } catch {
    return { skip: `the package ${name} is not installed` };
  }
}

/** A published description, with a function that says what a value breaks of one of its parts. */
function description(file) {
  const url = new URL(file, SPECS);
  if (!existsSync(url)) return { skip: `the description ${file} is absent` };
  const document = read(url);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  for (const name of ["int32", "int64", "float", "double", "phone-number"]) ajv.addFormat(name, true);
  ajv.addSchema(document, "it");
  const faults = (schema, value) => {
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"it#/')));
    return validate(value) ? [] : validate.errors.map((fault) => `${fault.instancePath} ${fault.message}`);
  };
  return { document, faults, skip: false };
}

const known = (schema, value) => Object.keys(value).filter((name) => !(name in schema.properties));

const resend = description("resend/resend.json");
describe("e-mail by Resend, by its description", { skip: resend.skip }, () => {
  it("takes the request", () => {
    const { body, headers } = recorded("resend-email");
    const schema = resend.document.components.schemas.SendEmailRequest;
    assert.deepEqual(resend.faults({ $ref: "#/components/schemas/SendEmailRequest" }, body), []);
    assert.deepEqual(known(schema, body), []);
    for (const tag of body.tags) assert.match(`${tag.name}${tag.value}`, /^[\w-]{1,256}$/);
    assert.ok(headers["idempotency-key"].length <= 256);
  });
  for (const { body } of reportsOf("resend")) {
    const event = JSON.parse(body);
    it(`makes the event ${event.type}`, () => {
      const { schema } = resend.document.webhooks[event.type].post.requestBody.content["application/json"];
      assert.deepEqual(resend.faults(schema, event), []);
    });
  }
});

const twilio = description("twilio/twilio_api_v2010.json");
describe("SMS and WhatsApp by Twilio, by its description", { skip: twilio.skip }, () => {
  for (const channel of ["sms", "whatsapp"]) {
    it(`takes the request of ${channel}`, () => {
      const { url, method, body } = recorded(`twilio-${channel}`);
      const template = "/2010-04-01/Accounts/{AccountSid}/Messages.json";
      assert.match(url, /^https:\/\/api\.twilio\.com\/2010-04-01\/Accounts\/AC0{32}\/Messages\.json$/);
      const operation = twilio.document.paths[template][method.toLowerCase()];
      const { schema } = operation.requestBody.content["application/x-www-form-urlencoded"];
      const fields = Object.fromEntries(body);
      assert.deepEqual(known(schema, fields), []);
      // The template of the vector is a name that all providers share.
      if (fields.ContentSid) fields.ContentSid = `HX${"0".repeat(32)}`;
      assert.deepEqual(twilio.faults(schema, fields), []);
    });
  }
  it("knows every status that a report has", () => {
    const words = twilio.document.components.schemas.message_enum_status.enum;
    for (const { body } of reportsOf("twilio")) assert.ok(words.includes(new URLSearchParams(body).get("MessageStatus")), body);
  });
});

const meta = description("meta/business-messaging-api_v23.0.json");
describe("WhatsApp by Meta, by its description", { skip: meta.skip }, () => {
  const schemas = meta.document?.components.schemas;
  const faults = (name, value) => meta.faults({ $ref: `#/components/schemas/${name}` }, value);
  it("takes the request", () => {
    const { url, method, body } = recorded("meta-whatsapp");
    const [version, ...rest] = new URL(url).pathname.slice(1).split("/");
    assert.equal(version, meta.document.info.version);
    const operation = meta.document.paths[`/{Version}/{Phone-Number-ID}/${rest[1]}`][method.toLowerCase()];
    assert.equal(operation.requestBody.content["application/json"].schema.$ref, "#/components/schemas/Message");
    assert.deepEqual(faults("Message", body), []);
  });
  for (const { body } of reportsOf("meta")) {
    const payload = JSON.parse(body);
    const [status] = payload.entry[0].changes[0].value.statuses;
    it(`makes the report ${status.status}`, () => {
      assert.deepEqual(faults("WebhookPayload", payload), []);
      assert.deepEqual(faults("StatusMessageValue", payload.entry[0].changes[0].value), []);
      assert.deepEqual(known(schemas.Statuses, status).filter((name) => name !== "biz_opaque_callback_data"), []);
    });
  }
});

const unifonic = description("unifonic/sms.json");
describe("SMS by Unifonic, by its description", { skip: unifonic.skip }, () => {
  it("takes the request", () => {
    const { url, body } = recorded("unifonic-sms");
    const { pathname, origin } = new URL(url);
    assert.equal(origin, unifonic.document.servers[0].url);
    const parameters = new Map(unifonic.document.paths[pathname].post.parameters.map((parameter) => [parameter.name, parameter]));
    const fields = new Map(body);
    assert.deepEqual([...fields.keys()].filter((name) => !parameters.has(name)), []);
    for (const { name, required } of parameters.values()) assert.ok(!required || fields.has(name), name);
    assert.match(fields.get("Recipient"), /^\d+$/);
  });
});

/** What a server that listens was sent. */
const sent = [];
const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    sent.push({ method: request.method, path: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() });
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ id: "1", MessageID: "1", ErrorCode: 0, Message: "OK" }));
  });
});
before(() => new Promise((resolve) => server.listen(0, "127.0.0.1", resolve)));
after(() => server.close());
const host = () => `127.0.0.1:${server.address().port}`;

/** That a client sent what we send, where both say something. */
function same(vector, names) {
  const request = sent.pop();
  assert.equal(request.method, vector.method);
  assert.equal(request.path, new URL(vector.url).pathname);
  for (const name of names) assert.equal(request.headers[name], vector.headers[name], name);
  assert.match(request.headers["content-type"], /^application\/json/);
  assert.deepEqual(JSON.parse(request.body), vector.body);
}

describe("the clients of the providers send the same", () => {
  const { library: resendLibrary, skip: noResend } = client("resend");
  it("Resend", { skip: noResend }, async () => {
    const vector = recorded("resend-email");
    const { from, to, subject, html, text, reply_to: replyTo, tags } = vector.body;
    const api = new resendLibrary.Resend("the-api_key", { baseUrl: `http://${host()}` });
    await api.emails.send({ from, to, subject, html, text, replyTo, tags }, { idempotencyKey: vector.headers["idempotency-key"] });
    same(vector, ["authorization", "idempotency-key"]);
  });

  const { library: postmarkLibrary, skip: noPostmark } = client("postmark");
  it("Postmark", { skip: noPostmark }, async () => {
    const vector = recorded("postmark-email");
    const api = new postmarkLibrary.ServerClient("the-server_token", { requestHost: host(), useHttps: false });
    await api.sendEmail(vector.body);
    same(vector, ["x-postmark-server-token", "accept"]);
    const all = Object.values(postmarkLibrary.Models?.BounceType ?? {});
    for (const { body } of reportsOf("postmark")) {
      const { RecordType, Type } = JSON.parse(body);
      if (RecordType === "Bounce" && all.length > 0) assert.ok(all.includes(Type), Type);
    }
  });

  const { library: twilioLibrary, skip: noTwilio } = client("twilio");
  for (const channel of ["sms", "whatsapp"]) {
    it(`Twilio, ${channel}`, { skip: noTwilio }, async () => {
      const vector = recorded(`twilio-${channel}`);
      const requests = [];
      const httpClient = { request: async (options) => (requests.push(options), { statusCode: 201, body: { sid: "SM1" }, headers: {} }) };
      const fields = Object.fromEntries(vector.body.map(([name, value]) => [name[0].toLowerCase() + name.slice(1), value]));
      await twilioLibrary(`AC${"0".repeat(32)}`, SECRETS.twilio, { httpClient }).messages.create(fields);
      const [{ method, uri, username, password, data }] = requests;
      assert.deepEqual([method.toUpperCase(), uri], [vector.method, vector.url]);
      assert.equal(`Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`, vector.headers.authorization);
      const pairs = (of) => of.map(([name, value]) => [name, String(value)]).toSorted();
      assert.deepEqual(pairs(Object.entries(data)), pairs(vector.body));
    });
  }
});

describe("the libraries of the providers take the recorded reports", () => {
  it("Standard Webhooks, those of Resend", () => {
    for (const { headers, body } of reportsOf("resend")) {
      const [signature] = headers["svix-signature"].split(" ");
      const at = new Date(Number(headers["svix-timestamp"]) * 1000);
      assert.equal(new Webhook(SECRETS.resend).sign(headers["svix-id"], at, body), signature);
    }
  });

  const { library, skip } = client("twilio");
  it("Twilio", { skip }, () => {
    for (const { headers, query, body } of reportsOf("twilio")) {
      const url = query ? `${CALLBACK}?${query}` : CALLBACK;
      const fields = Object.fromEntries(new URLSearchParams(body));
      assert.ok(library.validateRequest(SECRETS.twilio, headers["x-twilio-signature"], url, fields), body);
    }
  });
});
