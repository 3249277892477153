-- Networks, e-mail domains, e-mail addresses and usernames that are blocked. Additive.

CREATE TABLE ip_blocks (
  id INTEGER PRIMARY KEY,
  -- Network in CIDR notation, host bits zero: 192.0.2.0/24, 2001:db8::/32.
  ip TEXT NOT NULL UNIQUE,
  -- 'sign_up_requires_approval', 'sign_up_block' or 'no_access'.
  severity TEXT NOT NULL,
  comment TEXT NOT NULL DEFAULT '',
  expires_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX ip_blocks_expires ON ip_blocks (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX ip_blocks_no_access ON ip_blocks (ip) WHERE severity = 'no_access';

CREATE TABLE email_domain_blocks (
  id INTEGER PRIMARY KEY,
  domain TEXT NOT NULL UNIQUE,
  -- 1: sign-ups need approval; 0: they are refused.
  allow_with_approval INTEGER NOT NULL DEFAULT 0,
  -- Sign-up attempts of the last days: JSON object of day number (days since 1970) to [networks, attempts].
  history TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL
) STRICT;

-- Networks that attempted to sign up, as hashes: counts each once a day. Pruned after a day.
CREATE TABLE email_domain_attempts (
  block_id INTEGER NOT NULL REFERENCES email_domain_blocks (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  network_hash TEXT NOT NULL,
  PRIMARY KEY (block_id, day, network_hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX email_domain_attempts_day ON email_domain_attempts (day);

CREATE TABLE canonical_email_blocks (
  id INTEGER PRIMARY KEY,
  -- SHA-256 in hex of the canonical address.
  canonical_email_hash TEXT NOT NULL UNIQUE,
  -- The account whose suspension blocked the address; NULL: blocked by itself.
  account_id INTEGER REFERENCES accounts (id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX canonical_email_blocks_account ON canonical_email_blocks (account_id) WHERE account_id IS NOT NULL;

CREATE TABLE username_blocks (
  id INTEGER PRIMARY KEY,
  username TEXT NOT NULL,
  -- Lower case, digits that look like letters replaced by these.
  normalized TEXT NOT NULL,
  -- 1: equal names only; 0: names that contain it.
  exact INTEGER NOT NULL DEFAULT 0,
  allow_with_approval INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX username_blocks_username ON username_blocks (username);
CREATE INDEX username_blocks_exact ON username_blocks (normalized) WHERE exact = 1;
CREATE INDEX username_blocks_contains ON username_blocks (normalized) WHERE exact = 0;
