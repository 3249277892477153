-- Posts that a member has begun to write and not yet published: one draft for each thing it is about, at most fifty.
-- `context` is `new`, or `reply:`, `quote:` or `edit:` with the id of a status. `fields` are those of the composer.
CREATE TABLE drafts (
  account_id INTEGER NOT NULL,
  context TEXT NOT NULL,
  fields TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, context)
) STRICT, WITHOUT ROWID;
