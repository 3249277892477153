-- Messages that nobody could run, as the dead-letter queue delivered them. Additive.
CREATE TABLE dead_letters (
  -- Ordered by the time of arrival.
  id INTEGER PRIMARY KEY,
  -- Of the queue message: each is delivered at least once.
  message_id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  message TEXT NOT NULL
) STRICT;
