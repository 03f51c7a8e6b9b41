-- What payers agreed to when they pressed the button: who may charge a card again, how much, how often, until when, and how
-- to stop. One row for each attempt that began so; never changed.
CREATE TABLE consent (
  reference TEXT PRIMARY KEY REFERENCES attempt (reference),
  session_id TEXT NOT NULL REFERENCES txn (session_id),
  at INTEGER NOT NULL,
  version INTEGER NOT NULL,
  language TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX consent_of_transaction ON consent (session_id, at);

CREATE TRIGGER consent_is_frozen BEFORE UPDATE ON consent
BEGIN
  SELECT RAISE(ABORT, 'what a payer agreed to is frozen');
END;
