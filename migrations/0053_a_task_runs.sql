-- Last run of the cron, and periodic tasks that fail. Additive.
CREATE TABLE task_runs (
  -- Name of a periodic task that fails; 'cron' for the cron itself.
  task TEXT PRIMARY KEY,
  -- Last run.
  ran_at INTEGER NOT NULL,
  -- First of the consecutive failures, and their number.
  failing_since INTEGER,
  failures INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
