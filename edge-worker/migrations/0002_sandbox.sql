-- The sandbox bank and its inbox. Nothing here is money: the bank is a simulated counterparty, and Till learns of it
-- only what crosses its protocol. Amounts are minor units, times are milliseconds.

CREATE TABLE sandbox_charge (
  id TEXT PRIMARY KEY,
  -- The derived key of the bearer. Each key of the API is an account of its own.
  account TEXT NOT NULL,
  reference TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  currency TEXT NOT NULL,
  operation TEXT NOT NULL CHECK (operation IN ('purchase', 'authorize')),
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
  CHECK ((status = 'processing') = (due_at IS NOT NULL))
) STRICT;

CREATE INDEX sandbox_charge_due ON sandbox_charge (due_at) WHERE status = 'processing';

CREATE TABLE sandbox_inbox (
  name TEXT PRIMARY KEY,
  answer TEXT NOT NULL CHECK (answer IN ('200', '201', '500', 'hang')),
  changed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sandbox_webhook (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  inbox TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  answered TEXT NOT NULL CHECK (answered IN ('200', '201', '500', 'hang')),
  headers TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;

CREATE INDEX sandbox_webhook_newest ON sandbox_webhook (inbox, number DESC);
