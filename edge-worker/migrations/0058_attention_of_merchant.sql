-- The attention list of one merchant: what is open, what was resolved, and what was noted about that.
ALTER TABLE attention ADD COLUMN note TEXT;

CREATE INDEX attention_open_of_merchant ON attention (merchant_id, at, reference, reason) WHERE closed_at IS NULL;
CREATE INDEX attention_closed_of_merchant ON attention (merchant_id, at, reference, reason) WHERE closed_at IS NOT NULL;
CREATE INDEX attention_noted ON attention (session_id) WHERE note IS NOT NULL;
