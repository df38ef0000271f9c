-- The queue of an endpoint that has deliveries to come. Whoever holds its lease sends for that endpoint, and
-- nobody else, so that the bound on deliveries at once holds for all processes together.
CREATE TABLE delivery_queues (
    endpoint_id TEXT NOT NULL PRIMARY KEY,
    due_at BIGINT NOT NULL,
    lease_owner TEXT,
    lease_until BIGINT
);
CREATE INDEX delivery_queues_due ON delivery_queues (due_at);
CREATE INDEX delivery_queues_by_lease ON delivery_queues (lease_until);
CREATE INDEX delivery_queues_by_owner ON delivery_queues (lease_owner);

-- What became of each attempt, kept as long as its event.
CREATE TABLE delivery_attempts (
    endpoint_id TEXT NOT NULL,
    attempted_at BIGINT NOT NULL,
    event_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    is_resend BOOLEAN NOT NULL,
    status BIGINT,
    error TEXT,
    answer TEXT,
    duration_ms BIGINT NOT NULL,
    PRIMARY KEY (endpoint_id, attempted_at, event_id)
) /* WITHOUT ROWID */;
CREATE INDEX delivery_attempts_by_event ON delivery_attempts (event_id);
