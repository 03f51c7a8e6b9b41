-- The list of a merchant's messages to payers, the newest first.
CREATE INDEX message_of_merchant ON delivery (merchant_id, created_at, id) WHERE kind IN ('email', 'sms', 'whatsapp');

-- When the message was caused, so that those that stand alike are read in that order.
ALTER TABLE message_note ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
UPDATE message_note SET created_at = (SELECT d.created_at FROM delivery d WHERE d.id = message_note.delivery_id);
CREATE INDEX message_note_of_merchant ON message_note (merchant_id, fate, created_at, delivery_id);

CREATE TRIGGER message_note_is_made AFTER INSERT ON message_note
BEGIN
  UPDATE message_note SET created_at = (SELECT d.created_at FROM delivery d WHERE d.id = NEW.delivery_id)
  WHERE delivery_id = NEW.delivery_id;
END;
