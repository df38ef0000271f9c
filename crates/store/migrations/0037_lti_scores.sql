-- Released marks on their way to a platform. Nothing in it tells of the student; that stays with the submission.
CREATE TABLE lti_scores (
    id TEXT NOT NULL PRIMARY KEY,
    link_id TEXT NOT NULL,
    submission_id TEXT NOT NULL,
    paper_id TEXT NOT NULL,
    status TEXT NOT NULL,
    attempts BIGINT NOT NULL,
    sent_at BIGINT,
    problem TEXT,
    created_at BIGINT NOT NULL,
    UNIQUE (submission_id, link_id)
);
CREATE INDEX lti_scores_by_link ON lti_scores (link_id);
CREATE INDEX lti_scores_by_paper ON lti_scores (paper_id, id);
CREATE INDEX lti_scores_by_status ON lti_scores (status, id);
