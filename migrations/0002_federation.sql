-- What other servers bring. Additive: every statement is safe while the version before still runs.

-- Addresses of an actor of another server; what a profile shows stands in accounts.
CREATE TABLE remote_actors (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  inbox TEXT NOT NULL,
  shared_inbox TEXT,
  outbox TEXT,
  followers TEXT,
  following TEXT,
  featured TEXT,
  featured_tags TEXT,
  moved_to TEXT,
  -- 1: accounts.suspended_at stands because its own server said so, which may then take it back.
  suspended_at_home INTEGER NOT NULL DEFAULT 0,
  -- When its document was last read, and when its posts were.
  fetched_at INTEGER NOT NULL,
  backfilled_at INTEGER
) STRICT;

-- Public keys by the id that signatures name. Only keys that their owner's own document lists.
CREATE TABLE actor_keys (
  key_id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  public_key TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX actor_keys_account ON actor_keys (account_id);

-- After a rotation: the key that servers are offered which have not heard of the new one.
ALTER TABLE account_keys ADD COLUMN previous_private_key TEXT;
ALTER TABLE account_keys ADD COLUMN rotated_at INTEGER;

-- in_reply_to_uri is kept while the parent is unknown; replies_uri is where another server lists the answers.
ALTER TABLE statuses ADD COLUMN in_reply_to_uri TEXT;
ALTER TABLE statuses ADD COLUMN replies_uri TEXT;
-- Never leaves this server: seen by its people only.
ALTER TABLE statuses ADD COLUMN local_only INTEGER NOT NULL DEFAULT 0;
ALTER TABLE statuses ADD COLUMN reply_policy TEXT NOT NULL DEFAULT 'public';
ALTER TABLE statuses ADD COLUMN reblog_policy TEXT NOT NULL DEFAULT 'public';
-- What of emoji_reactions a reader is shown: [{name, count, emoji?}], in the order the kinds came.
ALTER TABLE statuses ADD COLUMN reactions TEXT NOT NULL DEFAULT '[]';
CREATE INDEX statuses_orphans ON statuses (in_reply_to_uri) WHERE in_reply_to_uri IS NOT NULL;

-- A status that quotes another, and whether the quoted author agreed. quoted_status_id is null while it is unknown here.
CREATE TABLE quotes (
  status_id INTEGER PRIMARY KEY REFERENCES statuses (id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  quoted_status_id INTEGER REFERENCES statuses (id) ON DELETE SET NULL,
  quoted_account_id INTEGER REFERENCES accounts (id) ON DELETE SET NULL,
  quoted_uri TEXT NOT NULL,
  state TEXT NOT NULL,
  -- Said in words that know no consent.
  legacy INTEGER NOT NULL DEFAULT 0,
  -- The consent (FEP-044f), and the request that asked for it.
  authorization_uri TEXT,
  request_uri TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX quotes_quoted ON quotes (quoted_status_id, status_id) WHERE quoted_status_id IS NOT NULL;
CREATE INDEX quotes_authorization ON quotes (authorization_uri) WHERE authorization_uri IS NOT NULL;
CREATE UNIQUE INDEX quotes_request ON quotes (request_uri) WHERE request_uri IS NOT NULL;

-- Earlier versions of edited statuses, oldest first; the row in statuses is the latest one.
CREATE TABLE status_edits (
  id INTEGER PRIMARY KEY,
  status_id INTEGER NOT NULL REFERENCES statuses (id) ON DELETE CASCADE,
  text TEXT NOT NULL DEFAULT '',
  content_type TEXT NOT NULL DEFAULT 'text/plain',
  content TEXT NOT NULL,
  spoiler_text TEXT NOT NULL,
  sensitive INTEGER NOT NULL,
  attachments TEXT NOT NULL,
  emojis TEXT NOT NULL,
  poll_options TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX status_edits_status ON status_edits (status_id, id);
CREATE INDEX media_attachments_status ON media_attachments (status_id) WHERE status_id IS NOT NULL;

CREATE TABLE emoji_reactions (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  status_id INTEGER NOT NULL REFERENCES statuses (id) ON DELETE CASCADE,
  -- A Unicode emoji, or the shortcode of a custom one (`shortcode@host` of another server's) with its picture in emoji.
  name TEXT NOT NULL,
  emoji TEXT,
  uri TEXT
) STRICT;
CREATE UNIQUE INDEX emoji_reactions_once ON emoji_reactions (status_id, account_id, name);
CREATE INDEX emoji_reactions_account ON emoji_reactions (account_id, id);

ALTER TABLE favourites ADD COLUMN uri TEXT;

-- Activities that came, so that a copy that comes late or again does nothing; only kinds whose effect can be undone.
CREATE TABLE received_activities (
  uri TEXT PRIMARY KEY,
  day INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Limits moderators put on servers; a limit holds for all subdomains too.
CREATE TABLE domain_limits (
  domain TEXT PRIMARY KEY,
  id INTEGER NOT NULL UNIQUE,
  severity TEXT NOT NULL,
  reject_media INTEGER NOT NULL DEFAULT 0,
  reject_reports INTEGER NOT NULL DEFAULT 0,
  obfuscate INTEGER NOT NULL DEFAULT 0,
  private_comment TEXT NOT NULL DEFAULT '',
  public_comment TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A limit marks the accounts of its domain.
CREATE INDEX accounts_domain ON accounts (domain) WHERE domain IS NOT NULL;

-- In allow-list mode only these servers are spoken with.
CREATE TABLE allowed_domains (
  domain TEXT PRIMARY KEY,
  id INTEGER NOT NULL UNIQUE,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Follows lost to a moderator's or a person's decision about a domain, kept for those who lost them.
CREATE TABLE severance_events (
  id INTEGER PRIMARY KEY,
  type TEXT NOT NULL,
  target TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE severed_follows (
  event_id INTEGER NOT NULL REFERENCES severance_events (id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  other_account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- 1: account_id followed the other; 0: it was followed.
  followed INTEGER NOT NULL,
  PRIMARY KEY (event_id, account_id, other_account_id, followed)
) STRICT, WITHOUT ROWID;
CREATE INDEX severed_follows_account ON severed_follows (account_id, event_id);
CREATE INDEX severed_follows_other ON severed_follows (other_account_id);

-- How a server wants to be spoken to, and when it last spoke.
ALTER TABLE instances ADD COLUMN signature TEXT;
ALTER TABLE instances ADD COLUMN software TEXT;
ALTER TABLE instances ADD COLUMN software_version TEXT;
ALTER TABLE instances ADD COLUMN last_seen_at INTEGER;

-- Moves of our people to other servers: when, so that the next one has to wait.
CREATE TABLE account_moves (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  target_account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  followers_count INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX account_moves_account ON account_moves (account_id, id);

CREATE TABLE featured_tags (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  tag_id INTEGER NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
  -- As its owner wrote it.
  name TEXT NOT NULL,
  statuses_count INTEGER NOT NULL DEFAULT 0,
  last_status_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX featured_tags_once ON featured_tags (account_id, tag_id);
CREATE INDEX featured_tags_tag ON featured_tags (tag_id);

-- What people here or elsewhere report to the moderators.
CREATE TABLE reports (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  target_account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  status_ids TEXT NOT NULL DEFAULT '[]',
  comment TEXT NOT NULL DEFAULT '',
  category TEXT NOT NULL DEFAULT 'other',
  -- NULL: it came from another server.
  forwarded INTEGER,
  uri TEXT,
  created_at INTEGER NOT NULL,
  action_taken_at INTEGER
) STRICT;
CREATE INDEX reports_account ON reports (account_id, id);
CREATE INDEX reports_target ON reports (target_account_id, id);
CREATE UNIQUE INDEX reports_uri ON reports (uri, target_account_id) WHERE uri IS NOT NULL;
