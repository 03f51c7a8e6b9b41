-- What Till stores of merchants and their payments.
--
-- Amounts are whole minor units, times are milliseconds since 1970 in UTC. Everything of one merchant can live in one
-- shard: no query joins two merchants. The words of states and stages, and the triggers that refuse illegal moves, are
-- rendered from the tables of the core; a test compares them (tests/native/triggers.rs).

CREATE TABLE merchant (
  id TEXT NOT NULL PRIMARY KEY,
  -- Counts up with every change of the document or of the secrets: parsed settings are kept by it.
  version INTEGER NOT NULL,
  document TEXT NOT NULL,
  hmac_key TEXT NOT NULL,
  signing_secrets TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE api_key (
  prefix TEXT NOT NULL,
  merchant_id TEXT NOT NULL REFERENCES merchant (id),
  kind TEXT NOT NULL CHECK (kind IN ('private', 'public')),
  hash TEXT NOT NULL,
  last4 TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  PRIMARY KEY (prefix, merchant_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX api_key_of_merchant ON api_key (merchant_id, created_at);

CREATE TABLE txn (
  session_id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchant (id),
  version INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('created', 'pending', 'attempted', 'authorized', 'paid', 'failed', 'canceled', 'expired', 'invalided', 'refunded', 'cod')),
  plugin TEXT NOT NULL,
  operation TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount >= 0),
  currency TEXT NOT NULL,
  pg_codes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  settled_by TEXT,
  settled INTEGER,
  settled_currency TEXT,
  paid INTEGER,
  paid_currency TEXT,
  details TEXT NOT NULL,
  order_no TEXT GENERATED ALWAYS AS (details ->> 'order_no') VIRTUAL
) STRICT;

CREATE INDEX txn_of_merchant ON txn (merchant_id, created_at);
CREATE INDEX txn_by_order ON txn (merchant_id, order_no) WHERE order_no IS NOT NULL;
CREATE INDEX txn_to_expire ON txn (expires_at) WHERE state IN ('created', 'pending', 'attempted');

-- Every change of a payment transaction, numbered from 1 without gaps. The number is the version that it led to.
CREATE TABLE txn_event (
  session_id TEXT NOT NULL REFERENCES txn (session_id),
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  reference TEXT,
  stage TEXT,
  PRIMARY KEY (session_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE attempt (
  reference TEXT NOT NULL PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES txn (session_id),
  merchant_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  pg_code TEXT NOT NULL,
  pg_name TEXT NOT NULL,
  operation TEXT NOT NULL,
  is_sandbox INTEGER NOT NULL CHECK (is_sandbox IN (0, 1)),
  permits_retry INTEGER NOT NULL CHECK (permits_retry IN (0, 1)),
  stage TEXT NOT NULL CHECK (stage IN ('sending', 'redirected', 'unknown', 'success', 'failed', 'canceled', 'error', 'cod')),
  principal INTEGER NOT NULL CHECK (principal >= 0),
  principal_currency TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount >= 0),
  fee INTEGER NOT NULL CHECK (fee >= 0),
  total INTEGER NOT NULL CHECK (total = amount + fee),
  currency TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  inquire_at INTEGER,
  inquiries INTEGER NOT NULL,
  unknown_since INTEGER,
  page_url TEXT,
  gateway_id TEXT,
  message TEXT,
  params TEXT NOT NULL,
  response TEXT,
  UNIQUE (session_id, number)
) STRICT;

CREATE UNIQUE INDEX one_open_attempt ON attempt (session_id) WHERE stage IN ('sending', 'redirected', 'unknown');
CREATE INDEX attempt_to_inquire ON attempt (inquire_at) WHERE stage IN ('sending', 'redirected', 'unknown');

-- One notification of a merchant. Its bytes are fixed; every try sends the same.
CREATE TABLE delivery (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL,
  session_id TEXT NOT NULL REFERENCES txn (session_id),
  -- The number of the event that caused it: the newest about an attempt has the highest.
  number INTEGER NOT NULL,
  reference TEXT NOT NULL,
  url TEXT NOT NULL,
  body TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'delivered', 'given_up')),
  failed_tries INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL,
  lease_until INTEGER NOT NULL DEFAULT 0,
  last_status INTEGER
) STRICT;

CREATE INDEX delivery_due ON delivery (due_at) WHERE state = 'due';
CREATE INDEX delivery_of_attempt ON delivery (reference, number);

CREATE TABLE delivery_try (
  delivery_id TEXT NOT NULL REFERENCES delivery (id),
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  status INTEGER,
  took_ms INTEGER NOT NULL,
  PRIMARY KEY (delivery_id, number)
) STRICT, WITHOUT ROWID;

-- The answers to requests with an idempotency key.
CREATE TABLE answer (
  merchant_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  status INTEGER NOT NULL,
  body TEXT NOT NULL,
  stored_at INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, operation, key)
) STRICT;

CREATE INDEX answer_by_age ON answer (stored_at);

