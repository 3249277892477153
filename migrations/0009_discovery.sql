-- Finding people and posts: directory, suggestions, trends, announcements. Additive, and stands on 0002 alone.

-- The directory, latest poster first. A post by somebody who wants to be found writes one row more, here two.
CREATE INDEX accounts_directory ON accounts (last_status_at) WHERE discoverable = 1;
CREATE INDEX accounts_directory_local ON accounts (last_status_at) WHERE discoverable = 1 AND domain IS NULL;

-- Whom somebody does not want to have suggested again.
CREATE TABLE suggestion_dismissals (
  account_id INTEGER NOT NULL REFERENCES users (account_id) ON DELETE CASCADE,
  target_account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  PRIMARY KEY (account_id, target_account_id)
) STRICT, WITHOUT ROWID;

-- What was last worked out for somebody, best first: [{id, sources}]. Who may be shown is decided when it is read.
CREATE TABLE suggestion_lists (
  account_id INTEGER PRIMARY KEY REFERENCES users (account_id) ON DELETE CASCADE,
  entries TEXT NOT NULL,
  computed_at INTEGER NOT NULL
) STRICT;

-- Shown from published_at (NULL: not at all) until ends_at; starts_at is when what it is about begins.
CREATE TABLE announcements (
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL,
  content TEXT NOT NULL,
  mentions TEXT NOT NULL DEFAULT '[]',
  tags TEXT NOT NULL DEFAULT '[]',
  emojis TEXT NOT NULL DEFAULT '[]',
  status_ids TEXT NOT NULL DEFAULT '[]',
  -- What of announcement_reactions a reader is shown: [{name, count, emoji?}], in the order the kinds came.
  reactions TEXT NOT NULL DEFAULT '[]',
  all_day INTEGER NOT NULL DEFAULT 0,
  starts_at INTEGER,
  ends_at INTEGER,
  published_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

-- Who has read what.
CREATE TABLE announcement_mutes (
  account_id INTEGER NOT NULL REFERENCES users (account_id) ON DELETE CASCADE,
  announcement_id INTEGER NOT NULL REFERENCES announcements (id) ON DELETE CASCADE,
  PRIMARY KEY (account_id, announcement_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE announcement_reactions (
  announcement_id INTEGER NOT NULL REFERENCES announcements (id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL REFERENCES users (account_id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  PRIMARY KEY (announcement_id, account_id, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX announcement_reactions_account ON announcement_reactions (account_id);

-- tags.trendable, and here: NULL is neither allowed nor refused. reviewed_at tells that somebody looked.
ALTER TABLE tags ADD COLUMN reviewed_at INTEGER;

-- May the posts of this author, and links to this host, be among what trends?
CREATE TABLE trend_authors (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  trendable INTEGER,
  reviewed_at INTEGER
) STRICT;
CREATE TABLE trend_publishers (
  id INTEGER PRIMARY KEY,
  domain TEXT NOT NULL UNIQUE,
  trendable INTEGER,
  reviewed_at INTEGER
) STRICT;

-- What trends, and what may again: a few hundred rows each, kept by cron. rank is the time of the peak in half-lives
-- plus the logarithm of its height: it orders like the score that decays, and needs no writing while that decays.
CREATE TABLE trending_tags (
  tag_id INTEGER PRIMARY KEY REFERENCES tags (id) ON DELETE CASCADE,
  rank REAL NOT NULL,
  peak REAL NOT NULL,
  peak_at INTEGER NOT NULL,
  -- Days since 1970, and [uses, accounts] of that day and the six before it.
  day INTEGER NOT NULL,
  history TEXT NOT NULL
) STRICT;
CREATE TABLE trending_statuses (
  status_id INTEGER PRIMARY KEY REFERENCES statuses (id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL,
  language TEXT NOT NULL,
  rank REAL NOT NULL,
  trendable INTEGER,
  reviewed_at INTEGER
) STRICT;
CREATE TABLE trending_links (
  card_id INTEGER PRIMARY KEY,
  language TEXT,
  rank REAL NOT NULL,
  peak REAL NOT NULL,
  peak_at INTEGER NOT NULL,
  day INTEGER NOT NULL,
  history TEXT NOT NULL
) STRICT;
