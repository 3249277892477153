-- Accounts in the hands of moderators: lists by state, deletion of what is suspended for good, texts for warnings.
-- Additive.

-- Suspended accounts whose data are removed at this time, unless the suspension is lifted before.
CREATE TABLE account_deletions (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  due_at INTEGER NOT NULL
) STRICT;
CREATE INDEX account_deletions_due ON account_deletions (due_at);

-- Texts that moderators put into warnings.
CREATE TABLE warning_presets (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  text TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

-- Pages of accounts by state, in the order of their ids.
CREATE INDEX accounts_local ON accounts (id) WHERE domain IS NULL;
CREATE INDEX accounts_suspended ON accounts (id) WHERE suspended_at IS NOT NULL;
CREATE INDEX accounts_silenced ON accounts (id) WHERE silenced_at IS NOT NULL;
CREATE INDEX accounts_sensitized ON accounts (id) WHERE sensitized_at IS NOT NULL;
CREATE INDEX users_pending ON users (account_id) WHERE approved = 0;
CREATE INDEX users_disabled ON users (account_id) WHERE disabled_at IS NOT NULL;
CREATE INDEX users_invite ON users (invite_id) WHERE invite_id IS NOT NULL;
-- Accounts by the addresses they used.
CREATE INDEX users_sign_up_ip ON users (sign_up_ip) WHERE sign_up_ip IS NOT NULL;
CREATE INDEX sessions_ip ON sessions (ip, account_id) WHERE ip IS NOT NULL;
