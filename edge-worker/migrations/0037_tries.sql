-- A try counts when it is claimed: what was claimed and never recorded is found by the next claim.

-- Until when the sender before this one held the message; 0 if it recorded how its try ended.
ALTER TABLE delivery ADD COLUMN lost_lease INTEGER NOT NULL DEFAULT 0;

-- How many questions in a row were begun and never recorded, with the one under way.
ALTER TABLE attempt ADD COLUMN lost_inquiries INTEGER NOT NULL DEFAULT 0;
ALTER TABLE child ADD COLUMN lost_inquiries INTEGER NOT NULL DEFAULT 0;

-- Until when the questions are paid for that strangers have caused: each costs some seconds, and only a few are paid ahead.
ALTER TABLE attempt ADD COLUMN asked_until INTEGER NOT NULL DEFAULT 0;
ALTER TABLE child ADD COLUMN asked_until INTEGER NOT NULL DEFAULT 0;
