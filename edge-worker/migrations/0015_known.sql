-- When an outcome became known: the time that is told of it, which no later inquiry moves.

ALTER TABLE attempt ADD COLUMN known_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE child ADD COLUMN known_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE txn ADD COLUMN moved_at INTEGER NOT NULL DEFAULT 0;

-- What is stored already: the event log knows when an attempt came to its stage and a transaction to its state.
UPDATE attempt SET known_at = COALESCE(
  (SELECT MIN(e.at) FROM txn_event e
   WHERE e.session_id = attempt.session_id AND e.reference = attempt.reference AND e.stage = attempt.stage),
  updated_at);

UPDATE child SET known_at = updated_at;

DROP TRIGGER txn_version_counts_up;

UPDATE txn SET moved_at = COALESCE(
  (SELECT MIN(e.at) FROM txn_event e WHERE e.session_id = txn.session_id AND e.state = txn.state),
  created_at);

CREATE TRIGGER txn_version_counts_up BEFORE UPDATE ON txn
WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'the version of a payment transaction counts up by one');
END;
