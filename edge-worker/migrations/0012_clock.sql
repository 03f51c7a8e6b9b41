-- The test clock: how far the time of a merchant was moved forward, in milliseconds. Only a merchant whose gateways are
-- all simulated has another offset than 0. Moving it counts as a version, because parsed settings are kept by it.

ALTER TABLE merchant ADD COLUMN clock_offset INTEGER NOT NULL DEFAULT 0 CHECK (clock_offset >= 0);

CREATE INDEX merchant_with_moved_clock ON merchant (id) WHERE clock_offset > 0;

-- What is due by the time of one merchant.
CREATE INDEX txn_to_expire_of_merchant ON txn (merchant_id, expires_at) WHERE state IN ('created', 'pending', 'attempted');
CREATE INDEX attempt_to_inquire_of_merchant ON attempt (merchant_id, inquire_at) WHERE inquire_at IS NOT NULL;
CREATE INDEX child_to_inquire_of_merchant ON child (merchant_id, inquire_at) WHERE stage IN ('sending', 'unknown', 'queued');
CREATE INDEX delivery_due_of_merchant ON delivery (merchant_id, due_at) WHERE state = 'due';

DROP TRIGGER merchant_replaced;

CREATE TRIGGER merchant_replaced AFTER UPDATE ON merchant
WHEN NEW.clock_offset = OLD.clock_offset
BEGIN
  INSERT INTO audit (at, merchant_id, action, subject) VALUES (NEW.updated_at, NEW.id, 'settings_replaced', NEW.version);
END;

CREATE TRIGGER merchant_clock_moved AFTER UPDATE OF clock_offset ON merchant
WHEN NEW.clock_offset <> OLD.clock_offset
BEGIN
  INSERT INTO audit (at, merchant_id, action, subject) VALUES (NEW.updated_at, NEW.id, 'clock_moved', NEW.clock_offset);
END;

CREATE TRIGGER merchant_clock_goes_forward BEFORE UPDATE OF clock_offset ON merchant
WHEN NEW.clock_offset < OLD.clock_offset
BEGIN
  SELECT RAISE(ABORT, 'the clock of a merchant only goes forward');
END;

-- The simulated bank lives in the merchant's time: what it is late with for him comes that much earlier.
CREATE TRIGGER sandbox_moves_with_clock AFTER UPDATE OF clock_offset ON merchant
WHEN NEW.clock_offset > OLD.clock_offset
BEGIN
  UPDATE sandbox_charge SET due_at = due_at - (NEW.clock_offset - OLD.clock_offset)
  WHERE status = 'processing' AND EXISTS (
    SELECT 1 FROM attempt a WHERE a.reference = sandbox_charge.reference AND a.merchant_id = NEW.id);
  UPDATE sandbox_operation SET due_at = due_at - (NEW.clock_offset - OLD.clock_offset)
  WHERE status = 'queued' AND EXISTS (
    SELECT 1 FROM child c WHERE c.reference = sandbox_operation.reference AND c.merchant_id = NEW.id);
END;
