-- What the operator calls a key, so that it is known again when it has to be revoked.

ALTER TABLE api_key ADD COLUMN name TEXT CHECK (length(name) BETWEEN 1 AND 64);
