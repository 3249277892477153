-- Threads as collections that other servers read, and likes that remote authors approve first. Additive: the code of before
-- neither reads nor sets any of it.

-- Address of the thread of a remote status, as its server gives it; of statuses without a stored parent alone.
ALTER TABLE statuses ADD COLUMN context_uri TEXT;
-- Replies of a thread by id: one row more for each of them.
CREATE INDEX statuses_threads ON statuses (conversation_id) WHERE conversation_id <> id;

-- Accounts that may like a remote status: 'public', 'followers', 'mentioned', 'nobody'.
ALTER TABLE statuses ADD COLUMN like_policy TEXT NOT NULL DEFAULT 'public';
-- The approval by the author, as JSON.
ALTER TABLE favourites ADD COLUMN approval TEXT;
-- Favourites that await the approval of a remote author. They count nowhere; the row moves to `favourites` with its id.
CREATE TABLE favourite_requests (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  status_id INTEGER NOT NULL REFERENCES statuses (id) ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX favourite_requests_status ON favourite_requests (status_id, account_id);
CREATE INDEX favourite_requests_account ON favourite_requests (account_id);
