-- What a person's policy holds back waits under its sender until it is let in or dismissed.
ALTER TABLE notifications ADD COLUMN filtered INTEGER NOT NULL DEFAULT 0;
CREATE INDEX notifications_filtered ON notifications (account_id, from_account_id, id) WHERE filtered = 1;

-- 0 lets in, 1 holds back, 2 drops. Who has no row has these defaults.
CREATE TABLE notification_policies (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  not_following INTEGER NOT NULL DEFAULT 0,
  not_followers INTEGER NOT NULL DEFAULT 0,
  new_accounts INTEGER NOT NULL DEFAULT 0,
  private_mentions INTEGER NOT NULL DEFAULT 1,
  limited_accounts INTEGER NOT NULL DEFAULT 1,
  bots INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Whom somebody let in, whatever the policy says.
CREATE TABLE notification_permissions (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  from_account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  PRIMARY KEY (account_id, from_account_id)
) STRICT, WITHOUT ROWID;
