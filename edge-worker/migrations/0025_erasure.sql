-- What an operation moves stays as it is. What the merchant said about it, and what identifies a payer in it, can be erased.

DROP TRIGGER child_is_frozen;

CREATE TRIGGER child_is_frozen BEFORE UPDATE OF reference, session_id, parent_id, merchant_id, number, attempt, operation, amount, currency, pg_code, is_sandbox ON child
BEGIN
  SELECT RAISE(ABORT, 'what an operation moves is frozen');
END;

CREATE TRIGGER child_extra_is_only_erased BEFORE UPDATE OF extra ON child
WHEN NEW.extra IS NOT NULL AND NEW.extra IS NOT OLD.extra
BEGIN
  SELECT RAISE(ABORT, 'what an operation moves is frozen');
END;

-- Several transactions may have one file.
CREATE INDEX txn_by_attachment ON txn (details ->> '$.attachment.name') WHERE details ->> '$.attachment.name' IS NOT NULL;
