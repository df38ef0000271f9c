-- What an account has waiting to be used.
CREATE INDEX files_unused ON files (account_id, ends_at);
