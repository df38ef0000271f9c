-- Stacks of pages of whole classes that are parted into scripts. `pages` has a sign for each page: `c` for a cover sheet,
-- `_` for a blank one, `.` for any other. `roster`, `files` and `scripts` are JSON; once every script is a submission, no
-- student is named in them.
CREATE TABLE class_scans (
    id TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    paper_id TEXT NOT NULL,
    status TEXT NOT NULL,
    failure_code TEXT,
    split_by TEXT NOT NULL,
    split_pages BIGINT,
    roster TEXT NOT NULL,
    files TEXT NOT NULL,
    pages TEXT NOT NULL,
    scripts TEXT NOT NULL,
    -- When it is deleted unless it is confirmed before.
    ends_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX class_scans_of_paper ON class_scans (paper_id, id);
CREATE INDEX class_scans_by_end ON class_scans (ends_at) WHERE ends_at IS NOT NULL;
