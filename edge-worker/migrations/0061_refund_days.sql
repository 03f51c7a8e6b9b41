-- Who began an operation: their refunds of a day are added up, so that they can be limited.
ALTER TABLE child ADD COLUMN made_by TEXT;

CREATE INDEX child_refund_made ON child (merchant_id, made_by, opened_at) WHERE operation = 'refund' AND made_by IS NOT NULL;
