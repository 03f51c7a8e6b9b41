-- The entries about a payment: what gateways wrote in them is erased with its payer.
DROP INDEX attention_noted;
CREATE INDEX attention_of_payment ON attention (session_id) WHERE session_id IS NOT NULL;
