-- What a paper prints as its total, in half marks.
ALTER TABLE papers ADD COLUMN printed_total BIGINT;
