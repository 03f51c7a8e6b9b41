/** Requests for approval, as tests need them. */

/** Stores a request about an attempt without asking for it; for requests that only have to exist. */
export async function storeRequest(till, { id, merchant_id, session_id, reference, state = "asked", at = Date.now() }) {
  const by = JSON.stringify({ kind: "user", id: "1", name: "someone" });
  await till.rows(
    `INSERT INTO approval (id, merchant_id, session_id, attempt, operation, amount, currency, remaining, asked_by, asked_at, expires_at, approvers, hash, state, decided, changed_at)
     VALUES (?1, ?2, ?3, ?4, 'refund', 1000, 'KWD', 1000, ?5, ?6, ?7, 1, 'none', ?8, '{"approved_by":[]}', ?6)`,
    id, merchant_id, session_id, reference, by, at, at + 172_800_000, state,
  );
}
