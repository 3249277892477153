-- Inboxes that reach remote accounts: the shared inbox of their server, or their own.
CREATE TABLE inboxes (
  id INTEGER PRIMARY KEY,
  url TEXT NOT NULL UNIQUE,
  -- Nothing was delivered for a week, and the server has not made contact since.
  unreachable_since INTEGER
) STRICT;
INSERT INTO inboxes (url) SELECT DISTINCT coalesce(shared_inbox, inbox) FROM remote_actors WHERE true;

-- Inbox that reaches the follower. NULL for local followers, and wherever it has to be looked up: a suspended follower.
ALTER TABLE follows ADD COLUMN inbox_id INTEGER;
UPDATE follows SET inbox_id = (
  SELECT i.id FROM accounts a CROSS JOIN remote_actors r ON r.account_id = a.id
    CROSS JOIN inboxes i ON i.url = coalesce(r.shared_inbox, r.inbox)
  WHERE a.id = follows.account_id AND a.domain IS NOT NULL AND a.suspended_at IS NULL)
WHERE account_id IN (SELECT account_id FROM remote_actors);

-- In the place of follows_target: the local followers of an account apart from the others, whose inboxes are read here
-- alone. Both parts are in the order of the ids.
CREATE INDEX follows_followers ON follows (target_account_id, (inbox_id IS NULL), id, inbox_id, account_id);
DROP INDEX IF EXISTS follows_target;

CREATE TRIGGER inboxes_insert AFTER INSERT ON remote_actors BEGIN
  INSERT INTO inboxes (url) VALUES (coalesce(new.shared_inbox, new.inbox)) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER inboxes_update AFTER UPDATE OF inbox, shared_inbox ON remote_actors
WHEN coalesce(old.shared_inbox, old.inbox) <> coalesce(new.shared_inbox, new.inbox) BEGIN
  INSERT INTO inboxes (url) VALUES (coalesce(new.shared_inbox, new.inbox)) ON CONFLICT DO NOTHING;
  UPDATE follows SET inbox_id = (SELECT id FROM inboxes WHERE url = coalesce(new.shared_inbox, new.inbox))
    WHERE account_id = new.account_id AND inbox_id IS NOT NULL;
END;
CREATE TRIGGER inboxes_suspended AFTER UPDATE OF suspended_at ON accounts
WHEN old.suspended_at IS NULL AND new.suspended_at IS NOT NULL AND new.domain IS NOT NULL BEGIN
  UPDATE follows SET inbox_id = NULL WHERE account_id = new.id AND inbox_id IS NOT NULL;
END;
CREATE TRIGGER inboxes_unsuspended AFTER UPDATE OF suspended_at ON accounts
WHEN old.suspended_at IS NOT NULL AND new.suspended_at IS NULL AND new.domain IS NOT NULL BEGIN
  UPDATE follows SET inbox_id = (SELECT i.id FROM remote_actors r
      CROSS JOIN inboxes i ON i.url = coalesce(r.shared_inbox, r.inbox) WHERE r.account_id = new.id)
    WHERE account_id = new.id;
END;

-- Read as a whole, once a minute: a delivery to thousands of servers would ask thousands of times.
CREATE INDEX domain_limits_suspended ON domain_limits (domain) WHERE severity = 'suspend';
-- Contact from a server makes its inboxes reachable again.
CREATE INDEX inboxes_unreachable ON inboxes (url) WHERE unreachable_since IS NOT NULL;

-- Deleting a row asks every table that refers to it. Without an index that reads the whole table: 1,206,261 rows to reject
-- one sign-up. test/db/foreign-keys.test.ts finds references without an index.
CREATE INDEX accounts_moved_to ON accounts (moved_to_account_id) WHERE moved_to_account_id IS NOT NULL;
CREATE INDEX users_application ON users (created_by_application_id) WHERE created_by_application_id IS NOT NULL;
CREATE INDEX authorization_codes_account ON authorization_codes (account_id);
CREATE INDEX authorization_codes_application ON authorization_codes (application_id);
DROP INDEX access_tokens_application;
CREATE INDEX access_tokens_application ON access_tokens (application_id, account_id);
CREATE INDEX status_mentions_account ON status_mentions (account_id, status_id);
CREATE INDEX polls_account ON polls (account_id);
CREATE INDEX poll_votes_account ON poll_votes (account_id);
CREATE INDEX media_attachments_account ON media_attachments (account_id);
CREATE INDEX mutes_target ON mutes (target_account_id);
CREATE INDEX account_notes_target ON account_notes (target_account_id);
CREATE INDEX endorsements_target ON endorsements (target_account_id);
CREATE INDEX quotes_account ON quotes (account_id);
CREATE INDEX quotes_quoted_account ON quotes (quoted_account_id) WHERE quoted_account_id IS NOT NULL;
CREATE INDEX account_moves_target ON account_moves (target_account_id);
CREATE INDEX list_accounts_owner ON list_accounts (owner_id);
CREATE INDEX scheduled_statuses_application ON scheduled_statuses (application_id) WHERE application_id IS NOT NULL;
CREATE INDEX suggestion_dismissals_target ON suggestion_dismissals (target_account_id);
CREATE INDEX announcement_mutes_announcement ON announcement_mutes (announcement_id);
CREATE INDEX notification_permissions_from ON notification_permissions (from_account_id);

-- Begins with the sender now: the index finds what a deleted account sent as well as single notifications. Written as
-- often as before.
DROP INDEX notifications_deed;
CREATE UNIQUE INDEX notifications_deed ON notifications
  (from_account_id, type, account_id, coalesce(status_id, subject_id, 0));
