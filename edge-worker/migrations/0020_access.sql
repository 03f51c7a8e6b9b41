-- Who may call: keys with a scope, users with permissions, and how often someone tried to sign in.

-- The names of permissions, separated by commas; NULL is everything that a key of its kind may do.
ALTER TABLE api_key ADD COLUMN scope TEXT;
-- When the key was used last, exact to an hour.
ALTER TABLE api_key ADD COLUMN used_at INTEGER;

CREATE TABLE user (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  merchant_id TEXT NOT NULL REFERENCES merchant (id),
  username TEXT NOT NULL,
  -- The name without case: unique in the installation.
  folded TEXT NOT NULL UNIQUE,
  first_name TEXT,
  last_name TEXT,
  email TEXT,
  phone TEXT,
  is_superuser INTEGER NOT NULL CHECK (is_superuser IN (0, 1)),
  -- The names of permissions, separated by commas.
  permissions TEXT NOT NULL,
  -- An Argon2id hash in the PHC format; NULL for a user who signs in at the merchant's provider only.
  password TEXT CHECK (password LIKE '$argon2id$%'),
  -- Counts up with everything that ends the user's tokens.
  epoch INTEGER NOT NULL,
  is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE INDEX user_of_merchant ON user (merchant_id, id);

-- A name or an address is stored as a hash. A row is worth nothing after its period.
CREATE TABLE sign_in_try (
  subject TEXT NOT NULL PRIMARY KEY,
  count INTEGER NOT NULL,
  since INTEGER NOT NULL,
  -- How many tries are let through in one period.
  most INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The user who asked for an operation, as they were then: a JSON object.
ALTER TABLE child ADD COLUMN initiator TEXT;

CREATE INDEX sign_in_try_by_age ON sign_in_try (since);
