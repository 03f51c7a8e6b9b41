-- The ways of browsers to providers of single sign-on and back. One that has ended is deleted.

CREATE TABLE desk_trip (
  -- The SHA-256 of the secret that the browser holds.
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL,
  issuer TEXT NOT NULL,
  -- The names of the browser and its system.
  device TEXT NOT NULL,
  language TEXT NOT NULL,
  -- The page to come back to, sealed.
  back TEXT NOT NULL,
  -- The session that the browser had.
  session TEXT,
  -- The form that waits for a fresh factor, sealed.
  form TEXT,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX desk_trip_by_age ON desk_trip (created_at);

-- The provider at which the user signed in; NULL for a password.
ALTER TABLE desk_session ADD COLUMN issuer TEXT;
