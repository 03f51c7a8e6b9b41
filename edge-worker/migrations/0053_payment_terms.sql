-- By what a search finds a payment: keyed hashes of what identifies its payer, in the order of the listing, and its amount.
CREATE TABLE payment_term (
  merchant_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('email', 'phone', 'digits')),
  digest TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  session_id TEXT NOT NULL REFERENCES txn (session_id),
  PRIMARY KEY (merchant_id, kind, digest, created_at, session_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX payment_term_of_session ON payment_term (session_id, kind);

CREATE INDEX txn_by_amount ON txn (merchant_id, currency, amount, created_at, session_id) WHERE hidden_at IS NULL;
