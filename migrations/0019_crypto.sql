-- The end-to-end encryption of 3.2. One device for each access token, gone with it and all that waits for it.
CREATE TABLE crypto_devices (
  token_id INTEGER PRIMARY KEY REFERENCES access_tokens (id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  device_id TEXT NOT NULL,
  name TEXT NOT NULL,
  fingerprint_key TEXT NOT NULL,
  identity_key TEXT NOT NULL,
  UNIQUE (account_id, device_id)
) STRICT;

CREATE TABLE one_time_keys (
  token_id INTEGER NOT NULL REFERENCES crypto_devices (token_id) ON DELETE CASCADE,
  key_id TEXT NOT NULL,
  key TEXT NOT NULL,
  signature TEXT NOT NULL,
  PRIMARY KEY (token_id, key_id)
) STRICT, WITHOUT ROWID;

-- Messages wait here until their device has cleared them, or for a month.
CREATE TABLE encrypted_messages (
  id INTEGER PRIMARY KEY,
  token_id INTEGER NOT NULL REFERENCES crypto_devices (token_id) ON DELETE CASCADE,
  from_account_id INTEGER NOT NULL,
  from_device_id TEXT NOT NULL,
  type INTEGER NOT NULL,
  body TEXT NOT NULL,
  digest TEXT NOT NULL,
  message_franking TEXT NOT NULL
) STRICT;
CREATE INDEX encrypted_messages_token ON encrypted_messages (token_id);
