-- What people of this server say in a report beyond what servers tell each other. Additive: rows of before have none.
ALTER TABLE reports ADD COLUMN rule_ids TEXT NOT NULL DEFAULT '[]';
ALTER TABLE reports ADD COLUMN collection_ids TEXT NOT NULL DEFAULT '[]';
-- The app it was made with.
ALTER TABLE reports ADD COLUMN application_id INTEGER;
