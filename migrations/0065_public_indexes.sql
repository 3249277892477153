-- Fewer rows written a day (docs/operate/limits-and-costs.md). Safe for the code of before, whose public timeline goes through
-- the newest statuses of all kinds without it.

-- An entry for each status that arrived. Public timelines find theirs among the newest statuses.
DROP INDEX IF EXISTS statuses_public;
-- Without a reader since the limits of servers are listed from a row of their own (src/domain/instance/listed-limits.ts).
DROP INDEX IF EXISTS domain_limits_listed;
