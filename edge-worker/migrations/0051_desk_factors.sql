-- The second factors of users at the desk.

CREATE TABLE desk_factor (
  user_id INTEGER NOT NULL PRIMARY KEY REFERENCES user (id),
  -- The sealed secret that an authenticator app shares.
  secret TEXT NOT NULL,
  -- The step of the last code that was used: no code counts twice.
  used_step INTEGER NOT NULL,
  -- The hashes of the recovery codes that are left, separated by spaces.
  recovery TEXT NOT NULL
) STRICT;
