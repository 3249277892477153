-- Authenticator app of a user (TOTP); its secret is encrypted. A second factor once it was confirmed with a code.
CREATE TABLE totp_secrets (
  account_id INTEGER PRIMARY KEY REFERENCES users (account_id) ON DELETE CASCADE,
  sealed_secret TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  confirmed_at INTEGER,
  -- The time step of the code that was used last: each code works once.
  last_step INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Kept as hashes and deleted by use.
CREATE TABLE recovery_codes (
  code_hash TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES users (account_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX recovery_codes_account ON recovery_codes (account_id);

-- WebAuthn credentials. The public key is COSE in base64url.
CREATE TABLE passkeys (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES users (account_id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  credential_id TEXT NOT NULL UNIQUE,
  public_key TEXT NOT NULL,
  sign_count INTEGER NOT NULL,
  transports TEXT NOT NULL DEFAULT '[]',
  backed_up INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;
CREATE INDEX passkeys_account ON passkeys (account_id);

-- Challenges are signed rather than stored; those that were answered are kept until they expire, so that none is
-- answered twice.
CREATE TABLE used_challenges (
  challenge_hash TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX used_challenges_expiry ON used_challenges (expires_at);

-- Sign-ins whose password was right and which wait for a second factor or a code sent by mail.
CREATE TABLE pending_sign_ins (
  token_hash TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES users (account_id) ON DELETE CASCADE,
  step TEXT NOT NULL,
  code_hash TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX pending_sign_ins_account ON pending_sign_ins (account_id);
CREATE INDEX pending_sign_ins_expiry ON pending_sign_ins (expires_at);

-- Browsers that an account has signed in with, by a cookie of their own that outlives sessions.
CREATE TABLE known_devices (
  token_hash TEXT NOT NULL,
  account_id INTEGER NOT NULL REFERENCES users (account_id) ON DELETE CASCADE,
  last_used_at INTEGER NOT NULL,
  PRIMARY KEY (token_hash, account_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX known_devices_account ON known_devices (account_id);
CREATE INDEX known_devices_used ON known_devices (last_used_at);

-- Addresses that an account has signed in from.
CREATE TABLE sign_in_addresses (
  account_id INTEGER NOT NULL REFERENCES users (account_id) ON DELETE CASCADE,
  ip TEXT NOT NULL,
  last_used_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, ip)
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_addresses_used ON sign_in_addresses (last_used_at);
INSERT INTO sign_in_addresses (account_id, ip, last_used_at)
  SELECT account_id, ip, max(last_seen_at) FROM sessions WHERE ip IS NOT NULL GROUP BY account_id, ip;
INSERT OR IGNORE INTO sign_in_addresses (account_id, ip, last_used_at)
  SELECT account_id, sign_up_ip, created_at FROM users WHERE sign_up_ip IS NOT NULL;

-- 1: no code by mail is asked of this user when a sign-in looks new.
ALTER TABLE users ADD COLUMN skip_sign_in_token INTEGER NOT NULL DEFAULT 0;

-- Time at which a password or passkey was last given, and the cookie that outlives the session.
ALTER TABLE sessions ADD COLUMN authenticated_at INTEGER;
ALTER TABLE sessions ADD COLUMN device_hash TEXT;
