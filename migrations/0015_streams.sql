-- Who is here now, and for which streams of their own: one row for each account with an open connection. Nobody
-- else is called when something happens.
CREATE TABLE presences (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  channels TEXT NOT NULL DEFAULT '[]'
) STRICT;

-- Shared streams that somebody listens to.
CREATE TABLE heard_topics (
  channel TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
