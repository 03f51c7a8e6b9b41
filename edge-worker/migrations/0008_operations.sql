-- A deleted transaction is hidden, never erased. When it is shown again, that is an event, and the operator's deed.
ALTER TABLE txn ADD COLUMN hidden_at INTEGER;
ALTER TABLE txn ADD COLUMN restored_at INTEGER;

-- A listing shows what is not hidden, so its indexes hold nothing else.
DROP INDEX txn_of_merchant;
DROP INDEX txn_by_order;
DROP INDEX txn_by_customer;
DROP INDEX txn_by_state;

CREATE INDEX txn_of_merchant ON txn (merchant_id, created_at, session_id) WHERE hidden_at IS NULL;
CREATE INDEX txn_by_order ON txn (merchant_id, order_no, created_at, session_id) WHERE hidden_at IS NULL AND order_no IS NOT NULL;
CREATE INDEX txn_by_customer ON txn (merchant_id, customer_id, created_at, session_id) WHERE hidden_at IS NULL AND customer_id IS NOT NULL;
CREATE INDEX txn_by_state ON txn (merchant_id, state, created_at, session_id, expires_at, hidden_at) WHERE hidden_at IS NULL;

CREATE TRIGGER txn_restored AFTER UPDATE OF hidden_at ON txn
WHEN OLD.hidden_at IS NOT NULL AND NEW.hidden_at IS NULL
BEGIN
  INSERT INTO txn_event (session_id, number, at, kind, state)
  VALUES (NEW.session_id, NEW.version, NEW.restored_at, 'restored', NEW.state);
  INSERT INTO audit (at, merchant_id, action, subject)
  VALUES (NEW.restored_at, NEW.merchant_id, 'transaction_restored', NEW.session_id);
END;

-- What the sandbox bank did to its charges after they were approved. Amounts are minor units, times are milliseconds.

CREATE TABLE sandbox_operation (
  id TEXT PRIMARY KEY,
  charge_id TEXT NOT NULL REFERENCES sandbox_charge (id),
  account TEXT NOT NULL,
  reference TEXT NOT NULL,
  operation TEXT NOT NULL CHECK (operation IN ('capture', 'refund', 'void')),
  amount INTEGER NOT NULL CHECK (amount > 0),
  callback_url TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('queued', 'done', 'refused')),
  -- What a queued refund becomes, and when.
  ends_as TEXT NOT NULL CHECK (ends_as IN ('done', 'refused')),
  due_at INTEGER,
  created_at INTEGER NOT NULL,
  ended_at INTEGER,
  UNIQUE (account, reference),
  CHECK ((status = 'queued') = (due_at IS NOT NULL))
) STRICT;

CREATE INDEX sandbox_operation_of_charge ON sandbox_operation (charge_id);
CREATE INDEX sandbox_operation_due ON sandbox_operation (due_at) WHERE status = 'queued';

-- Captures, refunds and voids of payments that succeeded. Words and trigger are rendered from the tables of the core.
CREATE TABLE child (
  reference TEXT NOT NULL PRIMARY KEY,
  session_id TEXT NOT NULL UNIQUE,
  parent_id TEXT NOT NULL REFERENCES txn (session_id),
  merchant_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  attempt TEXT NOT NULL REFERENCES attempt (reference),
  operation TEXT NOT NULL CHECK (operation IN ('refund', 'capture', 'void')),
  stage TEXT NOT NULL CHECK (stage IN ('sending', 'unknown', 'queued', 'done', 'rejected', 'refused')),
  amount INTEGER NOT NULL CHECK (amount > 0),
  currency TEXT NOT NULL,
  pg_code TEXT NOT NULL,
  is_sandbox INTEGER NOT NULL CHECK (is_sandbox IN (0, 1)),
  tracking_key TEXT,
  extra TEXT,
  opened_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  inquire_at INTEGER,
  inquiries INTEGER NOT NULL,
  open_since INTEGER,
  gateway_id TEXT,
  message TEXT,
  params TEXT NOT NULL,
  response TEXT,
  UNIQUE (parent_id, number)
) STRICT;

CREATE UNIQUE INDEX child_by_tracking_key ON child (merchant_id, tracking_key) WHERE tracking_key IS NOT NULL;
CREATE INDEX child_to_inquire ON child (inquire_at) WHERE stage IN ('sending', 'unknown', 'queued');

CREATE TRIGGER child_is_frozen BEFORE UPDATE OF reference, session_id, parent_id, merchant_id, number, attempt, operation, amount, currency, pg_code, is_sandbox, extra ON child
BEGIN
  SELECT RAISE(ABORT, 'what an operation moves is frozen');
END;

CREATE TRIGGER child_stage_is_legal BEFORE UPDATE OF stage ON child
WHEN NEW.stage <> OLD.stage AND OLD.stage || ' ' || NEW.stage NOT IN (
  'sending unknown',
  'sending queued',
  'sending done',
  'sending refused',
  'unknown queued',
  'unknown done',
  'unknown refused',
  'queued done',
  'queued rejected',
  'rejected done',
  'refused done'
)
BEGIN
  SELECT RAISE(ABORT, 'illegal move of child.stage');
END;
