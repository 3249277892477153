-- Notifications somebody was mailed about: none twice, and not too many in an hour. Kept for some days; the
-- notification itself may be gone sooner.
CREATE TABLE notice_mails (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  notification_id INTEGER NOT NULL,
  claimed_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, notification_id)
) STRICT, WITHOUT ROWID;
