-- Money that a gateway holds until a moment. The row goes when nothing is left that could be captured.
CREATE TABLE capture_deadline (
  session_id TEXT NOT NULL PRIMARY KEY REFERENCES txn (session_id),
  merchant_id TEXT NOT NULL,
  -- The attempt whose money it is.
  reference TEXT NOT NULL,
  capture_by INTEGER NOT NULL,
  -- When a person is reminded; NULL once that was done.
  remind_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX capture_to_remind ON capture_deadline (remind_at) WHERE remind_at IS NOT NULL;
CREATE INDEX capture_to_remind_of_merchant ON capture_deadline (merchant_id, remind_at) WHERE remind_at IS NOT NULL;
