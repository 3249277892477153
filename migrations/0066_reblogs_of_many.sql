-- Fewer rows written a day (docs/operate/limits-and-costs.md). Safe for the code of before, which sorts the reblogs of a status.

-- 1: a reblog of a status that had very many when it came. Only these are ordered by an index; the others are sorted.
ALTER TABLE statuses ADD COLUMN reblog_of_many INTEGER NOT NULL DEFAULT 0;
CREATE INDEX statuses_reblogs_of_many ON statuses (reblog_of_id) WHERE reblog_of_many = 1;
-- An entry for each reblog that arrived.
DROP INDEX IF EXISTS statuses_reblogs;
