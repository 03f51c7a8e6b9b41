/**
 * The second factor at the desk: codes are made by npm `otpauth`, which we did not write. Setting one up, signing in with it,
 * codes that count once, recovery codes, brute force, and the factor that is asked for again.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import jsqr from "jsqr";
import { URI } from "otpauth";
import { demoSettings, start } from "./harness.mjs";
import { PASSWORD, Visitor, formsOf, makeUser, setFactor, staff, textOf } from "./desk.mjs";

let till;
before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

const sessions = (user) => till.rows("SELECT * FROM desk_session WHERE user_id = ?", String(user.id));
async function signIn(visitor) {
  const answer = await visitor.signIn(visitor.user.username);
  assert.equal(answer.status, 303);
  return visitor.follow(answer);
}
const code = (visitor, factor) => visitor.submit("/sign-in/code/", { factor });

test("an app of others makes the codes, each counts once, and the secret is sealed", async () => {
  const visitor = await staff(till, "codes");
  const elsewhere = Object.assign(new Visitor(till), { user: visitor.user });
  await signIn(elsewhere);
  const before = visitor.cookie;
  const { totp, given, next } = await setFactor(visitor);
  assert.notEqual(visitor.cookie, before);
  assert.equal((await elsewhere.get("/")).location, "/sign-in/", "the factor ends every other session");
  assert.equal((await visitor.get("/")).status, 200);
  const [stored] = await till.rows("SELECT * FROM desk_factor WHERE user_id = ?", String(visitor.user.id));
  assert.match(stored.secret, /^v2\./);
  assert.ok(!JSON.stringify(stored).includes(totp.secret.hex.toLowerCase()));

  const asked = await signIn(elsewhere);
  assert.equal(asked.location, "/sign-in/code/");
  for (const path of ["/", "/me/", "/me/factor/"]) assert.match((await elsewhere.get(path)).location, /^\/sign-in\/code\//, path);
  await elsewhere.get("/sign-in/code/");
  assert.equal((await code(elsewhere, given)).status, 401, "the code of the set-up was used");
  // As if the set-up were a step ago: then two codes are left.
  await till.rows("UPDATE desk_factor SET used_step = used_step - 1 WHERE user_id = ?", String(visitor.user.id));
  const half = elsewhere.cookie;
  const answer = await code(elsewhere, given);
  assert.deepEqual([answer.status, answer.location], [303, "/"]);
  assert.notEqual(elsewhere.cookie, half, "the session has another secret");
  assert.equal((await elsewhere.get("/")).status, 200);
  const third = Object.assign(new Visitor(till), { user: visitor.user });
  await signIn(third);
  await third.get("/sign-in/code/");
  assert.equal((await code(third, given)).status, 401, "no code counts twice");
  assert.equal((await code(third, next)).status, 303);
});

test("the picture says the same as the letters, for an app that was written by others", async () => {
  const visitor = await staff(till, "picture");
  await visitor.get("/me/factor/");
  const [, side, path] = /<svg [^>]*viewBox="0 0 (\d+) \d+".*?<path d="([^"]+)"/.exec(visitor.page);
  const [dots, size] = [4, Number(side) * 4];
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255);
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)/g)) {
    for (let row = y * dots; row < (Number(y) + 1) * dots; row += 1) {
      for (let column = x * dots; column < (Number(x) + Number(width)) * dots; column += 1) pixels.fill(0, (row * size + column) * 4, (row * size + column) * 4 + 3);
    }
  }
  const read = URI.parse(jsqr(pixels, size, size).data);
  const [, letters] = /<code dir="ltr">([A-Z2-7 ]+)<\/code>/.exec(visitor.page);
  till.secrets.add(read.secret.base32);
  assert.equal(read.secret.base32, letters.replaceAll(" ", ""));
  assert.deepEqual([read.label, read.digits, read.period, read.algorithm], [visitor.user.username, 6, 30, "SHA1"]);
});

test("a recovery code signs in once", async () => {
  const visitor = await staff(till, "recovery");
  const { recovery } = await setFactor(visitor);
  for (const [typed, status] of [[recovery[3].toLowerCase().replaceAll("-", " "), 303], [recovery[3], 401], [recovery[4], 303]]) {
    const other = Object.assign(new Visitor(till), { user: visitor.user });
    await signIn(other);
    await other.get("/sign-in/code/");
    assert.equal((await code(other, typed)).status, status, typed);
  }
});

test("guesses are stopped, whatever the session", async () => {
  const visitor = await staff(till, "guesses");
  const { next } = await setFactor(visitor);
  const statuses = [];
  for (let guess = 0; guess < 7; guess += 1) {
    const other = Object.assign(new Visitor(till), { user: visitor.user });
    await signIn(other);
    await other.get("/sign-in/code/");
    statuses.push((await code(other, guess === 6 ? next : "000000")).status);
  }
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429]);
});

test("where money moves the password alone opens nothing but the page that sets a factor up", async () => {
  const document = demoSettings();
  document.gateways[0].sandbox = false;
  const made = await till.operator("/merchants/", { method: "POST", json: { merchant_id: "live-desk", settings: document } });
  if (made.status !== 201) throw new Error(made.text);
  for (const name of ["private_key", "public_key", "webhook_hmac_key", "webhook_signing_secret"]) till.secrets.add(made.body[name]);
  const user = await makeUser(till, "live", undefined, made.body);
  const visitor = Object.assign(new Visitor(till), { user });
  const answer = await signIn(visitor);
  assert.equal(answer.location, "/me/factor/");
  for (const path of ["/me/", "/"]) assert.match((await visitor.get(path)).location, /^\/me\/factor\//);
  await setFactor(visitor);
  assert.equal((await visitor.get("/me/")).status, 200);
});

test("what needs a fresh factor asks for it again, and goes on with the form as it was filled in", async () => {
  const visitor = await staff(till, "fresh");
  await visitor.get("/me/factor/");
  const [form] = formsOf(visitor.page).filter(({ action }) => action === "/me/factor/");
  const fields = { ...Object.fromEntries(form.fields), code: "000000" };
  await till.rows("UPDATE desk_session SET factor_at = factor_at - 300001 WHERE user_id = ?", String(visitor.user.id));
  const asked = await visitor.post("/me/factor/", fields);
  assert.equal(asked.status, 401);
  assert.match(textOf(asked.text), /Is it you\?/);
  assert.equal((await visitor.submit("/me/factor/", { factor: "wrong password 9" })).status, 401);
  const before = visitor.cookie;
  const done = await visitor.submit("/me/factor/", { factor: PASSWORD });
  assert.equal(done.status, 400, "the code of the form was wrong, and it is shown again");
  assert.match(done.text, /name="offered" value="v2\./);
  assert.notEqual(visitor.cookie, before);
  const old = new Visitor(till);
  old.cookie = before;
  assert.equal((await old.get("/")).location, "/sign-in/");
  assert.equal((await visitor.submit("/me/factor/", { code: "000001" })).status, 400, "the factor is fresh");
});

test("sessions are listed and ended by their own user only", async () => {
  const visitor = await staff(till, "lists");
  const elsewhere = Object.assign(new Visitor(till), { user: visitor.user });
  await signIn(elsewhere);
  const stranger = await staff(till, "lists-not");
  const [foreign] = await sessions(stranger.user);
  await visitor.get("/me/");
  assert.match(textOf(visitor.page), /Firefox, Linux/);
  assert.equal((await visitor.submit("/me/sessions/", { session: foreign.id })).status, 404);
  assert.equal((await sessions(stranger.user)).length, 1);
  await visitor.get("/me/");
  assert.equal((await visitor.submit("/me/sessions/")).location, "/me/");
  assert.equal((await elsewhere.get("/")).location, "/sign-in/");
  assert.equal((await visitor.get("/me/")).status, 200);
});
