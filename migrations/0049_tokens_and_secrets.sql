-- Access tokens are random from now on. Those from before were derived from the secret of the server and their id:
-- they go on working, and can be told apart, because whoever has that secret can compute them.
ALTER TABLE access_tokens ADD COLUMN derived INTEGER NOT NULL DEFAULT 1;
CREATE INDEX access_tokens_derived ON access_tokens (id) WHERE derived = 1;

-- Token of an application for itself, encrypted under the secret of the application, which is not stored: who asks again
-- with that secret gets the same token.
ALTER TABLE access_tokens ADD COLUMN sealed_for_application TEXT;

-- Pushed messages name the token of their subscription: encrypted. NULL for subscriptions from before, until they are
-- filled in.
ALTER TABLE push_subscriptions ADD COLUMN sealed_token TEXT;

-- Name of the account as its authenticators know it. NULL as above: derived from the secret of the server.
ALTER TABLE passkeys ADD COLUMN user_handle TEXT;

-- Secret that requests to the receiver are signed with: encrypted. NULL as above: derived.
ALTER TABLE webhooks ADD COLUMN sealed_secret TEXT;
