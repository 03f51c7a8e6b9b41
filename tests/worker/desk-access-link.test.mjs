/** At the desk: invitations, lost passwords, factors that are reset, and sign-ins from new devices; and what attackers try. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PASSWORD, Visitor, makeUser, staff, textOf } from "./desk.mjs";
import { OutboundResponse, start } from "./harness.mjs";
import { assertProblem, eventually } from "./payer.mjs";

const NEW = "a password that is new";
const EMAIL = { messages: { email: { provider: "resend", from: "desk@shop.example", credentials: { api_key: "re_123" } } } };

let till;
before(async () => {
  till = await start();
  till.outbound.on("POST", "https://api.resend.com/emails", () => OutboundResponse.json({ id: "49a3999c" }));
  await till.createMerchant(EMAIL);
});
after(() => till?.stop());

const lettersTo = ({ email }) => till.outbound.to("https://api.resend.com/emails").map(({ body }) => JSON.parse(body)).filter(({ to }) => [to].flat().includes(email));
/** The letter with this subject that is sent next, after those that were seen. */
const letter = (user, subject, seen = 0) =>
  eventually(`a letter to ${user.email}: ${subject}`, async () => lettersTo(user).filter((one) => one.subject === subject)[seen]);
/** The path of the link in a letter. */
const linkIn = ({ text }) => {
  const [, path] = /http:\/\/localhost:\d+(\/sign-in\/link\/[\w-]{43}\/)/.exec(text);
  till.secrets.add(path.split("/")[3]);
  return path;
};
const access = (user, what, headers = till.privateKey()) => till.call(`/b/access/v1/users/${user.id}/${what}/`, { method: "POST", headers });
const invited = async (user, seen) => {
  const answer = await access(user, "invite");
  assert.equal(answer.status, 200, answer.text);
  return linkIn(await letter(user, "You are invited to the desk", seen));
};
const choose = async (path, fields = {}, visitor = new Visitor(till)) => {
  await visitor.get(path);
  return visitor.post(path, { password: NEW, again: NEW, ...fields });
};
const lose = (username, visitor = new Visitor(till)) => visitor.post("/sign-in/lost-password/", { username });
/** Deletes what was counted, as time does. */
const rest = () => till.rows("DELETE FROM sign_in_try");
const audit = async (action) => (await till.rows("SELECT actor_kind, actor, subject, before, after FROM audit WHERE action = ?1 ORDER BY id", action));

test("an invitation is a link of a day, and its user chooses a password and signs in", async () => {
  const user = await makeUser(till, "invited", { permissions: ["payment.refund"], password: undefined });
  const answer = await access(user, "invite");
  assert.deepEqual([answer.status, answer.body.email, answer.body.id], [200, user.email, user.id]);
  const hours = (Date.parse(answer.body.expires_at) - Date.now()) / 3_600_000;
  assert.ok(hours > 23.9 && hours <= 24.01, `${hours}`);
  const path = linkIn(await letter(user, "You are invited to the desk"));
  const visitor = new Visitor(till);
  const page = await visitor.get(path);
  assert.equal(page.status, 200);
  assert.ok(textOf(page.text).includes(user.username));
  assert.equal((await visitor.get(path)).status, 200, "to look at it uses nothing up");
  const chosen = await visitor.submit(path, { password: NEW, again: NEW });
  assert.deepEqual([chosen.status, chosen.location], [303, "/sign-in/?language=en&chosen=1"]);
  assert.match(textOf((await visitor.follow(chosen)).text), /Your password was chosen/);
  assert.equal((await visitor.submit("/sign-in/", { username: user.username, password: NEW })).location, "/");
  const [entry] = await audit("invite_own_user");
  assert.deepEqual([entry.actor_kind, entry.subject], ["key", String(user.id)]);
  assert.deepEqual((await audit("choose_password")).map(({ actor_kind, actor }) => [actor_kind, actor]), [["user", String(user.id)]]);
});

test("neither the database nor the log has what is in a link", async () => {
  const user = await makeUser(till, "hashed");
  const token = (await invited(user)).split("/")[3];
  for (const table of ["user_link", "delivery", "audit"]) {
    const rows = await till.rows(`SELECT * FROM ${table}`);
    assert.ok(rows.length > 0 && !JSON.stringify(rows).includes(token), table);
  }
  // The harness fails when the log has a secret.
  await choose(`/sign-in/link/${token}/`);
});