-- What a person should look at. An entry that was closed stays closed.
CREATE TABLE attention (
  reference TEXT NOT NULL,
  reason TEXT NOT NULL,
  merchant_id TEXT NOT NULL,
  session_id TEXT NOT NULL REFERENCES txn (session_id),
  detail TEXT NOT NULL,
  at INTEGER NOT NULL,
  closed_at INTEGER,
  how TEXT,
  PRIMARY KEY (reference, reason)
) STRICT, WITHOUT ROWID;

CREATE INDEX attention_open ON attention (at) WHERE closed_at IS NULL;

-- What the operator did. Written by the triggers below, so nothing that is done goes without a row.
CREATE TABLE audit (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  merchant_id TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL
) STRICT;

CREATE TRIGGER merchant_added AFTER INSERT ON merchant
BEGIN
  INSERT INTO audit (at, merchant_id, action, subject) VALUES (NEW.created_at, NEW.id, 'merchant_added', NEW.version);
END;

CREATE TRIGGER merchant_replaced AFTER UPDATE ON merchant
BEGIN
  INSERT INTO audit (at, merchant_id, action, subject) VALUES (NEW.updated_at, NEW.id, 'settings_replaced', NEW.version);
END;

CREATE TRIGGER merchant_version_counts_up BEFORE UPDATE ON merchant
WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'the version of a merchant counts up by one');
END;

CREATE TRIGGER api_key_added AFTER INSERT ON api_key
BEGIN
  INSERT INTO audit (at, merchant_id, action, subject) VALUES (NEW.created_at, NEW.merchant_id, 'key_added', NEW.prefix);
END;

CREATE TRIGGER api_key_revoked AFTER UPDATE OF revoked_at ON api_key
WHEN NEW.revoked_at IS NOT NULL AND OLD.revoked_at IS NULL
BEGIN
  INSERT INTO audit (at, merchant_id, action, subject) VALUES (NEW.revoked_at, NEW.merchant_id, 'key_revoked', NEW.prefix);
END;

CREATE TRIGGER attention_closed AFTER UPDATE OF closed_at ON attention
WHEN NEW.closed_at IS NOT NULL AND OLD.closed_at IS NULL
BEGIN
  INSERT INTO audit (at, merchant_id, action, subject)
  VALUES (NEW.closed_at, NEW.merchant_id, 'attention_closed', NEW.reference || '.' || NEW.reason || ' ' || NEW.how);
END;

CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
BEGIN
  SELECT RAISE(ABORT, 'audit rows are append-only');
END;

CREATE TRIGGER audit_is_never_erased BEFORE DELETE ON audit
BEGIN
  SELECT RAISE(ABORT, 'audit rows are append-only');
END;

CREATE TRIGGER txn_event_is_never_changed BEFORE UPDATE ON txn_event
BEGIN
  SELECT RAISE(ABORT, 'event rows are append-only');
END;

CREATE TRIGGER txn_event_is_never_erased BEFORE DELETE ON txn_event
BEGIN
  SELECT RAISE(ABORT, 'event rows are append-only');
END;

CREATE TRIGGER txn_version_counts_up BEFORE UPDATE ON txn
WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'the version of a payment transaction counts up by one');
END;

CREATE TRIGGER attempt_is_frozen BEFORE UPDATE OF reference, session_id, merchant_id, number, pg_code, operation, principal, principal_currency, amount, fee, total, currency ON attempt
BEGIN
  SELECT RAISE(ABORT, 'the amounts of an attempt are frozen');
END;

CREATE TRIGGER txn_state_is_legal BEFORE UPDATE OF state ON txn
WHEN NEW.state <> OLD.state AND OLD.state || ' ' || NEW.state NOT IN (
  'created pending',
  'created attempted',
  'created authorized',
  'created paid',
  'created failed',
  'created canceled',
  'created expired',
  'created invalided',
  'created cod',
  'pending attempted',
  'pending authorized',
  'pending paid',
  'pending failed',
  'pending canceled',
  'pending expired',
  'pending invalided',
  'pending cod',
  'attempted pending',
  'attempted authorized',
  'attempted paid',
  'attempted failed',
  'attempted canceled',
  'attempted expired',
  'attempted invalided',
  'attempted cod',
  'failed authorized',
  'failed paid',
  'failed cod',
  'expired authorized',
  'expired paid',
  'expired cod',
  'cod canceled'
)
BEGIN
  SELECT RAISE(ABORT, 'illegal move of txn.state');
END;

CREATE TRIGGER attempt_stage_is_legal BEFORE UPDATE OF stage ON attempt
WHEN NEW.stage <> OLD.stage AND OLD.stage || ' ' || NEW.stage NOT IN (
  'sending redirected',
  'sending unknown',
  'sending success',
  'sending failed',
  'sending canceled',
  'sending error',
  'sending cod',
  'redirected unknown',
  'redirected success',
  'redirected failed',
  'redirected canceled',
  'redirected error',
  'unknown redirected',
  'unknown success',
  'unknown failed',
  'unknown canceled',
  'unknown error',
  'failed success',
  'canceled success',
  'error success'
)
BEGIN
  SELECT RAISE(ABORT, 'illegal move of attempt.stage');
END;
