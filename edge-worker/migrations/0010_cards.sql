-- Kept cards and the agreements that lock them. A card is the gateway's token, sealed, and what a payer recognises it by:
-- no number beyond its last four digits, no security code.

CREATE TABLE card (
  token TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchant (id),
  customer_id TEXT NOT NULL,
  is_sandbox INTEGER NOT NULL CHECK (is_sandbox IN (0, 1)),
  pg_code TEXT NOT NULL,
  pg_name TEXT NOT NULL,
  bank_token TEXT NOT NULL,
  -- The same card of the same customer at the same gateway has one row.
  fingerprint TEXT NOT NULL,
  brand TEXT,
  name_on_card TEXT,
  number TEXT CHECK (number GLOB '[*][*][*][*] [0-9][0-9][0-9][0-9]'),
  expiry_month TEXT NOT NULL CHECK (length(expiry_month) = 2),
  expiry_year TEXT NOT NULL CHECK (length(expiry_year) = 2),
  cvv_required INTEGER NOT NULL CHECK (cvv_required IN (0, 1)),
  created_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX card_of_gateway ON card (merchant_id, fingerprint);
CREATE INDEX card_of_customer ON card (merchant_id, customer_id, is_sandbox, used_at DESC, token DESC);

-- The terms and the amount of the first payment hold; the card, the count and the time go on.
CREATE TABLE agreement (
  merchant_id TEXT NOT NULL REFERENCES merchant (id),
  customer_id TEXT NOT NULL,
  is_sandbox INTEGER NOT NULL CHECK (is_sandbox IN (0, 1)),
  id TEXT NOT NULL,
  terms TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount >= 0),
  currency TEXT NOT NULL,
  card_token TEXT NOT NULL,
  cycles INTEGER NOT NULL DEFAULT 0 CHECK (cycles >= 0),
  charged_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, customer_id, is_sandbox, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX agreement_of_card ON agreement (card_token);

-- What an attempt has to do with kept cards: nothing, `keep`, `kept` and the token, or who charges a kept card and its
-- token.
ALTER TABLE attempt ADD COLUMN card_use TEXT NOT NULL DEFAULT '';

-- Whether the sandbox bank is to keep the card of a charge.
ALTER TABLE sandbox_charge ADD COLUMN keep_card INTEGER NOT NULL DEFAULT 0 CHECK (keep_card IN (0, 1));
