-- Ended follows that can be restored; lists of limits, imported or subscribed to. Additive.

-- Options of an ended follow.
ALTER TABLE severed_follows ADD COLUMN show_reblogs INTEGER NOT NULL DEFAULT 1;
ALTER TABLE severed_follows ADD COLUMN notify INTEGER NOT NULL DEFAULT 0;
ALTER TABLE severed_follows ADD COLUMN languages TEXT;

-- Sums over account_severances, so that a list of events reads one row each.
ALTER TABLE severance_events ADD COLUMN followers_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE severance_events ADD COLUMN following_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE severance_events ADD COLUMN restore_started_at INTEGER;
ALTER TABLE severance_events ADD COLUMN restored_at INTEGER;
ALTER TABLE severance_events ADD COLUMN restored_count INTEGER NOT NULL DEFAULT 0;
UPDATE severance_events SET
  followers_count = (SELECT coalesce(sum(s.followers_count), 0) FROM account_severances s WHERE s.event_id = severance_events.id),
  following_count = (SELECT coalesce(sum(s.following_count), 0) FROM account_severances s WHERE s.event_id = severance_events.id)
  WHERE type = 'domain_block';
CREATE INDEX severance_events_domain_block ON severance_events (id) WHERE type = 'domain_block';

-- The subscription that a limit comes from; NULL: a moderator's own.
ALTER TABLE domain_limits ADD COLUMN blocklist_id INTEGER;
CREATE INDEX domain_limits_blocklist ON domain_limits (blocklist_id) WHERE blocklist_id IS NOT NULL;

CREATE TABLE blocklists (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  -- NULL: an uploaded file, which is gone once it is applied.
  url TEXT UNIQUE,
  etag TEXT,
  checked_at INTEGER,
  next_check_at INTEGER,
  -- Reason for which the last check failed.
  error TEXT,
  -- Set when the subscription ends and its limits are being lifted.
  ended_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX blocklists_due ON blocklists (next_check_at) WHERE next_check_at IS NOT NULL;

CREATE TABLE blocklist_entries (
  id INTEGER PRIMARY KEY,
  blocklist_id INTEGER NOT NULL REFERENCES blocklists (id) ON DELETE CASCADE,
  domain TEXT NOT NULL,
  severity TEXT NOT NULL,
  reject_media INTEGER NOT NULL,
  reject_reports INTEGER NOT NULL,
  obfuscate INTEGER NOT NULL,
  public_comment TEXT NOT NULL,
  -- 'add', 'change' or 'remove'.
  change TEXT NOT NULL,
  -- 'pending', 'approved' (waits for the job), 'applied' or 'rejected'.
  state TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX blocklist_entries_domain ON blocklist_entries (blocklist_id, domain);
CREATE INDEX blocklist_entries_state ON blocklist_entries (blocklist_id, state, id);
CREATE INDEX blocklist_entries_listed ON blocklist_entries (domain) WHERE state = 'applied';

-- Domains that no list limits.
CREATE TABLE blocklist_exceptions (
  id INTEGER PRIMARY KEY,
  domain TEXT NOT NULL UNIQUE,
  comment TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL
) STRICT;
