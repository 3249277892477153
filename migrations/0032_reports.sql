-- Reports in the hands of moderators: who has one, who decided it, notes, evidence, and appeals against strikes. Additive.

ALTER TABLE reports ADD COLUMN assigned_account_id INTEGER REFERENCES accounts (id) ON DELETE SET NULL;
ALTER TABLE reports ADD COLUMN action_taken_by_account_id INTEGER REFERENCES accounts (id) ON DELETE SET NULL;
-- Also the version that moderators change: it grows with every change.
ALTER TABLE reports ADD COLUMN updated_at INTEGER NOT NULL DEFAULT 0;
UPDATE reports SET updated_at = coalesce(action_taken_at, created_at);
CREATE INDEX reports_unresolved ON reports (id) WHERE action_taken_at IS NULL;
CREATE INDEX reports_assigned ON reports (assigned_account_id) WHERE assigned_account_id IS NOT NULL;
CREATE INDEX reports_action_taken_by ON reports (action_taken_by_account_id) WHERE action_taken_by_account_id IS NOT NULL;

-- Statuses as they were when they were reported or led to a strike. They outlive the statuses.
CREATE TABLE moderation_evidence (
  id INTEGER PRIMARY KEY,
  report_id INTEGER REFERENCES reports (id) ON DELETE CASCADE,
  strike_id INTEGER REFERENCES account_warnings (id) ON DELETE CASCADE,
  status_id INTEGER NOT NULL,
  snapshot TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX moderation_evidence_report ON moderation_evidence (report_id, status_id) WHERE report_id IS NOT NULL;
CREATE UNIQUE INDEX moderation_evidence_strike ON moderation_evidence (strike_id, status_id) WHERE strike_id IS NOT NULL;

-- Notes of moderators for each other, about a report or an account.
CREATE TABLE moderation_notes (
  id INTEGER PRIMARY KEY,
  -- NULL: the operator, or a moderator whose account was deleted.
  account_id INTEGER REFERENCES accounts (id) ON DELETE SET NULL,
  -- Name of the moderator at that time; empty for the operator.
  username TEXT NOT NULL,
  report_id INTEGER REFERENCES reports (id) ON DELETE CASCADE,
  target_account_id INTEGER REFERENCES accounts (id) ON DELETE CASCADE,
  content TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX moderation_notes_account ON moderation_notes (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX moderation_notes_report ON moderation_notes (report_id, id) WHERE report_id IS NOT NULL;
CREATE INDEX moderation_notes_target ON moderation_notes (target_account_id, id) WHERE target_account_id IS NOT NULL;

-- Time at which an appeal undid the strike.
ALTER TABLE account_warnings ADD COLUMN overruled_at INTEGER;

-- Appeals, at most one for each strike.
CREATE TABLE appeals (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  strike_id INTEGER NOT NULL UNIQUE REFERENCES account_warnings (id) ON DELETE CASCADE,
  text TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  approved_at INTEGER,
  rejected_at INTEGER,
  -- Moderator who decided; NULL for the operator and where the account was deleted.
  decided_by_account_id INTEGER REFERENCES accounts (id) ON DELETE SET NULL
) STRICT;
CREATE INDEX appeals_account ON appeals (account_id);
CREATE INDEX appeals_pending ON appeals (id) WHERE approved_at IS NULL AND rejected_at IS NULL;
CREATE INDEX appeals_decided_by ON appeals (decided_by_account_id) WHERE decided_by_account_id IS NOT NULL;
