-- Local reblogs of a status, apart from those of other servers: an edit notifies who made them, and read all reblogs of a
-- status that many servers had reblogged. Written once for each local reblog.
CREATE INDEX statuses_local_reblogs ON statuses (reblog_of_id, account_id) WHERE reblog_of_id IS NOT NULL AND local = 1;
