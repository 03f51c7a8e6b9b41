-- Several operators with roles, who changed what, and the history of settings.

-- One operator is one person or one service with one key. Names are not unique: a key is replaced by making a second
-- operator of the same name.
CREATE TABLE operator (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
  role TEXT NOT NULL CHECK (role IN ('read', 'support', 'admin')),
  prefix TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL,
  last4 TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  -- When the key was used last, exact to an hour.
  used_at INTEGER
) STRICT;

-- Until when secrets of webhooks after the first one sign too; NULL for as long as they are there.
ALTER TABLE merchant ADD COLUMN previous_until INTEGER;

-- The key that takes the place of hmac_key, and from when.
ALTER TABLE merchant ADD COLUMN next_hmac_key TEXT;
ALTER TABLE merchant ADD COLUMN next_hmac_at INTEGER;

-- Who did it; NULL for what was written into the database by other means than the API. An entry that concerns no merchant
-- has the empty merchant_id.
ALTER TABLE audit ADD COLUMN actor_kind TEXT CHECK (actor_kind IN ('operator', 'key', 'user'));
ALTER TABLE audit ADD COLUMN actor TEXT;
ALTER TABLE audit ADD COLUMN actor_name TEXT;
ALTER TABLE audit ADD COLUMN role TEXT;
-- The version of the merchant's settings that it made.
ALTER TABLE audit ADD COLUMN version INTEGER;
-- JSON without secrets.
ALTER TABLE audit ADD COLUMN before TEXT CHECK (before IS NULL OR json_valid(before));
ALTER TABLE audit ADD COLUMN after TEXT CHECK (after IS NULL OR json_valid(after));

DROP TRIGGER audit_is_never_changed;
UPDATE audit SET version = CAST(subject AS INTEGER) WHERE action IN ('merchant_added', 'settings_replaced');
CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
BEGIN
  SELECT RAISE(ABORT, 'audit rows are append-only');
END;

CREATE INDEX audit_of_merchant ON audit (merchant_id);
CREATE INDEX audit_of_actor ON audit (actor_kind, actor);
CREATE INDEX audit_of_moment ON audit (merchant_id, at);
CREATE INDEX audit_of_version ON audit (merchant_id, version) WHERE version IS NOT NULL;

-- The document of each version that changed it, its credentials sealed.
CREATE TABLE settings_version (
  merchant_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  document TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, version)
) STRICT, WITHOUT ROWID;

INSERT INTO settings_version (merchant_id, version, document, at) SELECT id, version, document, updated_at FROM merchant;

CREATE TRIGGER settings_version_of_new AFTER INSERT ON merchant
BEGIN
  INSERT INTO settings_version (merchant_id, version, document, at) VALUES (NEW.id, NEW.version, NEW.document, NEW.updated_at);
END;

CREATE TRIGGER settings_version_of_change AFTER UPDATE OF document ON merchant
BEGIN
  INSERT INTO settings_version (merchant_id, version, document, at) VALUES (NEW.id, NEW.version, NEW.document, NEW.updated_at);
END;

CREATE TRIGGER settings_version_is_never_erased BEFORE DELETE ON settings_version
BEGIN
  SELECT RAISE(ABORT, 'versions of settings are append-only');
END;

-- The API writes its entry before the change, in the same batch. What changes without one, by another version of the Worker
-- or by hand, still gets a row.

DROP TRIGGER merchant_added;
CREATE TRIGGER merchant_added AFTER INSERT ON merchant
WHEN NOT EXISTS (SELECT 1 FROM audit WHERE merchant_id = NEW.id AND version = NEW.version)
BEGIN
  INSERT INTO audit (at, merchant_id, action, subject, version) VALUES (NEW.created_at, NEW.id, 'add_merchant', NEW.id, NEW.version);
END;

DROP TRIGGER merchant_replaced;
CREATE TRIGGER merchant_replaced AFTER UPDATE ON merchant
WHEN NEW.clock_offset = OLD.clock_offset AND NOT EXISTS (SELECT 1 FROM audit WHERE merchant_id = NEW.id AND version = NEW.version)
BEGIN
  INSERT INTO audit (at, merchant_id, action, subject, version) VALUES (NEW.updated_at, NEW.id, 'replace_settings', NEW.id, NEW.version);
END;

DROP TRIGGER merchant_clock_moved;
CREATE TRIGGER merchant_clock_moved AFTER UPDATE OF clock_offset ON merchant
WHEN NEW.clock_offset <> OLD.clock_offset AND NOT EXISTS (SELECT 1 FROM audit WHERE merchant_id = NEW.id AND version = NEW.version)
BEGIN
  INSERT INTO audit (at, merchant_id, action, subject, version) VALUES (NEW.updated_at, NEW.id, 'move_clock', NEW.id, NEW.version);
END;

DROP TRIGGER api_key_added;
CREATE TRIGGER api_key_added AFTER INSERT ON api_key
WHEN NOT EXISTS (
  SELECT 1 FROM audit WHERE merchant_id = NEW.merchant_id AND at = NEW.created_at AND (subject = NEW.prefix OR action = 'add_merchant'))
BEGIN
  INSERT INTO audit (at, merchant_id, action, subject) VALUES (NEW.created_at, NEW.merchant_id, 'add_key', NEW.prefix);
END;

DROP TRIGGER api_key_revoked;
CREATE TRIGGER api_key_revoked AFTER UPDATE OF revoked_at ON api_key
WHEN NEW.revoked_at IS NOT NULL AND OLD.revoked_at IS NULL AND NOT EXISTS (
  SELECT 1 FROM audit
  WHERE merchant_id = NEW.merchant_id AND at = NEW.revoked_at AND subject = NEW.prefix AND action IN ('revoke_key', 'revoke_own_key'))
BEGIN
  INSERT INTO audit (at, merchant_id, action, subject) VALUES (NEW.revoked_at, NEW.merchant_id, 'revoke_key', NEW.prefix);
END;

DROP TRIGGER attention_closed;
CREATE TRIGGER attention_closed AFTER UPDATE OF closed_at ON attention
WHEN NEW.closed_at IS NOT NULL AND OLD.closed_at IS NULL AND NOT EXISTS (
  SELECT 1 FROM audit
  WHERE merchant_id = NEW.merchant_id AND at = NEW.closed_at AND subject = NEW.reference || '.' || NEW.reason)
BEGIN
  INSERT INTO audit (at, merchant_id, action, subject, after)
  VALUES (NEW.closed_at, NEW.merchant_id, 'resolve_attention', NEW.reference || '.' || NEW.reason, json_object('action', NEW.how));
END;

DROP TRIGGER txn_restored;
CREATE TRIGGER txn_restored AFTER UPDATE OF hidden_at ON txn
WHEN OLD.hidden_at IS NOT NULL AND NEW.hidden_at IS NULL
BEGIN
  INSERT INTO txn_event (session_id, number, at, kind, state)
  VALUES (NEW.session_id, NEW.version, NEW.restored_at, 'restored', NEW.state);
  INSERT INTO audit (at, merchant_id, action, subject)
  SELECT NEW.restored_at, NEW.merchant_id, 'restore_transaction', NEW.session_id
  WHERE NOT EXISTS (
    SELECT 1 FROM audit WHERE merchant_id = NEW.merchant_id AND at = NEW.restored_at AND subject = NEW.session_id);
END;
