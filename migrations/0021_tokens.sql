-- The token an exchange made, so that a second exchange of the same code can end it.
ALTER TABLE authorization_codes ADD COLUMN token_id INTEGER;

-- Tokens of applications acting for themselves by their last use: those unused for long are deleted.
CREATE INDEX access_tokens_unused ON access_tokens (coalesce(last_used_at, created_at)) WHERE account_id IS NULL;
