-- What the listing of a merchant's payment transactions is read from: each index holds its rows in the order of the
-- listing, by the moment of creation and the session id, so that a page reads little more than it shows.

ALTER TABLE txn ADD COLUMN customer_id TEXT GENERATED ALWAYS AS (details ->> 'customer_id') VIRTUAL;

DROP INDEX txn_of_merchant;
DROP INDEX txn_by_order;

CREATE INDEX txn_of_merchant ON txn (merchant_id, created_at, session_id);
CREATE INDEX txn_by_order ON txn (merchant_id, order_no, created_at, session_id) WHERE order_no IS NOT NULL;
CREATE INDEX txn_by_customer ON txn (merchant_id, customer_id, created_at, session_id) WHERE customer_id IS NOT NULL;
-- A payable transaction counts as expired from expires_at on: that is seen without reading its row.
CREATE INDEX txn_by_state ON txn (merchant_id, state, created_at, session_id, expires_at);
