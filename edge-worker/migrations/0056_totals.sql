-- What the totals of a day are counted by, beside txn_by_payment: refunds that were done, and attempts that failed.

CREATE INDEX child_refunded ON child (merchant_id, known_at) WHERE operation = 'refund' AND stage = 'done';
CREATE INDEX attempt_failed ON attempt (merchant_id, known_at) WHERE stage IN ('failed', 'error');
