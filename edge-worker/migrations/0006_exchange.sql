-- The rate by which the amount of an attempt was exchanged, as decimal text; NULL where it is charged in its own
-- currency. It is frozen with the amounts that follow from it.

ALTER TABLE attempt ADD COLUMN exchange_rate TEXT CHECK ((exchange_rate IS NULL) = (currency = principal_currency));

DROP TRIGGER attempt_is_frozen;

CREATE TRIGGER attempt_is_frozen BEFORE UPDATE OF reference, session_id, merchant_id, number, pg_code, operation, principal, principal_currency, amount, fee, total, currency, exchange_rate ON attempt
BEGIN
  SELECT RAISE(ABORT, 'the amounts of an attempt are frozen');
END;
