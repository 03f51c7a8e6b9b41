-- Why payments went to their gateways: one row for each attempt of a merchant with routing. `gateways` lists the gateways
-- of the transaction in the order of the decision, each with what was found about it: 'mpgs:chosen adyen:next'.
CREATE TABLE decision (
  reference TEXT PRIMARY KEY REFERENCES attempt (reference),
  session_id TEXT NOT NULL REFERENCES txn (session_id),
  at INTEGER NOT NULL,
  basis TEXT NOT NULL,
  rule TEXT,
  draw INTEGER,
  replaces TEXT,
  gateways TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX decision_of_transaction ON decision (session_id);

-- Gateways that failed lately, in real time. A gateway that answers has no row.
CREATE TABLE gateway_health (
  merchant_id TEXT NOT NULL REFERENCES merchant (id),
  pg_code TEXT NOT NULL,
  failures INTEGER NOT NULL,
  failed_at INTEGER NOT NULL,
  -- The transaction that saw the last failure: it counts once, however often its payer tries again.
  session_id TEXT NOT NULL,
  skipped_until INTEGER,
  PRIMARY KEY (merchant_id, pg_code)
) STRICT, WITHOUT ROWID;
