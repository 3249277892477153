-- Notices of new terms of service to members. Additive.

-- Summary of the changes for mail and page.
ALTER TABLE terms_of_service ADD COLUMN changelog TEXT NOT NULL DEFAULT '';

-- A table of its own: the texts of the terms are long, and this is read with sessions.
CREATE TABLE terms_notices (
  effective_on TEXT PRIMARY KEY REFERENCES terms_of_service (effective_on) ON DELETE CASCADE,
  -- Those who joined later agreed to these terms when they did.
  joined_before INTEGER NOT NULL,
  sent_at INTEGER NOT NULL,
  -- The last account, by its id, whose mail was sent or is not wanted.
  mailed_up_to INTEGER NOT NULL DEFAULT 0,
  mails INTEGER NOT NULL DEFAULT 0,
  -- Number of the part whose mails come next, and parts in a row that were cut short because mail failed.
  part INTEGER NOT NULL DEFAULT 0,
  failed_parts INTEGER NOT NULL DEFAULT 0,
  finished_at INTEGER
) STRICT, WITHOUT ROWID;

-- When the user last said to have seen new terms.
ALTER TABLE users ADD COLUMN terms_seen_at INTEGER;
