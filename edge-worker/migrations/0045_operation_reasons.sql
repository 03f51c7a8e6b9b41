-- Why a merchant asked for an operation, and what was noted about it.
ALTER TABLE child ADD COLUMN reason TEXT;
ALTER TABLE child ADD COLUMN note TEXT;
