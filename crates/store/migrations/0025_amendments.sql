-- By which version of its scheme a paper's scripts are marked, and by which one a script was; 1 is what was approved.
ALTER TABLE papers ADD COLUMN scheme_version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE results ADD COLUMN scheme_version BIGINT NOT NULL DEFAULT 1;

-- Every version of a scheme that was amended, the approved one too. `document` is JSON: all questions.
CREATE TABLE scheme_versions (
    paper_id TEXT NOT NULL,
    version BIGINT NOT NULL,
    document TEXT NOT NULL,
    reviewer TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (paper_id, version)
);

-- A change of the scheme that is looked at before it counts: one for a paper. `question` is the question's place,
-- `document` what it would become, `base` the version that it changes.
CREATE TABLE amendments (
    paper_id TEXT NOT NULL PRIMARY KEY,
    id TEXT NOT NULL,
    question BIGINT NOT NULL,
    document TEXT NOT NULL,
    base BIGINT NOT NULL,
    reviewer TEXT,
    is_previewed BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL
);

-- What an amendment would do to each script that was marked again so far. `changes` is JSON: from what to what.
CREATE TABLE amended_scripts (
    amendment_id TEXT NOT NULL,
    submission_id TEXT NOT NULL,
    paper_id TEXT NOT NULL,
    changes TEXT NOT NULL,
    PRIMARY KEY (amendment_id, submission_id)
);
CREATE INDEX amended_scripts_of_submission ON amended_scripts (submission_id);
CREATE INDEX amended_scripts_of_paper ON amended_scripts (paper_id);
