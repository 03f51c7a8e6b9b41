-- How far the payments of a merchant were compared with the list of each of his gateways. Times are milliseconds; those
-- of lists go by the gateway's clock, which is the real one, the others by the merchant's.

CREATE TABLE reconciliation (
  merchant_id TEXT NOT NULL REFERENCES merchant (id),
  pg_code TEXT NOT NULL,
  version INTEGER NOT NULL,
  -- Attempts that were opened before are not missed on the lists.
  since INTEGER NOT NULL,
  listed_to INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0,
  -- The run under way: the end of its list, the page where it stands, or up to which success it asked.
  run_to INTEGER,
  cursor TEXT,
  asked_to INTEGER,
  charges INTEGER NOT NULL DEFAULT 0,
  asked INTEGER NOT NULL DEFAULT 0,
  differences INTEGER NOT NULL DEFAULT 0,
  -- The last run that came to its end.
  last_at INTEGER,
  last_charges INTEGER NOT NULL DEFAULT 0,
  last_asked INTEGER NOT NULL DEFAULT 0,
  last_differences INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (merchant_id, pg_code)
) STRICT, WITHOUT ROWID;

CREATE INDEX reconciliation_due ON reconciliation (due_at);
CREATE INDEX reconciliation_due_of_merchant ON reconciliation (merchant_id, due_at);

-- A gateway is reconciled from its first attempt on. Cash is not: there is nobody to be asked.
CREATE TRIGGER reconciliation_begins AFTER INSERT ON attempt
WHEN NEW.stage <> 'cod'
BEGIN
  INSERT INTO reconciliation (merchant_id, pg_code, version, since, listed_to, due_at)
  SELECT m.id, NEW.pg_code, 1, NEW.opened_at, NEW.opened_at - m.clock_offset, NEW.opened_at + 3600000
  FROM merchant m WHERE m.id = NEW.merchant_id
  ON CONFLICT DO NOTHING;
END;

-- Gateways that were used before begin now.
INSERT INTO reconciliation (merchant_id, pg_code, version, since, listed_to, due_at)
SELECT m.id, a.pg_code, 1, unixepoch() * 1000 + m.clock_offset, unixepoch() * 1000,
  unixepoch() * 1000 + m.clock_offset + 3600000
FROM (SELECT DISTINCT merchant_id, pg_code FROM attempt WHERE stage <> 'cod') a JOIN merchant m ON m.id = a.merchant_id;

-- Since when a success is settled: the gateway confirmed it, or the difference was told.
ALTER TABLE attempt ADD COLUMN reconciled_at INTEGER;

CREATE INDEX attempt_to_reconcile ON attempt (merchant_id, pg_code, opened_at) WHERE stage = 'success' AND reconciled_at IS NULL;

-- A charge of the gateway that nothing here asked for has no payment transaction.
CREATE TABLE attention_next (
  reference TEXT NOT NULL,
  reason TEXT NOT NULL,
  merchant_id TEXT NOT NULL,
  session_id TEXT REFERENCES txn (session_id),
  detail TEXT NOT NULL,
  at INTEGER NOT NULL,
  closed_at INTEGER,
  how TEXT,
  PRIMARY KEY (reference, reason)
) STRICT, WITHOUT ROWID;

INSERT INTO attention_next SELECT reference, reason, merchant_id, session_id, detail, at, closed_at, how FROM attention;

DROP TABLE attention;
ALTER TABLE attention_next RENAME TO attention;

CREATE INDEX attention_open ON attention (at) WHERE closed_at IS NULL;

CREATE TRIGGER attention_closed AFTER UPDATE OF closed_at ON attention
WHEN NEW.closed_at IS NOT NULL AND OLD.closed_at IS NULL
BEGIN
  INSERT INTO audit (at, merchant_id, action, subject)
  VALUES (NEW.closed_at, NEW.merchant_id, 'attention_closed', NEW.reference || '.' || NEW.reason || ' ' || NEW.how);
END;

-- When the bank last did something to a charge, by which it lists them.
ALTER TABLE sandbox_charge ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;

UPDATE sandbox_charge SET changed_at = max(coalesce(ended_at, created_at),
  coalesce((SELECT max(coalesce(o.ended_at, o.created_at)) FROM sandbox_operation o WHERE o.charge_id = sandbox_charge.id), 0));

CREATE INDEX sandbox_charge_by_change ON sandbox_charge (account, changed_at, id);

CREATE TRIGGER sandbox_charge_opened AFTER INSERT ON sandbox_charge
BEGIN
  UPDATE sandbox_charge SET changed_at = NEW.created_at WHERE id = NEW.id;
END;

CREATE TRIGGER sandbox_charge_ended AFTER UPDATE OF ended_at ON sandbox_charge
WHEN NEW.ended_at > NEW.changed_at
BEGIN
  UPDATE sandbox_charge SET changed_at = NEW.ended_at WHERE id = NEW.id;
END;

CREATE TRIGGER sandbox_operation_made AFTER INSERT ON sandbox_operation
BEGIN
  UPDATE sandbox_charge SET changed_at = max(changed_at, NEW.created_at) WHERE id = NEW.charge_id;
END;

CREATE TRIGGER sandbox_operation_ended AFTER UPDATE OF ended_at ON sandbox_operation
WHEN NEW.ended_at IS NOT NULL
BEGIN
  UPDATE sandbox_charge SET changed_at = max(changed_at, NEW.ended_at) WHERE id = NEW.charge_id;
END;
