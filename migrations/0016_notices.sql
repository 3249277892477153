-- Notices about something else than a status. Stands on 0014.

-- What it is about: an item of a collection, a collection, a report, a warning, an event, a year, as the type says.
ALTER TABLE notifications ADD COLUMN subject_id INTEGER;
CREATE INDEX notifications_subject ON notifications (subject_id) WHERE subject_id IS NOT NULL;
-- One notification per deed, as before; two reports of one person are two deeds.
-- The new index stands before the old one goes, so that nothing is ever told twice.
CREATE UNIQUE INDEX notifications_deed
  ON notifications (account_id, type, from_account_id, coalesce(status_id, subject_id, 0));
DROP INDEX notifications_once;

-- What those who look after the server had to tell somebody. account_id is who did: NULL for the operator.
CREATE TABLE account_warnings (
  id INTEGER PRIMARY KEY,
  account_id INTEGER REFERENCES accounts (id) ON DELETE SET NULL,
  target_account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  action TEXT NOT NULL,
  text TEXT NOT NULL,
  report_id INTEGER REFERENCES reports (id) ON DELETE SET NULL,
  status_ids TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX account_warnings_target ON account_warnings (target_account_id, id);
CREATE INDEX account_warnings_account ON account_warnings (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX account_warnings_report ON account_warnings (report_id) WHERE report_id IS NOT NULL;

-- How much each person here lost by an event: the rows of severed_follows go with the accounts they name.
CREATE TABLE account_severances (
  event_id INTEGER NOT NULL REFERENCES severance_events (id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  followers_count INTEGER NOT NULL,
  following_count INTEGER NOT NULL,
  PRIMARY KEY (event_id, account_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX account_severances_account ON account_severances (account_id);

-- Whom staff notices are for.
CREATE INDEX users_role ON users (role_id) WHERE role_id IS NOT NULL;

-- When those who were here were told of it. What was shown before this came is no news.
ALTER TABLE announcements ADD COLUMN told_at INTEGER;
UPDATE announcements SET told_at = published_at WHERE published_at <= unixepoch() * 1000;
