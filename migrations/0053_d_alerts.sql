-- Alerts to the operator, one row a cause. Additive.
CREATE TABLE alerts (
  -- Such as 'dead-letters', 'quota rowsWritten', 'task prune-database'.
  cause TEXT PRIMARY KEY,
  since INTEGER NOT NULL,
  notified_at INTEGER NOT NULL,
  -- End of the cause; null while it lasts.
  resolved_at INTEGER,
  -- Number of what failed, or percent of the quota, when it was last looked at.
  figure INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
