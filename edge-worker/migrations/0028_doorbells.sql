-- For which due rows a doorbell was rung lately: the cron handler rings for none of them again before its message had
-- time to be handled. The row itself stays the truth; an entry here only says that a message is on its way.
CREATE TABLE doorbell (
  id TEXT PRIMARY KEY,
  rung_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX doorbell_by_time ON doorbell (rung_at);
