-- Messages to payers are rows of `delivery` with kinds of their own; their lane (`url`) is the channel, and the body says to whom.
-- One event tells a recipient once by each channel.
CREATE UNIQUE INDEX message_once ON delivery (session_id, number, kind, json_extract(body, '$.to'))
  WHERE kind IN ('email', 'sms', 'whatsapp') AND body <> '';

-- What became of a message.
CREATE TABLE message_note (
  delivery_id TEXT NOT NULL PRIMARY KEY REFERENCES delivery (id),
  merchant_id TEXT NOT NULL,
  provider TEXT NOT NULL,
  provider_id TEXT,
  fate TEXT NOT NULL CHECK (fate IN ('sending', 'waiting', 'accepted', 'delivered', 'read', 'failed', 'complained', 'unknown')),
  detail TEXT,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX message_of_provider ON message_note (provider, provider_id) WHERE provider_id IS NOT NULL;

-- What the inbox of the sandbox shows.
CREATE TABLE sandbox_message (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  inbox TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;

CREATE INDEX sandbox_message_of_inbox ON sandbox_message (inbox, number);

-- What identifies a payer is erased everywhere at once.
CREATE TRIGGER message_is_erased AFTER UPDATE OF body ON delivery
WHEN NEW.body = '' AND OLD.kind IN ('email', 'sms', 'whatsapp')
BEGIN
  UPDATE message_note SET detail = NULL WHERE delivery_id = NEW.id;
  DELETE FROM sandbox_message WHERE id = NEW.id;
END;
