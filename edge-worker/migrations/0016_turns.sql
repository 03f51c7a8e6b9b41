-- What is due is done by turns of the merchants, their gateways and their receivers: each search walks an index from one of
-- them to the next.

DROP INDEX attempt_to_inquire;
DROP INDEX attempt_to_inquire_of_merchant;
DROP INDEX child_to_inquire;
DROP INDEX child_to_inquire_of_merchant;
DROP INDEX delivery_due;
DROP INDEX delivery_due_of_merchant;
DROP INDEX txn_to_expire;

-- An outcome that nobody knows, a page that waits for its payer, and a payment that ended are three searches.
CREATE INDEX attempt_unknown ON attempt (merchant_id, pg_code, inquire_at) WHERE stage IN ('sending', 'unknown') AND inquire_at IS NOT NULL;
CREATE INDEX attempt_waiting ON attempt (merchant_id, pg_code, inquire_at) WHERE stage = 'redirected' AND inquire_at IS NOT NULL;
CREATE INDEX attempt_closed ON attempt (merchant_id, pg_code, inquire_at) WHERE stage IN ('failed', 'canceled', 'error') AND inquire_at IS NOT NULL;

CREATE INDEX child_to_inquire ON child (merchant_id, pg_code, inquire_at) WHERE stage IN ('sending', 'unknown', 'queued') AND inquire_at IS NOT NULL;

-- The scheme and the host of the address, which name the receiver.
ALTER TABLE delivery ADD COLUMN receiver TEXT GENERATED ALWAYS AS (substr(url, 1, instr(substr(url, 9) || '/', '/') + 7)) VIRTUAL;

CREATE INDEX delivery_due ON delivery (merchant_id, receiver, due_at) WHERE state = 'due';
