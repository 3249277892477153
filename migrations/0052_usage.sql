-- Usage: what each day (UTC) used of the platform's quotas, as isolates counted it. One row a day. Additive.
CREATE TABLE usage_days (
  day INTEGER PRIMARY KEY,
  requests INTEGER NOT NULL DEFAULT 0,
  outgoing_requests INTEGER NOT NULL DEFAULT 0,
  statements INTEGER NOT NULL DEFAULT 0,
  rows_read INTEGER NOT NULL DEFAULT 0,
  rows_written INTEGER NOT NULL DEFAULT 0,
  object_calls INTEGER NOT NULL DEFAULT 0,
  queue_operations INTEGER NOT NULL DEFAULT 0,
  storage_writes INTEGER NOT NULL DEFAULT 0,
  storage_reads INTEGER NOT NULL DEFAULT 0,
  image_transformations INTEGER NOT NULL DEFAULT 0,
  mails INTEGER NOT NULL DEFAULT 0,
  database_bytes INTEGER NOT NULL DEFAULT 0
);
