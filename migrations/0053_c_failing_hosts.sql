-- Servers that take no deliveries, as their couriers report it: couriers themselves cannot be listed. Additive.
CREATE TABLE failing_hosts (
  host TEXT PRIMARY KEY,
  failing_since INTEGER NOT NULL,
  last_success_at INTEGER,
  -- Class of the last failure, such as 'http 503'.
  error TEXT,
  failures INTEGER NOT NULL,
  -- Deliveries that wait, and the time of the oldest.
  waiting INTEGER NOT NULL,
  oldest_at INTEGER,
  next_at INTEGER,
  -- 1: given up after a week of failures.
  unreachable INTEGER NOT NULL DEFAULT 0,
  reported_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
