-- Browsers that notifications are pushed to. Each row ends with its session: by signing out, by the account from elsewhere,
-- by suspension or deletion of the account, or when the session expires.
CREATE TABLE browser_push_subscriptions (
  -- Of the sequence of all ids, far above those of push_subscriptions: jobs name a subscription by its id alone.
  id INTEGER PRIMARY KEY,
  session_id INTEGER NOT NULL UNIQUE REFERENCES sessions (id),
  account_id INTEGER NOT NULL REFERENCES users (account_id) ON DELETE CASCADE,
  -- A browser has one address: whoever signs in there next takes it over.
  endpoint TEXT NOT NULL UNIQUE,
  p256dh TEXT NOT NULL,
  auth TEXT NOT NULL,
  alerts TEXT NOT NULL DEFAULT '{}',
  policy TEXT NOT NULL DEFAULT 'all',
  failures INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX browser_push_subscriptions_account ON browser_push_subscriptions (account_id);

-- By a trigger, whose effects are known by their table (src/db/schema/write-effects.ts): a cascade would outdate every cached
-- response at each sign-in.
CREATE TRIGGER browser_push_of_session BEFORE DELETE ON sessions BEGIN
  DELETE FROM browser_push_subscriptions WHERE session_id = old.id;
END;
