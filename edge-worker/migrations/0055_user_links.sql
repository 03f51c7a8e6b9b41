-- The links by which users choose a password, one for each user. One that was used is deleted.

CREATE TABLE user_link (
  user_id INTEGER NOT NULL PRIMARY KEY REFERENCES user (id),
  -- The SHA-256 of the token that the letter has.
  hash TEXT NOT NULL UNIQUE,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX user_link_by_age ON user_link (expires_at);

-- A link was sent to the address that the user had, to someone without a better password.
CREATE TRIGGER user_link_ends AFTER UPDATE OF email, password, is_active ON user
WHEN OLD.email IS NOT NEW.email OR OLD.password IS NOT NEW.password OR OLD.is_active <> NEW.is_active
BEGIN
  DELETE FROM user_link WHERE user_id = NEW.id;
END;

-- From which devices users signed in.
CREATE TABLE user_device (
  user_id INTEGER NOT NULL REFERENCES user (id),
  -- A hash of the user and the names of browser and system.
  device TEXT NOT NULL,
  -- When someone signed in from it last.
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, device)
) STRICT, WITHOUT ROWID;

CREATE INDEX user_device_by_age ON user_device (seen_at);
