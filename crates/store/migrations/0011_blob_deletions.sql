-- Where clients write to the file store themselves, an upload may end after the bytes were deleted; so they are
-- deleted once more when none can be under way.
ALTER TABLE blob_deletions RENAME COLUMN created_at TO due_at;
ALTER TABLE blob_deletions ADD COLUMN again_at BIGINT;
CREATE INDEX blob_deletions_due ON blob_deletions (due_at);
