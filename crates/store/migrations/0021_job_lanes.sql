-- Which slots a job waits for, so that slow work never stands before what must be quick. What the version before
-- writes waits for the slots of all work, as it did.
ALTER TABLE jobs ADD COLUMN lane TEXT NOT NULL DEFAULT 'work';
UPDATE jobs SET lane = 'sweep' WHERE kind = 'sweep';
CREATE INDEX jobs_in_lane ON jobs (lane, status, turn, id);
