-- Backups of the database, which are kept in the bucket below `backups/`. Additive.
CREATE TABLE backups (
  id INTEGER PRIMARY KEY,
  -- Folder in the bucket.
  name TEXT NOT NULL UNIQUE,
  -- running, complete, failed, deleting.
  state TEXT NOT NULL DEFAULT 'running',
  -- 1: started by a command, 0: by the clock.
  requested INTEGER NOT NULL DEFAULT 0,
  -- Last migration of the database when it began.
  schema TEXT NOT NULL,
  -- Place of the next part, as JSON.
  position TEXT NOT NULL,
  -- Failed attempts at the next part, and the reason of the last.
  failures INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  parts INTEGER NOT NULL DEFAULT 0,
  rows INTEGER NOT NULL DEFAULT 0,
  -- Bytes of the parts as they are stored.
  bytes INTEGER NOT NULL DEFAULT 0,
  media_objects INTEGER NOT NULL DEFAULT 0,
  media_bytes INTEGER NOT NULL DEFAULT 0,
  started_at INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;
-- One runs at a time.
CREATE UNIQUE INDEX backups_running ON backups (state) WHERE state = 'running';
CREATE INDEX backups_deleting ON backups (id) WHERE state = 'deleting';

CREATE TABLE backup_parts (
  backup_id INTEGER NOT NULL REFERENCES backups (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  file TEXT NOT NULL,
  -- database, media.
  kind TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  -- Rows of each table, or objects, as JSON.
  contents TEXT NOT NULL,
  PRIMARY KEY (backup_id, number)
) STRICT, WITHOUT ROWID;
