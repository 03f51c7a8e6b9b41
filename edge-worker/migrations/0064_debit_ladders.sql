-- Auto debits without success that are tried again. The row goes when the transaction is paid, or nothing is tried any more.
CREATE TABLE debit_ladder (
  session_id TEXT NOT NULL PRIMARY KEY REFERENCES txn (session_id),
  merchant_id TEXT NOT NULL,
  pg_code TEXT NOT NULL,
  -- How many debits had no success.
  tries INTEGER NOT NULL CHECK (tries > 0),
  reason TEXT NOT NULL,
  next_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX debit_ladder_by_turn ON debit_ladder (merchant_id, pg_code, next_at);

-- Why an agreement is not debited for now, and the transaction that was not paid.
ALTER TABLE agreement ADD COLUMN paused_at INTEGER;
ALTER TABLE agreement ADD COLUMN pause_reason TEXT;
ALTER TABLE agreement ADD COLUMN paused_by TEXT;

-- How often a card was charged lately.
CREATE INDEX attempt_of_card ON attempt (merchant_id, card_use, opened_at) WHERE card_use <> '';
