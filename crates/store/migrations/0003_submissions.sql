CREATE TABLE submissions (
    id TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    paper_id TEXT NOT NULL,
    status TEXT NOT NULL,
    failure_code TEXT,
    no_readable_answers BOOLEAN NOT NULL,
    student_external_id TEXT NOT NULL,
    student_name TEXT,
    -- JSON: file id, whether it is fetched, type, pages.
    files TEXT NOT NULL,
    billing_status TEXT NOT NULL,
    billing_pages BIGINT,
    billing_credits BIGINT,
    -- In half marks.
    score_awarded BIGINT,
    score_available BIGINT,
    metadata TEXT NOT NULL,
    test_outcome TEXT,
    created_at BIGINT NOT NULL,
    started_at BIGINT,
    graded_at BIGINT,
    released_at BIGINT,
    updated_at BIGINT NOT NULL
);
CREATE INDEX submissions_by_creation ON submissions (account_id, mode, created_at, id);
CREATE INDEX submissions_by_paper ON submissions (account_id, mode, paper_id, created_at, id);
CREATE INDEX submissions_by_paper_status ON submissions (account_id, mode, paper_id, status, created_at, id);
CREATE INDEX submissions_by_student ON submissions (account_id, mode, student_external_id, created_at, id);
CREATE INDEX submissions_by_status ON submissions (account_id, mode, status, created_at, id);
CREATE INDEX submissions_by_change ON submissions (account_id, mode, updated_at, id);
-- For the deletion of a paper, and for the sweep.
CREATE INDEX submissions_of_paper ON submissions (paper_id, id);
CREATE INDEX submissions_in_work ON submissions (status, started_at);

-- One live script per student and paper: it is taken by writing the row.
CREATE TABLE live_scripts (
    paper_id TEXT NOT NULL,
    student_external_id TEXT NOT NULL,
    submission_id TEXT NOT NULL,
    PRIMARY KEY (paper_id, student_external_id)
);

CREATE TABLE results (
    submission_id TEXT NOT NULL PRIMARY KEY,
    document TEXT NOT NULL,
    marking TEXT NOT NULL
);

-- How a paper's released scripts did, for statistics: scripts by score in tenths of a per cent, and sums by
-- question in half marks.
CREATE TABLE paper_scores (
    paper_id TEXT NOT NULL,
    tenths BIGINT NOT NULL,
    scripts BIGINT NOT NULL,
    PRIMARY KEY (paper_id, tenths)
);
CREATE TABLE question_scores (
    paper_id TEXT NOT NULL,
    position BIGINT NOT NULL,
    number TEXT NOT NULL,
    scripts BIGINT NOT NULL,
    awarded BIGINT NOT NULL,
    available BIGINT NOT NULL,
    PRIMARY KEY (paper_id, position)
);
