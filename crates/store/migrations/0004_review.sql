-- Links to one paper's review page. The token is shown once; only its hash is here.
CREATE TABLE review_links (
    token_hash TEXT NOT NULL PRIMARY KEY,
    paper_id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    revoked_at BIGINT
);
CREATE INDEX review_links_by_paper ON review_links (paper_id);
CREATE INDEX review_links_by_end ON review_links (expires_at);

-- A browser that opened a link, by the hash of its cookie. It ends with its link.
CREATE TABLE review_sessions (
    cookie_hash TEXT NOT NULL PRIMARY KEY,
    link_hash TEXT NOT NULL,
    paper_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX review_sessions_by_link ON review_sessions (link_hash, created_at);
CREATE INDEX review_sessions_by_paper ON review_sessions (paper_id);
CREATE INDEX review_sessions_by_end ON review_sessions (expires_at);

-- Who changed what and when. `before` and `after` are JSON: the members of the question that changed.
CREATE TABLE review_changes (
    id TEXT NOT NULL PRIMARY KEY,
    paper_id TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    action TEXT NOT NULL,
    question_id TEXT,
    number TEXT,
    before TEXT,
    after TEXT,
    created_at BIGINT NOT NULL
);
CREATE INDEX review_changes_by_paper ON review_changes (paper_id, id);
