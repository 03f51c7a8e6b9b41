-- The sandbox bank also only confirms a card, over the amount zero. SQLite cannot change a CHECK, so the table is made
-- anew; nothing refers to it.

CREATE TABLE sandbox_charge_next (
  id TEXT PRIMARY KEY,
  -- The derived key of the bearer. Each key of the API is an account of its own.
  account TEXT NOT NULL,
  reference TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount >= 0),
  currency TEXT NOT NULL,
  operation TEXT NOT NULL CHECK (operation IN ('purchase', 'authorize', 'verify')),
  language TEXT NOT NULL CHECK (language IN ('en', 'ar')),
  merchant TEXT NOT NULL,
  return_url TEXT NOT NULL,
  callback_url TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'challenged', 'processing', 'approved', 'declined', 'canceled')),
  -- The id of the listed test card that was chosen.
  card TEXT,
  -- How many inquiries the bank still leaves without an answer, and then answers with an error.
  silent_inquiries INTEGER NOT NULL DEFAULT 0 CHECK (silent_inquiries >= 0),
  failing_inquiries INTEGER NOT NULL DEFAULT 0 CHECK (failing_inquiries >= 0),
  -- When a charge that is processed becomes approved.
  due_at INTEGER,
  created_at INTEGER NOT NULL,
  ended_at INTEGER,
  UNIQUE (account, reference),
  CHECK ((status = 'processing') = (due_at IS NOT NULL)),
  CHECK ((operation = 'verify') = (amount = 0))
) STRICT;

INSERT INTO sandbox_charge_next SELECT id, account, reference, amount, currency, operation, language, merchant,
  return_url, callback_url, status, card, silent_inquiries, failing_inquiries, due_at, created_at, ended_at
  FROM sandbox_charge;

DROP TABLE sandbox_charge;
ALTER TABLE sandbox_charge_next RENAME TO sandbox_charge;

CREATE INDEX sandbox_charge_due ON sandbox_charge (due_at) WHERE status = 'processing';
