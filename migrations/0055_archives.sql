-- Statuses brought from archives of other servers. Additive.

-- One import for each account of another server: a second run goes on with the first.
CREATE TABLE archive_imports (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  actor_uri TEXT NOT NULL,
  followers_uri TEXT NOT NULL,
  imported INTEGER NOT NULL DEFAULT 0,
  refused INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  progressed_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX archive_imports_actor ON archive_imports (account_id, actor_uri);
CREATE INDEX archive_imports_progress ON archive_imports (progressed_at);

-- What was not imported, and why, until the import is forgotten.
CREATE TABLE archive_import_refusals (
  import_id INTEGER NOT NULL REFERENCES archive_imports (id) ON DELETE CASCADE,
  uri TEXT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (import_id, uri)
) STRICT, WITHOUT ROWID;

-- Addresses that imported statuses had: nothing is imported twice, and replies find what they answer.
CREATE TABLE imported_statuses (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  uri TEXT NOT NULL,
  status_id INTEGER NOT NULL REFERENCES statuses (id) ON DELETE CASCADE,
  PRIMARY KEY (account_id, uri)
) STRICT, WITHOUT ROWID;
CREATE INDEX imported_statuses_status ON imported_statuses (status_id);
