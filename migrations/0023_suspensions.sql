-- Suspensions of servers in progress: each part takes up where the one before ended. Lifting the limit ends them.
CREATE TABLE domain_suspensions (
  domain TEXT PRIMARY KEY REFERENCES domain_limits (domain) ON DELETE CASCADE,
  -- What people are told they lost follows by.
  event_id INTEGER NOT NULL,
  -- The mark on accounts.
  suspended_at INTEGER NOT NULL,
  -- The domain and those below it, as JSON.
  domains TEXT NOT NULL,
  -- 'accounts', then 'notices'.
  stage TEXT NOT NULL DEFAULT 'accounts',
  -- The place in `domains`, and the last account there that is done; of notices the last who got one.
  position INTEGER NOT NULL DEFAULT 0,
  after_id INTEGER NOT NULL DEFAULT 0,
  accounts_count INTEGER NOT NULL,
  accounts_done INTEGER NOT NULL DEFAULT 0,
  progressed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
