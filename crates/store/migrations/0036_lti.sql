-- Learning platforms that may launch us, each for one account and mode.
CREATE TABLE lti_platforms (
    id TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    mode TEXT NOT NULL,
    issuer TEXT NOT NULL,
    client_id TEXT NOT NULL,
    deployment_id TEXT NOT NULL,
    login_url TEXT NOT NULL,
    keys_url TEXT NOT NULL,
    token_url TEXT NOT NULL,
    audience TEXT,
    created_at BIGINT NOT NULL,
    UNIQUE (issuer, client_id, deployment_id)
);

-- The key that we sign with: one. The private half is sealed under the master key, the public half is JSON.
CREATE TABLE lti_keys (
    kid TEXT NOT NULL PRIMARY KEY,
    public TEXT NOT NULL,
    sealed TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

-- Launches that were used, until their login would have ended anyway.
CREATE TABLE lti_nonces (
    hash TEXT NOT NULL PRIMARY KEY,
    expires_at BIGINT NOT NULL
) /* WITHOUT ROWID */;
CREATE INDEX lti_nonces_by_end ON lti_nonces (expires_at);

-- Which paper a link of a platform opens, and where its marks go.
CREATE TABLE lti_links (
    id TEXT NOT NULL PRIMARY KEY,
    platform_id TEXT NOT NULL,
    resource_link_id TEXT NOT NULL,
    paper_id TEXT NOT NULL,
    line_item TEXT,
    created_at BIGINT NOT NULL,
    UNIQUE (platform_id, resource_link_id)
);
CREATE INDEX lti_links_by_paper ON lti_links (paper_id, id);
