-- Requests to addresses that administrators name, when something happens here. Additive.

CREATE TABLE webhooks (
  id INTEGER PRIMARY KEY,
  url TEXT NOT NULL UNIQUE,
  -- JSON array of names.
  events TEXT NOT NULL,
  -- Empty: the payload as it is.
  template TEXT NOT NULL DEFAULT '',
  -- The secret is derived from the secret of the server, the id and this number; it is stored nowhere.
  secret_version INTEGER NOT NULL DEFAULT 1,
  enabled INTEGER NOT NULL DEFAULT 1,
  -- First failure since the last success.
  failing_since INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX webhooks_enabled ON webhooks (enabled);

-- Log of deliveries, pruned to the newest 200 of each webhook.
CREATE TABLE webhook_deliveries (
  id INTEGER PRIMARY KEY,
  webhook_id INTEGER NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  event TEXT NOT NULL,
  -- Row of the outbox that caused it: the same fact is delivered once, however often its effects run.
  source_id INTEGER NOT NULL,
  -- The account, report or status.
  object_id INTEGER NOT NULL,
  occurred_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  -- 'pending', 'delivered' or 'failed'.
  state TEXT NOT NULL DEFAULT 'pending',
  -- Status of the last response; NULL where there was none.
  http_status INTEGER,
  error TEXT,
  duration_ms INTEGER,
  attempted_at INTEGER,
  -- Due time of the next attempt; NULL once delivered or failed.
  next_attempt_at INTEGER
) STRICT;
CREATE UNIQUE INDEX webhook_deliveries_source ON webhook_deliveries (webhook_id, source_id);
CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries (webhook_id, id);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
