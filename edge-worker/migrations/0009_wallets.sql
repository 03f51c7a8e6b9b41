-- How an attempt is paid: on the gateway's page, or with a wallet. It is frozen with the amounts.

ALTER TABLE attempt ADD COLUMN form_of_payment TEXT NOT NULL DEFAULT 'redirect';

CREATE TRIGGER attempt_form_is_frozen BEFORE UPDATE OF form_of_payment ON attempt
BEGIN
  SELECT RAISE(ABORT, 'the form of payment of an attempt is frozen');
END;
