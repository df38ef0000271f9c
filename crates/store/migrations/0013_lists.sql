-- Whatever a list is filtered by, and whether it goes by creation or by change, it is read along an index that has the
-- filters before the time, so that a page costs the same however long the list is.
CREATE INDEX papers_by_status_change ON papers (account_id, mode, status, updated_at, id);
CREATE INDEX papers_by_subject_change ON papers (account_id, mode, subject_id, updated_at, id);
CREATE INDEX papers_by_subject_status ON papers (account_id, mode, subject_id, status, created_at, id);
CREATE INDEX papers_by_subject_status_change ON papers (account_id, mode, subject_id, status, updated_at, id);
CREATE INDEX papers_by_external_id_change ON papers (account_id, mode, external_id, updated_at, id);

CREATE INDEX submissions_by_status_change ON submissions (account_id, mode, status, updated_at, id);
CREATE INDEX submissions_by_paper_change ON submissions (account_id, mode, paper_id, updated_at, id);
CREATE INDEX submissions_by_paper_status_change ON submissions (account_id, mode, paper_id, status, updated_at, id);
CREATE INDEX submissions_by_student_change ON submissions (account_id, mode, student_external_id, updated_at, id);
