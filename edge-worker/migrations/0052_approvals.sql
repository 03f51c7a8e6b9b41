-- Requests for approval: refunds and voids that another person has to permit. Words and trigger are rendered from the table of
-- the core. What is to be approved is frozen; what was noted can be erased.
CREATE TABLE approval (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL,
  session_id TEXT NOT NULL REFERENCES txn (session_id),
  attempt TEXT NOT NULL REFERENCES attempt (reference),
  operation TEXT NOT NULL CHECK (operation IN ('refund', 'void')),
  amount INTEGER NOT NULL CHECK (amount > 0),
  currency TEXT NOT NULL,
  remaining INTEGER NOT NULL CHECK (remaining >= amount),
  extra TEXT,
  reason TEXT,
  note TEXT,
  initiator TEXT,
  tracking_key TEXT,
  asked_by TEXT NOT NULL,
  asked_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  approvers INTEGER NOT NULL CHECK (approvers IN (1, 2)),
  hash TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('asked', 'approved', 'done', 'failed', 'rejected', 'withdrawn', 'expired')),
  decided TEXT NOT NULL,
  failure TEXT,
  reference TEXT UNIQUE,
  changed_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX approval_open ON approval (attempt, operation)
  WHERE state = 'asked' OR (state = 'approved' AND reference IS NULL);
CREATE UNIQUE INDEX approval_by_tracking_key ON approval (merchant_id, tracking_key) WHERE tracking_key IS NOT NULL;
CREATE INDEX approval_of_merchant ON approval (merchant_id, asked_at, id);
CREATE INDEX approval_by_state ON approval (merchant_id, state, asked_at, id);
CREATE INDEX approval_of_session ON approval (session_id, asked_at, id);

CREATE TRIGGER approval_is_frozen BEFORE UPDATE OF id, merchant_id, session_id, attempt, operation, amount, currency, remaining, asked_by, asked_at, expires_at, approvers, hash, tracking_key, reason ON approval
BEGIN
  SELECT RAISE(ABORT, 'what is to be approved is frozen');
END;

CREATE TRIGGER approval_state_is_legal BEFORE UPDATE OF state ON approval
WHEN NEW.state <> OLD.state AND OLD.state || ' ' || NEW.state NOT IN (
  'asked approved',
  'asked rejected',
  'asked withdrawn',
  'asked expired',
  'approved done',
  'approved failed',
  'failed done'
)
BEGIN
  SELECT RAISE(ABORT, 'illegal move of approval.state');
END;

-- An operation under the key of a request moves exactly what was approved.
CREATE TRIGGER approved_operation_is_approved BEFORE INSERT ON child
WHEN NEW.tracking_key LIKE 'approval %' AND NOT EXISTS (
  SELECT 1 FROM approval a WHERE a.id = substr(NEW.tracking_key, 10) AND a.state = 'approved' AND a.merchant_id = NEW.merchant_id
  AND a.session_id = NEW.parent_id AND a.attempt = NEW.attempt AND a.operation = NEW.operation
  AND a.amount = NEW.amount AND a.currency = NEW.currency)
BEGIN
  SELECT RAISE(ABORT, 'the operation was not approved');
END;
