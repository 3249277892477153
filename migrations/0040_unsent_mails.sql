-- Mails to members that are sent by the queue, until they are. Additive.
CREATE TABLE unsent_mails (
  id INTEGER PRIMARY KEY,
  -- NULL: the account is deleted with the occasion of the mail.
  account_id INTEGER REFERENCES accounts (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  username TEXT NOT NULL,
  -- Address at the time of the occasion, which may be a change of it. Kept for a week at most.
  email TEXT NOT NULL,
  happened_at INTEGER NOT NULL
) STRICT;
CREATE INDEX unsent_mails_account ON unsent_mails (account_id);
