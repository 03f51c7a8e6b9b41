-- From where users signed in rightly of late, and which subject of its provider a user is.

-- A name and a network as a hash, from which nobody learns either.
CREATE TABLE sign_in_place (
  place TEXT NOT NULL PRIMARY KEY,
  -- When the name signed in from there, exact to a day.
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sign_in_place_by_age ON sign_in_place (at);

-- The provider and its subject, separated by a space, as the first sign-in by the provider named them.
ALTER TABLE user ADD COLUMN provider_subject TEXT;
