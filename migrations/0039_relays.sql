-- Relays, which pass public statuses on between servers that do not follow each other. Additive.

CREATE TABLE relays (
  id INTEGER PRIMARY KEY,
  inbox_url TEXT NOT NULL UNIQUE,
  -- 'idle', 'pending', 'accepted' or 'rejected'.
  state TEXT NOT NULL DEFAULT 'idle',
  -- Number in the id of the Follow that was sent; NULL while idle.
  follow_id INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX relays_state ON relays (state, inbox_url);
