-- What goes with payment transactions: the files of merchants and short addresses.

-- A file whose bytes are in the namespace FILES under the same name. The bytes come first and are never changed.
CREATE TABLE attachment (
  name TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL,
  original_name TEXT NOT NULL,
  size INTEGER NOT NULL CHECK (size > 0),
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER attachment_is_frozen BEFORE UPDATE ON attachment
BEGIN
  SELECT RAISE(ABORT, 'a file is never changed');
END;

-- Stands for a transaction and what of it is meant, never for an address.
CREATE TABLE short_link (
  code TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('checkout', 'attachment')),
  merchant_id TEXT NOT NULL,
  session_id TEXT NOT NULL REFERENCES txn (session_id),
  UNIQUE (session_id, kind)
) STRICT, WITHOUT ROWID;
