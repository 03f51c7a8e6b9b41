-- By what a listing is narrowed: who made a payment transaction, and when it was paid.

ALTER TABLE txn ADD COLUMN made_by TEXT;
-- When money was taken for the first time.
ALTER TABLE txn ADD COLUMN paid_at INTEGER;

-- What is stored already: the first event knows who caused it, and the state or the first capture when it was paid.
DROP TRIGGER txn_version_counts_up;

UPDATE txn SET made_by = (
  SELECT e.actor_kind || ':' || e.actor FROM txn_event e
  WHERE e.session_id = txn.session_id AND e.number = 1 AND e.actor_kind IN ('key', 'user') AND e.actor <> ''),
  paid_at = CASE WHEN paid IS NULL THEN NULL WHEN state <> 'authorized' THEN moved_at ELSE
    (SELECT MIN(c.known_at) FROM child c WHERE c.parent_id = txn.session_id AND c.operation = 'capture' AND c.stage = 'done') END;

CREATE TRIGGER txn_version_counts_up BEFORE UPDATE ON txn
WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'the version of a payment transaction counts up by one');
END;

CREATE INDEX txn_by_maker ON txn (merchant_id, made_by, created_at, session_id) WHERE hidden_at IS NULL AND made_by IS NOT NULL;
CREATE INDEX txn_by_payment ON txn (merchant_id, paid_at, session_id) WHERE hidden_at IS NULL AND paid_at IS NOT NULL;
