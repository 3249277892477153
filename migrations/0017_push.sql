-- Where an application wants to be told of notifications; gone with its token.
CREATE TABLE push_subscriptions (
  -- Small and never used again: Tusky reads it into 31 bits, and what waits for a subscription names it.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  access_token_id INTEGER NOT NULL UNIQUE REFERENCES access_tokens (id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL REFERENCES users (account_id) ON DELETE CASCADE,
  endpoint TEXT NOT NULL,
  p256dh TEXT NOT NULL,
  auth TEXT NOT NULL,
  standard INTEGER NOT NULL DEFAULT 0,
  alerts TEXT NOT NULL DEFAULT '{}',
  policy TEXT NOT NULL DEFAULT 'all',
  -- Refused so often in a row.
  failures INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX push_subscriptions_account ON push_subscriptions (account_id);
