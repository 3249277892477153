-- What pages say of themselves, by the address they give as their own: what several addresses lead to is one card.
CREATE TABLE preview_cards (
  id INTEGER PRIMARY KEY,
  url TEXT NOT NULL UNIQUE,
  host TEXT NOT NULL,
  card TEXT NOT NULL,
  -- May it be shown among what trends? Null until somebody has looked.
  trendable INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX preview_cards_updated ON preview_cards (updated_at);

-- Addresses as they were linked, and when each may be asked again: whatever came of it, many posts ask once.
CREATE TABLE preview_pages (
  url TEXT PRIMARY KEY,
  card_id INTEGER,
  ask_again_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX preview_pages_due ON preview_pages (ask_again_at);

-- Public statuses by the card they show: the timeline of a link and, since ids tell the day, its use by day.
CREATE TABLE status_links (
  status_id INTEGER PRIMARY KEY REFERENCES statuses (id) ON DELETE CASCADE,
  card_id INTEGER NOT NULL,
  account_id INTEGER NOT NULL
) STRICT;
CREATE INDEX status_links_card ON status_links (card_id, status_id, account_id);
