-- What the totals of a day are counted by: payments, refunds that were done, and attempts that failed. The first and the last
-- index have every column that is added up, so that no row is read.

DROP INDEX txn_by_payment;
CREATE INDEX txn_by_payment ON txn (merchant_id, paid_at, session_id, hidden_at, paid_currency, settled_by, paid, settled)
  WHERE hidden_at IS NULL AND paid_at IS NOT NULL;
CREATE INDEX child_refunded ON child (merchant_id, known_at) WHERE operation = 'refund' AND stage = 'done';
CREATE INDEX attempt_failed ON attempt (merchant_id, known_at, principal_currency, pg_code, stage) WHERE stage IN ('failed', 'error');
