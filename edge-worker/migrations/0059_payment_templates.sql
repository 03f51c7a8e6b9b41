-- What staff fill in again and again of a new payment, under a name. It has nothing of who pays.

CREATE TABLE payment_template (
  merchant_id TEXT NOT NULL,
  plugin TEXT NOT NULL,
  name TEXT NOT NULL,
  -- The fields of the form, as its address has them.
  fields TEXT NOT NULL,
  PRIMARY KEY (merchant_id, plugin, name)
) STRICT, WITHOUT ROWID;
