/**
 * A real OpenID Connect provider on this machine, `oidc-provider`, at which people sign in with a browser: by the code flow with
 * PKCE. Its page takes a name and a password without a script, and says by what means each person signed in.
 */
import { createServer } from "node:http";
import { once } from "node:events";
import Provider from "oidc-provider";
import { exportJWK, generateKeyPair } from "jose";

export const CLIENT = { id: "till-desk", secret: "the secret of the desk: +/&" };
export const PUBLIC_CLIENT = "till-desk-public";
const PASSWORD = "a password at the company";

/** The form in which a person signs in, or does not want to. */
const page = (uid, fault = "") => `<!doctype html><html lang="en"><title>Company</title><h1>Company sign-in</h1><p>${fault}</p>
<form method="post" action="/interaction/${uid}"><label>Name <input name="name"></label><label>Password <input name="password" type="password"></label><button name="does" value="in">Enter</button> <button name="does" value="cancel">Cancel</button></form></html>`;

async function bodyOf(request) {
  let text = "";
  for await (const part of request) text += part;
  return new URLSearchParams(text);
}

export class CodeProvider {
  /** By name: the subject, and the claims that differ from the usual ones. */
  people = {};
  /** The requests that it got: method and path. */
  asked = [];

  /** `returns` are the addresses to which browsers may be sent back. */
  async start(returns, more = {}) {
    this.server = createServer((request, response) => this.#answer(request, response).catch((error) => response.writeHead(500).end(String(error))));
    this.server.listen(0, "127.0.0.1");
    await once(this.server, "listening");
    this.issuer = `http://127.0.0.1:${this.server.address().port}`;
    const { privateKey } = await generateKeyPair("ES256", { extractable: true });
    const of = (client_id, its) => ({ client_id, redirect_uris: returns, response_types: ["code"], grant_types: ["authorization_code"], ...its });
    this.provider = new Provider(this.issuer, {
      clients: [
        of(CLIENT.id, { client_secret: CLIENT.secret, token_endpoint_auth_method: "client_secret_basic" }),
        of(PUBLIC_CLIENT, { token_endpoint_auth_method: "none" }),
      ],
      claims: { openid: ["sub", "auth_time", "amr"], profile: ["preferred_username"], email: ["email"] },
      conformIdTokenClaims: false,
      clientDefaults: { id_token_signed_response_alg: "ES256" },
      enabledJWA: { idTokenSigningAlgValues: ["ES256", "RS256"] },
      features: { devInteractions: { enabled: false } },
      findAccount: (_, name) => (this.people[name] ? { accountId: name, claims: () => ({ sub: this.people[name].sub ?? name, preferred_username: name, email: `${name}@company.example`, ...this.people[name].claims }) } : undefined),
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: "ES256", use: "sig", kid: "one" }, { ...(await exportJWK((await generateKeyPair("RS256", { extractable: true })).privateKey)), alg: "RS256", use: "sig", kid: "two" }] },
      loadExistingGrant: async (ctx) => {
        const grant = new ctx.oidc.provider.Grant({ clientId: ctx.oidc.client.clientId, accountId: ctx.oidc.session.accountId });
        grant.addOIDCScope("openid profile email");
        await grant.save();
        return grant;
      },
      cookies: { keys: ["of no use here"] },
      pkce: { required: () => true },
      ttl: { AccessToken: 300, AuthorizationCode: 60, Grant: 300, IdToken: 300, Interaction: 600, Session: 3600 },
      ...more,
    });
    return this;
  }

  /** Someone who can sign in here. */
  add(name, its = {}) {
    this.people[name] = { password: PASSWORD, amr: undefined, ...its };
  }

  async #answer(request, response) {
    this.asked.push(`${request.method} ${request.url.split("?")[0]}`);
    const [, uid] = /^\/interaction\/([^/?]+)$/.exec(request.url) ?? [];
    if (uid === undefined) return this.provider.callback()(request, response);
    const html = (text) => response.writeHead(200, { "content-type": "text/html" }).end(text);
    if (request.method === "GET") return html(page(uid));
    const form = await bodyOf(request);
    const finish = (result) => this.provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
    if (form.get("does") === "cancel") return finish({ error: "access_denied", error_description: "<b>the person went back</b>" });
    const person = this.people[form.get("name")];
    if (person?.password !== form.get("password")) return html(page(uid, "Wrong."));
    return finish({ login: { accountId: form.get("name"), ...(person.amr ? { amr: person.amr } : {}) } });
  }

  async stop() {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** A browser without a script at the provider: it follows redirects until one leads to another origin, and fills in its form. */
export class Guest {
  cookies = new Map();

  async go(address, fields) {
    const { origin } = new URL(address);
    let [url, init] = [address, {}];
    for (let step = 0; step < 12; step += 1) {
      const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const response = await fetch(url, { redirect: "manual", ...init, headers: { cookie, ...init.headers } });
      for (const line of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
        this.cookies.set(name, value);
      }
      const text = await response.text();
      const location = response.headers.get("location");
      if (location) {
        const next = new URL(location, url);
        if (next.origin !== origin) return next.href;
        [url, init] = [next.href, {}];
        continue;
      }
      const [, action] = /<form method="post" action="([^"]+)"/.exec(text) ?? [];
      if (action === undefined || response.status !== 200) throw new Error(`${response.status} ${text}`);
      [url, init] = [new URL(action, url).href, { method: "POST", body: new URLSearchParams({ does: "in", password: PASSWORD, ...fields }) }];
    }
    throw new Error("the provider leads nowhere");
  }
}

export { PASSWORD as COMPANY_PASSWORD };
