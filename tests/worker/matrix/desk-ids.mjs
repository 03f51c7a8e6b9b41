/** What the addresses of the desk name. */
import { Visitor } from "../desk.mjs";
import { storeRequest } from "../approvals.mjs";
import { storeEntry } from "../attention.mjs";
import { attempts, choose, open } from "../payer.mjs";

/** What a merchant has that an address may name. */
export async function deskIds(till, merchant) {
  const made = await till.create();
  const noted = await open(till, { pg_codes: ["cash"], webhook_url: "https://desk.example.com/hook" });
  await choose(till, noted, "cash");
  const [{ id: delivery }] = await till.rows("SELECT id FROM delivery WHERE session_id = ?1", noted.session_id);
  const receiver = "https://gone.example.com/hook";
  await till.rows("INSERT INTO receiver (merchant_id, address, disabled_at, reason) VALUES (?1, ?2, 1, 'gone')", merchant.merchant_id, receiver);
  const [{ reference }] = await attempts(till, noted);
  const approval = `AP${reference.slice(2)}`;
  await storeRequest(till, { id: approval, merchant_id: merchant.merchant_id, session_id: noted.session_id, reference });
  const entry = await storeEntry(till, { merchant_id: merchant.merchant_id, session_id: noted.session_id });
  const sheet = await new Visitor(till).get("/sign-in/");
  return { merchant: merchant.merchant_id, session_id: made.body.session_id, delivery, receiver, approval, entry, style: /\/style\/([^"]+)"/.exec(sheet.text)[1] };
}
