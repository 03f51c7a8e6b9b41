-- The log of deliveries, receivers that are disabled, and messages about no transaction.
--
-- The table of deliveries is made again, because a column of it becomes optional and a state is added. The Worker before this
-- migration inserts and reads the rows as before.

CREATE TABLE delivery_new (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL,
  -- NULL for a message about no transaction, such as an alert.
  session_id TEXT REFERENCES txn (session_id),
  -- The number of the event that caused it: the newest about an attempt has the highest.
  number INTEGER NOT NULL,
  reference TEXT NOT NULL,
  url TEXT NOT NULL,
  body TEXT NOT NULL,
  -- What is held waits until its receiver is enabled again.
  state TEXT NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'held', 'delivered', 'given_up')),
  failed_tries INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL,
  lease_until INTEGER NOT NULL DEFAULT 0,
  last_status INTEGER,
  kind TEXT NOT NULL DEFAULT 'payment_webhook',
  -- The scheme and the host of the address, which name the receiver.
  receiver TEXT GENERATED ALWAYS AS (substr(url, 1, instr(substr(url, 9) || '/', '/') + 7)) VIRTUAL,
  -- When it was caused. The Worker before this column leaves it out.
  created_at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
  -- When a person last had it sent again.
  resent_at INTEGER
) STRICT;

INSERT INTO delivery_new (id, merchant_id, session_id, number, reference, url, body, state, failed_tries, due_at, lease_until, last_status, kind, created_at)
SELECT d.id, d.merchant_id, d.session_id, d.number, d.reference, d.url, d.body, d.state, d.failed_tries, d.due_at, d.lease_until, d.last_status, d.kind,
  COALESCE((SELECT e.at FROM txn_event e WHERE e.session_id = d.session_id AND e.number = d.number), d.due_at)
FROM delivery d;

CREATE TABLE delivery_try_new (
  delivery_id TEXT NOT NULL REFERENCES delivery_new (id),
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  status INTEGER,
  took_ms INTEGER NOT NULL,
  -- Why there is no status.
  error TEXT,
  -- The beginning of the answer, cleaned.
  excerpt TEXT,
  PRIMARY KEY (delivery_id, number)
) STRICT, WITHOUT ROWID;

INSERT INTO delivery_try_new (delivery_id, number, at, status, took_ms)
SELECT delivery_id, number, at, status, took_ms FROM delivery_try;

DROP TABLE delivery_try;
DROP TABLE delivery;
ALTER TABLE delivery_new RENAME TO delivery;
ALTER TABLE delivery_try_new RENAME TO delivery_try;

CREATE INDEX delivery_of_attempt ON delivery (reference, number);
CREATE INDEX delivery_due ON delivery (merchant_id, receiver, due_at) WHERE state = 'due';
CREATE INDEX delivery_held ON delivery (merchant_id, receiver) WHERE state = 'held';
CREATE INDEX delivery_of_merchant ON delivery (merchant_id, created_at, id);
CREATE INDEX delivery_open ON delivery (merchant_id, state, created_at, id) WHERE state <> 'delivered';

-- Receivers that fail, or are disabled. One that works has no row.
CREATE TABLE receiver (
  merchant_id TEXT NOT NULL,
  -- Scheme and host; of one that answered that it is gone, the whole address.
  address TEXT NOT NULL,
  failing_since INTEGER,
  disabled_at INTEGER,
  reason TEXT CHECK (reason IN ('failing', 'gone')),
  PRIMARY KEY (merchant_id, address)
) STRICT, WITHOUT ROWID;
