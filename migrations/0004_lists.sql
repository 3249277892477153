-- Lists of followed accounts with feeds of their own, and followed hashtags.

CREATE TABLE lists (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  replies_policy TEXT NOT NULL DEFAULT 'list',
  exclusive INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX lists_account ON lists (account_id, id);

-- owner_id repeats whose list it is: a status enters lists and homes by its author and their followers.
CREATE TABLE list_accounts (
  id INTEGER PRIMARY KEY,
  list_id INTEGER NOT NULL REFERENCES lists (id) ON DELETE CASCADE,
  owner_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX list_accounts_once ON list_accounts (account_id, owner_id, list_id);
CREATE INDEX list_accounts_list ON list_accounts (list_id, id);

-- Whoever is followed no longer leaves the lists of that follower, whatever ended the follow. An accepted request
-- goes after its follow came.
CREATE TRIGGER list_accounts_unfollow AFTER DELETE ON follows BEGIN
  DELETE FROM list_accounts WHERE account_id = old.target_account_id AND owner_id = old.account_id
    AND owner_id <> account_id
    AND NOT EXISTS (SELECT 1 FROM follow_requests r
      WHERE r.account_id = old.account_id AND r.target_account_id = old.target_account_id);
END;
CREATE TRIGGER list_accounts_withdraw AFTER DELETE ON follow_requests BEGIN
  DELETE FROM list_accounts WHERE account_id = old.target_account_id AND owner_id = old.account_id
    AND owner_id <> account_id
    AND NOT EXISTS (SELECT 1 FROM follows f
      WHERE f.account_id = old.account_id AND f.target_account_id = old.target_account_id);
END;

CREATE TABLE list_entries (
  list_id INTEGER NOT NULL,
  status_id INTEGER NOT NULL,
  PRIMARY KEY (list_id, status_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE tag_follows (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  tag_id INTEGER NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX tag_follows_once ON tag_follows (tag_id, account_id);
CREATE INDEX tag_follows_account ON tag_follows (account_id, id);
