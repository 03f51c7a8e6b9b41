-- What an operator needs to run an installation: keys that can be replaced, and metrics.

-- Under which key the gateway's token of a saved card is sealed: the id of the key, or an empty text for what was sealed
-- before keys had ids. By it the cards are found that are to be sealed again, and counted.

ALTER TABLE card ADD COLUMN sealed_by TEXT GENERATED ALWAYS AS (
  CASE WHEN substr(bank_token, 1, 3) = 'v2.' THEN substr(bank_token, 4, 8) ELSE '' END
) VIRTUAL;

CREATE INDEX card_by_seal ON card (sealed_by, token);

-- What the runs of the cron handler did, together: one row.
CREATE TABLE sweep_total (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  ended_at INTEGER NOT NULL,
  runs INTEGER NOT NULL,
  inquired INTEGER NOT NULL,
  expired INTEGER NOT NULL,
  delivered INTEGER NOT NULL,
  reconciled INTEGER NOT NULL,
  failures INTEGER NOT NULL
) STRICT;

-- The attempts of the last hour are counted from this index alone.
CREATE INDEX attempt_by_opening ON attempt (opened_at, pg_name, is_sandbox, stage);

-- What the payer's data is erased of by the customer: transactions that were deleted too, which no listing finds.
CREATE INDEX txn_hidden_of_customer ON txn (merchant_id, customer_id) WHERE hidden_at IS NOT NULL AND customer_id IS NOT NULL;
