/** Entries of the attention list, as tests need them. */
import { randomBytes } from "node:crypto";

/** Stores an entry without anything having happened; for entries that only have to exist. Returns its id. */
export async function storeEntry(till, { merchant_id, session_id = null, reason = "second_success", detail = "of a test", at = Date.now() }) {
  const reference = `T${randomBytes(8).toString("hex").toUpperCase()}`;
  await till.rows(
    "INSERT INTO attention (reference, reason, merchant_id, session_id, detail, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    reference, reason, merchant_id, session_id, detail, at,
  );
  return `${reference}.${reason}`;
}
