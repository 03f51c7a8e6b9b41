-- What a message is, which decides how it is sent. A row without a kind, as the Worker before this column adds them, is a webhook.
ALTER TABLE delivery ADD COLUMN kind TEXT NOT NULL DEFAULT 'payment_webhook';

-- What still waits gets its kind, so that it is named correctly if it is given up.
UPDATE delivery SET kind = 'requested_webhook' WHERE state = 'due' AND EXISTS (
  SELECT 1 FROM txn_event e WHERE e.session_id = delivery.session_id AND e.number = delivery.number AND e.kind = 'notified');
UPDATE delivery SET kind = 'operation_webhook' WHERE state = 'due' AND EXISTS (
  SELECT 1 FROM child c WHERE c.reference = delivery.reference);
UPDATE delivery SET kind = 'card_webhook' WHERE state = 'due' AND kind = 'payment_webhook' AND json_extract(body, '$.token') IS NOT NULL;
