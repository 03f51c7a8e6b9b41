-- How a user reads the desk and letters: NULL as chosen at each sign-in, and in the zone of the merchant.
ALTER TABLE user ADD COLUMN language TEXT CHECK (language IN ('en', 'ar'));
ALTER TABLE user ADD COLUMN time_zone TEXT;
