-- Gateways are asked about attempts that ended too: a success may be confirmed late.

DROP INDEX attempt_to_inquire;

CREATE INDEX attempt_to_inquire ON attempt (inquire_at) WHERE inquire_at IS NOT NULL;
