-- What a checkout SDK showed the payer last that each gateway costs: a line for each, with its code and the price.
ALTER TABLE txn ADD COLUMN shown TEXT;
