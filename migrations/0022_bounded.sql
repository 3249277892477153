-- The directory: those who may be listed at all, so that nobody who may not stands in the way of a page. As many rows
-- as the indexes before, and one for each account that wants to be found, when it becomes known.
CREATE INDEX accounts_listed ON accounts (last_status_at) WHERE discoverable = 1 AND suspended_at IS NULL
  AND silenced_at IS NULL AND moved_to_account_id IS NULL AND memorial = 0;
CREATE INDEX accounts_listed_local ON accounts (last_status_at) WHERE domain IS NULL AND discoverable = 1
  AND suspended_at IS NULL AND silenced_at IS NULL AND moved_to_account_id IS NULL AND memorial = 0;
CREATE INDEX accounts_listed_newest ON accounts (id) WHERE discoverable = 1 AND suspended_at IS NULL
  AND silenced_at IS NULL AND moved_to_account_id IS NULL AND memorial = 0;
DROP INDEX accounts_directory;
DROP INDEX accounts_directory_local;

-- The media of a profile: one post in four has any, and hundreds without may stand between two of them.
CREATE INDEX statuses_media ON statuses (account_id, id) WHERE attachments <> '[]';
