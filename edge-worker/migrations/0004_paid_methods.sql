-- Through which gateways a customer of a merchant has paid, from code to code.

CREATE INDEX txn_paid_by_customer ON txn (merchant_id, customer_id, settled_by)
  WHERE customer_id IS NOT NULL AND settled_by IS NOT NULL AND state IN ('paid', 'authorized', 'refunded');
