/**
 * What the desk lets someone learn who does not belong there: names that are someone's, nobody's, switched off or without a
 * password are answered in the same words, with the same headers and in the same time.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PASSWORD, Visitor, makeUser } from "./desk.mjs";
import { OutboundResponse, start } from "./harness.mjs";

const TRIES = 31;

let till, names;
before(async () => {
  till = await start();
  till.outbound.on("POST", "https://api.resend.com/emails", () => OutboundResponse.json({ id: "49a3999c" }));
  await till.createMerchant({ messages: { email: { provider: "resend", from: "desk@shop.example", credentials: { api_key: "re_123" } } } });
  const [known, off, none] = [await makeUser(till, "known"), await makeUser(till, "closed"), await makeUser(till, "unset", { password: undefined })];
  await till.call(`/b/access/v1/users/${off.id}/`, { method: "PATCH", headers: till.privateKey(), json: { is_active: false } });
  // Names of the same length: what was typed is shown again.
  names = { known: known.username, nobody: known.username.replace("known", "nonym"), "switched off": off.username, "without a password": none.username };
});
after(() => till?.stop());

/** Deletes what was counted, as time does. */
const rest = () => till.rows("DELETE FROM sign_in_try");
const signIn = (username, password) => new Visitor(till).post("/sign-in/", { username, password });
const lose = (username) => new Visitor(till).post("/sign-in/lost-password/", { username });

/** An answer without what differs with every request, and without the name that was sent. */
const wordsOf = ({ status, headers, text }, name) => {
  const own = [...headers].filter(([header]) => !["date", "x-request-id", "content-length"].includes(header));
  return JSON.stringify([status, own, text.replaceAll(name, "NAME").replaceAll(headers.get("x-request-id") ?? "NONE", "ID")]);
};
const median = (list) => list.toSorted((one, other) => one - other)[Math.floor(list.length / 2)];

/** How long each kind of name is answered, in turns, so that a slow moment of the machine slows all. */
async function times(ask) {
  const took = Object.fromEntries(Object.keys(names).map((kind) => [kind, []]));
  for (let time = 0; time < TRIES; time += 1) {
    for (const [kind, name] of Object.entries(names)) {
      await rest();
      const began = performance.now();
      await ask(name, time);
      took[kind].push(performance.now() - began);
      // What goes on after the answer is not to slow down the next one.
      await new Promise((done) => setTimeout(done, 20));
    }
  }
  return Object.fromEntries(Object.entries(took).map(([kind, list]) => [kind, median(list)]));
}

function assertAlike(took) {
  for (const [kind, time] of Object.entries(took)) {
    const most = 0.25 * Math.min(time, took.nobody) + 5;
    assert.ok(Math.abs(time - took.nobody) <= most, `${kind}: ${JSON.stringify(took)}`);
  }
}

for (const language of ["en", "ar"]) {
  test(`a sign-in that is refused says the same of every name (${language})`, async () => {
    const said = new Set();
    for (const [kind, name] of Object.entries(names)) {
      // Of the one who may sign in the right password is not tried, of the others it is.
      const answer = await new Visitor(till).post("/sign-in/", { username: name, password: kind === "known" ? "another horse battery" : PASSWORD, language });
      assert.equal(answer.status, 401, kind);
      said.add(wordsOf(answer, name));
    }
    assert.equal(said.size, 1, [...said].join("\n"));
    await rest();
  });

  test(`a lost password is answered the same for every name (${language})`, async () => {
    const said = new Set();
    for (const name of Object.values(names)) {
      const answer = await new Visitor(till).post("/sign-in/lost-password/", { username: name, language });
      assert.equal(answer.status, 200);
      said.add(wordsOf(answer, name));
    }
    assert.equal(said.size, 1, [...said].join("\n"));
    await rest();
  });
}

test("who is refused for too many tries is refused in the same words for every name", async () => {
  const refused = { "sign-in": new Set(), lost: new Set() };
  for (const name of Object.values(names)) {
    await rest();
    const statuses = { "sign-in": [], lost: [] };
    for (let tries = 0; tries < 12; tries += 1) {
      for (const [what, answer] of [["sign-in", await signIn(name, "a wrong password")], ["lost", await lose(name)]]) {
        statuses[what].push(answer.status);
        // How many minutes are left depends on when the first try was.
        if (answer.status === 429) refused[what].add(wordsOf(answer, name).replaceAll(/\d+ min/g, "MINUTES"));
      }
    }
    for (const [what, list] of Object.entries(statuses)) refused[what].add(String(list));
  }
  assert.deepEqual(Object.values(refused).map(({ size }) => size), [2, 2], "one list of statuses, one page");
  await rest();
});

test("a sign-in that is refused takes as long for every name", async () => {
  assertAlike(await times((name, time) => signIn(name, `a wrong password ${time}`)));
});

test("a lost password is answered as fast for every name", async () => {
  assertAlike(await times((name) => lose(name)));
});
