-- Who caused an event: a key by its prefix, a user or an operator by number; NULL for payers, gateways, and what is due.
ALTER TABLE txn_event ADD COLUMN actor_kind TEXT;
ALTER TABLE txn_event ADD COLUMN actor TEXT;
ALTER TABLE txn_event ADD COLUMN actor_name TEXT;
ALTER TABLE txn_event ADD COLUMN role TEXT;

-- The operator who shows a deleted transaction again is the one of the audit's entry, which is recorded before.
DROP TRIGGER txn_restored;
CREATE TRIGGER txn_restored AFTER UPDATE OF hidden_at ON txn
WHEN OLD.hidden_at IS NOT NULL AND NEW.hidden_at IS NULL
BEGIN
  INSERT INTO audit (at, merchant_id, action, subject)
  SELECT NEW.restored_at, NEW.merchant_id, 'restore_transaction', NEW.session_id
  WHERE NOT EXISTS (
    SELECT 1 FROM audit WHERE merchant_id = NEW.merchant_id AND at = NEW.restored_at AND subject = NEW.session_id);
  INSERT INTO txn_event (session_id, number, at, kind, state, actor_kind, actor, actor_name, role)
  SELECT NEW.session_id, NEW.version, NEW.restored_at, 'restored', NEW.state, a.actor_kind, a.actor, a.actor_name, a.role
  FROM audit a WHERE a.merchant_id = NEW.merchant_id AND a.at = NEW.restored_at AND a.subject = NEW.session_id
  ORDER BY a.id DESC LIMIT 1;
END;
