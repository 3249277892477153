-- Collections of accounts people recommend, annual reports, and work that clients wait for. Additive: every statement
-- is safe while the version before still runs.

-- uri and url NULL: of this server. description is text as typed for ours, and sanitised HTML for others.
CREATE TABLE collections (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  uri TEXT,
  url TEXT,
  name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  language TEXT,
  sensitive INTEGER NOT NULL DEFAULT 0,
  discoverable INTEGER NOT NULL DEFAULT 1,
  tag TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX collections_account ON collections (account_id, id);
CREATE UNIQUE INDEX collections_uri ON collections (uri) WHERE uri IS NOT NULL;

-- Who is in a collection. Rows of those who refused or took back their consent stay, so that they are not asked again.
CREATE TABLE collection_items (
  id INTEGER PRIMARY KEY,
  collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  state TEXT NOT NULL,
  -- What another server calls the item, and the consent of somebody elsewhere (FEP-7aa9).
  uri TEXT,
  authorization_uri TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX collection_items_pair ON collection_items (collection_id, account_id);
CREATE INDEX collection_items_account ON collection_items (account_id, id);

-- Who may feature somebody of another server, as their actor says: {automatic, manual}. NULL: it says nothing.
ALTER TABLE accounts ADD COLUMN feature_policy TEXT;
-- Where an actor of another server lists its collections.
ALTER TABLE remote_actors ADD COLUMN featured_collections TEXT;

-- Ids of the collections of this server whose pages a status links.
ALTER TABLE statuses ADD COLUMN linked_collections TEXT NOT NULL DEFAULT '[]';

-- What somebody did in a year. data NULL: it is still being counted, since requested_at.
CREATE TABLE annual_reports (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  year INTEGER NOT NULL,
  data TEXT,
  share_key TEXT NOT NULL,
  requested_at INTEGER NOT NULL,
  generated_at INTEGER,
  viewed_at INTEGER,
  PRIMARY KEY (account_id, year)
) STRICT, WITHOUT ROWID;

-- Work in the background that a client may ask about, by what it is for ("context:1").
CREATE TABLE async_refreshes (
  subject TEXT PRIMARY KEY,
  status TEXT NOT NULL,
  result_count INTEGER,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX async_refreshes_expiry ON async_refreshes (expires_at);
