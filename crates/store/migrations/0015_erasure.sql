-- What a request with an idempotency key answered, sealed under the key and the request: whoever does not have both
-- learns nothing from it, also of what was deleted since. `body` is what the version before wrote.
ALTER TABLE idempotency_keys ADD COLUMN sealed TEXT;
-- For the sweep: files that were given up, by when.
CREATE INDEX files_by_expiry ON files (expired_at);
