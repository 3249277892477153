-- Files of follows, blocks and the like that people bring from elsewhere, and what of them is still to be done.
CREATE TABLE imports (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  overwrite INTEGER NOT NULL DEFAULT 0,
  state TEXT NOT NULL,
  total INTEGER NOT NULL,
  done INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  progressed_at INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;
CREATE INDEX imports_account ON imports (account_id, id);
CREATE INDEX imports_finished ON imports (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX imports_running ON imports (progressed_at) WHERE finished_at IS NULL;

-- What is done goes; what could not be done stays with the reason until the import is forgotten.
CREATE TABLE import_entries (
  import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  entry TEXT NOT NULL,
  error TEXT,
  PRIMARY KEY (import_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX import_entries_open ON import_entries (import_id) WHERE error IS NULL;
