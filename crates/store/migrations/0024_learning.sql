-- Whether unchecked answers follow what a person decided on like ones. Papers that were made before go on as they were.
ALTER TABLE papers ADD COLUMN learning BOOLEAN NOT NULL DEFAULT FALSE;

-- What an answer means, as the engine's sentence model has it, packed; null where that is not known.
ALTER TABLE desk_answers ADD COLUMN meaning TEXT;

-- What is learned of a part: `wanted` counts what happened to its answers, `learned` is how much of that the marks
-- follow already. `offers` is JSON: the scripts whose answers would teach most, best first.
CREATE TABLE desk_lessons (
    paper_id TEXT NOT NULL,
    question BIGINT NOT NULL,
    part TEXT NOT NULL,
    wanted BIGINT NOT NULL,
    learned BIGINT NOT NULL,
    offers TEXT NOT NULL,
    PRIMARY KEY (paper_id, question, part)
);
