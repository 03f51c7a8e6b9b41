-- Alerts: who was notified of which entry of the attention list, and when a merchant and a topic were last alerted about. Times
-- are real ones.
ALTER TABLE attention ADD COLUMN alerted_at INTEGER;
ALTER TABLE attention ADD COLUMN operators_alerted_at INTEGER;

CREATE INDEX attention_untold ON attention (merchant_id) WHERE closed_at IS NULL AND alerted_at IS NULL;
CREATE INDEX attention_untold_to_operators ON attention (merchant_id) WHERE closed_at IS NULL AND operators_alerted_at IS NULL;

CREATE INDEX merchant_with_alerts ON merchant (id) WHERE document ->> '$.alerts' IS NOT NULL;

CREATE TABLE alert (
  audience TEXT NOT NULL CHECK (audience IN ('merchant', 'operators')),
  merchant_id TEXT NOT NULL REFERENCES merchant (id),
  topic TEXT NOT NULL,
  -- Counts up with each alert: one that was written after another that it did not know of is refused.
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (audience, merchant_id, topic)
) STRICT, WITHOUT ROWID;

-- The attempt of the entry of the attention list that says that the gateway fails.
ALTER TABLE gateway_health ADD COLUMN flagged TEXT;

CREATE INDEX gateway_health_to_flag ON gateway_health (skipped_until) WHERE flagged IS NULL AND skipped_until IS NOT NULL;
CREATE INDEX gateway_health_flagged ON gateway_health (flagged) WHERE flagged IS NOT NULL;
CREATE INDEX attention_of_gateways ON attention (reference) WHERE closed_at IS NULL AND reason = 'gateway_failing';
