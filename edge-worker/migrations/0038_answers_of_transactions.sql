-- Which transaction a stored answer is about, so that it is erased with it.
ALTER TABLE answer ADD COLUMN session_id TEXT;

UPDATE answer SET session_id = body ->> '$.session_id' WHERE json_valid(body);

CREATE INDEX answer_of_transaction ON answer (session_id) WHERE session_id IS NOT NULL;
