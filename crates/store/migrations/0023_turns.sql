-- The last time that was given to a change of this account and mode: each one is later than the one before, and is
-- given while this row is locked, so that changes are seen in the order of their times (docs/decisions/0006).
ALTER TABLE balances ADD COLUMN moved_at BIGINT NOT NULL DEFAULT 0;
