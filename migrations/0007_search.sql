-- What statuses say, found by words. A document is written by the code that stores the status: it folds the words
-- and cuts scripts without spaces into pairs, so the tokenizer only splits at spaces and stems English. Nothing is kept
-- but the index itself. `traits` holds tokens that narrow a search, among them whose search may find the status.
CREATE VIRTUAL TABLE status_search USING fts5 (
  text, traits, content = '', contentless_delete = 1, tokenize = 'porter ascii'
);

-- Documents to be written anew, by what the triggers below see. `turn` moves with every change, so that one that comes
-- while a document is being written is not lost.
CREATE TABLE search_stale (
  status_id INTEGER PRIMARY KEY,
  turn INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Statuses to be gone through, newest first, and below which id they still are: those of an account whose author
-- changed `indexable`, and under account 0 all there were before there was an index.
CREATE TABLE search_walks (
  account_id INTEGER PRIMARY KEY,
  before_id INTEGER NOT NULL
) STRICT;
INSERT INTO search_walks (account_id, before_id) VALUES (0, 9007199254740991);

CREATE TRIGGER status_search_delete AFTER DELETE ON statuses WHEN old.reblog_of_id IS NULL BEGIN
  DELETE FROM status_search WHERE rowid = old.id;
  DELETE FROM search_stale WHERE status_id = old.id;
END;

-- What changes in a status nobody may search for is nobody's concern, but an edit may name somebody new.
CREATE TRIGGER status_search_update
  AFTER UPDATE OF content, spoiler_text, attachments, tags, language, sensitive, poll_id ON statuses
  WHEN old.reblog_of_id IS NULL AND (
    old.content <> new.content OR old.spoiler_text <> new.spoiler_text
    OR EXISTS (SELECT 1 FROM status_search WHERE rowid = new.id)
    OR EXISTS (SELECT 1 FROM search_stale WHERE status_id = new.id))
BEGIN
  INSERT INTO search_stale (status_id) VALUES (new.id) ON CONFLICT (status_id) DO UPDATE SET turn = turn + 1;
END;

-- People of this server find again what they marked, shared or voted in. Their own they find anyway.
CREATE TRIGGER status_search_reblog AFTER INSERT ON statuses
  WHEN new.reblog_of_id IS NOT NULL AND new.local = 1
    AND new.account_id <> (SELECT account_id FROM statuses WHERE id = new.reblog_of_id)
BEGIN
  INSERT INTO search_stale (status_id) VALUES (new.reblog_of_id)
    ON CONFLICT (status_id) DO UPDATE SET turn = turn + 1;
END;
CREATE TRIGGER status_search_favourite AFTER INSERT ON favourites
  WHEN EXISTS (SELECT 1 FROM users WHERE account_id = new.account_id)
    AND new.account_id <> (SELECT account_id FROM statuses WHERE id = new.status_id)
BEGIN
  INSERT INTO search_stale (status_id) VALUES (new.status_id) ON CONFLICT (status_id) DO UPDATE SET turn = turn + 1;
END;
CREATE TRIGGER status_search_bookmark AFTER INSERT ON bookmarks
  WHEN new.account_id <> (SELECT account_id FROM statuses WHERE id = new.status_id)
BEGIN
  INSERT INTO search_stale (status_id) VALUES (new.status_id) ON CONFLICT (status_id) DO UPDATE SET turn = turn + 1;
END;
CREATE TRIGGER status_search_vote AFTER INSERT ON poll_votes
  WHEN EXISTS (SELECT 1 FROM users WHERE account_id = new.account_id)
    AND NOT EXISTS (SELECT 1 FROM poll_votes
      WHERE poll_id = new.poll_id AND account_id = new.account_id AND choice <> new.choice)
BEGIN
  INSERT INTO search_stale (status_id) SELECT status_id FROM polls WHERE id = new.poll_id AND account_id <> new.account_id
    ON CONFLICT (status_id) DO UPDATE SET turn = turn + 1;
END;

CREATE TRIGGER status_search_author AFTER UPDATE OF indexable ON accounts WHEN old.indexable <> new.indexable BEGIN
  INSERT INTO search_walks (account_id, before_id) VALUES (new.id, 9007199254740991)
    ON CONFLICT (account_id) DO UPDATE SET before_id = 9007199254740991;
END;
