-- Whether a script with marks that a person should look at waits for one.
ALTER TABLE papers ADD COLUMN hold_doubtful BOOLEAN NOT NULL DEFAULT FALSE;
