-- The data model of a running instance. Forward-only: later changes are new files, additive, safe on a live database.
-- Ids: milliseconds since 2007-01-01 x 4096 + 12 random bits. Instants: integer milliseconds. JSON columns hold what is
-- only ever read with its row.

CREATE TABLE accounts (
  id INTEGER PRIMARY KEY,
  username TEXT NOT NULL,
  domain TEXT,
  uri TEXT,
  url TEXT,
  display_name TEXT NOT NULL DEFAULT '',
  note TEXT NOT NULL DEFAULT '',
  note_html TEXT NOT NULL DEFAULT '',
  fields TEXT NOT NULL DEFAULT '[]',
  emojis TEXT NOT NULL DEFAULT '[]',
  avatar TEXT,
  avatar_description TEXT NOT NULL DEFAULT '',
  header TEXT,
  header_description TEXT NOT NULL DEFAULT '',
  locked INTEGER NOT NULL DEFAULT 0,
  actor_type TEXT NOT NULL DEFAULT 'Person',
  discoverable INTEGER,
  indexable INTEGER NOT NULL DEFAULT 0,
  hide_collections INTEGER,
  show_media INTEGER NOT NULL DEFAULT 1,
  show_media_replies INTEGER NOT NULL DEFAULT 1,
  show_featured INTEGER NOT NULL DEFAULT 1,
  attribution_domains TEXT NOT NULL DEFAULT '[]',
  also_known_as TEXT NOT NULL DEFAULT '[]',
  moved_to_account_id INTEGER REFERENCES accounts (id),
  memorial INTEGER NOT NULL DEFAULT 0,
  suspended_at INTEGER,
  silenced_at INTEGER,
  sensitized_at INTEGER,
  public_key TEXT,
  statuses_count INTEGER NOT NULL DEFAULT 0,
  followers_count INTEGER NOT NULL DEFAULT 0,
  following_count INTEGER NOT NULL DEFAULT 0,
  last_status_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
-- A local account has no domain; the expression makes its handle unique as well.
CREATE UNIQUE INDEX accounts_handle ON accounts (lower(username), coalesce(domain, ''));
CREATE UNIQUE INDEX accounts_uri ON accounts (uri) WHERE uri IS NOT NULL;

-- Searched by the beginnings of words. Kept in step by the triggers below; an update that names none of the three
-- columns costs nothing.
CREATE VIRTUAL TABLE account_search USING fts5 (
  username, display_name, domain,
  content = 'accounts', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3'
);
CREATE TRIGGER account_search_insert AFTER INSERT ON accounts BEGIN
  INSERT INTO account_search (rowid, username, display_name, domain)
    VALUES (new.id, new.username, new.display_name, new.domain);
END;
CREATE TRIGGER account_search_delete AFTER DELETE ON accounts BEGIN
  INSERT INTO account_search (account_search, rowid, username, display_name, domain)
    VALUES ('delete', old.id, old.username, old.display_name, old.domain);
END;
CREATE TRIGGER account_search_update AFTER UPDATE OF username, display_name, domain ON accounts BEGIN
  INSERT INTO account_search (account_search, rowid, username, display_name, domain)
    VALUES ('delete', old.id, old.username, old.display_name, old.domain);
  INSERT INTO account_search (rowid, username, display_name, domain)
    VALUES (new.id, new.username, new.display_name, new.domain);
END;

CREATE TABLE account_keys (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  private_key TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE roles (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  color TEXT NOT NULL DEFAULT '',
  position INTEGER NOT NULL,
  permissions INTEGER NOT NULL DEFAULT 0,
  highlighted INTEGER NOT NULL DEFAULT 0,
  collection_limit INTEGER NOT NULL DEFAULT 10,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE applications (
  id INTEGER PRIMARY KEY,
  client_id TEXT NOT NULL UNIQUE,
  client_secret_hash TEXT NOT NULL,
  name TEXT NOT NULL,
  website TEXT,
  redirect_uris TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- max_uses and expires_at NULL: without end.
CREATE TABLE invites (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  max_uses INTEGER,
  uses INTEGER NOT NULL DEFAULT 0,
  expires_at INTEGER,
  autofollow INTEGER NOT NULL DEFAULT 0,
  comment TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX invites_account ON invites (account_id);

CREATE TABLE users (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  unconfirmed_email TEXT,
  password_hash TEXT NOT NULL,
  role_id INTEGER REFERENCES roles (id),
  locale TEXT NOT NULL DEFAULT 'en',
  time_zone TEXT,
  confirmed_at INTEGER,
  approved INTEGER NOT NULL DEFAULT 1,
  disabled_at INTEGER,
  sign_up_reason TEXT,
  sign_up_ip TEXT,
  created_by_application_id INTEGER REFERENCES applications (id) ON DELETE SET NULL,
  invite_id INTEGER REFERENCES invites (id) ON DELETE SET NULL,
  settings TEXT NOT NULL DEFAULT '{}',
  last_active_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX users_email ON users (lower(email));
CREATE INDEX users_active ON users (last_active_at);

-- One-time secrets sent by e-mail, kept as hashes.
CREATE TABLE user_tokens (
  token_hash TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES users (account_id) ON DELETE CASCADE,
  purpose TEXT NOT NULL,
  email TEXT,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX user_tokens_account ON user_tokens (account_id, purpose);
CREATE INDEX user_tokens_expiry ON user_tokens (expires_at);

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY,
  token_hash TEXT NOT NULL UNIQUE,
  account_id INTEGER NOT NULL REFERENCES users (account_id) ON DELETE CASCADE,
  user_agent TEXT NOT NULL DEFAULT '',
  ip TEXT,
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_account ON sessions (account_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE authorization_codes (
  code_hash TEXT PRIMARY KEY,
  application_id INTEGER NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL REFERENCES users (account_id) ON DELETE CASCADE,
  redirect_uri TEXT NOT NULL,
  scopes TEXT NOT NULL,
  code_challenge TEXT,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE access_tokens (
  id INTEGER PRIMARY KEY,
  token_hash TEXT NOT NULL UNIQUE,
  application_id INTEGER NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
  account_id INTEGER REFERENCES users (account_id) ON DELETE CASCADE,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;
CREATE INDEX access_tokens_account ON access_tokens (account_id, application_id) WHERE account_id IS NOT NULL;
-- Tokens of applications acting for themselves, so that the same one is given out again.
CREATE INDEX access_tokens_application ON access_tokens (application_id) WHERE account_id IS NULL;

CREATE TABLE statuses (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  uri TEXT,
  url TEXT,
  local INTEGER NOT NULL,
  visibility TEXT NOT NULL,
  text TEXT NOT NULL DEFAULT '',
  content_type TEXT NOT NULL DEFAULT 'text/plain',
  content TEXT NOT NULL DEFAULT '',
  spoiler_text TEXT NOT NULL DEFAULT '',
  sensitive INTEGER NOT NULL DEFAULT 0,
  language TEXT,
  in_reply_to_id INTEGER,
  in_reply_to_account_id INTEGER,
  reblog_of_id INTEGER REFERENCES statuses (id) ON DELETE CASCADE,
  conversation_id INTEGER NOT NULL,
  application_id INTEGER,
  poll_id INTEGER,
  attachments TEXT NOT NULL DEFAULT '[]',
  mentions TEXT NOT NULL DEFAULT '[]',
  tags TEXT NOT NULL DEFAULT '[]',
  emojis TEXT NOT NULL DEFAULT '[]',
  card TEXT,
  quote_policy TEXT NOT NULL DEFAULT 'public',
  replies_count INTEGER NOT NULL DEFAULT 0,
  reblogs_count INTEGER NOT NULL DEFAULT 0,
  favourites_count INTEGER NOT NULL DEFAULT 0,
  quotes_count INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  edited_at INTEGER
) STRICT;
CREATE INDEX statuses_account ON statuses (account_id, id);
CREATE UNIQUE INDEX statuses_uri ON statuses (uri) WHERE uri IS NOT NULL;
CREATE INDEX statuses_reply ON statuses (in_reply_to_id) WHERE in_reply_to_id IS NOT NULL;
CREATE UNIQUE INDEX statuses_reblog ON statuses (reblog_of_id, account_id) WHERE reblog_of_id IS NOT NULL;
-- The public timelines read these; their queries must repeat the condition word for word to use them.
CREATE INDEX statuses_public ON statuses (id) WHERE visibility = 'public' AND reblog_of_id IS NULL
  AND (in_reply_to_account_id IS NULL OR in_reply_to_account_id = account_id);
CREATE INDEX statuses_public_local ON statuses (id) WHERE local = 1 AND visibility = 'public' AND reblog_of_id IS NULL
  AND (in_reply_to_account_id IS NULL OR in_reply_to_account_id = account_id);

CREATE TABLE status_mentions (
  status_id INTEGER NOT NULL REFERENCES statuses (id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  PRIMARY KEY (status_id, account_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE tags (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  display_name TEXT NOT NULL,
  usable INTEGER NOT NULL DEFAULT 1,
  listable INTEGER NOT NULL DEFAULT 1,
  trendable INTEGER,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE status_tags (
  tag_id INTEGER NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
  status_id INTEGER NOT NULL,
  PRIMARY KEY (tag_id, status_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE polls (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  status_id INTEGER NOT NULL REFERENCES statuses (id) ON DELETE CASCADE,
  options TEXT NOT NULL,
  tallies TEXT NOT NULL,
  multiple INTEGER NOT NULL DEFAULT 0,
  hide_totals INTEGER NOT NULL DEFAULT 0,
  votes_count INTEGER NOT NULL DEFAULT 0,
  voters_count INTEGER,
  expires_at INTEGER,
  closed_at INTEGER
) STRICT;
CREATE INDEX polls_status ON polls (status_id);
CREATE INDEX polls_open ON polls (expires_at) WHERE closed_at IS NULL AND expires_at IS NOT NULL;

CREATE TABLE poll_votes (
  poll_id INTEGER NOT NULL REFERENCES polls (id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  choice INTEGER NOT NULL,
  PRIMARY KEY (poll_id, account_id, choice)
) STRICT, WITHOUT ROWID;

CREATE TABLE favourites (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  status_id INTEGER NOT NULL REFERENCES statuses (id) ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX favourites_status ON favourites (status_id, account_id);
CREATE INDEX favourites_account ON favourites (account_id, id);

CREATE TABLE bookmarks (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  status_id INTEGER NOT NULL REFERENCES statuses (id) ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX bookmarks_status ON bookmarks (status_id, account_id);
CREATE INDEX bookmarks_account ON bookmarks (account_id, id);

CREATE TABLE status_pins (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  status_id INTEGER NOT NULL UNIQUE REFERENCES statuses (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX status_pins_account ON status_pins (account_id, id);

CREATE TABLE conversation_mutes (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  conversation_id INTEGER NOT NULL,
  PRIMARY KEY (account_id, conversation_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE tombstones (
  uri TEXT PRIMARY KEY,
  deleted_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE media_attachments (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  status_id INTEGER,
  type TEXT NOT NULL,
  mime TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  file_key TEXT NOT NULL,
  preview_key TEXT,
  description TEXT,
  blurhash TEXT,
  meta TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX media_attachments_loose ON media_attachments (created_at) WHERE status_id IS NULL;

CREATE TABLE home_entries (
  account_id INTEGER NOT NULL,
  status_id INTEGER NOT NULL,
  PRIMARY KEY (account_id, status_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE follows (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  target_account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  show_reblogs INTEGER NOT NULL DEFAULT 1,
  notify INTEGER NOT NULL DEFAULT 0,
  languages TEXT,
  uri TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX follows_pair ON follows (account_id, target_account_id);
CREATE INDEX follows_target ON follows (target_account_id, id);
CREATE INDEX follows_account ON follows (account_id, id);
-- Who wants to be told of every status of somebody.
CREATE INDEX follows_notify ON follows (target_account_id) WHERE notify = 1;

CREATE TABLE follow_requests (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  target_account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  show_reblogs INTEGER NOT NULL DEFAULT 1,
  notify INTEGER NOT NULL DEFAULT 0,
  languages TEXT,
  uri TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX follow_requests_pair ON follow_requests (account_id, target_account_id);
CREATE INDEX follow_requests_target ON follow_requests (target_account_id, id);

CREATE TABLE blocks (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  target_account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  uri TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX blocks_pair ON blocks (account_id, target_account_id);
CREATE INDEX blocks_account ON blocks (account_id, id);

CREATE TABLE mutes (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  target_account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  hide_notifications INTEGER NOT NULL DEFAULT 1,
  expires_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX mutes_pair ON mutes (account_id, target_account_id);
CREATE INDEX mutes_account ON mutes (account_id, id);
CREATE INDEX mutes_expiry ON mutes (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE account_domain_blocks (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  domain TEXT NOT NULL,
  id INTEGER NOT NULL,
  PRIMARY KEY (account_id, domain)
) STRICT, WITHOUT ROWID;

CREATE TABLE account_notes (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  target_account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  comment TEXT NOT NULL,
  PRIMARY KEY (account_id, target_account_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE endorsements (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  target_account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX endorsements_pair ON endorsements (account_id, target_account_id);

CREATE TABLE notifications (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  type TEXT NOT NULL,
  from_account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  status_id INTEGER REFERENCES statuses (id) ON DELETE CASCADE,
  group_key TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX notifications_account ON notifications (account_id, id);
CREATE INDEX notifications_status ON notifications (status_id) WHERE status_id IS NOT NULL;
-- One notification per deed: undoing and repeating a favourite does not notify twice.
CREATE UNIQUE INDEX notifications_once ON notifications (account_id, type, from_account_id, coalesce(status_id, 0));

CREATE TABLE markers (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  timeline TEXT NOT NULL,
  last_read_id INTEGER NOT NULL,
  version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, timeline)
) STRICT, WITHOUT ROWID;

CREATE TABLE custom_emojis (
  id INTEGER PRIMARY KEY,
  shortcode TEXT NOT NULL,
  domain TEXT,
  image TEXT NOT NULL,
  still TEXT,
  category TEXT,
  visible_in_picker INTEGER NOT NULL DEFAULT 1,
  disabled INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX custom_emojis_shortcode ON custom_emojis (shortcode, coalesce(domain, ''));
CREATE INDEX custom_emojis_local ON custom_emojis (shortcode) WHERE domain IS NULL;

CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Every server this one has met. Whoever adds a row counts it in counters.domains.
CREATE TABLE instances (
  domain TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE rules (
  id INTEGER PRIMARY KEY,
  position INTEGER NOT NULL,
  text TEXT NOT NULL,
  hint TEXT NOT NULL DEFAULT '',
  translations TEXT NOT NULL DEFAULT '{}'
) STRICT;

-- Figures shown on NodeInfo and the instance page: kept, never scanned.
CREATE TABLE counters (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE activity_weeks (
  week INTEGER PRIMARY KEY,
  statuses INTEGER NOT NULL DEFAULT 0,
  logins INTEGER NOT NULL DEFAULT 0,
  registrations INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE idempotency_keys (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  status_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, key)
) STRICT, WITHOUT ROWID;

-- Durable intent: written in the batch that makes the change, removed when its effects are done, swept by cron.
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY,
  event TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  not_before INTEGER NOT NULL
) STRICT;

-- Permission bits are Mastodon's: 1 is administrator, 2097151 every one.
INSERT INTO roles (id, name, color, position, permissions, highlighted, created_at, updated_at) VALUES
  (-99, '', '', -1, 65536, 0, 0, 0),
  (1, 'Moderator', '', 10, 1308, 1, 0, 0),
  (2, 'Admin', '', 100, 983036, 1, 0, 0),
  (3, 'Owner', '', 1000, 1, 1, 0, 0);
INSERT INTO counters (name, value) VALUES ('users', 0), ('statuses', 0), ('replies', 0), ('domains', 0), ('active_month', 0), ('active_halfyear', 0);
