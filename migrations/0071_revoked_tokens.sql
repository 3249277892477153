-- Hashes of deleted access tokens. Public endpoints take an unknown token for none, and refuse a revoked one. Additive: the
-- code of before reads none of it.

CREATE TABLE revoked_tokens (
  token_hash TEXT PRIMARY KEY NOT NULL,
  revoked_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX revoked_tokens_age ON revoked_tokens (revoked_at);

CREATE TRIGGER access_tokens_revoked AFTER DELETE ON access_tokens BEGIN
  INSERT OR REPLACE INTO revoked_tokens (token_hash, revoked_at)
  VALUES (old.token_hash, cast(unixepoch('subsec') * 1000 AS INTEGER));
END;
