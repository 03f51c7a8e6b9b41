-- What is counted so that it can be limited.

-- Who tried an attempt from their own device: a hash of the merchant and the address. It is deleted when it no longer
-- counts.
ALTER TABLE attempt ADD COLUMN payer TEXT;

CREATE INDEX attempt_of_payer ON attempt (merchant_id, payer, opened_at) WHERE payer IS NOT NULL;
CREATE INDEX attempt_payer_by_age ON attempt (opened_at) WHERE payer IS NOT NULL;

-- How many calls a user or a private key made on a day, counted from 1970 in UTC.
CREATE TABLE call_count (
  caller TEXT NOT NULL,
  day INTEGER NOT NULL,
  calls INTEGER NOT NULL CHECK (calls >= 0),
  PRIMARY KEY (day, caller)
) STRICT, WITHOUT ROWID;
