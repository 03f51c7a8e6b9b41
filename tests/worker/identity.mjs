/**
 * A real OpenID Connect provider on this machine: `oidc-provider`, with the password grant registered. It issues tokens of access
 * as JWT and, if a user has `opaque`, as texts that only it can read.
 */
import { createServer } from "node:http";
import { once } from "node:events";
import Provider, { errors } from "oidc-provider";
import { SignJWT, exportJWK, generateKeyPair, importJWK } from "jose";

export const AUDIENCE = "till";
export const CLIENT = { id: "till-client", secret: "a secret of the client: +/&" };
export const PUBLIC_CLIENT = "till-public";
const RESOURCE = "urn:example:till";

/** Names and passwords, and how the tokens of access of each are. */
export const PEOPLE = {
  noura: { sub: "1001", password: "pass word: ä+&=", alg: "RS256" },
  ps: { sub: "1002", password: "two", alg: "PS256" },
  es: { sub: "1003", password: "three", alg: "ES256" },
  es384: { sub: "1004", password: "four", alg: "ES384" },
  ed: { sub: "1005", password: "five", alg: "EdDSA" },
  opaque: { sub: "1006", password: "six", opaque: true },
  elsewhere: { sub: "1007", password: "seven", alg: "RS256", audience: "another-service" },
};

/** Private keys for every algorithm; their ids end with `name`. */
async function privateKeys(name) {
  const kinds = [["RS256", {}], ["PS256", {}], ["ES256", {}], ["ES384", {}], ["EdDSA", { crv: "Ed25519" }]];
  return Promise.all(kinds.map(async ([alg, options]) => {
    const { privateKey } = await generateKeyPair(alg, { extractable: true, ...options });
    return { ...(await exportJWK(privateKey)), alg, use: "sig", kid: `${alg}-${name}` };
  }));
}

const nameOf = (accountId) => Object.keys(PEOPLE).find((name) => PEOPLE[name].sub === accountId);

/** The password grant, which the library leaves to those who need it. */
async function passwordGrant(ctx, next) {
  const { username, password } = ctx.oidc.params;
  const person = Object.hasOwn(PEOPLE, username) ? PEOPLE[username] : undefined;
  if (person === undefined || person.password !== password) throw new errors.InvalidGrant("name or password are wrong");
  const { client, provider } = ctx.oidc;
  const grant = new provider.Grant({ accountId: person.sub, clientId: client.clientId });
  grant.addOIDCScope("openid profile");
  const grantId = await grant.save();
  const access = new provider.AccessToken({ accountId: person.sub, client, grantId, gty: "password", scope: "openid" });
  if (!person.opaque) access.resourceServer = new provider.ResourceServer(RESOURCE, resourceServer(person));
  const id = new provider.IdToken({ sub: person.sub, preferred_username: username }, { ctx });
  id.scope = "openid profile";
  ctx.body = {
    access_token: await access.save(),
    expires_in: access.expiration,
    id_token: await id.issue({ use: "idtoken" }),
    token_type: access.tokenType,
  };
  return next();
}

const resourceServer = ({ alg, audience = AUDIENCE }) => ({ scope: "api", audience, accessTokenFormat: "jwt", jwt: { sign: { alg } } });

function provider(issuer, keys) {
  const of = (client_id, more) => ({ client_id, grant_types: ["password"], redirect_uris: [], response_types: [], ...more });
  const own = new Provider(issuer, {
    clients: [
      of(CLIENT.id, { client_secret: CLIENT.secret, token_endpoint_auth_method: "client_secret_basic" }),
      of(PUBLIC_CLIENT, { token_endpoint_auth_method: "none" }),
    ],
    claims: { openid: ["sub"], profile: ["preferred_username"] },
    extraTokenClaims: (_, token) => ({ preferred_username: nameOf(token.accountId) }),
    features: { devInteractions: { enabled: false }, resourceIndicators: { enabled: true, getResourceServerInfo: () => resourceServer(PEOPLE.noura) } },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId, preferred_username: nameOf(accountId) }) }),
    jwks: { keys },
    cookies: { keys: ["of no use here"] },
    ttl: { AccessToken: 300, Grant: 300, IdToken: 300 },
  });
  own.registerGrantType("password", passwordGrant, ["username", "password", "scope"]);
  return own.callback();
}

/** A provider that can rotate its keys, and go away. */
export class Identity {
  /** The requests that it got: method and path. */
  asked = [];
  #answer;
  #keys;

  async start(port = 0) {
    this.server = createServer((request, response) => {
      this.asked.push(`${request.method} ${request.url}`);
      this.#answer(request, response);
    });
    this.server.listen(port, "127.0.0.1");
    await once(this.server, "listening");
    this.port = this.server.address().port;
    this.issuer = `http://127.0.0.1:${this.port}`;
    return this;
  }

  /** Uses new keys from now on, and none of those before. */
  async rotate(name) {
    this.#keys = await privateKeys(name);
    this.#answer = provider(this.issuer, this.#keys);
    return this;
  }

  async stop() {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** What the token endpoint answers to a name and a password, as an application of the merchant would ask it. */
  async signIn(username, password = PEOPLE[username].password) {
    const body = new URLSearchParams({ grant_type: "password", username, password, client_id: PUBLIC_CLIENT, scope: "openid" });
    const answer = await fetch(`${this.issuer}/token`, { method: "POST", body });
    return answer.json();
  }

  /** A token by the key of an algorithm, for another time than now. */
  async token(alg, claims) {
    const jwk = this.#keys.find((key) => key.alg === alg);
    const usual = { iss: this.issuer, aud: AUDIENCE, sub: "1001", preferred_username: "noura" };
    return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg, kid: jwk.kid, typ: "at+jwt" }).sign(await importJWK(jwk, alg));
  }
}
