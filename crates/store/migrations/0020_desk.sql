-- The engine's own result, once a person's decisions are laid over it in `document`.
ALTER TABLE results ADD COLUMN machine TEXT;

-- Marked scripts as the desk lists them: how many answers they have, how many a person has checked, how many are
-- flagged and not checked. `sheet` is JSON: the marks of each question.
CREATE TABLE desk_scripts (
    submission_id TEXT NOT NULL PRIMARY KEY,
    paper_id TEXT NOT NULL,
    parts BIGINT NOT NULL,
    checked BIGINT NOT NULL,
    flagged BIGINT NOT NULL,
    is_adjusted BOOLEAN NOT NULL,
    sheet TEXT NOT NULL
);
CREATE INDEX desk_scripts_by_paper ON desk_scripts (paper_id, submission_id);

-- The answers of scripts that are not released, part by part. `question` is the question's place in the paper, `part`
-- is empty for a question that is marked as a whole; marks are half marks. `decision` is JSON, and `version` the id of
-- the adjustment that made it last: whoever decides names the version seen, so that two teachers notice each other.
CREATE TABLE desk_answers (
    submission_id TEXT NOT NULL,
    question BIGINT NOT NULL,
    part TEXT NOT NULL,
    paper_id TEXT NOT NULL,
    answer TEXT NOT NULL,
    machine BIGINT NOT NULL,
    awarded BIGINT NOT NULL,
    available BIGINT NOT NULL,
    confidence DOUBLE PRECISION NOT NULL,
    flags TEXT NOT NULL,
    decision TEXT,
    taught TEXT,
    version TEXT,
    reviewer TEXT,
    PRIMARY KEY (submission_id, question, part)
);
CREATE INDEX desk_answers_by_part ON desk_answers (paper_id, question, part, submission_id);

-- Every decision that a person made, for good: `decision` is null where one was taken back.
CREATE TABLE adjustments (
    id TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    submission_id TEXT NOT NULL,
    paper_id TEXT NOT NULL,
    question BIGINT NOT NULL,
    part TEXT NOT NULL,
    number TEXT NOT NULL,
    awarded_before BIGINT NOT NULL,
    awarded BIGINT NOT NULL,
    available BIGINT NOT NULL,
    decision TEXT,
    reviewer TEXT,
    created_at BIGINT NOT NULL
);
CREATE INDEX adjustments_by_submission ON adjustments (account_id, mode, submission_id, created_at, id);
CREATE INDEX adjustments_of_submission ON adjustments (submission_id);
CREATE INDEX adjustments_of_paper ON adjustments (paper_id, id);
