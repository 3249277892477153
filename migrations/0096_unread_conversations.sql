-- Unread conversations by account: every page of a member counts them.
CREATE INDEX conversations_unread ON conversations (account_id) WHERE unread = 1;
