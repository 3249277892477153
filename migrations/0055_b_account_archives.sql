-- Archives of accounts that are made for their owners, step by step. Additive.
CREATE TABLE account_archives (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- Folder in the media store, which nobody can guess.
  folder TEXT NOT NULL,
  stage TEXT NOT NULL,
  -- Number of the step to come; a message for another one is late.
  step INTEGER NOT NULL DEFAULT 0,
  claimed_until INTEGER NOT NULL DEFAULT 0,
  -- Last row of the stage, and rows so far.
  after INTEGER NOT NULL DEFAULT 0,
  items INTEGER NOT NULL DEFAULT 0,
  -- Packing: the piece, bytes of it that are packed, its size, bytes that wait for a part, and the parts that are stored.
  piece INTEGER NOT NULL DEFAULT 0,
  piece_offset INTEGER NOT NULL DEFAULT 0,
  piece_size INTEGER,
  waiting INTEGER NOT NULL DEFAULT 0,
  upload_id TEXT,
  parts TEXT NOT NULL DEFAULT '[]',
  size_bytes INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  progressed_at INTEGER NOT NULL,
  ready_at INTEGER
) STRICT;
CREATE INDEX account_archives_account ON account_archives (account_id, id);
CREATE INDEX account_archives_created ON account_archives (created_at);
CREATE INDEX account_archives_running ON account_archives (progressed_at) WHERE ready_at IS NULL;

-- What an archive consists of, in its order. Pieces of one name are one file.
CREATE TABLE archive_pieces (
  archive_id INTEGER NOT NULL REFERENCES account_archives (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  key TEXT NOT NULL,
  -- Null until the file is packed.
  size_bytes INTEGER,
  PRIMARY KEY (archive_id, position)
) STRICT, WITHOUT ROWID;
