-- Posts that wait for their time, old posts that go by themselves, translations. Additive: every statement is safe
-- while the version before still runs.

CREATE TABLE scheduled_statuses (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  application_id INTEGER REFERENCES applications (id) ON DELETE SET NULL,
  scheduled_at INTEGER NOT NULL,
  -- What is to be posted, as it was asked for: text and the choices about it.
  params TEXT NOT NULL,
  idempotency_key TEXT,
  created_at INTEGER NOT NULL,
  -- When to try, or to try again.
  due_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  -- Why it could not be posted, in words for its author; then it waits for them.
  failure TEXT
) STRICT;
CREATE INDEX scheduled_statuses_account ON scheduled_statuses (account_id, id);
CREATE INDEX scheduled_statuses_due ON scheduled_statuses (due_at) WHERE failure IS NULL;
CREATE INDEX scheduled_statuses_key ON scheduled_statuses (account_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

-- Uploads a scheduled status holds.
ALTER TABLE media_attachments ADD COLUMN scheduled_status_id INTEGER REFERENCES scheduled_statuses (id) ON DELETE SET NULL;
CREATE INDEX media_attachments_scheduled ON media_attachments (scheduled_status_id) WHERE scheduled_status_id IS NOT NULL;

-- Whose old posts are deleted, and which of them are kept.
CREATE TABLE cleanup_policies (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  enabled INTEGER NOT NULL,
  min_age_seconds INTEGER NOT NULL,
  keep_direct INTEGER NOT NULL,
  keep_pinned INTEGER NOT NULL,
  keep_polls INTEGER NOT NULL,
  keep_media INTEGER NOT NULL,
  keep_own_favourites INTEGER NOT NULL,
  keep_own_bookmarks INTEGER NOT NULL,
  -- As many favourites or reblogs keep a post; null: none does.
  min_favourites INTEGER,
  min_reblogs INTEGER,
  -- Where this round stopped, and when to go on.
  place INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL
) STRICT;
CREATE INDEX cleanup_policies_due ON cleanup_policies (due_at) WHERE enabled = 1;

-- What translators answered, by a hash of what they were asked. Gone any time.
CREATE TABLE translations (
  key TEXT PRIMARY KEY,
  answer TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX translations_age ON translations (created_at);
