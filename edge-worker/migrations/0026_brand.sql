-- What anyone can download from this origin: the images of merchants, and files that others ask of the installation.

-- An image under the name that follows from its merchant and its content, so that it never changes. The content is base64.
CREATE TABLE image (
  name TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL,
  width INTEGER NOT NULL CHECK (width > 0),
  height INTEGER NOT NULL CHECK (height > 0),
  size INTEGER NOT NULL CHECK (size > 0),
  content TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX image_of_merchant ON image (merchant_id, created_at, name);

CREATE TRIGGER image_is_fixed BEFORE UPDATE ON image
BEGIN
  SELECT RAISE(ABORT, 'an image is never changed');
END;

-- A file of the installation, by what it is.
CREATE TABLE installation_file (
  name TEXT NOT NULL PRIMARY KEY,
  content TEXT NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
