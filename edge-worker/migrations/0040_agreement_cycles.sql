-- Under which agreement the merchant opened an attempt: a hash of the merchant, the customer, the environment and the id.
-- While such an attempt is open it takes a cycle of the agreement.
ALTER TABLE attempt ADD COLUMN agreement TEXT;

CREATE INDEX attempt_of_agreement ON attempt (merchant_id, agreement, opened_at)
  WHERE agreement IS NOT NULL AND stage IN ('sending', 'redirected', 'unknown');
