-- Every administrative act, and two-factor authentication that a role requires. Additive.

ALTER TABLE roles ADD COLUMN require_two_factor INTEGER NOT NULL DEFAULT 0;

CREATE TABLE audit_log (
  id INTEGER PRIMARY KEY,
  -- NULL: the operator, by a command, or a moderator whose account was deleted.
  account_id INTEGER REFERENCES accounts (id) ON DELETE SET NULL,
  -- Name of the moderator at that time; empty for the operator.
  username TEXT NOT NULL,
  action TEXT NOT NULL,
  target_type TEXT NOT NULL,
  target_id INTEGER,
  -- Name of the target for readers: a handle, a domain, a title.
  target_label TEXT NOT NULL,
  -- JSON objects with the fields that changed.
  old_values TEXT NOT NULL DEFAULT '{}',
  new_values TEXT NOT NULL DEFAULT '{}',
  -- Address of the moderator; removed after a year.
  ip TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX audit_log_account ON audit_log (account_id, id) WHERE account_id IS NOT NULL;
CREATE INDEX audit_log_target ON audit_log (target_type, target_id, id);
CREATE INDEX audit_log_ip ON audit_log (created_at) WHERE ip IS NOT NULL;
