-- Totals of imports of archives, per account and day (UTC), across its imports and tokens. Additive.

CREATE TABLE archive_import_days (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  entries INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  files INTEGER NOT NULL DEFAULT 0,
  file_bytes INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, day)
) STRICT, WITHOUT ROWID;

-- Imported posts for the profile and their own address alone.
ALTER TABLE imported_statuses ADD COLUMN profile_only INTEGER NOT NULL DEFAULT 0;
CREATE INDEX imported_statuses_profile_only ON imported_statuses (status_id) WHERE profile_only = 1;