test("a link works once, and what is typed wrong does not use it up", async () => {
  const user = await makeUser(till, "once");
  const path = await invited(user);
  for (const [fields, said] of [
    [{ password: "short", again: "short" }, /needs 12 to 256 characters/], [{ again: "another password" }, /not the same/],
    [{ password: `${user.username}!!!!!!`, again: `${user.username}!!!!!!` }, /without your user name/], [{ password: "x".repeat(257), again: "x".repeat(257) }, /256/],
  ]) {
    const wrong = await choose(path, fields);
    assert.equal(wrong.status, 400);
    assert.match(textOf(wrong.text), said);
  }
  const both = await Promise.all([choose(path), choose(path, { password: "the other password", again: "the other password" })]);
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [303, 410]);
  for (const answer of [await new Visitor(till).get(path), await choose(path)]) {
    assert.equal(answer.status, 410);
    assert.match(textOf(answer.text), /This link opens nothing/);
  }
});

test("links that are over, guessed, replaced, of someone else or of someone switched off all look alike", async () => {
  const [user, other] = [await makeUser(till, "late"), await makeUser(till, "other")];
  const old = await invited(user);
  const replaced = await invited(user, 1);
  const foreign = await invited(other);
  const off = await makeUser(till, "off");
  const ofOff = await invited(off);
  await till.call(`/b/access/v1/users/${off.id}/`, { method: "PATCH", headers: till.privateKey(), json: { is_active: false } });
  const moved = await makeUser(till, "moves");
  const ofMoved = await invited(moved);
  await till.call(`/b/access/v1/users/${moved.id}/`, { method: "PATCH", headers: till.privateKey(), json: { email: "elsewhere@shop.example" } });
  await till.rows("UPDATE user_link SET expires_at = ?2 WHERE user_id = ?1", user.id, Date.now() - 1);
  const guessed = `/sign-in/link/${"A".repeat(43)}/`;
  const pages = new Set();
  for (const path of [old, replaced, ofOff, ofMoved, guessed, "/sign-in/link/x/", foreign.replace(/.(?=\/$)/, (last) => (last === "A" ? "E" : "A"))]) {
    const [shown, chosen] = [await new Visitor(till).get(path), await choose(path)];
    assert.deepEqual([shown.status, chosen.status], [410, 410], path);
    pages.add(shown.text).add(chosen.text);
  }
  assert.equal(pages.size, 1);
  for (const one of [user, off]) assert.equal((await new Visitor(till).signIn(one.username, NEW)).status, 401);
  assert.equal((await choose(foreign)).status, 303, "the right one of the other user is as it was");
  assert.equal((await new Visitor(till).signIn(user.username)).status, 303, "and nobody else's password changed");
});

test("a new password ends every session and token of the user, and of nobody else", async () => {
  const [visitor, other] = [await staff(till, "ends"), await staff(till, "stays")];
  const token = await till.call("/b/auth/v1/token/", { method: "POST", body: new URLSearchParams({ grant_type: "password", username: visitor.user.username, password: PASSWORD }) });
  till.secrets.add(token.body.access_token);
  assert.equal((await choose(await invited(visitor.user))).status, 303);
  assert.equal((await visitor.get("/")).location, "/sign-in/");
  assert.equal((await other.get("/")).status, 200);
  assert.equal((await till.call("/b/access/v1/users/", { headers: { authorization: `Bearer ${token.body.access_token}` } })).status, 401);
  assert.equal((await new Visitor(till).signIn(visitor.user.username)).status, 401);
});

test("a form of another site chooses no password and asks for no link", async () => {
  const user = await makeUser(till, "cross");
  const path = await invited(user);
  for (const [to, fields] of [[path, { password: NEW, again: NEW }], ["/sign-in/lost-password/", { username: user.username }]]) {
    const answer = await new Visitor(till).post(to, fields, { "sec-fetch-site": "cross-site", origin: "https://evil.example" });
    assert.equal(answer.status, 403);
  }
  assert.equal((await choose(path)).status, 303);
});

test("who forgot a password gets a link, and everyone who asks the same answer", async () => {
  const user = await makeUser(till, "forgot");
  const [none, off, mailless] = [await makeUser(till, "provider", { password: undefined }), await makeUser(till, "f-off"), await makeUser(till, "mailless", { email: undefined })];
  await till.call(`/b/access/v1/users/${off.id}/`, { method: "PATCH", headers: till.privateKey(), json: { is_active: false } });
  const pages = new Set();
  for (const name of [user.username, user.username.toUpperCase(), "nobody at all", none.username, off.username, mailless.username]) {
    const answer = await lose(name);
    assert.equal(answer.status, 200);
    pages.add(answer.text);
    await rest();
  }
  assert.equal(pages.size, 1);
  assert.match(textOf([...pages][0]), /If there is such a user/);
  await letter(user, "Choose a new password", 1);
  assert.equal((await choose(linkIn(await letter(user, "Choose a new password", 0)))).status, 410, "the second took its place");
  assert.equal((await choose(linkIn(await letter(user, "Choose a new password", 1)))).status, 303);
  assert.equal((await new Visitor(till).signIn(user.username, NEW)).status, 303);
  for (const one of [none, off]) assert.deepEqual(lettersTo(one), []);
});

