-- The closed entries about a payment: what gateways wrote in them is erased with its payer.
DROP INDEX attention_noted;
CREATE INDEX attention_of_payment ON attention (session_id) WHERE closed_at IS NOT NULL AND session_id IS NOT NULL;

-- With the payment, because a deleted one is not counted.
DROP INDEX attempt_failed;
CREATE INDEX attempt_failed ON attempt (merchant_id, known_at, principal_currency, pg_code, stage, session_id) WHERE stage IN ('failed', 'error');
