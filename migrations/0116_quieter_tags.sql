-- Per followed hashtag: until when its posts stay out of the home feed, whether at most one a day enters it, and the one that did last.
ALTER TABLE tag_follows ADD COLUMN snoozed_until INTEGER;
ALTER TABLE tag_follows ADD COLUMN fewer INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tag_follows ADD COLUMN last_shown INTEGER;
CREATE INDEX tag_follows_fewer ON tag_follows (tag_id) WHERE fewer = 1;
