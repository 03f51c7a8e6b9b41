-- What the attention list says of an agreement, by the transaction that paused it.
CREATE INDEX attention_of_pause ON attention (session_id) WHERE closed_at IS NULL AND reason = 'agreement_paused';