test("too many links for one name are refused, whether or not it is someone's", async () => {
  const user = await makeUser(till, "flooded");
  for (const name of [user.username, "flooded nobody"]) {
    await rest();
    const statuses = [];
    for (let time = 0; time < 4; time += 1) statuses.push((await lose(name)).status);
    assert.deepEqual(statuses, [200, 200, 200, 429], name);
  }
  await rest();
  const network = new Visitor(till);
  network.headers = { ...network.headers, "cf-connecting-ip": "203.0.113.81" };
  const statuses = [];
  for (let time = 0; time < 11; time += 1) statuses.push((await lose(`someone-${time}`, network)).status);
  assert.deepEqual(statuses.slice(9), [200, 429], "from one network");
  await rest();
});

test("a merchant whose mail goes to the open inbox of the sandbox sends no links there", async () => {
  const own = till.merchant;
  const tested = await till.createMerchant();
  const user = await makeUser(till, "sandboxed", undefined, tested);
  const refused = await access(user, "invite", till.privateKey(tested));
  assertProblem(refused, 400, "invalid_fields");
  assert.deepEqual(Object.keys(refused.body.errors), ["email"]);
  assert.equal((await lose(user.username)).status, 200);
  await new Promise((done) => setTimeout(done, 200));
  assert.deepEqual(await till.rows("SELECT 1 FROM user_link WHERE user_id = ?1", user.id), []);
  for (const what of ["invite", "reset-factor"]) {
    assertProblem(await access(user, what, till.privateKey(own)), 404, "not_found");
  }
  till.merchant = own;
});

test("nobody invites or resets someone who may do more, and nobody resets their own factor", async () => {
  const manager = await makeUser(till, "manager", { permissions: ["Can manage access"] });
  const [peer, owner] = [await makeUser(till, "peer", { permissions: [] }), await makeUser(till, "boss")];
  const basic = { authorization: `Basic ${btoa(`${manager.username}:${PASSWORD}`)}` };
  for (const what of ["invite", "reset-factor"]) {
    assertProblem(await access(owner, what, basic), 403, "permission_missing");
    assert.ok((await access(peer, what, basic)).status < 300, what);
  }
  assertProblem(await access(manager, "reset-factor", basic), 403, "permission_missing");
});

test("a factor that is reset ends sessions, is audited, and its user is written to", async () => {
  const visitor = await staff(till, "reset");
  const before = (await audit("reset_own_factor")).length;
  assert.equal((await access(visitor.user, "reset-factor")).status, 204, "there is none");
  assert.equal((await audit("reset_own_factor")).length, before);
  await till.rows("INSERT INTO desk_factor (user_id, secret, used_step, recovery) VALUES (?1, ?2, 0, '')", visitor.user.id, `v1.${"A".repeat(40)}`);
  assert.equal((await new Visitor(till).signIn(visitor.user.username)).status, 303);
  assert.equal((await access(visitor.user, "reset-factor")).status, 204);
  assert.equal((await audit("reset_own_factor")).length, before + 1);
  assert.deepEqual(await till.rows("SELECT 1 FROM desk_factor WHERE user_id = ?1", visitor.user.id), []);
  assert.equal((await visitor.get("/")).location, "/sign-in/");
  assert.match((await letter(visitor.user, "Your second factor was removed")).text, /recovery codes/);
});

test("a sign-in from a new device is audited and written to its user, one from a known device is not", async () => {
  const { user } = await staff(till, "roams");
  const news = async () => (await audit("new_device")).filter(({ subject }) => subject === String(user.id)).map(({ after }) => JSON.parse(after)[0]);
  assert.deepEqual(await news(), ["Firefox, Linux"], "the first");
  const from = async (agent) => {
    const visitor = new Visitor(till);
    visitor.headers = { ...visitor.headers, "user-agent": agent };
    assert.equal((await visitor.signIn(user.username)).status, 303);
  };
  await from(new Visitor(till).headers["user-agent"]);
  assert.deepEqual(lettersTo(user), []);
  await from("Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Safari/604.1 <b>");
  const { text } = await letter(user, "A sign-in from a new device");
  assert.match(text, /Device: Safari, iPhone/);
  await from("Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) Version/17.1 Safari/604.1");
  assert.deepEqual(await news(), ["Firefox, Linux", "Safari, iPhone"]);
  const wrong = new Visitor(till);
  wrong.headers = { ...wrong.headers, "user-agent": "Windows Edg" };
  assert.equal((await wrong.signIn(user.username, "a wrong password")).status, 401);
  assert.equal((await news()).length, 2, "nobody learns of a device by a wrong password");
});
