-- Types: TEXT, BIGINT, DOUBLE PRECISION, BOOLEAN. Times are microseconds since the epoch.
-- Rows of an account begin their indexes with (account_id, mode), so that they can be partitioned by account.

CREATE TABLE settings (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE accounts (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    contact TEXT,
    paper_price BIGINT NOT NULL,
    grading_price BIGINT NOT NULL,
    low_balance_threshold BIGINT NOT NULL,
    rate_limit_live BIGINT NOT NULL,
    rate_limit_test BIGINT NOT NULL,
    suspended_at BIGINT,
    created_at BIGINT NOT NULL
);
CREATE INDEX accounts_by_creation ON accounts (created_at, id);

CREATE TABLE api_keys (
    id TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    mode TEXT NOT NULL,
    name TEXT,
    hash TEXT NOT NULL UNIQUE,
    last_four TEXT NOT NULL,
    scopes TEXT,
    allowed_networks TEXT,
    created_at BIGINT NOT NULL,
    revoked_at BIGINT,
    last_used_at BIGINT,
    exposed_at BIGINT
);
CREATE INDEX api_keys_by_account ON api_keys (account_id, created_at, id);

CREATE TABLE balances (
    account_id TEXT NOT NULL REFERENCES accounts (id),
    mode TEXT NOT NULL,
    available BIGINT NOT NULL CHECK (available >= 0),
    held BIGINT NOT NULL CHECK (held >= 0),
    expired BIGINT NOT NULL CHECK (expired >= 0),
    valid_until BIGINT,
    expired_at BIGINT,
    warned_for BIGINT,
    due_at BIGINT,
    version BIGINT NOT NULL,
    PRIMARY KEY (account_id, mode)
);
-- For the sweep: when a balance must be looked at, to warn of its end or to end it.
CREATE INDEX balances_due ON balances (due_at);

CREATE TABLE holds (
    source_id TEXT NOT NULL PRIMARY KEY,
    source_object TEXT NOT NULL,
    account_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    credits BIGINT NOT NULL,
    pages BIGINT NOT NULL,
    status TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE INDEX holds_by_account ON holds (account_id, mode, status);

CREATE TABLE credit_transactions (
    id TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    type TEXT NOT NULL,
    amount BIGINT NOT NULL,
    balance_after BIGINT NOT NULL,
    pages BIGINT,
    source_object TEXT,
    source_id TEXT,
    reference TEXT,
    description TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX credit_transactions_by_creation ON credit_transactions (account_id, mode, created_at, id);
CREATE INDEX credit_transactions_by_type ON credit_transactions (account_id, mode, type, created_at, id);
CREATE INDEX credit_transactions_by_source ON credit_transactions (account_id, mode, source_id, created_at, id);

CREATE TABLE subjects (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    code TEXT,
    level TEXT,
    sort_key TEXT NOT NULL
);
CREATE INDEX subjects_by_name ON subjects (sort_key, id);

-- Every ending of a subject's folded name and code, so that finding a text inside them is a search from the
-- beginning of an ending: an index search, not a scan.
CREATE TABLE subject_endings (
    ending TEXT NOT NULL,
    subject_id TEXT NOT NULL REFERENCES subjects (id),
    PRIMARY KEY (ending, subject_id)
);

CREATE TABLE idempotency_keys (
    account_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    status BIGINT NOT NULL,
    body TEXT NOT NULL,
    resource_id TEXT,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, mode, key)
);
CREATE INDEX idempotency_keys_by_end ON idempotency_keys (expires_at);
-- For the deletion of what a key made.
CREATE INDEX idempotency_keys_by_resource ON idempotency_keys (resource_id);

-- What all processes together have taken of an account's minute.
CREATE TABLE rate_windows (
    account_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    minute BIGINT NOT NULL,
    used BIGINT NOT NULL,
    PRIMARY KEY (account_id, mode)
);

CREATE TABLE events (
    id TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    type TEXT NOT NULL,
    object_id TEXT,
    snapshot TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX events_by_creation ON events (account_id, mode, created_at, id);
CREATE INDEX events_by_type ON events (account_id, mode, type, created_at, id);
CREATE INDEX events_by_object ON events (account_id, mode, object_id, created_at, id);
CREATE INDEX events_by_age ON events (created_at);

CREATE TABLE webhook_endpoints (
    id TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    kind TEXT NOT NULL,
    url TEXT NOT NULL,
    events TEXT NOT NULL,
    description TEXT,
    status TEXT NOT NULL,
    secret TEXT NOT NULL,
    old_secret TEXT,
    old_secret_until BIGINT,
    failing_since BIGINT,
    warnings BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX webhook_endpoints_by_creation ON webhook_endpoints (account_id, mode, created_at, id);

-- The outbox: an event's deliveries are written in the transaction that wrote the event.
-- A delivery is here until it has arrived or is given up. Its status is `new` until its endpoint's queue knows
-- of it, then `waiting`.
CREATE TABLE deliveries (
    event_id TEXT NOT NULL,
    endpoint_id TEXT NOT NULL,
    status TEXT NOT NULL,
    attempts BIGINT NOT NULL,
    first_at BIGINT,
    next_at BIGINT NOT NULL,
    is_resend BOOLEAN NOT NULL,
    PRIMARY KEY (event_id, endpoint_id)
) /* WITHOUT ROWID */;
CREATE INDEX deliveries_new ON deliveries (next_at) WHERE status = 'new';
CREATE INDEX deliveries_by_endpoint ON deliveries (endpoint_id, next_at);

-- Work for the background. `singleton` names work of which one row at most may exist.
-- `turn` shares the workers fairly: the waiting job with the smallest one is next, and an account's jobs get
-- turns one after the other from the turn that the workers have reached.
CREATE TABLE jobs (
    id TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    account_id TEXT,
    subject TEXT,
    singleton TEXT UNIQUE,
    status TEXT NOT NULL,
    turn BIGINT NOT NULL,
    run_at BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    lease_owner TEXT,
    lease_until BIGINT,
    last_error TEXT,
    created_at BIGINT NOT NULL
);
CREATE INDEX jobs_in_turn ON jobs (status, turn, id);
CREATE INDEX jobs_by_time ON jobs (status, run_at, id);
CREATE INDEX jobs_by_lease ON jobs (status, lease_until);
CREATE INDEX jobs_by_subject ON jobs (subject);

-- The last turn that an account's jobs got.
CREATE TABLE job_turns (
    account_id TEXT NOT NULL PRIMARY KEY,
    turn BIGINT NOT NULL
);

-- Mail that waits to be sent, written with what caused it.
CREATE TABLE mails (
    id TEXT NOT NULL PRIMARY KEY,
    recipient TEXT NOT NULL,
    subject TEXT NOT NULL,
    body TEXT NOT NULL,
    attempts BIGINT NOT NULL,
    next_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX mails_due ON mails (next_at);
