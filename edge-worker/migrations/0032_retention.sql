-- The data of payers is erased by age where the settings of a merchant say so.

-- Whether what happened last was its erasure.
ALTER TABLE txn ADD COLUMN is_erased INTEGER NOT NULL DEFAULT 0 CHECK (is_erased IN (0, 1));

UPDATE txn SET is_erased = 1 WHERE EXISTS (
  SELECT 1 FROM txn_event e WHERE e.session_id = txn.session_id AND e.number = txn.version AND e.kind = 'erased');

-- Only what has ended: nothing is written to it when a transaction is made.
CREATE INDEX txn_to_erase ON txn (merchant_id, created_at)
WHERE is_erased = 0 AND (state NOT IN ('created', 'pending', 'attempted', 'authorized') OR hidden_at IS NOT NULL);

CREATE INDEX merchant_with_retention ON merchant (id) WHERE document ->> '$.retention_days' IS NOT NULL;
