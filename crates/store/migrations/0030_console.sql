-- Keys that open the operator's console. A key is shown once; only its hash is here.
CREATE TABLE operator_keys (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    last_four TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    revoked_at BIGINT,
    last_used_at BIGINT
);
CREATE INDEX operator_keys_by_creation ON operator_keys (created_at, id);

-- A browser that an operator logged in with, by the hash of its cookie. It ends with its key.
CREATE TABLE operator_sessions (
    cookie_hash TEXT NOT NULL PRIMARY KEY,
    key_id TEXT NOT NULL REFERENCES operator_keys (id),
    created_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL
);
CREATE INDEX operator_sessions_of_operator ON operator_sessions (key_id, created_at);
CREATE INDEX operator_sessions_by_age ON operator_sessions (created_at);

-- What operators did, written with what they did. `once` is the confirmation that it was asked for by: a second one
-- finds it taken.
CREATE TABLE operator_log (
    id TEXT NOT NULL PRIMARY KEY,
    created_at BIGINT NOT NULL,
    key_id TEXT,
    operator TEXT NOT NULL,
    address TEXT,
    action TEXT NOT NULL,
    account_id TEXT,
    object_id TEXT,
    reason TEXT,
    details TEXT NOT NULL,
    once TEXT UNIQUE
);
CREATE INDEX operator_log_by_time ON operator_log (created_at, id);
CREATE INDEX operator_log_by_account ON operator_log (account_id, created_at, id);

-- The folded words of accounts' names and contacts, so that finding an account is a search from the beginning of a word.
CREATE TABLE account_words (
    word TEXT NOT NULL,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    PRIMARY KEY (word, account_id)
);

-- What failed, of all accounts, newest first. Few rows fail, so the indexes stay small.
CREATE INDEX papers_failed ON papers (updated_at, id) WHERE failure_code IS NOT NULL;
CREATE INDEX submissions_failed ON submissions (updated_at, id) WHERE failure_code IS NOT NULL;
CREATE INDEX webhook_endpoints_failing ON webhook_endpoints (failing_since, id) WHERE failing_since IS NOT NULL;
