-- The sessions of people who are signed in at the desk. One that has ended is deleted.

CREATE TABLE desk_session (
  -- The SHA-256 of the secret that the browser holds.
  id TEXT NOT NULL PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES user (id),
  -- What the user could do when it began, as a hash.
  rights TEXT NOT NULL,
  -- The names of the browser and its system.
  device TEXT NOT NULL,
  language TEXT,
  created_at INTEGER NOT NULL,
  -- When it was used last, exact to a minute.
  seen_at INTEGER NOT NULL,
  -- When the user gave a factor last; NULL before the first time.
  factor_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX desk_session_of_user ON desk_session (user_id, created_at);
CREATE INDEX desk_session_by_age ON desk_session (seen_at);
