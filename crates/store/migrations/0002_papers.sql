CREATE TABLE files (
    id TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    purpose TEXT NOT NULL,
    filename TEXT NOT NULL,
    content_type TEXT,
    size_bytes BIGINT NOT NULL,
    token TEXT NOT NULL UNIQUE,
    url TEXT,
    uploaded_at BIGINT,
    pages BIGINT,
    failure_code TEXT,
    attached_to TEXT,
    expired_at BIGINT,
    -- When the sweep must look at it: NULL once it is attached or expired.
    ends_at BIGINT,
    created_at BIGINT NOT NULL
);
CREATE INDEX files_by_end ON files (ends_at);
CREATE INDEX files_by_user ON files (attached_to);

-- Bytes whose owner is gone, written in the transaction that deleted it.
CREATE TABLE blob_deletions (
    key TEXT NOT NULL PRIMARY KEY,
    created_at BIGINT NOT NULL
);

CREATE TABLE papers (
    id TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    title TEXT NOT NULL,
    subject_id TEXT NOT NULL REFERENCES subjects (id),
    status TEXT NOT NULL,
    failure_code TEXT,
    warnings TEXT NOT NULL,
    question_paper_file TEXT NOT NULL,
    question_paper_is_fetched BOOLEAN NOT NULL,
    question_paper_pages BIGINT,
    marking_scheme_file TEXT NOT NULL,
    marking_scheme_is_fetched BOOLEAN NOT NULL,
    marking_scheme_pages BIGINT,
    question_count BIGINT,
    -- In half marks.
    total_marks BIGINT,
    results_release TEXT NOT NULL,
    strictness TEXT NOT NULL,
    feedback TEXT NOT NULL,
    instructions TEXT,
    billing_status TEXT NOT NULL,
    billing_pages BIGINT,
    billing_credits BIGINT,
    external_id TEXT,
    metadata TEXT NOT NULL,
    test_outcome TEXT,
    created_at BIGINT NOT NULL,
    approved_at BIGINT,
    updated_at BIGINT NOT NULL
);
CREATE INDEX papers_by_creation ON papers (account_id, mode, created_at, id);
CREATE INDEX papers_by_status ON papers (account_id, mode, status, created_at, id);
CREATE INDEX papers_by_subject ON papers (account_id, mode, subject_id, created_at, id);
CREATE INDEX papers_by_external_id ON papers (account_id, mode, external_id, created_at, id);
CREATE INDEX papers_by_change ON papers (account_id, mode, updated_at, id);
-- For the sweep: papers whose reading takes too long.
CREATE INDEX papers_in_work ON papers (status, created_at);

-- Who holds an external id. A paper takes it by writing the row; a second one cannot.
CREATE TABLE paper_external_ids (
    account_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    external_id TEXT NOT NULL,
    paper_id TEXT NOT NULL,
    PRIMARY KEY (account_id, mode, external_id)
);

CREATE TABLE paper_counts (
    paper_id TEXT NOT NULL PRIMARY KEY,
    queued BIGINT NOT NULL,
    processing BIGINT NOT NULL,
    graded BIGINT NOT NULL,
    released BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    canceled BIGINT NOT NULL
);

-- A question as JSON. `version` grows with each change, so that two reviewers notice each other.
CREATE TABLE questions (
    id TEXT NOT NULL PRIMARY KEY,
    paper_id TEXT NOT NULL,
    position BIGINT NOT NULL,
    version BIGINT NOT NULL,
    document TEXT NOT NULL
);
CREATE INDEX questions_by_paper ON questions (paper_id, position);
