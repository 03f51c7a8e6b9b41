-- Inquiries that are counted, by time: how many a merchant made in the last minute.

CREATE INDEX txn_event_inquired ON txn_event (at) WHERE kind = 'inquired';
